//! Types of data: [`format`](mod@format) (formats of images), [`layout`] (where the numbers of a type lie in memory).

pub mod format;
pub mod layout;

use std::fmt;

pub use format::ImageFormat;
use lanescope_base::named_enum;

named_enum!(
    serde if feature = "serde";
    /// How the bits of a number are read.
    Scalar {
        /// 8-bit signed integer.
        Int8 = "int8",
        /// 16-bit signed integer.
        Int16 = "int16",
        /// 32-bit signed integer.
        Int32 = "int32",
        /// 64-bit signed integer.
        Int64 = "int64",
        /// 8-bit unsigned integer.
        Uint8 = "uint8",
        /// 16-bit unsigned integer.
        Uint16 = "uint16",
        /// 32-bit unsigned integer.
        Uint32 = "uint32",
        /// 64-bit unsigned integer.
        Uint64 = "uint64",
        /// 16-bit floating point.
        Float16 = "float16",
        /// 32-bit floating point.
        Float = "float",
        /// 64-bit floating point.
        Double = "double",
    }
);

impl Scalar {
    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Int8 | Scalar::Uint8 => 1,
            Scalar::Int16 | Scalar::Uint16 | Scalar::Float16 => 2,
            Scalar::Int32 | Scalar::Uint32 | Scalar::Float => 4,
            Scalar::Int64 | Scalar::Uint64 | Scalar::Double => 8,
        }
    }

    /// Whether it is floating point.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float16 | Scalar::Float | Scalar::Double)
    }
}

/// Numbers in rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Numbers {
    /// The type of each.
    pub scalar: Scalar,
    /// Components of a vector, or rows of a matrix: 1 to 4.
    pub rows: u8,
    /// Columns of a matrix, else 1.
    pub columns: u8,
    /// The type ends in `[]`: elements of an array, which std140 places apart.
    pub array: bool,
}

/// The type of a buffer's elements, or of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum DataType {
    /// A scalar, a vector or a matrix.
    Numbers(Numbers),
    /// The format of an image.
    Format(ImageFormat),
    /// A structure, by its name.
    Struct(String),
}

impl Numbers {
    /// Reads the name of a type: `uint32`, `vec3<float>`, `mat2x3<double>[]`.
    pub fn named(text: &str) -> Option<Numbers> {
        let (text, array) = text.strip_suffix("[]").map_or((text, false), |text| (text, true));
        let count = |digit: u8| (b'2'..=b'4').contains(&digit).then(|| digit - b'0');
        let inner = |from: usize| text.get(from..)?.strip_suffix('>')?.parse().ok();
        let (scalar, columns, rows) = match text.as_bytes() {
            [b'v', b'e', b'c', rows, b'<', ..] => (inner(5)?, 1, count(*rows)?),
            [b'm', b'a', b't', columns, b'x', rows, b'<', ..] => (inner(7)?, count(*columns)?, count(*rows)?),
            _ => (text.parse().ok()?, 1, 1),
        };
        Some(Numbers { scalar, rows, columns, array })
    }
}

impl DataType {
    /// The format of an image of such elements, if a format can have them.
    pub fn image_format(&self) -> Option<ImageFormat> {
        match self {
            DataType::Format(format) => Some(format.clone()),
            _ => ImageFormat::named(&self.format_name()?),
        }
    }

    /// Vulkan's name of the format that has these numbers, if a format can.
    pub fn format_name(&self) -> Option<String> {
        match self {
            DataType::Format(format) => Some(format.to_string()),
            DataType::Numbers(Numbers { scalar, rows, columns: 1, .. }) => {
                let mode = match scalar {
                    Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Int64 => "SINT",
                    Scalar::Float16 | Scalar::Float | Scalar::Double => "SFLOAT",
                    Scalar::Uint8 | Scalar::Uint16 | Scalar::Uint32 | Scalar::Uint64 => "UINT",
                };
                let channels = ["R", "G", "B", "A"].iter().take(usize::from(*rows));
                let channels: String = channels.map(|channel| format!("{channel}{}", scalar.size() * 8)).collect();
                Some(format!("{channels}_{mode}"))
            }
            DataType::Numbers(_) | DataType::Struct(_) => None,
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.columns, self.rows) {
            (1, 1) => write!(f, "{}", self.scalar)?,
            (1, rows) => write!(f, "vec{rows}<{}>", self.scalar)?,
            (columns, rows) => write!(f, "mat{columns}x{rows}<{}>", self.scalar)?,
        }
        if self.array { f.write_str("[]") } else { Ok(()) }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataType::Numbers(numbers) => write!(f, "{numbers}"),
            DataType::Format(format) => write!(f, "{format}"),
            DataType::Struct(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let mut count = 0;
        for scalar in Scalar::ALL {
            for (columns, rows) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (3, 2), (2, 4), (4, 4)] {
                for array in [false, true] {
                    let numbers = Numbers { scalar: *scalar, rows, columns, array };
                    assert_eq!(Numbers::named(&numbers.to_string()), Some(numbers));
                    count += 1;
                }
            }
        }
        assert_eq!(count, 11 * 8 * 2);
        for wrong in
            ["vec1<float>", "vec5<float>", "vec2<float", "vec2<vec2<float>>", "mat2x2", "half", "", "[]", "vec2<é>"]
        {
            assert_eq!(Numbers::named(wrong), None, "{wrong}");
        }
        assert_eq!(Numbers::named("mat3x2<float>").map(|m| (m.columns, m.rows)), Some((3, 2)));
    }
}
