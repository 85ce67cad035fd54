//! Pointers followed to the variable they point into.

use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::{InstId, Module, Type};

/// One index of an access chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A constant.
    At(u32),
    /// A value known only at run time.
    Any(Id),
}

/// A place in memory: a variable or a pointer parameter, and the way into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointer {
    pub base: InstId,
    pub path: Vec<Step>,
}

/// Access chains that follow each other at the most.
const MAX_CHAINS: usize = 1024;

/// Follows access chains and copies. Absent for pointers that are selected, loaded or computed.
pub(super) fn resolve(module: &Module, pointer: Id) -> Option<Pointer> {
    let mut chains = Vec::new();
    let mut inst = module.def(pointer)?;
    for _ in 0..MAX_CHAINS {
        match inst.op()? {
            Op::AccessChain | Op::InBoundsAccessChain => {
                chains.push(inst);
                inst = module.def(inst.id_at(3))?;
            }
            Op::CopyObject => inst = module.def(inst.id_at(3))?,
            Op::Variable | Op::FunctionParameter => {
                let indices = chains.iter().rev().flat_map(|chain| chain.words_from(4));
                let path = indices.map(|&id| match module.constant(Id(id)).and_then(|c| c.as_u32()) {
                    Some(index) => Step::At(index),
                    None => Step::Any(Id(id)),
                });
                return Some(Pointer { base: inst.index, path: path.collect() });
            }
            _ => return None,
        }
    }
    None
}

/// The storage class of what a base points into.
pub(super) fn class(module: &Module, base: InstId) -> Option<StorageClass> {
    match module.ty(module.inst(base).result_type()?)? {
        Type::Pointer { class, .. } => class,
        _ => None,
    }
}
