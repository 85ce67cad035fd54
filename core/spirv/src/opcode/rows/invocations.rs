//! What invocations do together, what one knows of itself, and what it hands on to later stages.

use super::{ACTS, CALLS, Row, STATE};
use crate::enums::Op::*;
use crate::opcode::{Effect, Facts, Group, Memory};

const fn group(group: Group) -> Facts {
    Facts { group: Some(group), ..STATE }
}

/// With effects, or of memory.
const fn acting(group: Group) -> Facts {
    Facts { group: Some(group), ..CALLS }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (group(Group::NonUniform), &[
        GroupNonUniformElect, GroupNonUniformAll, GroupNonUniformAny, GroupNonUniformAllEqual,
        GroupNonUniformBroadcast, GroupNonUniformBroadcastFirst, GroupNonUniformBallot, GroupNonUniformInverseBallot,
        GroupNonUniformBallotBitExtract, GroupNonUniformBallotBitCount, GroupNonUniformBallotFindLSB,
        GroupNonUniformBallotFindMSB, GroupNonUniformShuffle, GroupNonUniformShuffleXor, GroupNonUniformShuffleUp,
        GroupNonUniformShuffleDown, GroupNonUniformRotateKHR, GroupNonUniformPartitionEXT,
        GroupNonUniformIAdd, GroupNonUniformFAdd, GroupNonUniformIMul, GroupNonUniformFMul, GroupNonUniformSMin,
        GroupNonUniformUMin, GroupNonUniformFMin, GroupNonUniformSMax, GroupNonUniformUMax, GroupNonUniformFMax,
        GroupNonUniformBitwiseAnd, GroupNonUniformBitwiseOr, GroupNonUniformBitwiseXor, GroupNonUniformLogicalAnd,
        GroupNonUniformLogicalOr, GroupNonUniformLogicalXor,
    ]),
    (group(Group::Quad), &[
        GroupNonUniformQuadBroadcast, GroupNonUniformQuadSwap, GroupNonUniformQuadAllKHR, GroupNonUniformQuadAnyKHR,
    ]),
    (group(Group::Subgroup), &[
        SubgroupBallotKHR, SubgroupFirstInvocationKHR, SubgroupAllKHR, SubgroupAnyKHR, SubgroupAllEqualKHR,
        SubgroupReadInvocationKHR, SubgroupShuffleINTEL, SubgroupShuffleDownINTEL, SubgroupShuffleUpINTEL,
        SubgroupShuffleXorINTEL,
    ]),
    (group(Group::Scoped), &[
        GroupAll, GroupAny, GroupBroadcast, GroupIAdd, GroupFAdd, GroupFMin, GroupUMin, GroupSMin, GroupFMax,
        GroupUMax, GroupSMax, GroupIMulKHR, GroupFMulKHR, GroupBitwiseAndKHR, GroupBitwiseOrKHR, GroupBitwiseXorKHR,
        GroupLogicalAndKHR, GroupLogicalOrKHR, GroupLogicalXorKHR, GroupIAddNonUniformAMD, GroupFAddNonUniformAMD,
        GroupFMinNonUniformAMD, GroupUMinNonUniformAMD, GroupSMinNonUniformAMD, GroupFMaxNonUniformAMD,
        GroupUMaxNonUniformAMD, GroupSMaxNonUniformAMD,
    ]),
    (acting(Group::Scoped), &[GroupAsyncCopy, GroupWaitEvents]),
    (Facts { effect: Effect::Reads, ..acting(Group::Subgroup) }, &[
        SubgroupBlockReadINTEL, SubgroupImageBlockReadINTEL, SubgroupImageMediaBlockReadINTEL,
    ]),
    (acting(Group::Subgroup), &[
        SubgroupBlockWriteINTEL, SubgroupImageBlockWriteINTEL, SubgroupImageMediaBlockWriteINTEL,
        SubgroupBlockPrefetchINTEL, Subgroup2DBlockLoadINTEL, Subgroup2DBlockLoadTransformINTEL,
        Subgroup2DBlockLoadTransposeINTEL, Subgroup2DBlockPrefetchINTEL, Subgroup2DBlockStoreINTEL,
        SubgroupMatrixMultiplyAccumulateINTEL,
    ]),
    // The clock, helper invocations.
    (STATE, &[ReadClockKHR, IsHelperInvocationEXT]),
    // Vertices take what the outputs hold.
    (Facts { memory: Memory::Unknown, ..ACTS }, &[EmitVertex, EmitStreamVertex, WritePackedPrimitiveIndices4x8NV]),
    (ACTS, &[EndPrimitive, EndStreamPrimitive, SetMeshOutputsEXT]),
];
