//! Values of specialization constants from bytes, by their types in a module.

use std::collections::BTreeMap;

use lanescope_spirv::Module;
use lanescope_spirv::SpecValue;

/// The largest constant, in bytes.
const MAX_CONSTANT: u64 = 8;

/// The bytes that a stage's data has for a constant.
///
/// # Errors
/// Why there are none: no constant has that many, or they are not all in the data. What a description says of them is
/// not to be trusted: each of thousands may name all of the data.
pub fn bytes_of(data: &[u8], id: u32, offset: u64, size: u64) -> Result<Vec<u8>, String> {
    if size > MAX_CONSTANT {
        return Err(format!("constant {id} has {size} bytes, expected at most {MAX_CONSTANT}"));
    }
    let range = offset.checked_add(size).and_then(|end| {
        let (begin, end) = (usize::try_from(offset).ok()?, usize::try_from(end).ok()?);
        data.get(begin..end)
    });
    range
        .map(<[u8]>::to_vec)
        .ok_or_else(|| format!("constant {id} has {size} bytes at offset {offset}, but the data has {}", data.len()))
}

/// The types of a module's specialization constants, by their ids.
pub struct ConstantTypes(BTreeMap<u32, String>);

impl ConstantTypes {
    /// Reads them. Of a constant that is declared twice, the first.
    pub fn of(module: &Module) -> ConstantTypes {
        let mut types = BTreeMap::new();
        for declaration in module.spec_constants() {
            types.entry(declaration.spec_id).or_insert(declaration.type_name);
        }
        ConstantTypes(types)
    }

    /// The value that some bytes give to a constant.
    ///
    /// # Errors
    /// Why the bytes are not a value of its type. A constant that the module does not declare has no value and no
    /// error.
    pub fn value(&self, id: u32, bytes: &[u8]) -> Result<Option<SpecValue>, String> {
        self.0.get(&id).map(|ty| value_of(ty, id, bytes)).transpose()
    }
}

fn value_of(ty: &str, id: u32, bytes: &[u8]) -> Result<SpecValue, String> {
    let text = match (ty, bytes) {
        // A boolean is a VkBool32.
        ("bool", [a, b, c, d]) => Some((u32::from_le_bytes([*a, *b, *c, *d]) != 0).to_string()),
        ("bool", _) => None,
        _ => {
            let bits: usize = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(0);
            (bytes.len() <= 8 && bits == bytes.len() * 8).then(|| number(ty, bytes))
        }
    };
    match text {
        Some(text) => Ok(SpecValue(text)),
        None => Err(format!("constant {id} has {} bytes, which do not fit its type {ty}", bytes.len())),
    }
}

/// A number of a type that has as many bits as there are bytes.
fn number(ty: &str, bytes: &[u8]) -> String {
    let bits = bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let width = bytes.len() as u32 * 8;
    if ty.starts_with("int") {
        let shift = 64 - width;
        return ((bits << shift) as i64 >> shift).to_string();
    }
    let exact = match ty {
        "float32" => {
            Some(format!("{:?}", f32::from_bits(bits as u32))).filter(|_| f32::from_bits(bits as u32).is_finite())
        }
        "float64" => Some(format!("{:?}", f64::from_bits(bits))).filter(|_| f64::from_bits(bits).is_finite()),
        _ => None,
    };
    match exact {
        Some(text) => text,
        // Hexadecimal writes the bits of any float.
        None if ty.starts_with("float") => format!("{bits:#x}"),
        None => bits.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_bytes_by_type() {
        let types = ["int32", "float32", "bool", "uint32"].map(str::to_owned);
        let types = ConstantTypes((0..).zip(types).collect());
        let value = |id, bytes: &[u8]| types.value(id, bytes).map(|value| value.map(|value| value.0));
        assert_eq!(value(0, &(-3i32).to_le_bytes()), Ok(Some("-3".to_owned())));
        assert_eq!(value(1, &0.1f32.to_le_bytes()), Ok(Some("0.1".to_owned())));
        assert_eq!(value(1, &f32::NAN.to_le_bytes()), Ok(Some("0x7fc00000".to_owned())));
        assert_eq!(value(2, &7u32.to_le_bytes()), Ok(Some("true".to_owned())));
        assert_eq!(value(3, &u32::MAX.to_le_bytes()), Ok(Some("4294967295".to_owned())));
        assert_eq!(value(9, &[1]), Ok(None));
        assert_eq!(value(3, &[1, 2]), Err("constant 3 has 2 bytes, which do not fit its type uint32".to_owned()));
        assert!(value(2, &[1]).is_err());
    }
}
