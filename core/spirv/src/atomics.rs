//! Atomic operations by what they do.

use crate::enums::Op;

/// Whether an instruction changes memory atomically and returns what was there before: from exchange to xor, and the
/// floating-point ones. Pointer, scope and semantics are its operands from the third word on.
pub fn is_atomic_with_result(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        AtomicExchange
            | AtomicCompareExchange
            | AtomicCompareExchangeWeak
            | AtomicIIncrement
            | AtomicIDecrement
            | AtomicIAdd
            | AtomicISub
            | AtomicSMin
            | AtomicUMin
            | AtomicSMax
            | AtomicUMax
            | AtomicAnd
            | AtomicOr
            | AtomicXor
            | AtomicFlagTestAndSet
            | AtomicFMinEXT
            | AtomicFMaxEXT
            | AtomicFAddEXT
    )
}
