//! Extended instructions of GLSL.std.450.

use super::{Decoder, Operation, Result, Val};
use crate::code::{Code, Interpolant, Interpolate, InterpolateAt, Slot, Watch};
use crate::kernels::{compose, math};
use crate::types::Kind;
use lanescope_spirv::enums::{GlslStd450Op as Gl, Op, StorageClass};

impl Decoder<'_> {
    /// Decodes an `OpExtInst` of GLSL.std.450: operand 0 is the set, operand 1 the instruction.
    pub(super) fn glsl(&mut self, op: &Operation<'_>) -> Result<()> {
        let function = Gl::from_u32(op.word(1));
        let function = function.ok_or_else(|| op.unsupported(format!("GLSL.std.450 instruction {}", op.word(1))))?;
        let inner = &Operation { op: Op::ExtInst, args: op.rest(2), inst: op.inst };
        if matches!(function, Gl::InterpolateAtCentroid | Gl::InterpolateAtSample | Gl::InterpolateAtOffset) {
            return self.interpolate(inner, function);
        }
        let a = self.arg(inner, 0)?;
        let bits = self.types.bits(a.ty);
        let float = self.types.is_float(a.ty);
        let int = matches!(self.types.kind_of(self.types.component(a.ty)), Kind::Int { .. });
        let wants_int = matches!(
            function,
            Gl::SAbs
                | Gl::SSign
                | Gl::UMin
                | Gl::UMax
                | Gl::SMin
                | Gl::SMax
                | Gl::UClamp
                | Gl::SClamp
                | Gl::FindILsb
                | Gl::FindSMsb
                | Gl::FindUMsb
                | Gl::UnpackSnorm2x16
                | Gl::UnpackUnorm2x16
                | Gl::UnpackHalf2x16
                | Gl::UnpackSnorm4x8
                | Gl::UnpackUnorm4x8
                | Gl::PackDouble2x32
        );
        if (wants_int && !int) || (!wants_int && !float) {
            return Err(op.invalid("the operand is of another kind of number"));
        }
        let watch = self.nan(a.ty);
        if let Some(f) = math::unary(function, bits) {
            let watch = if wants_int { Watch::No } else { watch };
            return self.unary(inner, a, f, watch);
        }
        if function == Gl::Ldexp {
            let b = self.arg(inner, 1)?;
            let f = math::ldexp(bits, self.types.bits(b.ty)).ok_or_else(|| op.unsupported("this width"))?;
            return self.binary(inner, a, b, f, Watch::No);
        }
        if let Some(f) = math::binary(function, bits) {
            let b = self.like(inner, 1, a)?;
            return self.binary(inner, a, b, f, if wants_int { Watch::No } else { watch });
        }
        if let Some(f) = math::ternary(function, bits) {
            let (b, c) = (self.like(inner, 1, a)?, self.like(inner, 2, a)?);
            let n = self.scalars(op, a)?;
            let dst = self.define(inner)?;
            if self.scalars(op, dst)? != n {
                return Err(op.invalid("the result has another number of components than the operands"));
            }
            let (dst, a, b, c) = (dst.slot, a.slot, b.slot, c.slot);
            let watch = if wants_int { Watch::No } else { watch };
            self.emit(Code::Ternary { f, dst, a, b, c, n, watch });
            return Ok(());
        }
        if let Some(f) = compose::packing(function) {
            return self.packing(inner, function, a, f);
        }
        let f = compose::glsl(function, bits);
        let f = f.ok_or_else(|| op.unsupported(format!("GLSL.std.450 instruction {}", op.word(1))))?;
        let n = self.scalars(op, a)?;
        let mut operands = vec![(a.slot, n)];
        let count = match function {
            Gl::Distance | Gl::Cross | Gl::Reflect | Gl::Refract => 2,
            Gl::FaceForward => 3,
            _ => 1,
        };
        for at in 1..count {
            operands.push((self.like(inner, at, a)?.slot, n));
        }
        if function == Gl::Refract {
            let eta = self.sized(inner, 2, 1)?;
            if self.types.bits(eta.ty) != bits || !self.types.is_float(eta.ty) {
                return Err(op.unsupported("a ratio of indices of another width than the vectors"));
            }
            operands.push((eta.slot, 1));
        }
        if matches!(function, Gl::Modf | Gl::Frexp) {
            return self.split_float(inner, f, (a.slot, n), watch);
        }
        let expected = match function {
            Gl::Length | Gl::Distance => 1,
            Gl::Determinant | Gl::MatrixInverse => {
                let size = self.types.count(a.ty);
                if !matches!(self.types.kind_of(a.ty), Kind::Matrix { .. }) || size * size != n {
                    return Err(op.invalid("the operand is not a square matrix"));
                }
                if function == Gl::Determinant { 1 } else { n }
            }
            Gl::Cross if n != 3 => return Err(op.invalid("the operands do not have 3 components")),
            Gl::ModfStruct | Gl::FrexpStruct => 2 * n,
            _ => n,
        };
        let dst = self.define(inner)?;
        if self.scalars(op, dst)? != expected {
            return Err(op.invalid("the result has another number of components than expected"));
        }
        self.lane_op(f, &operands, &[], (dst.slot, expected), watch);
        Ok(())
    }

    /// An input at another place of the pixel.
    fn interpolate(&mut self, op: &Operation<'_>, function: Gl) -> Result<()> {
        let pointer = self.pointer(op, op.id(0))?;
        if pointer.class != StorageClass::Input {
            return Err(op.invalid("the interpolant is not an input"));
        }
        let input = match pointer.fixed {
            Some(slot) => Interpolant::Slot(slot),
            None => Interpolant::Pointer(self.register(op, pointer, 0)?),
        };
        let n = self.types.scalars(pointer.pointee, &op.inst)?;
        let place = match function {
            Gl::InterpolateAtSample => InterpolateAt::Sample(self.integer(op, 1)?.slot),
            Gl::InterpolateAtOffset => {
                let offset = self.sized(op, 1, 2)?;
                if self.types.bits(offset.ty) != 32 || !self.types.is_float(offset.ty) {
                    return Err(op.invalid("the offset is not a vector of 32-bit floats"));
                }
                InterpolateAt::Offset(offset.slot)
            }
            _ => InterpolateAt::Centroid,
        };
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != n {
            return Err(op.invalid("the result has another number of components than the interpolant"));
        }
        let index = self.tables.interpolations.len() as u32;
        self.tables.interpolations.push(Interpolate { dst: dst.slot, input, n, place });
        self.emit(Code::Interpolate { op: index });
        Ok(())
    }

    /// Operand `i`, which must be of the size and width of another one.
    fn like(&mut self, op: &Operation<'_>, i: usize, other: Val) -> Result<Val> {
        let n = self.scalars(op, other)?;
        let val = self.sized(op, i, n)?;
        let same = self.types.bits(val.ty) == self.types.bits(other.ty)
            && self.types.is_float(val.ty) == self.types.is_float(other.ty);
        if same { Ok(val) } else { Err(op.invalid("the operands are of different types")) }
    }

    fn packing(&mut self, op: &Operation<'_>, function: Gl, a: Val, f: crate::kernels::LaneKernel) -> Result<()> {
        let (n, width, m) = match function {
            Gl::PackSnorm4x8 | Gl::PackUnorm4x8 => (4, 32, 1),
            Gl::PackSnorm2x16 | Gl::PackUnorm2x16 | Gl::PackHalf2x16 | Gl::PackDouble2x32 => (2, 32, 1),
            Gl::UnpackSnorm4x8 | Gl::UnpackUnorm4x8 => (1, 32, 4),
            Gl::UnpackDouble2x32 => (1, 64, 2),
            _ => (1, 32, 2),
        };
        let found = (self.scalars(op, a)?, self.types.bits(a.ty));
        let dst = self.define(op)?;
        if found != (n, width) || self.scalars(op, dst)? != m {
            return Err(op.invalid("an operand or the result has another size"));
        }
        self.lane_op(f, &[(a.slot, n)], &[], (dst.slot, m), Watch::No);
        Ok(())
    }

    /// `Modf` and `Frexp`: the second result goes to memory.
    fn split_float(
        &mut self,
        op: &Operation<'_>,
        f: crate::kernels::LaneKernel,
        (a, n): (Slot, u32),
        watch: Watch,
    ) -> Result<()> {
        let pointer = self.pointer(op, op.id(1))?;
        if self.types.info(pointer.pointee).scalars != Some(n) {
            return Err(op.invalid("the pointer leads to a value of another size"));
        }
        let both = self.allocate(2 * n)?;
        self.lane_op(f, &[(a, n)], &[], (both, 2 * n), watch);
        let ty = self.result_type(op)?;
        if self.types.scalars(ty, &op.inst)? != n {
            return Err(op.invalid("the result has another number of components than the operand"));
        }
        self.name(op, ty, both)?;
        self.store_to(op, pointer, both + n, n, 0)
    }
}
