//! Samples that are truncated, changed or signed again after a change, and containers from before DXIL.

use lanescope_core::dxil::container;

use super::{Input, Random};
use crate::embedded;

/// Samples of every binary or text format.
const SAMPLES: &[&str] = &[
    "dxil/brick_wall.ms.dxil",
    "dxil/lit_surface.ps.dxil",
    "tiled_blur.foz",
    "tiled_blur.pipe",
    "shared_location.spvasm",
    "work_graphs/04_broadcast_grids.dxil",
];

fn sample(random: &mut Random) -> (String, Vec<u8>) {
    let path = random.one_of(SAMPLES);
    let name = path.rsplit('/').next().unwrap_or(path);
    (name.to_owned(), embedded(path).to_vec())
}

/// Bytes taken away at the end, or somewhere within.
pub fn cut(random: &mut Random, most: usize) -> Input {
    let (name, mut bytes) = sample(random);
    let count = (1 + random.below(most)).min(bytes.len() - 1);
    match random.below(2) {
        0 => bytes.truncate(bytes.len() - count),
        _ => {
            let at = random.below(bytes.len() - count);
            bytes.drain(at..at + count);
        }
    }
    Input::one(&name, bytes)
}

/// Bits flipped anywhere.
pub fn flipped(random: &mut Random, most: usize) -> Input {
    let (name, mut bytes) = sample(random);
    for _ in 0..1 + random.below(most) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    sign(&mut bytes);
    Input::one(&name, bytes)
}

/// Gives a container the digest of its contents; leaves anything else alone.
fn sign(file: &mut [u8]) {
    if let Ok(read) = container::read(file, &mut Vec::new()) {
        file[4..20].copy_from_slice(&read.digest.computed);
    }
}

/// A mesh shader whose tables of signatures say other rows, columns and semantic indices than its code, signed.
pub fn mesh(random: &mut Random, most: usize) -> Input {
    let mut file = embedded("dxil/brick_wall.ms.dxil").to_vec();
    let read = container::read(&file, &mut Vec::new()).unwrap_or_else(|fault| panic!("{}", fault.message));
    let wanted: &[&[u8; 4]] = &[b"PSV0", b"ISG1", b"OSG1", b"PSG1", b"DXIL"];
    let parts = read.parts.iter().filter(|part| wanted.contains(&&part.name.0)).collect::<Vec<_>>();
    for _ in 0..1 + random.below(most) {
        let part = random.one_of(&parts);
        let at = part.data_offset() as usize + random.below(part.size as usize);
        // Counts that a reader would loop over.
        file[at] = *random.one_of(&[0, 1, 2, 4, 32, 255]);
    }
    sign(&mut file);
    Input::one("mesh.ms.dxil", file)
}

/// A signed container of shader model 5 with reflection, signatures, code and statistics.
pub fn dxbc(random: &mut Random, rows: usize) -> Input {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let signature = |rows: usize| {
        let names = 8 + 24 * rows as u32;
        let mut out = words(&[rows as u32, 8]);
        (0..rows as u32).for_each(|row| out.extend(words(&[names, row, 0, 3, row, 0x0f0f])));
        out.extend(b"TEXCOORD\0\0\0\0");
        out
    };
    let noise = |random: &mut Random, count: usize| {
        let bytes: Vec<u8> = (0..4 * count).map(|_| random.number() as u8).collect();
        bytes
    };
    // A constant buffer table of nothing, then text; a pixel shader of model 5.0 that says how long it is.
    let mut reflection = words(&[0, 28, 0, 28, 0xffff_0500, 0, 28]);
    reflection.extend(b"Microsoft (R) HLSL Shader Compiler 10.1\0");
    let mut code = words(&[0x50, 2 + rows as u32]);
    code.extend(noise(random, rows));
    let parts: [(&[u8; 4], Vec<u8>); 5] = [
        (b"RDEF", reflection),
        (b"ISGN", signature(rows)),
        (b"OSGN", signature(1)),
        (*random.one_of(&[b"SHEX", b"SHDR"]), code),
        (b"STAT", noise(random, 37)),
    ];
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    let header = 32 + 4 * parts.len();
    let size = header + parts.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    file.extend(words(&[1, size as u32, parts.len() as u32]));
    let mut at = header;
    for (_, data) in &parts {
        file.extend(words(&[at as u32]));
        at += 8 + data.len();
    }
    for (name, data) in &parts {
        file.extend(*name);
        file.extend(words(&[data.len() as u32]));
        file.extend(data);
    }
    sign(&mut file);
    Input::one("old.dxbc", file)
}
