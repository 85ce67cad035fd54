//! What is tried on a module, from the largest pieces to the smallest.

mod annotations;
mod branches;
mod calls;
mod interface;
mod loops;
mod memory;
mod statements;
mod values;

use lanescope_base::ids::Id;
use lanescope_spirv::edit::push;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Function, Inst, Module};

use crate::change::Change;

/// One kind of change.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it makes smaller, as the manual says it.
    pub what: &'static str,
    /// All changes of the kind that a module has. Any of them may be tried together.
    pub find: fn(&Module) -> Vec<Change>,
}

/// The passes, in the order in which they are tried.
pub const PASSES: [Pass; 21] = [
    Pass { name: "entry-points", what: "entry points that the program does not use", find: annotations::entry_points },
    Pass { name: "debug-information", what: "lines, sources and debug instructions", find: annotations::debug },
    Pass { name: "functions", what: "calls, whose results become zero", find: calls::calls },
    Pass { name: "constructs", what: "selections and loops as a whole", find: branches::constructs },
    Pass { name: "branches", what: "branches, to one side", find: branches::sides },
    Pass {
        name: "statements",
        what: "stores, atomic operations, barriers and other effects",
        find: statements::statements,
    },
    Pass { name: "stores-alone", what: "stores and writes, whose values stay", find: statements::alone },
    Pass { name: "variables", what: "variables, whose contents become zero", find: interface::variables },
    Pass { name: "loops", what: "loops, to one pass", find: loops::once },
    Pass { name: "straight-loops", what: "loops of one pass, to straight code", find: loops::straight },
    Pass { name: "blocks", what: "blocks, joined with the only one before", find: branches::joined },
    Pass { name: "inlined", what: "functions that are called once and return once", find: calls::inlined },
    Pass { name: "forwarded-loads", what: "loads, replaced by the value stored before", find: memory::forwarded },
    Pass { name: "repeated", what: "instructions, replaced by an equal one before", find: values::repeated },
    Pass { name: "operands", what: "instructions, replaced by an operand of their type", find: values::operands },
    Pass { name: "zeros", what: "values, replaced by zero", find: values::zeros },
    Pass { name: "ones", what: "values, replaced by one", find: values::ones },
    Pass { name: "unused", what: "what nothing uses", find: annotations::unused },
    Pass { name: "unused-alone", what: "what nothing uses, but not its operands", find: annotations::unused_alone },
    Pass { name: "calls-alone", what: "calls, whose functions stay", find: calls::alone },
    Pass {
        name: "annotations",
        what: "decorations, modes, extensions and capabilities",
        find: annotations::annotations,
    },
];

/// The instructions of a function's blocks.
fn body<'m>(module: &'m Module, function: &Function) -> impl DoubleEndedIterator<Item = Inst<'m>> {
    module.insts_in(function.insts.clone())
}

/// The instructions of all functions.
fn bodies(module: &Module) -> impl Iterator<Item = Inst<'_>> {
    module.functions().iter().flat_map(|function| body(module, function))
}

/// One instruction's words.
fn words(op: Op, operands: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    push(&mut out, op, operands);
    out
}

/// Whether a type has values that may become a constant: numbers, truth values and what is made of them.
fn has_constants(module: &Module, ty: Id) -> bool {
    fn is_plain(module: &Module, ty: Id, depth: u32) -> bool {
        use lanescope_spirv::Type::*;
        depth < 64
            && match module.ty(ty) {
                Some(Bool | Int { .. } | Float { .. }) => true,
                Some(Vector { component, .. }) => is_plain(module, component, depth + 1),
                Some(Matrix { column, .. }) => is_plain(module, column, depth + 1),
                Some(Array { element, .. }) => is_plain(module, element, depth + 1),
                Some(Struct { members }) => members.iter().all(|&member| is_plain(module, Id(member), depth + 1)),
                _ => false,
            }
    }
    is_plain(module, ty, 0)
}

#[cfg(test)]
mod tests;
