//! Subgroup operations and derivatives.

use super::{Decoder, Operation, Result};
use crate::code::{Code, Derivative, DerivativeKind, SubgroupDetail, SubgroupOp};
use crate::kernels::int::ones;
use crate::kernels::{Kernel2, float, int, logic, math};
use crate::program::DerivativeGroup;
use crate::types::Kind;
use lanescope_spirv::enums::{GlslStd450Op as Gl, GroupOperation, Op, Scope};

impl Decoder<'_> {
    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn subgroup(&mut self, op: &Operation<'_>) -> Result<bool> {
        use Op::*;
        match op.op {
            GroupNonUniformElect => self.group(op, None, None)?,
            GroupNonUniformAll
            | GroupNonUniformAny
            | GroupNonUniformAllEqual
            | GroupNonUniformBroadcastFirst
            | GroupNonUniformBallot
            | GroupNonUniformInverseBallot
            | GroupNonUniformBallotFindLSB
            | GroupNonUniformBallotFindMSB => self.group(op, Some(1), None)?,
            GroupNonUniformBroadcast
            | GroupNonUniformShuffle
            | GroupNonUniformShuffleXor
            | GroupNonUniformShuffleUp
            | GroupNonUniformShuffleDown
            | GroupNonUniformBallotBitExtract
            | GroupNonUniformQuadBroadcast
            | GroupNonUniformQuadSwap => self.group(op, Some(1), Some(2))?,
            GroupNonUniformRotateKHR => self.group(op, Some(1), Some(2))?,
            GroupNonUniformBallotBitCount => self.group(op, Some(2), None)?,
            GroupNonUniformQuadAllKHR | GroupNonUniformQuadAnyKHR => self.group(op, Some(0), None)?,
            GroupNonUniformIAdd
            | GroupNonUniformFAdd
            | GroupNonUniformIMul
            | GroupNonUniformFMul
            | GroupNonUniformSMin
            | GroupNonUniformUMin
            | GroupNonUniformFMin
            | GroupNonUniformSMax
            | GroupNonUniformUMax
            | GroupNonUniformFMax
            | GroupNonUniformBitwiseAnd
            | GroupNonUniformBitwiseOr
            | GroupNonUniformBitwiseXor
            | GroupNonUniformLogicalAnd
            | GroupNonUniformLogicalOr
            | GroupNonUniformLogicalXor => self.reduction(op)?,
            // The forms of SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote.
            SubgroupAllKHR | SubgroupAnyKHR | SubgroupAllEqualKHR | SubgroupBallotKHR | SubgroupFirstInvocationKHR => {
                self.group(op, Some(0), None)?;
            }
            SubgroupReadInvocationKHR => self.group(op, Some(0), Some(1))?,
            DPdx | DPdxFine | DPdxCoarse | DPdy | DPdyFine | DPdyCoarse | Fwidth | FwidthFine | FwidthCoarse => {
                let a = self.arg(op, 0)?;
                let (n, bits) = (self.scalars(op, a)?, self.types.bits(a.ty));
                let dst = self.define(op)?;
                if !self.types.is_float(a.ty) || self.scalars(op, dst)? != n {
                    return Err(op.invalid("the operand is not a float of the result's type"));
                }
                let kind = match op.op {
                    _ if self.derivative_group() == DerivativeGroup::Lanes => DerivativeKind::Zero,
                    DPdx | DPdxFine | DPdxCoarse => DerivativeKind::X,
                    DPdy | DPdyFine | DPdyCoarse => DerivativeKind::Y,
                    _ => DerivativeKind::Width,
                };
                let coarse = matches!(op.op, DPdxCoarse | DPdyCoarse | FwidthCoarse);
                let index = self.tables.derivatives.len() as u32;
                self.tables.derivatives.push(Derivative { dst: dst.slot, a: a.slot, n, bits, kind, coarse });
                self.emit(Code::Derivative { op: index });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn scope(&self, op: &Operation<'_>) -> Result<()> {
        match Scope::from_u32(self.constant(op, 0)?) {
            Some(Scope::Subgroup) => Ok(()),
            _ => Err(op.unsupported("a scope that is not the subgroup")),
        }
    }

    /// An operation with an optional value and an optional argument, at these operands.
    fn group(&mut self, op: &Operation<'_>, value: Option<usize>, argument: Option<usize>) -> Result<()> {
        use Op::*;
        let khr = matches!(
            op.op,
            SubgroupAllKHR
                | SubgroupAnyKHR
                | SubgroupAllEqualKHR
                | SubgroupBallotKHR
                | SubgroupFirstInvocationKHR
                | SubgroupReadInvocationKHR
                | GroupNonUniformQuadAllKHR
                | GroupNonUniformQuadAnyKHR
        );
        if !khr {
            self.scope(op)?;
        }
        let kind = match op.op {
            SubgroupAllKHR => GroupNonUniformAll,
            SubgroupAnyKHR => GroupNonUniformAny,
            SubgroupAllEqualKHR => GroupNonUniformAllEqual,
            SubgroupBallotKHR => GroupNonUniformBallot,
            SubgroupFirstInvocationKHR => GroupNonUniformBroadcastFirst,
            SubgroupReadInvocationKHR => GroupNonUniformBroadcast,
            other => other,
        };
        let value = match value {
            Some(at) => Some(self.arg(op, at)?),
            None => None,
        };
        let n = match value {
            Some(value) => self.scalars(op, value)?,
            None => 0,
        };
        let argument = match argument {
            Some(at) => Some(self.integer(op, at)?.slot),
            None => None,
        };
        let mut detail = SubgroupDetail::None;
        if kind == GroupNonUniformBallotBitCount {
            detail = match GroupOperation::from_u32(op.word(1)) {
                Some(
                    counted @ (GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan),
                ) => SubgroupDetail::Group(counted),
                _ => return Err(op.unsupported(format!("group operation {}", op.word(1)))),
            };
        }
        if kind == GroupNonUniformRotateKHR && op.args.len() > 3 {
            let size = self.constant(op, 3)?;
            if !size.is_power_of_two() || size > 64 {
                return Err(op.unsupported(format!("a cluster of {size}")));
            }
            detail = SubgroupDetail::Cluster(size);
        }
        if let (GroupNonUniformAllEqual, Some(value)) = (kind, value)
            && self.types.is_float(value.ty)
        {
            detail = SubgroupDetail::Floats(self.types.bits(value.ty));
        }
        let dst = self.define(op)?;
        let found = self.scalars(op, dst)?;
        let (takes, gives) = match kind {
            GroupNonUniformElect => (0, 1),
            GroupNonUniformAll | GroupNonUniformAny | GroupNonUniformQuadAllKHR | GroupNonUniformQuadAnyKHR => (1, 1),
            GroupNonUniformAllEqual => (n, 1),
            GroupNonUniformBallot => (1, 4),
            GroupNonUniformInverseBallot
            | GroupNonUniformBallotBitExtract
            | GroupNonUniformBallotBitCount
            | GroupNonUniformBallotFindLSB
            | GroupNonUniformBallotFindMSB => (4, 1),
            _ => (n, n),
        };
        if n != takes || found != gives {
            return Err(op.invalid("an operand or the result has another number of components"));
        }
        let row = SubgroupOp {
            op: kind,
            dst: dst.slot,
            value: value.map_or(0, |value| value.slot),
            n: n.max(1),
            argument,
            detail,
            combine: None,
        };
        self.push_group(row);
        Ok(())
    }

    fn push_group(&mut self, row: SubgroupOp) {
        let index = self.tables.subgroup_ops.len() as u32;
        self.tables.subgroup_ops.push(row);
        self.emit(Code::Subgroup { op: index });
    }

    fn reduction(&mut self, op: &Operation<'_>) -> Result<()> {
        self.scope(op)?;
        let unsupported = || op.unsupported(format!("group operation {}", op.word(1)));
        let operation = GroupOperation::from_u32(op.word(1)).ok_or_else(unsupported)?;
        let value = self.arg(op, 2)?;
        let (n, bits) = (self.scalars(op, value)?, self.types.bits(value.ty));
        let argument = match operation {
            GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => None,
            GroupOperation::ClusteredReduce => {
                let size = self.constant(op, 3)?;
                if !size.is_power_of_two() {
                    return Err(op.invalid(format!("a cluster of {size}")));
                }
                Some(self.integer(op, 3)?.slot)
            }
            GroupOperation::PartitionedReduceEXT
            | GroupOperation::PartitionedInclusiveScanEXT
            | GroupOperation::PartitionedExclusiveScanEXT => Some(self.sized(op, 3, 4)?.slot),
        };
        let kind = self.types.kind_of(self.types.component(value.ty));
        let combine = match kind {
            Kind::Int { .. } => integer(op.op, bits),
            Kind::Float { .. } => real(op.op, bits),
            Kind::Bool => boolean(op.op),
            _ => None,
        };
        let combine = combine.ok_or_else(|| op.invalid("the operand is of another kind of number"))?;
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != n {
            return Err(op.invalid("the result has another number of components than the operand"));
        }
        let (op, dst, value, detail) = (op.op, dst.slot, value.slot, SubgroupDetail::Group(operation));
        self.push_group(SubgroupOp { op, dst, value, n, argument, detail, combine: Some(combine) });
        Ok(())
    }
}

/// How integers are combined, and the identity.
fn integer(op: Op, bits: u32) -> Option<(Kernel2, u64)> {
    let all = ones(u64::from(bits));
    let (f, identity) = match op {
        Op::GroupNonUniformIAdd => (int::binary(Op::IAdd, bits), 0),
        Op::GroupNonUniformIMul => (int::binary(Op::IMul, bits), 1),
        Op::GroupNonUniformSMin => (math::binary(Gl::SMin, bits), all >> 1),
        Op::GroupNonUniformUMin => (math::binary(Gl::UMin, bits), all),
        Op::GroupNonUniformSMax => (math::binary(Gl::SMax, bits), all ^ (all >> 1)),
        Op::GroupNonUniformUMax => (math::binary(Gl::UMax, bits), 0),
        Op::GroupNonUniformBitwiseAnd => (int::binary(Op::BitwiseAnd, bits), all),
        Op::GroupNonUniformBitwiseOr => (int::binary(Op::BitwiseOr, bits), 0),
        Op::GroupNonUniformBitwiseXor => (int::binary(Op::BitwiseXor, bits), 0),
        _ => return None,
    };
    Some((f?, identity))
}

/// How floats are combined, and the identity.
fn real(op: Op, bits: u32) -> Option<(Kernel2, u64)> {
    let (one, infinity, sign) = match bits {
        16 => (0x3c00, 0x7c00, 0x8000),
        32 => (0x3f80_0000, 0x7f80_0000, 0x8000_0000),
        _ => (0x3ff << 52, 0x7ff << 52, 1 << 63),
    };
    let (f, identity) = match op {
        Op::GroupNonUniformFAdd => (float::binary(Op::FAdd, bits), 0),
        Op::GroupNonUniformFMul => (float::binary(Op::FMul, bits), one),
        Op::GroupNonUniformFMin => (math::binary(Gl::FMin, bits), infinity),
        Op::GroupNonUniformFMax => (math::binary(Gl::FMax, bits), infinity | sign),
        _ => return None,
    };
    Some((f?, identity))
}

/// How booleans are combined, and the identity.
fn boolean(op: Op) -> Option<(Kernel2, u64)> {
    let (f, identity) = match op {
        Op::GroupNonUniformLogicalAnd => (logic::binary(Op::LogicalAnd), 1),
        Op::GroupNonUniformLogicalOr => (logic::binary(Op::LogicalOr), 0),
        Op::GroupNonUniformLogicalXor => (logic::binary(Op::LogicalNotEqual), 0),
        _ => return None,
    };
    Some((f?, identity))
}
