//! Small containers of shader model 5, assembled from tokens: no compiler for them is available here.
//!
//! Tokens: bits 0 to 10 of an instruction are its opcode, bits 24 to 30 its length in words. Of an operand, bits 0 and 1
//! say how many components there are, 2 and 3 how they are chosen (mask, swizzle, one), 4 to 11 which; 12 to 19 the kind
//! of register; 20 and 21 how many indices follow.

#![allow(dead_code, reason = "each test file uses its own part")]

const INPUT: u32 = 1;
const OUTPUT: u32 = 2;
const TEMP: u32 = 0;
const UAV: u32 = 30;
const THREAD_ID: u32 = 32;

/// An element of a signature: semantic, system value, register, mask.
type Element = (&'static str, u32, u32, u8);

/// Hands a position and a colour on: `o0 = v0, o1 = v1`.
pub fn vertex() -> Vec<u8> {
    let input: &[Element] = &[("POSITION", 0, 0, 15), ("COLOR", 0, 1, 15)];
    let output: &[Element] = &[("SV_Position", 1, 0, 15), ("COLOR", 0, 1, 15)];
    let code = [
        global_flags(),
        declare(95, INPUT, 0),
        declare(95, INPUT, 1),
        op(103, &[mask(OUTPUT, 15), 0, 1]),
        declare(101, OUTPUT, 1),
        mov(0, 0),
        mov(1, 1),
        ret(),
    ];
    container(1, input, output, &code)
}

/// Puts the colour out: `o0 = v1`.
pub fn pixel() -> Vec<u8> {
    let input: &[Element] = &[("SV_Position", 1, 0, 15), ("COLOR", 0, 1, 15)];
    let output: &[Element] = &[("SV_Target", 0, 0, 15)];
    let linear = 2 << 11;
    let code = [global_flags(), declare(98 | linear, INPUT, 1), declare(101, OUTPUT, 0), mov(0, 1), ret()];
    container(0, input, output, &code)
}

/// Four threads; each writes its number: `u0[4 * id] = id`.
pub fn compute() -> Vec<u8> {
    let id = one(THREAD_ID);
    let code = [
        global_flags(),
        op(157, &[indexed(UAV), 0]),
        op(95, &[2 | 1 << 4 | THREAD_ID << 12]),
        op(104, &[1]),
        op(155, &[4, 1, 1]),
        op(41, &[mask(TEMP, 1), 0, id, 0x4001, 2]),
        op(166, &[mask(UAV, 1), 0, one(TEMP) | 1 << 20, 0, id]),
        ret(),
    ];
    container(5, &[], &[], &code)
}

fn op(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let length = operands.len() as u32 + 1;
    [&[opcode | length << 24], operands].concat()
}

fn global_flags() -> Vec<u32> {
    op(106 | 1 << 11, &[])
}

fn ret() -> Vec<u32> {
    op(62, &[])
}

fn declare(opcode: u32, register: u32, index: u32) -> Vec<u32> {
    op(opcode, &[mask(register, 15), index])
}

/// `oN = vM`.
fn mov(output: u32, input: u32) -> Vec<u32> {
    let swizzle = 2 | 1 << 2 | 0xe4 << 4 | INPUT << 12 | 1 << 20;
    op(54, &[mask(OUTPUT, 15), output, swizzle, input])
}

fn mask(register: u32, mask: u32) -> u32 {
    2 | mask << 4 | register << 12 | 1 << 20
}

fn indexed(register: u32) -> u32 {
    register << 12 | 1 << 20
}

/// The first component of a register without an index.
fn one(register: u32) -> u32 {
    2 | 2 << 2 | register << 12
}

fn container(kind: u32, input: &[Element], output: &[Element], code: &[Vec<u32>]) -> Vec<u8> {
    let code = code.concat();
    let mut words = vec![kind << 16 | 5 << 4, code.len() as u32 + 2];
    words.extend(code);
    let shex: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assemble(&[(b"ISGN", signature(input)), (b"OSGN", signature(output)), (b"SHEX", shex)])
}

/// [`vertex`] as fxc writes it without `/Qstrip_reflect`: statistics come last, 37 counts in shader model 5. The first is
/// the number of instructions, the second that of temporaries.
pub fn with_statistics() -> Vec<u8> {
    let whole = vertex();
    let word = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().expect("a word")) as usize;
    let part = |index: usize| {
        let at = word(32 + 4 * index);
        whole[at + 8..at + 8 + word(at + 4)].to_vec()
    };
    let mut counts = [0u32; 37];
    (counts[0], counts[10]) = (3, 2);
    let counts = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
    assemble(&[(b"ISGN", part(0)), (b"OSGN", part(1)), (b"SHEX", part(2)), (b"STAT", counts)])
}

fn assemble(parts: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    file.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    file.extend((parts.len() as u32).to_le_bytes());
    let mut offset = 32 + 4 * parts.len();
    for (_, data) in parts {
        file.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (name, data) in parts {
        file.extend(*name);
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(data);
    }
    let size = file.len() as u32;
    file[24..28].copy_from_slice(&size.to_le_bytes());
    // The digest of the contents, so that the file is one that a runtime takes.
    let read = lanescope_core::dxil::Dxil::read(file.clone()).expect("is a container");
    file[4..20].copy_from_slice(&read.container.digest.computed);
    file
}

fn signature(elements: &[Element]) -> Vec<u8> {
    let mut out = [elements.len() as u32, 8].map(u32::to_le_bytes).concat();
    let mut names = Vec::new();
    let first = out.len() + 24 * elements.len();
    for (semantic, system_value, register, mask) in elements {
        let words = [(first + names.len()) as u32, 0, *system_value, 3, *register];
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        out.extend([*mask, if *system_value == 0 { *mask } else { 0 }, 0, 0]);
        names.extend(semantic.as_bytes());
        names.push(0);
    }
    out.extend(names);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}
