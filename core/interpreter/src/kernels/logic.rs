//! Booleans and selection.

use super::{Kernel1, Kernel2, Kernel3, kernel1, kernel2, kernel3};
use lanescope_spirv::enums::Op;

/// The kernel of an opcode on one boolean.
pub(crate) fn unary(op: Op) -> Option<Kernel1> {
    match op {
        Op::LogicalNot => Some(kernel1!(|a| a ^ 1)),
        _ => None,
    }
}

/// The kernel of an opcode on two booleans.
pub(crate) fn binary(op: Op) -> Option<Kernel2> {
    match op {
        Op::LogicalAnd => Some(kernel2!(|a, b| a & b)),
        Op::LogicalOr => Some(kernel2!(|a, b| a | b)),
        Op::LogicalEqual => Some(kernel2!(|a, b| u64::from(a == b))),
        Op::LogicalNotEqual => Some(kernel2!(|a, b| a ^ b)),
        _ => None,
    }
}

/// The kernel of `OpSelect`: condition, value if true, value if false.
pub(crate) fn select() -> Kernel3 {
    kernel3!(|c, a, b| if c != 0 { a } else { b })
}

/// One lane of `OpAny`.
pub(crate) fn any(input: &[u64], out: &mut [u64]) {
    out[0] = u64::from(input.iter().any(|&value| value != 0));
}

/// One lane of `OpAll`.
pub(crate) fn all(input: &[u64], out: &mut [u64]) {
    out[0] = u64::from(input.iter().all(|&value| value != 0));
}
