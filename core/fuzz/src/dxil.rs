//! DXIL: containers, bitcode, and the parts of a container that are not bitcode, each in a container that is made
//! around it.

use lanescope_core::dxil::adapt::{widened_bytes, without_library_model};
use lanescope_core::dxil::mark::marked;
use lanescope_core::dxil::module::{Module, TypeId};
use lanescope_core::dxil::substitute::substitute;
use lanescope_core::dxil::{Dxil, container as containers};

/// Any bytes as a container: header, table of parts, digest.
pub fn container(data: &[u8]) {
    let mut faults = Vec::new();
    if let Ok(read) = containers::read(data, &mut faults) {
        // Each part lies inside the file.
        for part in &read.parts {
            assert!(part.data_offset() + u64::from(part.size) <= data.len() as u64);
        }
    }
}

/// Any bytes as bitcode: after the magic, in whole words.
pub fn bitstream(data: &[u8]) {
    let mut bitcode = b"BC\xc0\xde".to_vec();
    bitcode.extend(data);
    bitcode.resize(bitcode.len().next_multiple_of(4), 0);
    if let Ok(module) = Module::parse(&bitcode, 0) {
        for id in 0..module.types.all().len().min(64) {
            module.types.name(TypeId(id as u32));
        }
    }
}

/// Numbers of ops that others of the same length replace.
const SMALL: u32 = 32;

/// Ops of one container that are replaced.
const MOST: usize = 4;

/// A container that is read whole, or one in a PDB: what `inspect` does with one, up to the foreign converter. Then its
/// bitcode is changed as for the converter, and some ops are replaced in it.
pub fn whole(data: &[u8]) {
    if let Ok(dxil) = Dxil::read(data.to_vec()) {
        let summary = dxil.summary(0);
        let _ = dxil.findings("a.dxil", 0);
        let _ = dxil.source_texts();
        let _ = dxil.debug_disassembly();
        let _ = dxil.source_lines();
        for program in [&dxil.program, &dxil.debug].into_iter().flatten() {
            if let Ok(Some(marked)) = marked(&dxil, program) {
                assert!(marked.dxil.is_sound() && !marked.lines.is_empty(), "marks make a program with lines");
            }
        }
        if let Some(program) = &dxil.program {
            let changed = [widened_bytes(&dxil, program), without_library_model(&dxil, program)];
            for changed in changed.into_iter().flatten().flatten() {
                assert_eq!(changed.len(), dxil.file().len(), "no byte moves");
            }
        }
        let called = summary.ops.iter().filter_map(|one| one.opcode).filter(|number| number.0 < SMALL);
        for number in called.take(MOST) {
            for program in [&dxil.program, &dxil.debug].into_iter().flatten() {
                if let Ok(replaced) = substitute(&dxil, program, number.0, number.0 ^ 1) {
                    assert_eq!(replaced.file.len(), dxil.file().len(), "no byte moves");
                }
            }
        }
    }
}

/// The parts, by the number that the first byte of an input names them with.
const PARTS: [&[u8; 4]; 11] =
    [b"PSV0", b"RDAT", b"ISG1", b"OSG1", b"RTS0", b"SRCI", b"PDBI", b"VERS", b"ILDN", b"HASH", b"SFI0"];

/// Kinds of shaders that programs have.
const KINDS: [u32; 9] = [0, 1, 2, 3, 4, 5, 6, 13, 14];

/// The first byte of an input that is a part of a shader of a kind; `None` for what no program has.
pub fn selector(part: &[u8; 4], kind: u32) -> Option<u8> {
    let part = PARTS.iter().position(|known| *known == part)?;
    let kind = KINDS.iter().position(|known| *known == kind)?;
    u8::try_from(kind * PARTS.len() + part).ok()
}

/// The smallest program: a header for shader model 6.8, and bitcode of an empty module.
fn program(kind: u32) -> Vec<u8> {
    let words = [0x68 | kind << 16, 10, u32::from_le_bytes(*b"DXIL"), 0x108, 16, 16, 0xdec0_4342, 0x821, 1, 0];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Reads an input as a part: the first byte chooses it, the rest is its data.
pub fn part(data: &[u8]) {
    let Some((selector, data)) = data.split_first() else { return };
    let selector = usize::from(*selector);
    let (part, kind) = (PARTS[selector % PARTS.len()], KINDS[selector / PARTS.len() % KINDS.len()]);
    let parts: [(&[u8; 4], &[u8]); 2] = [(b"DXIL", &program(kind)), (part, data)];
    let mut file = b"DXBC".to_vec();
    let words = |file: &mut Vec<u8>, words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    file.extend([1; 16]);
    let (first, second) = (40, 40 + 8 + parts[0].1.len() as u32);
    words(&mut file, &[1, second + 8 + data.len() as u32, 2, first, second]);
    for (name, data) in parts {
        file.extend(name);
        words(&mut file, &[data.len() as u32]);
        file.extend(data);
    }
    let dxil = Dxil::read(file).expect("the container around the part is whole");
    assert!(dxil.program.is_some(), "the program beside the part is whole");
    let _ = dxil.summary(0);
    let _ = dxil.findings("a.dxil", 0);
    let _ = dxil.source_texts();
}
