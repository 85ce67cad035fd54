//! Odd file names, as printed in messages and as passed to a compiler.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use super::{Input, Random};

/// A shader that does not compile, in a file and a folder with odd names.
pub fn odd(random: &mut Random, length: usize) -> Input {
    const PIECES: &[&[u8]] = &[
        b" ",
        b"\n",
        b"\r",
        b"\t",
        b"\x1b[31m",
        b"%s%n",
        b"'",
        b"\"",
        b"\\",
        b"$(x)",
        b"\xff",
        b"\xc3",
        b"-",
        b"..",
        b":7:",
        b"\xe2\x80\xae",
    ];
    let mut name = |length: usize| {
        let mut out = Vec::new();
        while out.len() < length {
            out.extend(*random.one_of(PIECES));
        }
        out
    };
    let folder = [b"f".to_vec(), name(length)].concat();
    let file = [name(length), b"x.frag".to_vec()].concat();
    let path = PathBuf::from(OsString::from_vec(folder)).join(OsString::from_vec(file));
    Input { files: vec![(path, b"#version 460\nvoid main() { wrong }\n".to_vec())] }
}
