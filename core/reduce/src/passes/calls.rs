//! Calls of functions.

use lanescope_base::ids::Id;
use lanescope_spirv::Module;
use lanescope_spirv::enums::Op;

use super::{bodies, body, has_constants};
use crate::change::{Change, Instead};

/// Calls, each removed: its result becomes zero.
pub(super) fn calls(module: &Module) -> Vec<Change> {
    bodies(module)
        .filter(|inst| inst.op() == Some(Op::FunctionCall))
        .filter_map(|call| {
            let (result, ty) = (call.result()?, call.result_type()?);
            let is_void = module.def(ty)?.op() == Some(Op::TypeVoid);
            (is_void || has_constants(module, ty)).then(|| Change {
                removed: vec![call.index],
                instead: if is_void { Vec::new() } else { vec![(result, Instead::Zero)] },
                ..Change::default()
            })
        })
        .collect()
}

/// Functions with one block that are called once, put in place of the call.
pub(super) fn inlined(module: &Module) -> Vec<Change> {
    let calls: Vec<_> = bodies(module).filter(|inst| inst.op() == Some(Op::FunctionCall)).collect();
    let mut out = Vec::new();
    for call in &calls {
        let callee = call.id_at(3);
        let once = calls.iter().filter(|other| other.id_at(3) == callee).count() == 1;
        let is_entry = module.entry_points().iter().any(|entry| entry.function == callee);
        let Some(function) = module.function(callee).filter(|_| once && !is_entry) else { continue };
        // A call inside of a function that is inlined itself waits for the next round.
        if function.insts.contains(&call.index.0) {
            continue;
        }
        out.extend(inline(module, call, function));
    }
    out
}

fn inline(
    module: &Module,
    call: &lanescope_spirv::Inst<'_>,
    function: &lanescope_spirv::Function,
) -> Option<Change> {
    let insts: Vec<_> = body(module, function).collect();
    let labels = insts.iter().filter(|inst| inst.op() == Some(Op::Label)).count();
    // Variables would have to move to the caller's first block.
    let has_variables = insts.iter().any(|inst| inst.is_variable());
    if labels != 1 || has_variables {
        return None;
    }
    let mut change = Change::default();
    let mut moved: Vec<u32> = Vec::new();
    let mut arguments = call.words_from(4).iter();
    for inst in &insts {
        change.removed.push(inst.index);
        match inst.op()? {
            Op::FunctionParameter => {
                let argument = arguments.next()?;
                change.instead.push((inst.result()?, Instead::Id(Id(*argument))));
            }
            Op::Function | Op::Label | Op::FunctionEnd | Op::Return => {}
            Op::ReturnValue => change.instead.push((call.result()?, Instead::Id(inst.id_at(1)))),
            Op::Kill | Op::TerminateInvocation | Op::Unreachable => return None,
            _ => moved.extend(inst.words),
        }
    }
    change.removed.push(call.index);
    change.inserted.push((call.index, moved));
    Some(change)
}
