//! Fossilize databases.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lanescope_core::pipeline::foz::Tag;

use super::{Input, Random};

const HEADER: &[u8] = b"\x81FOSSILIZEDB\0\0\0\x06";

fn entry(tag: Tag, hash: usize, kind: u32, size: usize, stored: &[u8]) -> Vec<u8> {
    let mut out = format!("{:024x}{hash:016x}", tag.number()).into_bytes();
    for word in [stored.len() as u32, kind, 0, size as u32] {
        out.extend(word.to_le_bytes());
    }
    out.extend(stored);
    out
}

const TAGS: [Tag; 4] = [Tag::Graphics, Tag::Compute, Tag::RayTracing, Tag::Module];

/// Objects without a payload; now and then all of one key.
pub fn empty(random: &mut Random, count: usize) -> Input {
    let (tag, same) = (*random.one_of(&TAGS), random.below(4) == 3);
    let mut out = HEADER.to_vec();
    out.extend((0..count).flat_map(|at| entry(tag, if same { 1 } else { at + 1 }, 1, 0, &[])));
    Input::one("empty.foz", out)
}

/// Objects that inflate to 100,000 bytes from a hundred.
pub fn deflated(random: &mut Random, count: usize) -> Input {
    const INFLATED: usize = 100_000;
    let tag = *random.one_of(&TAGS);
    let payload = match random.below(3) {
        0 => vec![0; INFLATED],
        1 => vec![b' '; INFLATED],
        _ => b"{\"version\":6,\"a\":[".iter().chain([b'['; INFLATED].iter()).copied().take(INFLATED).collect(),
    };
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&payload).expect("writes into memory");
    let stored = encoder.finish().expect("writes into memory");
    let mut out = HEADER.to_vec();
    out.extend((0..count).flat_map(|at| entry(tag, at + 1, 2, INFLATED, &stored)));
    Input::one("deflated.foz", out)
}
