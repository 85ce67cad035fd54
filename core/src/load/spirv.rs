//! SPIR-V binaries, in either byte order.

use std::path::Path;

use super::Loaded;
use super::error::Problem;

pub(super) fn load(_path: &Path, bytes: Vec<u8>) -> Result<Loaded, Problem> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Problem::PartialWord { offset: bytes.len() - rest.len(), left: rest.len() });
    }
    let big_endian = bytes.first() == Some(&0x07);
    let read = if big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    Ok(Loaded::Module { words: words.iter().map(|word| read(*word)).collect(), source: None, includes: Vec::new() })
}
