//! Where the numbers of an element lie in memory: by the rules of std140 and std430, or where a structure places them.

use lanescope_base::named_enum;

use super::format::{ImageFormat, Mode};
use super::{DataType, Numbers, Scalar};

named_enum!(
    serde if feature = "serde";
    /// The rules by which members are placed.
    Packing {
        /// Those of uniform blocks: arrays, matrices and structures begin at multiples of 16 bytes.
        Std140 = "STD140",
        /// Those of storage blocks.
        Std430 = "STD430",
    }
);

/// A structure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Struct {
    /// Its line.
    pub line: crate::line::Line,
    /// Its name.
    pub name: String,
    /// Size in bytes, where it is given.
    pub stride: Option<u32>,
    /// Members, in their order.
    pub members: Vec<Member>,
}

/// A member of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: DataType,
    /// Offset in bytes, where it is given.
    pub offset: Option<u32>,
    /// Bytes between the columns of a matrix, where they are given.
    pub matrix_stride: Option<u32>,
}

/// A number of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Segment {
    /// Offset in the element, in bytes.
    pub offset: u32,
    /// Its type. Of a packed format this is the whole word.
    pub scalar: Scalar,
}

/// The numbers of an element, in the order in which a script lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Layout {
    /// The numbers. A format whose components are not whole bytes, or of sizes that no number has, has none.
    pub segments: Vec<Segment>,
    /// Bytes from an element to the next.
    pub size: u32,
    /// The offset of a member of this type is a multiple of it.
    pub align: u32,
}

/// The most numbers in an element.
pub const MAX_NUMBERS: usize = 1 << 12;
/// The largest element, in bytes.
pub const MAX_ELEMENT: u32 = 1 << 20;

/// The layout of a type; of the structures in it those before it are known. What cannot be laid out is said.
pub(crate) fn of(ty: &DataType, packing: Packing, known: &[(String, [Layout; 2])]) -> Result<Layout, String> {
    match ty {
        DataType::Numbers(numbers) => Ok(of_numbers(*numbers, packing, None)?),
        DataType::Format(format) => Ok(of_format(format)),
        DataType::Struct(name) => {
            let known = known.iter().find(|(own, _)| own == name).ok_or_else(|| format!("no structure `{name}`"))?;
            Ok(known.1[usize::from(packing == Packing::Std430)].clone())
        }
    }
}

fn of_numbers(numbers: Numbers, packing: Packing, stride: Option<u32>) -> Result<Layout, String> {
    let Numbers { scalar, rows, columns, array } = numbers;
    let (rows, columns, size) = (u32::from(rows), u32::from(columns), scalar.size());
    let is_matrix = columns > 1;
    let mut align = if rows == 3 { 4 } else { rows } * size;
    if packing == Packing::Std140 && (array || is_matrix) {
        align = align.next_multiple_of(16);
    }
    let column = match stride {
        Some(stride) if stride < rows * size => return Err(format!("a matrix stride of {stride} bytes")),
        Some(stride) if stride > MAX_ELEMENT => return Err(format!("a matrix stride of {stride} bytes")),
        Some(stride) => stride,
        None => align,
    };
    let at = |index: u32| index / rows * column + index % rows * size;
    let segments = (0..rows * columns).map(|index| Segment { offset: at(index), scalar }).collect();
    Ok(Layout { segments, size: column * columns, align })
}

fn of_format(format: &ImageFormat) -> Layout {
    if let Some(bits) = format.packed {
        let scalar = match bits {
            8 => Scalar::Uint8,
            16 => Scalar::Uint16,
            _ => Scalar::Uint32,
        };
        let size = u32::from(bits / 8);
        return Layout { segments: vec![Segment { offset: 0, scalar }], size, align: size };
    }
    let scalars: Option<Vec<Scalar>> = format.components.iter().map(|one| component(one.bits, one.mode)).collect();
    let Some(scalars) = scalars else { return Layout { segments: Vec::new(), size: format.size(), align: 1 } };
    let mut offset = 0;
    let mut segments = Vec::new();
    for scalar in &scalars {
        segments.push(Segment { offset, scalar: *scalar });
        offset += scalar.size();
    }
    // Three components are placed as the vector of three of their type.
    if let [_, _, last] = scalars.as_slice() {
        offset += last.size();
    }
    Layout { segments, size: offset, align: scalars.first().map_or(1, |scalar| scalar.size()) }
}

