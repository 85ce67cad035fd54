//! Bitcode without what instructions say for a debugger: their locations, and the calls that name variables.

use super::copy::{ATTACHMENT_BLOCK, Change, Copied, FUNCTION_BLOCK, Record, changed};
use super::error::Fault;
use super::module::{Attachment, Body, Instruction, Kind, MetadataId, Module, Value, ValueKind};
use super::{Dxil, Program};

/// Records of a function: how many blocks it has, and the location of the instruction before, again or new.
pub(crate) const DECLARE_BLOCKS: u64 = 1;
pub(crate) const LOCATIONS: [u64; 2] = [33, 35];
/// The record of metadata attached to an instruction, whose index is first.
pub(crate) const ATTACHMENT: u64 = 11;

/// Whether an instruction is a call that only names a variable for a debugger. It has no result.
pub(crate) fn is_for_debuggers(module: &Module, instruction: &Instruction) -> bool {
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
    let bodies: Vec<&Body> = program.module.defined().map(|(_, body)| body).collect();
    let mut left =
        Stripped { module: &program.module, bodies: bodies.into_iter(), body: None, count: 0, gone: Vec::new() };
    let after = changed(dxil, program, &mut left)?;
    let is_same = after.program.as_ref().is_some_and(|after| is_same(program, after));
    Ok(is_same.then_some(after))
}

/// Leaves out what is for debuggers. Metadata stays at its instructions.
struct Stripped<'m> {
    module: &'m Module,
    bodies: std::vec::IntoIter<&'m Body>,
    body: Option<&'m Body>,
    /// Number of the function's instructions so far.
    count: usize,
    /// Indices of those that are left out.
    gone: Vec<usize>,
}

impl Change for Stripped<'_> {
    fn start(&mut self, block: u32) {
        if block == FUNCTION_BLOCK {
            self.body = self.bodies.next();
            self.count = 0;
            self.gone.clear();
        }
    }

    fn record(&mut self, block: u32, record: &Record<'_>, out: &mut Copied) {
        match (block, record.code) {
            (FUNCTION_BLOCK, code) if LOCATIONS.contains(&code) => return,
            (FUNCTION_BLOCK, DECLARE_BLOCKS) => {}
            (FUNCTION_BLOCK, _) => {
                let index = self.count;
                self.count += 1;
                let is = self.body.and_then(|body| body.instructions.get(index));
                if is.is_some_and(|is| is_for_debuggers(self.module, is)) {
                    self.gone.push(index);
                    return;
                }
            }
            (ATTACHMENT_BLOCK, ATTACHMENT) if record.operands.len() % 2 == 1 => {
                let mut operands = record.operands.to_vec();
                let index = operands[0];
                if self.gone.iter().any(|gone| *gone as u64 == index) {
                    return;
                }
                operands[0] = index - self.gone.partition_point(|gone| (*gone as u64) < index) as u64;
                return out.record(record.code, &operands);
            }
            _ => {}
        }
        out.record(record.code, record.operands);
    }
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
            && attached(a, of) == attached(b, other)
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

/// The metadata of the instructions that are not for debuggers, and of the function itself.
fn attached(module: &Module, body: &Body) -> Vec<(Option<usize>, u64, MetadataId)> {
    let mut kept = vec![None; body.instructions.len()];
    let instructions = body.instructions.iter().enumerate().filter(|(_, is)| !is_for_debuggers(module, is));
    instructions.enumerate().for_each(|(new, (old, _))| kept[old] = Some(new));
    let place = |attachment: &Attachment| {
        let new = attachment.instruction.map(|old| kept.get(old as usize).copied().flatten());
        new.is_none_or(|new| new.is_some()).then(|| (new.flatten(), attachment.kind, attachment.node))
    };
    body.attachments.iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{data, file, names};

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
    #[test]
    fn metadata_stays_at_its_instructions() {
        let dxil = data("precise.cs.dxil");
        let (program, debug) = (dxil.program.as_ref().expect("a program"), dxil.debug.as_ref().expect("another"));
        let stripped = without_debug_information(&dxil, debug).expect("reads").expect("is the same program");
        let precise = |program: &Program| {
            let (_, body) = program.module.defined().next().expect("a function");
            let named =
                |attachment: &&Attachment| program.module.metadata.kind_name(attachment.kind) == Some("dx.precise");
            body.attachments.iter().filter(named).filter_map(|attachment| attachment.instruction).collect::<Vec<_>>()
        };
        let expected = precise(program);
        assert!(expected.len() > 1);
        assert_eq!(precise(stripped.program.as_ref().expect("a program")), expected);
        assert_ne!(precise(debug), expected);
        // Calls that are left out may have some too.
        let dxil = data("array.ps.dxil");
        let debug = dxil.debug.as_ref().expect("debug information");
        assert!(without_debug_information(&dxil, debug).expect("reads").is_some());
    }
}
