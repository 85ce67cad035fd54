//! Replaces calls of one op by calls of another, in the bitcode itself.
//!
//! An op's number is the first argument of its call: a constant of the function. Where nothing else in the function
//! uses that constant, another number of the same length in bits replaces it, and no byte moves.

use std::collections::BTreeMap;

use super::bitstream::{Entry, Stream};
use super::error::Fault;
use super::module::{Body, Constant, Function, Kind, Module, Operand, ValueId, ValueKind};
use super::op_calls::decode;
use super::{Dxil, Program};

/// Blocks of LLVM's bitcode.
const MODULE_BLOCK: u32 = 8;
const CONSTANTS_BLOCK: u32 = 11;
const FUNCTION_BLOCK: u32 = 12;
/// A record of a block of constants that sets the type of those after it.
const SET_TYPE: u64 = 1;
/// Widths of the chunks in which compilers write integers: in a record of their abbreviation, and in one of none.
const WIDTHS: [u32; 2] = [8, 6];

/// A file with calls of an op replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Substituted {
    /// The file, of the same length.
    pub file: Vec<u8>,
    /// Functions whose calls stayed unchanged: the constant has other uses.
    pub left: Vec<String>,
    /// Number of functions that were changed.
    pub changed: usize,
}

/// Makes every call of op `from` one of op `to`. Both numbers are small and positive.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn substitute(dxil: &Dxil, program: &Program, from: u32, to: u32) -> Result<Substituted, Fault> {
    let module = &program.module;
    let mut out = Substituted { file: dxil.file().to_vec(), left: Vec::new(), changed: 0 };
    // Index of the constant, by the place of the function's block.
    let mut wanted: BTreeMap<u64, (usize, &Function)> = BTreeMap::new();
    for (function, body) in module.defined() {
        let (numbers, calls) = calls_of(module, body, from);
        if calls == 0 {
            continue;
        }
        match numbers.as_slice() {
            [number] if uses(body, *number) == calls => match own_constant(module, body, *number) {
                Some(index) => drop(wanted.insert(body.place, (index, function))),
                None => out.left.push(module.function_name(function).to_owned()),
            },
            _ => out.left.push(module.function_name(function).to_owned()),
        }
    }
    if wanted.is_empty() {
        return Ok(out);
    }
    let base = program.header.bitcode;
    let mut stream = Stream::new(dxil.bitcode(program), base)?;
    while !stream.at_end() {
        match stream.next()? {
            Entry::Block(MODULE_BLOCK) => {
                stream.enter(MODULE_BLOCK)?;
                functions(&mut stream, &wanted, (from, to), module, &mut out)?;
            }
            Entry::Block(id) => stream.skip(id)?,
            Entry::End | Entry::Record(_) => {}
        }
    }
    Ok(out)
}

fn functions(
    stream: &mut Stream<'_>,
    wanted: &BTreeMap<u64, (usize, &Function)>,
    (from, to): (u32, u32),
    module: &Module,
    out: &mut Substituted,
) -> Result<(), Fault> {
    loop {
        match stream.next()? {
            Entry::End => return Ok(()),
            Entry::Record(_) => {}
            Entry::Block(FUNCTION_BLOCK) if wanted.contains_key(&stream.place()) => {
                let Some((index, function)) = wanted.get(&stream.place()).copied() else { continue };
                stream.enter(FUNCTION_BLOCK)?;
                let end = constant_end(stream, index)?;
                let replaced = end.is_some_and(|end| replace(&mut out.file, end, from, to));
                match replaced {
                    true => out.changed += 1,
                    false => out.left.push(module.function_name(function).to_owned()),
                }
            }
            Entry::Block(id) => stream.skip(id)?,
        }
    }
}

/// Reads a function's block to its end; returns the bit of the file after one of its constants.
fn constant_end(stream: &mut Stream<'_>, index: usize) -> Result<Option<u64>, Fault> {
    let mut found = None;
    let mut at = 0;
    loop {
        match stream.next()? {
            Entry::End => return Ok(found),
            Entry::Record(_) => {}
            Entry::Block(CONSTANTS_BLOCK) => {
                stream.enter(CONSTANTS_BLOCK)?;
                loop {
                    match stream.next()? {
                        Entry::End => break,
                        Entry::Block(id) => stream.skip(id)?,
                        Entry::Record(SET_TYPE) => {}
                        Entry::Record(_) => {
                            if at == index {
                                found = Some(stream.behind());
                            }
                            at += 1;
                        }
                    }
                }
            }
            Entry::Block(id) => stream.skip(id)?,
        }
    }
}

/// The numbers of the constants that calls of an op start with, and how many calls there are.
fn calls_of(module: &Module, body: &Body, number: u32) -> (Vec<ValueId>, usize) {
    let mut numbers = Vec::new();
    let mut calls = 0;
    for instruction in &body.instructions {
        let Kind::Call(call) = &instruction.kind else { continue };
        let is = decode(module, body, call).and_then(|call| call.opcode).is_some_and(|opcode| opcode.0 == number);
        if let (true, Some(Operand::Value(id))) = (is, call.arguments.first()) {
            calls += 1;
            if !numbers.contains(id) {
                numbers.push(*id);
            }
        }
    }
    (numbers, calls)
}

