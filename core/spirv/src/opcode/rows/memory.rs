//! Pointers, loads, stores, atomics, barriers.

use super::{ACTS, CALLS, NOTHING, Row, VALUE};
use crate::enums::Op::*;
use crate::opcode::{Chain, Effect, Facts, Memory};

const fn chain(form: Chain) -> Facts {
    Facts { chain: Some(form), ..VALUE }
}

const fn writing(memory: Memory) -> Facts {
    Facts { memory, ..ACTS }
}

const LOAD: Facts = Facts { effect: Effect::Reads, memory: Memory::Load, ..NOTHING };

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (chain(Chain::Typed), &[AccessChain, InBoundsAccessChain]),
    (chain(Chain::TypedElement), &[PtrAccessChain, InBoundsPtrAccessChain]),
    (chain(Chain::Untyped), &[UntypedAccessChainKHR, UntypedInBoundsAccessChainKHR]),
    (chain(Chain::UntypedElement), &[UntypedPtrAccessChainKHR, UntypedInBoundsPtrAccessChainKHR]),
    (VALUE, &[
        ArrayLength, UntypedArrayLengthKHR, RawAccessChainNV, BufferPointerEXT, UntypedImageTexelPointerEXT,
        NodePayloadArrayLengthAMDX, IsNodePayloadValidAMDX,
    ]),
    (LOAD, &[Load, CooperativeMatrixLoadKHR, CooperativeMatrixLoadNV, CooperativeVectorLoadNV]),
    // Through more than one operand.
    (Facts { memory: Memory::Unknown, ..LOAD }, &[
        CooperativeMatrixLoadTensorNV, CooperativeVectorMatrixMulNV, CooperativeVectorMatrixMulAddNV, TensorReadARM,
    ]),
    (writing(Memory::Store), &[
        Store, CooperativeMatrixStoreKHR, CooperativeMatrixStoreNV, CooperativeMatrixStoreTensorNV,
        CooperativeVectorStoreNV,
    ]),
    (writing(Memory::Copy), &[CopyMemory, CopyMemorySized]),
    // Additions to memory, atomic for each element.
    (writing(Memory::Store), &[CooperativeVectorOuterProductAccumulateNV, CooperativeVectorReduceSumAccumulateNV]),
    (writing(Memory::AtomicLoad), &[AtomicLoad]),
    (writing(Memory::AtomicStore), &[AtomicStore, AtomicFlagClear]),
    (writing(Memory::AtomicChange), &[
        AtomicExchange, AtomicCompareExchange, AtomicCompareExchangeWeak, AtomicIIncrement, AtomicIDecrement,
        AtomicIAdd, AtomicISub, AtomicSMin, AtomicUMin, AtomicSMax, AtomicUMax, AtomicAnd, AtomicOr, AtomicXor,
        AtomicFlagTestAndSet, AtomicFMinEXT, AtomicFMaxEXT, AtomicFAddEXT,
    ]),
    (ACTS, &[ControlBarrier, MemoryBarrier, BeginInvocationInterlockEXT, EndInvocationInterlockEXT]),
    (CALLS, &[
        TensorWriteARM, AllocateNodePayloadsAMDX, EnqueueNodePayloadsAMDX, FinishWritingNodePayloadAMDX,
    ]),
];