/// The number that a component of a format is, where one has its size.
fn component(bits: u8, mode: Mode) -> Option<Scalar> {
    Some(match (mode, bits) {
        (Mode::Unorm | Mode::Uscaled | Mode::Uint | Mode::Srgb, 8) => Scalar::Uint8,
        (Mode::Unorm | Mode::Uscaled | Mode::Uint | Mode::Srgb, 16) => Scalar::Uint16,
        (Mode::Unorm | Mode::Uscaled | Mode::Uint | Mode::Srgb, 32) => Scalar::Uint32,
        (Mode::Unorm | Mode::Uscaled | Mode::Uint | Mode::Srgb, 64) => Scalar::Uint64,
        (Mode::Snorm | Mode::Sscaled | Mode::Sint, 8) => Scalar::Int8,
        (Mode::Snorm | Mode::Sscaled | Mode::Sint, 16) => Scalar::Int16,
        (Mode::Snorm | Mode::Sscaled | Mode::Sint, 32) => Scalar::Int32,
        (Mode::Snorm | Mode::Sscaled | Mode::Sint, 64) => Scalar::Int64,
        (Mode::Sfloat, 16) => Scalar::Float16,
        (Mode::Sfloat, 32) => Scalar::Float,
        (Mode::Sfloat, 64) => Scalar::Double,
        _ => return None,
    })
}

/// The layouts of a structure by the rules of std140 and of std430.
pub(crate) fn of_struct(one: &Struct, known: &[(String, [Layout; 2])]) -> Result<[Layout; 2], String> {
    Ok([placed(one, Packing::Std140, known)?, placed(one, Packing::Std430, known)?])
}

