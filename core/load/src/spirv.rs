//! SPIR-V binaries, in either byte order.

use super::error::Problem;
use super::{LoadOptions, Loaded, validate};

pub(super) fn load(bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Problem::PartialWord { offset: bytes.len() - rest.len(), left: rest.len() });
    }
    let big_endian = bytes.first() == Some(&0x07);
    let read = if big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    let words = words.iter().map(|word| read(*word)).collect();
    // The validator needs the room.
    drop(bytes);
    validate::loaded(words, wanted).map(|module| Loaded::Module(Box::new(module)))
}
