//! Values, one instruction at a time.

use super::{Editor, push};
use crate::enums::{Op, StorageClass};
use lanescope_base::ids::Id;

impl Editor<'_> {
    /// Adds an instruction with a result to `code`.
    pub fn value(&mut self, code: &mut Vec<u32>, op: Op, ty: Id, operands: &[u32]) -> Id {
        let result = self.fresh();
        self.value_as(code, result, op, ty, operands);
        result
    }

    /// The same, under an id that is given.
    pub fn value_as(&mut self, code: &mut Vec<u32>, result: Id, op: Op, ty: Id, operands: &[u32]) {
        let all: Vec<u32> = [ty.0, result.0].into_iter().chain(operands.iter().copied()).collect();
        push(code, op, &all);
    }

    /// Loads from a pointer.
    pub fn load(&mut self, code: &mut Vec<u32>, ty: Id, pointer: Id) -> Id {
        self.value(code, Op::Load, ty, &[pointer.0])
    }

    /// Stores through a pointer.
    pub fn store(&mut self, code: &mut Vec<u32>, pointer: Id, value: Id) {
        push(code, Op::Store, &[pointer.0, value.0]);
    }

    /// A pointer to the part of a variable that a path of constants leads to; the variable itself for an empty one.
    pub fn part(&mut self, code: &mut Vec<u32>, class: StorageClass, variable: Id, path: &[u32], ty: Id) -> Id {
        if path.is_empty() {
            return variable;
        }
        let pointer = self.pointer(class, ty);
        let indices: Vec<u32> = path.iter().map(|&index| self.u32(index).0).collect();
        let operands: Vec<u32> = std::iter::once(variable.0).chain(indices).collect();
        self.value(code, Op::AccessChain, pointer, &operands)
    }

    /// One component of a vector of `count`; the value itself where it is a scalar.
    pub fn component(&mut self, code: &mut Vec<u32>, vector: Id, count: u32, component: u32, ty: Id) -> Id {
        if count == 1 { vector } else { self.value(code, Op::CompositeExtract, ty, &[vector.0, component]) }
    }

    /// A vector of its components; of one, that one.
    pub fn compose(&mut self, code: &mut Vec<u32>, ty: Id, parts: &[Id]) -> Id {
        match parts {
            [only] => *only,
            _ => {
                let operands: Vec<u32> = parts.iter().map(|part| part.0).collect();
                self.value(code, Op::CompositeConstruct, ty, &operands)
            }
        }
    }

    /// The same bits under another type.
    pub fn bitcast(&mut self, code: &mut Vec<u32>, value: Id, from: Id, to: Id) -> Id {
        if from == to { value } else { self.value(code, Op::Bitcast, to, &[value.0]) }
    }
}