fn placed(one: &Struct, packing: Packing, known: &[(String, [Layout; 2])]) -> Result<Layout, String> {
    let (mut segments, mut end, mut align) = (Vec::new(), 0, 1);
    for member in &one.members {
        let layout = match (&member.ty, member.matrix_stride) {
            (DataType::Numbers(numbers), stride) => of_numbers(*numbers, packing, stride)?,
            (ty, _) => of(ty, packing, known)?,
        };
        let offset = member.offset.unwrap_or(u32::next_multiple_of(end, layout.align));
        if offset < end {
            return Err(format!("`{}` at byte {offset}, in the {end} bytes before it", member.name));
        }
        // What fills the last element of a vector of three is free for the next member.
        let last = layout.segments.iter().map(|segment| segment.offset + segment.scalar.size()).max();
        let used = match member.ty {
            DataType::Numbers(Numbers { columns: 1, array: false, .. }) => last.unwrap_or(layout.size),
            _ => layout.size,
        };
        segments
            .extend(layout.segments.iter().map(|one| Segment { offset: offset.saturating_add(one.offset), ..*one }));
        end = offset.saturating_add(used);
        align = layout.align.max(align);
        if segments.len() > MAX_NUMBERS || end > MAX_ELEMENT {
            return Err(format!("more than {MAX_NUMBERS} numbers or {MAX_ELEMENT} bytes"));
        }
    }
    if packing == Packing::Std140 {
        align = align.next_multiple_of(16);
    }
    let size = match one.stride {
        Some(stride) if stride < end || stride > MAX_ELEMENT => {
            return Err(format!("{end} bytes of members in a stride of {stride}"));
        }
        Some(stride) => stride,
        None => end.next_multiple_of(align),
    };
    Ok(Layout { segments, size, align })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Line;

    fn numbers(name: &str) -> DataType {
        DataType::Numbers(Numbers::named(name).expect("is a type"))
    }

    fn offsets(layout: &Layout) -> (Vec<u32>, u32) {
        (layout.segments.iter().map(|segment| segment.offset).collect(), layout.size)
    }

    #[test]
    fn places_elements_of_arrays() {
        let layout = |name, packing| offsets(&of(&numbers(name), packing, &[]).expect("has a layout"));
        assert_eq!(layout("float", Packing::Std140), (vec![0], 4));
        assert_eq!(layout("float[]", Packing::Std140), (vec![0], 16));
        assert_eq!(layout("float[]", Packing::Std430), (vec![0], 4));
        assert_eq!(layout("vec3<float>", Packing::Std430), (vec![0, 4, 8], 16));
        assert_eq!(layout("mat2x3<float>", Packing::Std430), (vec![0, 4, 8, 16, 20, 24], 32));
        assert_eq!(layout("mat2x2<float>", Packing::Std140), (vec![0, 4, 16, 20], 32));
        assert_eq!(layout("mat2x2<float>", Packing::Std430), (vec![0, 4, 8, 12], 16));
    }

    #[test]
    fn places_members_of_structures() {
        let member =
            |name: &str, offset| Member { name: name.to_owned(), ty: numbers(name), offset, matrix_stride: None };
        let members = vec![
            member("float", None),
            member("vec3<float>", None),
            member("int32", None),
            member("vec2<double>", Some(48)),
        ];
        let mut one = Struct { line: Line(1), name: "S".to_owned(), stride: None, members };
        let [std140, std430] = of_struct(&one, &[]).expect("has a layout");
        assert_eq!(offsets(&std430), (vec![0, 16, 20, 24, 28, 48, 56], 64));
        assert_eq!(offsets(&std140), offsets(&std430));
        let known = [("S".to_owned(), [std140, std430])];
        let inner =
            Member { name: "s".to_owned(), ty: DataType::Struct("S".to_owned()), offset: None, matrix_stride: None };
        let outer = Struct {
            line: Line(2),
            name: "T".to_owned(),
            stride: Some(96),
            members: vec![member("uint8", None), inner],
        };
        let [_, std430] = of_struct(&outer, &known).expect("has a layout");
        assert_eq!((std430.segments[1].offset, std430.size), (16, 96));
        one.members[3].offset = Some(16);
        assert!(of_struct(&one, &[]).is_err());
    }

    #[test]
    fn structures_do_not_grow_without_bound() {
        let mut known: Vec<(String, [Layout; 2])> = Vec::new();
        let mut ty = numbers("vec4<float>");
        for depth in 0..40 {
            let member =
                |name: &str| Member { name: name.to_owned(), ty: ty.clone(), offset: None, matrix_stride: None };
            let one = Struct {
                line: Line(1),
                name: format!("S{depth}"),
                stride: None,
                members: vec![member("a"), member("b")],
            };
            match of_struct(&one, &known) {
                Ok(layouts) => known.push((one.name.clone(), layouts)),
                Err(error) => return assert!(depth == 10 && error.contains("4096 numbers"), "{depth}: {error}"),
            }
            ty = DataType::Struct(one.name);
        }
        panic!("grew to 2^42 numbers");
    }

    #[test]
    fn formats_are_numbers() {
        let layout = |name| offsets(&of_format(&ImageFormat::named(name).expect("known")));
        assert_eq!(layout("R8G8B8A8_UNORM"), (vec![0, 1, 2, 3], 4));
        assert_eq!(layout("R32G32B32_SFLOAT"), (vec![0, 4, 8], 16));
        assert_eq!(layout("A2B10G10R10_UINT_PACK32"), (vec![0], 4));
        assert_eq!(layout("D24_UNORM_S8_UINT"), (vec![], 4));
    }
}
