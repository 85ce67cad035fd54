//! The DXIL reader for fuzzing: the same files as in `lanescope-core`, without the foreign compilers beside it, so that
//! a build takes a minute; and what the targets share.

#![allow(dead_code, missing_docs, unused_imports, reason = "the rest of the crate uses what is not used here")]

#[path = "../../src/dxil/mod.rs"]
pub mod dxil;
#[path = "../../src/findings.rs"]
pub mod findings;
#[path = "../../src/named_enum.rs"]
mod named_enum;
pub mod program;

pub mod options {
    //! The one thing that the reader takes of the options.

    pub(crate) use crate::named_enum::named_enum;
}

mod memory;
mod target_parts;

pub use memory::bounded;
pub use target_parts::{PARTS, read_part, selector};

/// Any bytes as bitcode: behind the magic, in whole words.
pub fn as_bitcode(data: &[u8]) -> Vec<u8> {
    let mut bitcode = b"BC\xc0\xde".to_vec();
    bitcode.extend(data);
    bitcode.resize(bitcode.len().next_multiple_of(4), 0);
    bitcode
}

/// A container that is read whole: what `inspect` does with one, up to the foreign converter.
pub fn whole(data: &[u8]) {
    if let Ok(dxil) = dxil::Dxil::read(data.to_vec()) {
        let _ = dxil.summary(0);
        let _ = dxil.findings("a.dxil", 0);
        let _ = dxil.source_texts();
    }
}
