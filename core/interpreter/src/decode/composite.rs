//! Composites, copies, selection and bit casts.

use super::{Decoder, Operation, Result};
use crate::code::{Code, Slot, Watch};
use crate::kernels::{compose, kernel1, logic};
use crate::types::{Kind, Ty};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;

impl Decoder<'_> {
    /// Emits a copy of scalars, one from each slot of a list.
    pub(super) fn gather(&mut self, dst: Slot, list: &[Slot]) {
        let at = self.tables.lists.len() as u32;
        self.tables.lists.extend_from_slice(list);
        self.emit(Code::Gather { dst, list: at, n: list.len() as u32 });
    }

    /// A composite from its constituents, one after the other.
    pub(super) fn construct(&mut self, op: &Operation<'_>, parts: &[u32]) -> Result<()> {
        let mut list = Vec::new();
        for &part in parts {
            let val = self.value(op, Id(part))?;
            let n = self.scalars(op, val)?;
            list.extend(val.slot..val.slot + n);
        }
        let dst = self.define(op)?;
        if self.scalars(op, dst)? != list.len() as u32 {
            return Err(op.invalid("the constituents have another number of components than the result"));
        }
        self.gather(dst.slot, &list);
        Ok(())
    }

    /// The first scalar and the type that a path of literal indices selects.
    fn part(&self, op: &Operation<'_>, ty: Ty, path: &[u32]) -> Result<(u32, Ty)> {
        let mut at = (0, ty);
        for &index in path {
            let found = self.types.element(at.1, index);
            let (offset, ty) = found.ok_or_else(|| op.invalid(format!("index {index} is beyond the composite")))?;
            at = (at.0 + offset, ty);
        }
        Ok(at)
    }

    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn composite(&mut self, op: &Operation<'_>) -> Result<bool> {
        match op.op {
            Op::CompositeConstruct => self.construct(op, op.args)?,
            Op::CompositeConstructReplicateEXT => {
                let ty = self.result_type(op)?;
                self.types.scalars(ty, &op.inst)?;
                let args = vec![op.word(0); self.types.count(ty) as usize];
                self.construct(op, &args)?;
            }
            // What is extracted or copied is part of a value that does not change: it shares its slots.
            Op::CompositeExtract => {
                let composite = self.arg(op, 0)?;
                self.scalars(op, composite)?;
                let (offset, part) = self.part(op, composite.ty, op.rest(1))?;
                let ty = self.same_size(op, part)?;
                self.name(op, ty, composite.slot + offset)?;
            }
            Op::CopyObject | Op::CopyLogical => {
                if let Some(pointer) = self.pointers.get(&op.id(0)).copied() {
                    let result = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
                    let ty = self.result_type(op)?;
                    match pointer.slot {
                        Some(slot) => _ = self.handle(op, ty, slot)?,
                        None if self.types.info(ty).scalars == Some(1) => {}
                        None => return Err(op.invalid("the result is not a pointer")),
                    }
                    self.pointers.insert(result, pointer);
                } else {
                    let val = self.arg(op, 0)?;
                    self.scalars(op, val)?;
                    let ty = self.same_size(op, val.ty)?;
                    self.name(op, ty, val.slot)?;
                }
            }
            Op::CompositeInsert => {
                let part = self.arg(op, 0)?;
                let composite = self.arg(op, 1)?;
                let (n, all) = (self.scalars(op, part)?, self.scalars(op, composite)?);
                let (offset, ty) = self.part(op, composite.ty, op.rest(2))?;
                if self.types.info(ty).scalars != Some(n) {
                    return Err(op.invalid("the object is not of the type of the part that it replaces"));
                }
                let list: Vec<Slot> = (0..all)
                    .map(|at| match at.checked_sub(offset).filter(|&inside| inside < n) {
                        Some(inside) => part.slot + inside,
                        None => composite.slot + at,
                    })
                    .collect();
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != all {
                    return Err(op.invalid("the result is not of the composite's type"));
                }
                self.gather(dst.slot, &list);
            }
            Op::VectorShuffle => {
                let (a, b) = (self.arg(op, 0)?, self.arg(op, 1)?);
                let (n, m) = (self.scalars(op, a)?, self.scalars(op, b)?);
                let list: Option<Vec<Slot>> = op
                    .rest(2)
                    .iter()
                    .map(|&at| match at {
                        at if at < n => Some(a.slot + at),
                        at if at - n < m => Some(b.slot + at - n),
                        // No source: any value will do.
                        u32::MAX if n > 0 => Some(a.slot),
                        _ => None,
                    })
                    .collect();
                let list = list.ok_or_else(|| op.invalid("a component beyond both vectors"))?;
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != list.len() as u32 || n == 0 {
                    return Err(op.invalid("the result has another number of components"));
                }
                self.gather(dst.slot, &list);
            }
            Op::VectorExtractDynamic => {
                let vector = self.arg(op, 0)?;
                let (index, n) = (self.integer(op, 1)?, self.scalars(op, vector)?);
                let dst = self.define_one(op)?;
                self.emit(Code::Extract { dst: dst.slot, vector: vector.slot, index: index.slot, n });
            }
            Op::VectorInsertDynamic => {
                let vector = self.arg(op, 0)?;
                let (value, index) = (self.sized(op, 1, 1)?, self.integer(op, 2)?);
                let n = self.scalars(op, vector)?;
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != n {
                    return Err(op.invalid("the result is not of the vector's type"));
                }
                let (vector, value, index) = (vector.slot, value.slot, index.slot);
                self.emit(Code::Insert { dst: dst.slot, vector, value, index, n });
            }
            Op::Transpose => {
                let matrix = self.arg(op, 0)?;
                let Kind::Matrix { of, count: columns } = *self.types.kind_of(matrix.ty) else {
                    return Err(op.invalid("the operand is not a matrix"));
                };
                let rows = self.types.count(of);
                let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
                let list: Vec<Slot> = cells.map(|at| matrix.slot + at).collect();
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != rows * columns {
                    return Err(op.invalid("the result has another size"));
                }
                self.gather(dst.slot, &list);
            }
            Op::Select => {
                let condition = self.arg(op, 0)?;
                let a = self.arg(op, 1)?;
                let (n, conditions) = (self.scalars(op, a)?, self.scalars(op, condition)?);
                let b = self.sized(op, 2, n)?;
                let dst = self.define(op)?;
                if self.scalars(op, dst)? != n || (conditions != n && conditions != 1) {
                    return Err(op.invalid("the operands have different numbers of components"));
                }
                let (dst, condition, a, b) = (dst.slot, condition.slot, a.slot, b.slot);
                if conditions == n {
                    let f = logic::select();
                    self.emit(Code::Ternary { f, dst, a: condition, b: a, c: b, n, watch: Watch::No });
                } else {
                    self.emit(Code::Select { dst, condition, a, b, n });
                }
            }
            Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr => self.bitcast(op)?,
            Op::ExpectKHR => {
                let val = self.arg(op, 0)?;
                let ty = self.same_size(op, val.ty)?;
                self.name(op, ty, val.slot)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The result type, which must have as many scalars as another type.
    fn same_size(&self, op: &Operation<'_>, ty: Ty) -> Result<Ty> {
        let result = self.result_type(op)?;
        if self.types.scalars(result, &op.inst)? != self.types.scalars(ty, &op.inst)? {
            return Err(op.invalid("the result is of another type"));
        }
        Ok(result)
    }

    fn bitcast(&mut self, op: &Operation<'_>) -> Result<()> {
        let a = self.arg(op, 0)?;
        let to = self.result_type(op)?;
        let (n, m) = (self.scalars(op, a)?, self.types.scalars(to, &op.inst)?);
        let (from_bits, to_bits) = (self.types.bits(a.ty), self.types.bits(to));
        // Addresses may be converted to and from integers; other pointers have no bits.
        for ty in [a.ty, to] {
            if let Kind::Pointer { class, .. } = self.types.kind_of(ty)
                && *class != lanescope_spirv::enums::StorageClass::PhysicalStorageBuffer
            {
                return Err(op.unsupported("the bits of a pointer that is not an address"));
            }
        }
        if op.op != Op::Bitcast {
            if n != 1 || m != 1 {
                return Err(op.invalid("an operand is not a scalar"));
            }
            let f = if to_bits == 32 { kernel1!(|a| a & 0xffff_ffff) } else { kernel1!(|a| a) };
            return self.unary(op, a, f, Watch::No);
        }
        if n == m && from_bits == to_bits {
            self.name(op, to, a.slot)?;
            return Ok(());
        }
        if n * from_bits != m * to_bits || from_bits < 8 || to_bits < 8 {
            return Err(op.invalid("the result has another number of bits than the operand"));
        }
        let dst = self.define(op)?;
        let literals = [u64::from(from_bits), u64::from(to_bits)];
        self.lane_op(compose::bitcast, &[(a.slot, n)], &literals, (dst.slot, m), Watch::No);
        Ok(())
    }
}
