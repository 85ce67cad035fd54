//! Bytecode of shader model 5 and before: its header. Its instructions are not read.

use super::container::Part;
use super::file::Dxil;
use super::names;
use super::names::Name;

/// Words of the bytecode's own header: version, length.
const HEADER_WORDS: usize = 2;

/// The first words of bytecode.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bytecode {
    /// The stage: `pixel`, `compute`.
    pub kind: Name,
    /// The shader model: `5.0`.
    pub model: String,
    /// Length in words, these two included.
    pub words: u32,
}

impl Dxil {
    /// The bytecode's header, where the container holds bytecode instead of DXIL.
    pub fn bytecode(&self) -> Option<Bytecode> {
        if !self.is_old_bytecode() {
            return None;
        }
        Bytecode::read(&self.container.parts, self.file())
    }
}

impl Bytecode {
    /// Reads the header of the bytecode among the parts of a container.
    pub(crate) fn read(parts: &[Part], file: &[u8]) -> Option<Bytecode> {
        let named = |name: &[u8; 4]| parts.iter().find(|part| part.name.0 == *name);
        let part = named(b"SHEX").or_else(|| named(b"SHDR"))?;
        let start = part.data_offset() as usize;
        let bytes = file.get(start..start.checked_add(part.size as usize)?)?;
        let mut words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let (version, length) = (words.next()?, words.next()?);
        // The kinds of that time have the numbers that they have in DXIL.
        let kind = names::of(names::KIND, (version >> 16).min(u32::from(u16::MAX)));
        let model = names::model(version >> 4 & 15, version & 15);
        (length as usize >= HEADER_WORDS).then_some(Bytecode { kind, model, words: length })
    }
}
