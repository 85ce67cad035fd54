//! Bitcode without what instructions say for a debugger: their locations, and the calls that name variables.

use std::collections::BTreeSet;

use super::bitstream::writer::Writer;
use super::bitstream::{END_BLOCK, Entry, Stream};
use super::error::Fault;
use super::module::{Body, Instruction, Kind, Module, Value, ValueKind};
use super::{Dxil, Program};

const FUNCTION_BLOCK: u32 = 12;
/// Records of a function: the location of the instruction before is that of the one before it, or is a new one.
const LOCATIONS: [u64; 2] = [33, 35];
/// Width of the ids of abbreviations, of which there are none, outside of and in each block.
const WIDTH: u32 = 2;

/// Whether an instruction is a call that only names a variable for a debugger. It has no result.
fn is_for_debuggers(module: &Module, instruction: &Instruction) -> bool {
    let Kind::Call(call) = &instruction.kind else { return false };
    let function = module.value(None, call.callee).and_then(|value| match value.kind {
        ValueKind::Function(index) => module.functions.get(index as usize),
        _ => None,
    });
    instruction.result.is_none() && function.is_some_and(|callee| module.function_name(callee).starts_with("llvm.dbg."))
}

/// Whether an instruction of a program has a location, or is for debuggers.
pub fn has_debug_information(program: &Program) -> bool {
    let mut instructions = program.module.defined().flat_map(|(_, body)| &body.instructions);
    instructions.any(|instruction| instruction.location.is_some() || is_for_debuggers(&program.module, instruction))
}

/// The bitcode of a program without locations and without the instructions that are for debuggers; it has no container.
/// `None` where it would not be the same program.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn without_debug_information(dxil: &Dxil, program: &Program) -> Result<Option<Dxil>, Fault> {
    let module = &program.module;
    let instructions = module.defined().flat_map(|(_, body)| &body.instructions);
    let of_debuggers = instructions.filter(|instruction| is_for_debuggers(module, instruction));
    let places: BTreeSet<u64> = of_debuggers.map(|instruction| instruction.place).collect();
    let mut stream = Stream::new(dxil.bitcode(program), program.header.bitcode)?;
    let mut writer = Writer::bitcode();
    let mut open = Vec::new();
    while !(open.is_empty() && stream.at_end()) {
        match stream.next()? {
            Entry::Block(id) => {
                stream.enter(id)?;
                open.push((id, writer.open(WIDTH, id.into(), WIDTH.into())));
            }
            Entry::End => {
                let Some((_, start)) = open.pop() else { break };
                writer.fixed(END_BLOCK, WIDTH).close(start);
            }
            Entry::Record(code) => {
                let operands = stream.take_operands();
                let in_function = open.last().is_some_and(|(id, _)| *id == FUNCTION_BLOCK);
                if !(in_function && (LOCATIONS.contains(&code) || places.contains(&stream.place()))) {
                    let before = writer.bits();
                    writer.unabbreviated(WIDTH, code, &operands);
                    stream.charge((writer.bits() - before).div_ceil(8))?;
                }
                stream.recycle(operands);
            }
        }
    }
    let after = Dxil::read(writer.bytes())?;
    let is_same = after.program.as_ref().is_some_and(|after| is_same(program, after));
    Ok(is_same.then_some(after))
}

/// Whether a program is another without locations and without the instructions that are for debuggers.
fn is_same(before: &Program, after: &Program) -> bool {
    let (a, b) = (&before.module, &after.module);
    let same_instruction = |(a, b): (&Instruction, &Instruction)| {
        (a.kind == b.kind && a.ty == b.ty && a.result == b.result) && b.location.is_none()
    };
    // Which instruction makes a value is compared with the instructions.
    let same_value = |(a, b): (&Value, &Value)| {
        let are_made = matches!((a.kind, b.kind), (ValueKind::Instruction(_), ValueKind::Instruction(_)));
        a.ty == b.ty && (a.kind == b.kind || are_made)
    };
    let same_body = |of: &Body, other: &Body| {
        let kept = of.instructions.iter().filter(|instruction| !is_for_debuggers(a, instruction));
        of.values.len() == other.values.len()
            && of.values.iter().zip(&other.values).all(same_value)
            && of.constants == other.constants
            && kept.clone().count() == other.instructions.len()
            && kept.zip(&other.instructions).all(same_instruction)
    };
    a.types.all() == b.types.all()
        && a.values == b.values
        && a.constants == b.constants
        && a.functions.len() == b.functions.len()
        && a.functions.iter().zip(&b.functions).all(|(a, b)| match (&a.body, &b.body) {
            (Some(a), Some(b)) => same_body(a, b),
            (a, b) => a.is_none() && b.is_none(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{file, names};

    #[test]
    fn programs_stay_the_same_without_debug_information() {
        let mut located = 0;
        for name in names() {
            let dxil = file(&name);
            for program in [&dxil.program, &dxil.debug].into_iter().flatten() {
                let other = without_debug_information(&dxil, program).expect("reads").expect("is the same program");
                assert!(!has_debug_information(other.program.as_ref().expect("a program")), "{name}");
                located += usize::from(has_debug_information(program));
            }
        }
        assert!(located > 0, "no sample has debug information");
    }
}
