//! Pointers followed to the variable they point into.

use smallvec::SmallVec;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::opcode::Chain;
use lanescope_spirv::{Inst, InstId, Module};

/// One index of an access chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A constant.
    At(u32),
    /// A value known only at run time.
    Any,
}

/// The way into a variable. Most have an index or two, and many are looked at.
pub type Path = SmallVec<[Step; 2]>;

/// A place in memory: a variable or a pointer parameter, and the way into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The instruction that defines the variable or parameter.
    pub base: InstId,
    /// The indices on the way, outermost first.
    pub path: Path,
}

impl Pointer {
    /// The constants that the way starts with.
    pub fn fixed(&self) -> impl Iterator<Item = u32> + '_ {
        self.path.iter().map_while(|step| if let Step::At(index) = step { Some(*index) } else { None })
    }

    /// Whether an index on the way is known only at run time.
    pub fn is_dynamic(&self) -> bool {
        self.path.contains(&Step::Any)
    }
}

/// Access chains that follow each other at most.
const MAX_CHAINS: usize = 1024;

/// Follows access chains and copies. Absent for pointers that are selected, loaded or computed.
pub fn resolve(module: &Module, pointer: Id) -> Option<Pointer> {
    let constant = |index| module.constant(index).and_then(|index| index.as_u32());
    let (base, path) = follow(module, pointer, |index| constant(index).map_or(Step::Any, Step::At))?;
    Some(Pointer { base: base.index, path })
}

/// The same, with what `step` makes of each index: the variable or parameter, and the way into it, outermost first.
pub fn follow<S>(module: &Module, pointer: Id, step: impl Fn(Id) -> S) -> Option<(Inst<'_>, SmallVec<[S; 2]>)> {
    let mut path = SmallVec::new();
    let mut inst = module.def(pointer)?;
    for _ in 0..MAX_CHAINS {
        match inst.op()? {
            _ if inst.is_access_chain() => {
                path.extend(inst.words_from(4).iter().rev().map(|&index| step(Id(index))));
            }
            // Of untyped chains, those into a variable as it is declared: another type may lie over it.
            _ if inst.facts().chain == Some(Chain::Untyped) => {
                let variable = module.def(inst.id_at(4)).filter(|base| base.op() == Some(Op::UntypedVariableKHR))?;
                if module.pointee(inst.id_at(4)) != Some(inst.id_at(3)) {
                    return None;
                }
                path.extend(inst.words_from(5).iter().rev().map(|&index| step(Id(index))));
                path.reverse();
                return Some((variable, path));
            }
            Op::CopyObject => {}
            Op::Variable | Op::UntypedVariableKHR | Op::FunctionParameter => {
                path.reverse();
                return Some((inst, path));
            }
            _ => return None,
        }
        inst = module.def(inst.id_at(3))?;
    }
    None
}

/// The storage class of what a base points into.
pub fn class(module: &Module, base: InstId) -> Option<StorageClass> {
    module.pointer_class(module.inst(base).result()?)
}