/// Number of uses of a value in a function, by its instructions and its constants.
fn uses(body: &Body, value: ValueId) -> usize {
    let mut count = 0;
    for instruction in &body.instructions {
        instruction.kind.values(|used| count += usize::from(used == value));
    }
    for constant in &body.constants {
        count += match constant {
            Constant::Aggregate(parts) => parts.iter().filter(|part| **part == value).count(),
            Constant::Gep { operands, .. } => operands.iter().filter(|part| **part == value).count(),
            Constant::Cast(_, part) => usize::from(*part == value),
            Constant::Binary(_, left, right) | Constant::Compare(_, left, right) => {
                usize::from(*left == value) + usize::from(*right == value)
            }
            // Its uses are not known.
            Constant::Other(..) => 1,
            _ => 0,
        };
    }
    count
}

/// The index of a value among the function's own constants.
fn own_constant(module: &Module, body: &Body, value: ValueId) -> Option<usize> {
    if (value.0 as usize) < module.values.len() {
        return None;
    }
    match module.value(Some(body), value)?.kind {
        ValueKind::Constant(index) => Some(index as usize),
        _ => None,
    }
}

/// Puts one number in another's place, which ends before a bit, in as many chunks.
fn replace(file: &mut [u8], end: u64, from: u32, to: u32) -> bool {
    for width in WIDTHS {
        // Signed numbers have their sign in the lowest bit.
        let (old, count) = chunks(u64::from(from) << 1, width, 1);
        let (new, needed) = chunks(u64::from(to) << 1, width, count);
        let bits = count * width;
        let Some(start) = end.checked_sub(u64::from(bits)) else { continue };
        if needed == count && read(file, start, bits) == Some(old) {
            write(file, start, bits, new);
            return true;
        }
    }
    false
}

/// A number in chunks of a width, at least so many, as the bits that they are; and how many there are.
pub(super) fn chunks(mut value: u64, width: u32, least: u32) -> (u64, u32) {
    let more = 1u64 << (width - 1);
    let (mut bits, mut count) = (0u64, 0u32);
    loop {
        let low = value & (more - 1);
        value >>= width - 1;
        let last = value == 0 && count + 1 >= least;
        bits |= (low | if last { 0 } else { more }) << (count * width);
        count += 1;
        if last || count * width > 48 {
            return (bits, count);
        }
    }
}

pub(super) fn read(file: &[u8], start: u64, bits: u32) -> Option<u64> {
    let mut out = 0;
    for bit in 0..bits {
        let at = start + u64::from(bit);
        let byte = file.get(usize::try_from(at / 8).ok()?)?;
        out |= u64::from(byte >> (at % 8) & 1) << bit;
    }
    Some(out)
}

pub(super) fn write(file: &mut [u8], start: u64, bits: u32, value: u64) {
    for bit in 0..bits {
        let at = start + u64::from(bit);
        if let Some(byte) = usize::try_from(at / 8).ok().and_then(|byte| file.get_mut(byte)) {
            let mask = 1u8 << (at % 8);
            *byte = if value >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(dxil: &Dxil, number: u32) -> usize {
        let program = dxil.program.as_ref().expect("a program");
        program.module.defined().map(|(_, body)| calls_of(&program.module, body, number).1).sum()
    }

    #[test]
    fn replaces_one_op_and_nothing_else() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs");
        for name in ["01_tile_classify", "05_sparse_array", "07_wide_dag"] {
            let bytes = std::fs::read(folder.join(format!("{name}.dxil"))).expect("reads");
            let dxil = Dxil::read(bytes).expect("a container");
            let program = dxil.program.as_ref().expect("a program");
            for from in [238, 239, 241, 247, 248, 249, 250, 251, 252] {
                let before = calls(&dxil, from);
                let done = substitute(&dxil, program, from, 8).expect("reads");
                let after = Dxil::read(done.file.clone()).expect("a container");
                assert_eq!(done.file.len(), dxil.file().len());
                assert_eq!(calls(&after, 8), before - calls(&after, from), "{name}, op {from}");
                assert_eq!(done.left.is_empty(), calls(&after, from) == 0, "{name}, op {from}");
                let (old, new) = (&program.module, &after.program.as_ref().expect("a program").module);
                assert_eq!((&old.types, &old.constants, &old.metadata), (&new.types, &new.constants, &new.metadata));
                let instructions = |module: &Module| -> Vec<_> {
                    module.defined().flat_map(|(_, body)| body.instructions.clone()).collect()
                };
                assert_eq!(instructions(old), instructions(new), "{name}, op {from}");
            }
        }
    }

    #[test]
    fn replacement_keeps_the_number_of_chunks() {
        assert_eq!(chunks(504, 8, 1), (0x3f8, 2));
        assert_eq!(chunks(504, 6, 1), (0x3f8, 2));
        assert_eq!(chunks(16, 8, 2), (0x90, 2));
        let mut file = vec![0xff; 8];
        write(&mut file, 5, 16, 0x3f8);
        assert!(replace(&mut file, 21, 252, 8));
        assert_eq!(read(&file, 5, 16), Some(0x90));
        assert!(!replace(&mut file, 21, 252, 8), "nothing is there any more");
        assert_eq!((file[0] & 0x1f, file[7]), (0x1f, 0xff));
    }
}
