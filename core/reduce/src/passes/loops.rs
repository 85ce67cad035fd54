//! Loops.

use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, InstId, Module};

use super::{bodies, body, words};
use crate::change::{Change, Instead};

/// Loops, each without its way back: the block that goes back leaves the loop instead, in any case.
///
/// The block stays a way back, as the construct demands one: it branches on a value that is `true`.
pub(super) fn once(module: &Module) -> Vec<Change> {
    let mut out = Vec::new();
    for function in module.functions() {
        let insts: Vec<Inst<'_>> = body(module, function).collect();
        let mut header = None;
        for inst in &insts {
            match inst.op() {
                Some(Op::Label) => header = inst.result(),
                Some(Op::LoopMerge) => {
                    let back = insts.iter().find(|other| {
                        let goes_back = match other.op() {
                            Some(Op::Branch) => Some(other.id_at(1)) == header,
                            Some(Op::BranchConditional) => {
                                !is_true(module, other) && [2, 3].iter().any(|&at| Some(other.id_at(at)) == header)
                            }
                            _ => false,
                        };
                        goes_back && other.index > inst.index
                    });
                    if let (Some(back), Some(header)) = (back, header) {
                        out.push(Change { leaving: vec![(back.index, [inst.id_at(1), header])], ..Change::default() });
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// Loops whose way back is never taken ([`once`]), as straight code. One that is left from inside of a selection is no
/// valid module afterwards.
pub(super) fn straight(module: &Module) -> Vec<Change> {
    let mut out = Vec::new();
    for function in module.functions() {
        let insts: Vec<Inst<'_>> = body(module, function).collect();
        let mut header = None;
        for inst in &insts {
            match inst.op() {
                Some(Op::Label) => header = inst.result(),
                Some(Op::LoopMerge) => {
                    let back = |other: &&Inst<'_>| {
                        is_true(module, other) && other.id_at(2) == inst.id_at(1) && Some(other.id_at(3)) == header
                    };
                    let Some(back) = insts.iter().find(back) else { continue };
                    let mut change = Change {
                        removed: vec![inst.index],
                        replaced: vec![(back.index, words(Op::Branch, &[inst.word_at(1)]))],
                        ..Change::default()
                    };
                    // Before a plain branch of the header there is nothing to select.
                    let end = InstId(inst.index.0 + 1);
                    let chooses = module.inst(end).op() == Some(Op::BranchConditional);
                    if chooses {
                        change.removed.clear();
                        change.replaced.push((inst.index, words(Op::SelectionMerge, &[inst.word_at(1), 0])));
                    }
                    out.push(change);
                }
                _ => {}
            }
        }
    }
    // Phis of one predecessor are what a loop leaves.
    for phi in bodies(module).filter(|inst| inst.op() == Some(Op::Phi) && inst.words.len() == 5) {
        if let Some(result) = phi.result() {
            out.push(Change {
                removed: vec![phi.index],
                instead: vec![(result, Instead::Id(phi.id_at(3)))],
                ..Change::default()
            });
        }
    }
    out
}

/// Whether it branches on `true`.
pub(super) fn is_true(module: &Module, inst: &Inst<'_>) -> bool {
    inst.op() == Some(Op::BranchConditional)
        && module.def(inst.id_at(1)).is_some_and(|def| def.op() == Some(Op::ConstantTrue))
}
