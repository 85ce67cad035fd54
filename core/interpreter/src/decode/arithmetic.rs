//! Arithmetic, comparison, conversion and bit instructions.

use super::{Decoder, Operation, Result, Val};
use crate::code::{Code, Watch};
use crate::kernels::{Kernel1, Kernel2, compose, convert, float, int, kernel1, logic};
use crate::types::{Kind, Ty};
use lanescope_spirv::enums::{Decoration, FPRoundingMode, Op};

impl Decoder<'_> {
    /// What is looked for in float results of a type.
    pub(super) fn nan(&self, ty: Ty) -> Watch {
        match self.types.kind_of(self.types.component(ty)) {
            Kind::Float { bits } => Watch::Nan(*bits as u8),
            _ => Watch::No,
        }
    }

    fn is_int(&self, ty: Ty) -> bool {
        matches!(self.types.kind_of(self.types.component(ty)), Kind::Int { .. })
    }

    fn is_bool(&self, ty: Ty) -> bool {
        matches!(self.types.kind_of(self.types.component(ty)), Kind::Bool)
    }

    /// Emits a kernel of one operand, whose components are as many as the result's.
    pub(super) fn unary(&mut self, op: &Operation<'_>, a: Val, f: Kernel1, watch: Watch) -> Result<()> {
        let n = self.scalars(op, a)?;
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != n {
            return Err(op.invalid("the result has another number of components than the operand"));
        }
        self.emit(Code::Unary { f, dst: dst.slot, a: a.slot, n, watch });
        Ok(())
    }

    /// Emits a kernel of two operands, whose components are as many as the result's.
    pub(super) fn binary(&mut self, op: &Operation<'_>, a: Val, b: Val, f: Kernel2, watch: Watch) -> Result<()> {
        let n = self.scalars(op, a)?;
        let same = self.scalars(op, b)? == n;
        let dst = self.define(op)?;
        if !same || self.scalars(op, dst)? != n {
            return Err(op.invalid("the result has another number of components than an operand"));
        }
        self.emit(Code::Binary { f, dst: dst.slot, a: a.slot, b: b.slot, n, watch });
        Ok(())
    }

    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn arithmetic(&mut self, op: &Operation<'_>) -> Result<bool> {
        use Op::*;
        match op.op {
            FNegate | IsNan | IsInf | IsFinite | IsNormal | SignBitSet => {
                let a = self.arg(op, 0)?;
                let f = self.types.is_float(a.ty).then(|| float::unary(op.op, self.types.bits(a.ty))).flatten();
                let f = f.ok_or_else(|| op.invalid("the operand is not a float"))?;
                self.unary(op, a, f, Watch::No)?;
            }
            SNegate | Not | BitReverse | BitCount => {
                let a = self.arg(op, 0)?;
                let f = self.is_int(a.ty).then(|| int::unary(op.op, self.types.bits(a.ty))).flatten();
                let f = f.ok_or_else(|| op.invalid("the operand is not an integer"))?;
                self.unary(op, a, f, Watch::No)?;
            }
            LogicalNot => {
                let a = self.arg(op, 0)?;
                let f = self.is_bool(a.ty).then(|| logic::unary(op.op)).flatten();
                self.unary(op, a, f.ok_or_else(|| op.invalid("the operand is not a boolean"))?, Watch::No)?;
            }
            LogicalAnd | LogicalOr | LogicalEqual | LogicalNotEqual => {
                let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
                let f = (self.is_bool(a.ty) && self.is_bool(b.ty)).then(|| logic::binary(op.op)).flatten();
                self.binary(op, a, b, f.ok_or_else(|| op.invalid("an operand is not a boolean"))?, Watch::No)?;
            }
            FAdd
            | FSub
            | FMul
            | FDiv
            | FRem
            | FMod
            | FOrdEqual
            | FUnordEqual
            | FOrdNotEqual
            | FUnordNotEqual
            | FOrdLessThan
            | FUnordLessThan
            | FOrdGreaterThan
            | FUnordGreaterThan
            | FOrdLessThanEqual
            | FUnordLessThanEqual
            | FOrdGreaterThanEqual
            | FUnordGreaterThanEqual
            | LessOrGreater
            | Ordered
            | Unordered => {
                let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
                let bits = self.types.bits(a.ty);
                let same = self.types.is_float(a.ty) && self.types.is_float(b.ty) && self.types.bits(b.ty) == bits;
                let f = same.then(|| float::binary(op.op, bits)).flatten();
                let f = f.ok_or_else(|| op.invalid("the operands are not floats of one width"))?;
                let arithmetic = matches!(op.op, FAdd | FSub | FMul | FDiv | FRem | FMod);
                let watch = if arithmetic { self.nan(a.ty) } else { Watch::No };
                self.binary(op, a, b, f, watch)?;
            }
            IAdd | ISub | IMul | UDiv | SDiv | UMod | SRem | SMod | BitwiseAnd | BitwiseOr | BitwiseXor | IEqual
            | INotEqual | UGreaterThan | SGreaterThan | UGreaterThanEqual | SGreaterThanEqual | ULessThan
            | SLessThan | ULessThanEqual | SLessThanEqual | UAddSatINTEL | IAddSatINTEL | USubSatINTEL
            | ISubSatINTEL | AbsISubINTEL | AbsUSubINTEL => {
                let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
                let bits = self.types.bits(a.ty);
                let same = self.is_int(a.ty) && self.is_int(b.ty) && self.types.bits(b.ty) == bits;
                let f = same.then(|| int::binary(op.op, bits)).flatten();
                let f = f.ok_or_else(|| op.invalid("the operands are not integers of one width"))?;
                let watch = if matches!(op.op, UDiv | SDiv | UMod | SRem | SMod) { Watch::Zero } else { Watch::No };
                self.binary(op, a, b, f, watch)?;
            }
            PtrDiff => self.pointer_difference(op)?,
            PtrEqual | PtrNotEqual => {
                let (a, b) = (self.sized(op, 0, 1)?, self.sized(op, 1, 1)?);
                let f = int::binary(op.op, 64).ok_or_else(|| op.unsupported("this comparison"))?;
                self.binary(op, a, b, f, Watch::No)?;
            }
            ShiftLeftLogical | ShiftRightLogical | ShiftRightArithmetic => {
                let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
                let whole = self.is_int(a.ty) && self.is_int(b.ty);
                let f = whole.then(|| int::shift(op.op, self.types.bits(a.ty))).flatten();
                self.binary(op, a, b, f.ok_or_else(|| op.invalid("an operand is not an integer"))?, Watch::No)?;
            }
            BitFieldInsert => {
                let base = self.arg(op, 0)?;
                let n = self.scalars(op, base)?;
                let insert = self.sized(op, 1, n)?;
                let (offset, count) = (self.integer(op, 2)?, self.integer(op, 3)?);
                self.bit_fields(op, int::bit_field_insert, &[base, insert], &[offset, count])?;
            }
            BitFieldUExtract | BitFieldSExtract => {
                let base = self.arg(op, 0)?;
                let (offset, count) = (self.integer(op, 1)?, self.integer(op, 2)?);
                let signed = op.op == BitFieldSExtract;
                let f = if signed { int::bit_field_s_extract } else { int::bit_field_u_extract };
                self.bit_fields(op, f, &[base], &[offset, count])?;
            }
            IAddCarry | ISubBorrow | UMulExtended | SMulExtended => {
                let a = self.arg(op, 0)?;
                let n = self.scalars(op, a)?;
                let b = self.sized(op, 1, n)?;
                if !self.is_int(a.ty) || self.types.bits(a.ty) != self.types.bits(b.ty) {
                    return Err(op.invalid("the operands are not integers of one width"));
                }
                let f = match op.op {
                    IAddCarry => int::add_carry,
                    ISubBorrow => int::sub_borrow,
                    UMulExtended => int::u_mul_extended,
                    _ => int::s_mul_extended,
                };
                let ty = self.result_type(op)?;
                if self.types.scalars(ty, &op.inst)? != 2 * n {
                    return Err(op.invalid("the result is not a structure of two values"));
                }
                let bits = u64::from(self.types.bits(a.ty));
                // A lane operation writes neighbouring slots: each component's pair goes to slots of its own first.
                let pairs = self.allocate(2 * n)?;
                for at in 0..n {
                    let operands = [(a.slot + at, 1), (b.slot + at, 1)];
                    self.lane_op(f, &operands, &[bits], (pairs + 2 * at, 2), Watch::No);
                }
                let dst = self.define(op)?;
                let list: Vec<u32> =
                    (0..n).map(|at| pairs + 2 * at).chain((0..n).map(|at| pairs + 2 * at + 1)).collect();
                self.gather(dst.slot, &list);
            }
            ConvertFToU | ConvertFToS | ConvertSToF | ConvertUToF | UConvert | SConvert | FConvert | QuantizeToF16
            | SatConvertSToU | SatConvertUToS => self.conversion(op)?,
            Dot | OuterProduct | MatrixTimesVector | VectorTimesMatrix | MatrixTimesMatrix => self.product(op)?,
            VectorTimesScalar | MatrixTimesScalar => {
                let a = self.arg(op, 0)?;
                let b = self.sized(op, 1, 1)?;
                let bits = self.types.bits(a.ty);
                let same = self.types.is_float(a.ty) && self.types.is_float(b.ty) && self.types.bits(b.ty) == bits;
                let f = same.then(|| float::binary(FMul, bits)).flatten();
                let f = f.ok_or_else(|| op.invalid("the operands are not floats of one width"))?;
                let n = self.scalars(op, a)?;
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != n {
                    return Err(op.invalid("the result has another number of components than the operand"));
                }
                let watch = self.nan(a.ty);
                self.emit(Code::Scale { f, dst: dst.slot, a: a.slot, b: b.slot, n, watch });
            }
            SDot | UDot | SUDot | SDotAccSat | UDotAccSat | SUDotAccSat => self.integer_dot(op)?,
            Any | All => {
                let a = self.arg(op, 0)?;
                let n = self.scalars(op, a)?;
                let f = if op.op == Any { logic::any } else { logic::all };
                let dst = self.define_one(op)?;
                self.lane_op(f, &[(a.slot, n)], &[], (dst.slot, 1), Watch::No);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Registers for a result that must be a scalar.
    pub(super) fn define_one(&mut self, op: &Operation<'_>) -> Result<Val> {
        let dst = self.define(op)?;
        match self.scalars(op, dst)? {
            1 => Ok(dst),
            _ => Err(op.invalid("the result is not a scalar")),
        }
    }

    /// A bit field operation, component by component.
    fn bit_fields(
        &mut self,
        op: &Operation<'_>,
        f: crate::kernels::LaneKernel,
        vectors: &[Val],
        scalars: &[Val],
    ) -> Result<()> {
        let bits = u64::from(self.types.bits(vectors[0].ty));
        if vectors.iter().any(|v| !self.is_int(v.ty)) {
            return Err(op.invalid("an operand is not an integer"));
        }
        let n = self.scalars(op, vectors[0])?;
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != n {
            return Err(op.invalid("the result has another number of components than the operand"));
        }
        for at in 0..n {
            let mut operands: Vec<(u32, u32)> = vectors.iter().map(|v| (v.slot + at, 1)).collect();
            operands.extend(scalars.iter().map(|s| (s.slot, 1)));
            self.lane_op(f, &operands, &[bits], (dst.slot + at, 1), Watch::No);
        }
        Ok(())
    }

    fn conversion(&mut self, op: &Operation<'_>) -> Result<()> {
        let a = self.arg(op, 0)?;
        let to = self.result_type(op)?;
        let (from_bits, to_bits) = (self.types.bits(a.ty), self.types.bits(to));
        let (from_float, to_float) = (self.types.is_float(a.ty), self.types.is_float(to));
        let (from_int, to_int) = (self.is_int(a.ty), self.is_int(to));
        let result = op.inst.result();
        let mode = result.and_then(|id| self.module.decoration(id, None, Decoration::FPRoundingMode));
        let toward_zero = mode == Some(FPRoundingMode::RTZ as u32);
        let f: Option<Kernel1> = match op.op {
            Op::ConvertFToU if from_float && to_int => convert::float_to_unsigned(from_bits, to_bits),
            Op::ConvertFToS if from_float && to_int => convert::float_to_signed(from_bits, to_bits),
            Op::ConvertUToF if from_int && to_float => convert::unsigned_to_float(to_bits),
            Op::ConvertSToF if from_int && to_float => convert::signed_to_float(from_bits, to_bits),
            Op::UConvert if from_int && to_int => convert::unsigned(to_bits),
            Op::SConvert if from_int && to_int => convert::signed(from_bits, to_bits),
            Op::FConvert if from_float && to_float => convert::float(from_bits, to_bits, toward_zero),
            Op::QuantizeToF16 if from_float && from_bits == 32 => Some(convert::quantize()),
            _ => None,
        };
        let f = f.ok_or_else(|| op.unsupported("a conversion between these types"))?;
        self.unary(op, a, f, Watch::No)
    }

    /// Rows and columns of a matrix.
    fn matrix_size(&self, op: &Operation<'_>, ty: Ty) -> Result<(u32, u32)> {
        match *self.types.kind_of(ty) {
            Kind::Matrix { of, count } => Ok((self.types.count(of), count)),
            _ => Err(op.invalid("an operand is not a matrix")),
        }
    }

    fn product(&mut self, op: &Operation<'_>) -> Result<()> {
        let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
        let bits = self.types.bits(a.ty);
        if !self.types.is_float(a.ty) || !self.types.is_float(b.ty) || self.types.bits(b.ty) != bits {
            return Err(op.invalid("the operands are not floats of one width"));
        }
        let (n, m) = (self.scalars(op, a)?, self.scalars(op, b)?);
        let (f, literals, expected) = match op.op {
            Op::Dot if n == m => (float::dot(bits), vec![], 1),
            Op::OuterProduct => (compose::matrix(op.op, bits), vec![n, m], n * m),
            Op::MatrixTimesVector => {
                let (rows, columns) = self.matrix_size(op, a.ty)?;
                (compose::matrix(op.op, bits).filter(|_| m == columns), vec![rows, columns], rows)
            }
            Op::VectorTimesMatrix => {
                let (rows, columns) = self.matrix_size(op, b.ty)?;
                (compose::matrix(op.op, bits).filter(|_| n == rows), vec![rows, columns], columns)
            }
            Op::MatrixTimesMatrix => {
                let ((rows, columns), (inner, right)) = (self.matrix_size(op, a.ty)?, self.matrix_size(op, b.ty)?);
                (compose::matrix(op.op, bits).filter(|_| inner == columns), vec![rows, columns], rows * right)
            }
            _ => (None, vec![], 0),
        };
        let f = f.ok_or_else(|| op.invalid("the sizes of the operands do not match"))?;
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != expected {
            return Err(op.invalid("the size of the result does not match those of the operands"));
        }
        let literals: Vec<u64> = literals.into_iter().map(u64::from).collect();
        let watch = self.nan(a.ty);
        self.lane_op(f, &[(a.slot, n), (b.slot, m)], &literals, (dst.slot, expected), watch);
        Ok(())
    }

    fn integer_dot(&mut self, op: &Operation<'_>) -> Result<()> {
        let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
        let accumulates = matches!(op.op, Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat);
        let dst_ty = self.result_type(op)?;
        let n = self.scalars(op, a)?;
        if !self.is_int(a.ty) || !self.is_int(b.ty) || !self.is_int(dst_ty) || self.scalars(op, b)? != n {
            return Err(op.invalid("the operands are not integer vectors of one size"));
        }
        // A scalar of 32 bits is a packed vector of four bytes.
        let (a, b, n, bits) =
            if n == 1 { (self.unpack(a)?, self.unpack(b)?, 4, 8) } else { (a.slot, b.slot, n, self.types.bits(a.ty)) };
        let signed = match op.op {
            Op::SDot | Op::SDotAccSat => (1, 1),
            Op::SUDot | Op::SUDotAccSat => (1, 0),
            _ => (0, 0),
        };
        let mut operands = vec![(a, n), (b, n)];
        if accumulates {
            operands.push((self.integer(op, 2)?.slot, 1));
        }
        let result = u64::from(self.types.bits(dst_ty));
        let literals = [u64::from(n), u64::from(bits), signed.0, signed.1, result, u64::from(accumulates)];
        let dst = self.define_one(op)?;
        self.lane_op(compose::integer_dot, &operands, &literals, (dst.slot, 1), Watch::No);
        Ok(())
    }

    /// The four bytes of a scalar.
    fn unpack(&mut self, packed: Val) -> Result<u32> {
        let slot = self.allocate(4)?;
        let shifts = [
            kernel1!(|a| a & 0xff),
            kernel1!(|a| a >> 8 & 0xff),
            kernel1!(|a| a >> 16 & 0xff),
            kernel1!(|a| a >> 24 & 0xff),
        ];
        for (at, f) in (0..).zip(shifts) {
            self.emit(Code::Unary { f, dst: slot + at, a: packed.slot, n: 1, watch: Watch::No });
        }
        Ok(slot)
    }
}
