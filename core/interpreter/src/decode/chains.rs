//! Access chains: what is constant is folded, the rest becomes a list of indices.

use super::{Decoder, Operation, Ptr, Result};
use crate::code::{Chain, Code, Space, Term, Watch};
use crate::kernels::int::ones;
use crate::types::{Kind, MatrixLayout};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, StorageClass};

/// Distance of descriptors in pointers.
const DESCRIPTOR: u64 = 1 << crate::memory::OFFSET_BITS;

impl Decoder<'_> {
    /// A pointer operand.
    pub(super) fn pointer(&mut self, op: &Operation<'_>, id: Id) -> Result<Ptr> {
        if let Some(pointer) = self.pointers.get(&id) {
            return Ok(*pointer);
        }
        let val = self.value(op, id)?;
        let Kind::Pointer { class, to } = *self.types.kind_of(val.ty) else {
            return Err(op.invalid(format!("%{id} is not a pointer")));
        };
        let pointee = self.types.get(to).ok_or_else(|| op.invalid(format!("%{to} is not a type")))?;
        let matrix = MatrixLayout::default();
        let slot = Some(val.slot);
        let coherent = self.is_coherent(id, None).then_some(true);
        Ok(Ptr { class, pointee, matrix, column: None, fixed: None, slot, descriptors: None, stride: None, coherent })
    }

    /// Whether memory of a storage class has an explicit layout, so that `ArrayStride` of a pointer type counts. The
    /// variables of workgroup memory have one all together, or none has.
    fn has_explicit_layout(&self, class: StorageClass) -> bool {
        use StorageClass::*;
        match class {
            Uniform | StorageBuffer | PhysicalStorageBuffer | PushConstant => true,
            Workgroup => self
                .resources
                .iter()
                .any(|resource| matches!(resource.kind, crate::program::ResourceKind::Workgroup { shared: true, .. })),
            _ => false,
        }
    }

    /// Bytes between the elements of the array that a pointer, operand `i`, leads to an element of: what the type of the
    /// pointer says where memory has an explicit layout, else the stride of the array that the pointer was made from.
    /// Where that is not known, all arrays of such elements must have the same.
    fn element_stride(&self, op: &Operation<'_>, pointer: Ptr, i: usize) -> Result<u64> {
        let ty = self.module.def(op.id(i)).and_then(|def| def.result_type());
        let declared = ty.and_then(|ty| self.module.decoration(ty, None, Decoration::ArrayStride));
        let declared = declared.filter(|_| self.has_explicit_layout(pointer.class)).map(u64::from);
        if let Some(stride) = declared.or(pointer.stride) {
            return Ok(stride);
        }
        let info = self.types.info(pointer.pointee);
        match self.types.array_stride(pointer.pointee) {
            Some(Some(stride)) => Ok(stride),
            Some(None) => {
                Err(op.unsupported(format!("the array that %{} leads to an element of is not known", op.id(i))))
            }
            None => Ok(info.size.next_multiple_of(info.align.max(1))),
        }
    }

    /// Decodes `OpPtrDiff`: the distance of two elements of an array.
    pub(super) fn pointer_difference(&mut self, op: &Operation<'_>) -> Result<()> {
        let (one, other) = (self.pointer(op, op.id(0))?, self.pointer(op, op.id(1))?);
        let space = self.space(one.class).filter(|&space| space != Space::Slots && one.class == other.class);
        if space.is_none() {
            return Err(op.unsupported("the distance of pointers that do not lead to the same memory"));
        }
        if one.pointee != other.pointee {
            return Err(op.invalid("the pointers lead to values of different types"));
        }
        // Both lead to the same array: either says which.
        let known = if one.stride.is_some() { (one, 0) } else { (other, 1) };
        let stride = self.element_stride(op, known.0, known.1)?.max(1);
        let (a, b) = (self.sized(op, 0, 1)?, self.sized(op, 1, 1)?);
        let dst = self.define_one(op)?;
        let Kind::Int { bits, .. } = *self.types.kind_of(dst.ty) else {
            return Err(op.invalid("the result is not an integer"));
        };
        let literals = [stride, u64::from(bits)];
        self.lane_op(pointer_difference, &[(a.slot, 1), (b.slot, 1)], &literals, (dst.slot, 1), Watch::No);
        Ok(())
    }

    /// Decodes an access chain; false if it is another instruction.
    pub(super) fn chain(&mut self, op: &Operation<'_>) -> Result<bool> {
        let element = match op.inst.facts().chain {
            Some(lanescope_spirv::opcode::Chain::Typed) => false,
            Some(lanescope_spirv::opcode::Chain::TypedElement) => true,
            _ => return Ok(false),
        };
        let base = self.pointer(op, op.id(0))?;
        let space = self.space(base.class).ok_or_else(|| op.unsupported("this storage class"))?;
        let mut walk = Walk { pointer: base, offset: 0, terms: Vec::new() };
        if element {
            let stride = match space {
                Space::Slots => u64::from(self.types.info(base.pointee).scalars.unwrap_or(0)),
                _ => self.element_stride(op, base, 0)?,
            };
            self.step(op, &mut walk, op.id(1), stride, None, None)?;
        }
        for &index in op.rest(if element { 2 } else { 1 }) {
            self.index(op, &mut walk, Id(index), space)?;
        }
        let Walk { mut pointer, offset, terms } = walk;
        let result = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
        pointer.slot = None;
        if let (Some(fixed), true) = (pointer.fixed, terms.is_empty()) {
            pointer.fixed = Some(fixed + offset as u32);
            self.values.remove(&result);
            self.pointers.insert(result, pointer);
            let shown = crate::program::Shown::Variable(fixed + offset as u32, pointer.pointee);
            self.shown.insert(result, shown);
            return Ok(true);
        }
        let slot = self.value(op, op.id(0))?.slot;
        let dst = self.define_one(op)?;
        pointer.fixed = None;
        pointer.slot = Some(dst.slot);
        self.pointers.insert(result, pointer);
        let chain = self.tables.chains.len() as u32;
        self.tables.chains.push(Chain { dst: dst.slot, base: slot, space, offset, terms: terms.into() });
        self.emit(Code::Chain { chain });
        Ok(true)
    }

    /// Adds an index to the offset, if it is a constant within its bounds, or to the terms.
    fn step(
        &mut self,
        op: &Operation<'_>,
        walk: &mut Walk,
        index: Id,
        stride: u64,
        count: Option<u64>,
        descriptors: Option<u32>,
    ) -> Result<()> {
        if descriptors.is_none()
            && let Some(constant) = self.module.constant(index).map(|c| c.as_i64())
            && let Ok(constant) = u64::try_from(constant)
            && count.is_none_or(|count| constant < count)
            && let Some(offset) = constant.checked_mul(stride).and_then(|o| o.checked_add(walk.offset))
            && offset < 1 << crate::memory::OFFSET_BITS
        {
            walk.offset = offset;
            return Ok(());
        }
        let val = self.value(op, index)?;
        match self.types.kind_of(val.ty) {
            Kind::Int { bits, .. } => {
                let bits = *bits;
                walk.terms.push(Term { index: val.slot, bits, stride, count, descriptors });
                Ok(())
            }
            _ => Err(op.invalid(format!("index %{index} is not an integer"))),
        }
    }

    fn index(&mut self, op: &Operation<'_>, walk: &mut Walk, index: Id, space: Space) -> Result<()> {
        let ty = walk.pointer.pointee;
        let slots = space == Space::Slots;
        // Only a buffer's size bounds its elements.
        let bounded = slots
            || matches!(
                walk.pointer.class,
                StorageClass::Workgroup | StorageClass::Output | StorageClass::TaskPayloadWorkgroupEXT
            );
        let each = |of| u64::from(self.types.info(of).scalars.unwrap_or(0));
        walk.pointer.stride = None;
        match self.types.kind_of(ty) {
            Kind::Struct { members, is_block } => {
                let is_block = *is_block;
                let at = self.module.constant(index).and_then(|c| c.as_u32());
                let at = at.ok_or_else(|| op.invalid("the index of a member is not a constant"))?;
                let member = members.get(at as usize).copied();
                let member = member.ok_or_else(|| op.invalid(format!("member {at} is beyond the structure")))?;
                let offset = if slots {
                    let found = self.types.element(ty, at);
                    u64::from(found.ok_or_else(|| op.unsupported("a member without a fixed size"))?.0)
                } else {
                    member.offset
                };
                walk.offset = walk.offset.saturating_add(offset).min((1 << crate::memory::OFFSET_BITS) - 1);
                walk.pointer.pointee = member.ty;
                let coherent = self.is_coherent(self.types.info(ty).id, Some(at));
                if coherent || (is_block && walk.pointer.coherent.is_none()) {
                    walk.pointer.coherent = Some(coherent);
                }
                walk.pointer.matrix = member.matrix;
                walk.pointer.column = None;
            }
            &Kind::Array { of, count, stride } => {
                walk.pointer.pointee = of;
                let descriptors = walk.pointer.descriptors.take();
                let count = u64::from(count);
                match descriptors {
                    Some(_) => self.step(op, walk, index, DESCRIPTOR, Some(count), descriptors)?,
                    None => {
                        let stride = if slots { each(of) } else { stride };
                        walk.pointer.stride = Some(stride);
                        self.step(op, walk, index, stride, bounded.then_some(count), None)?;
                    }
                }
            }
            &Kind::RuntimeArray { of, stride } if !slots => {
                walk.pointer.pointee = of;
                match walk.pointer.descriptors.take() {
                    Some(decl) => self.step(op, walk, index, DESCRIPTOR, None, Some(decl))?,
                    None => {
                        walk.pointer.stride = Some(stride);
                        self.step(op, walk, index, stride, None, None)?;
                    }
                }
            }
            &Kind::Matrix { of, count } => {
                let component = self.types.info(self.types.component(of)).size;
                let stride = match walk.pointer.matrix {
                    _ if slots => each(of),
                    MatrixLayout { stride: Some(stride), row_major: true } => {
                        walk.pointer.column = Some(stride);
                        component
                    }
                    MatrixLayout { stride: Some(stride), row_major: false } => u64::from(stride),
                    MatrixLayout { stride: None, .. } => self.types.info(of).size,
                };
                walk.pointer.pointee = of;
                self.step(op, walk, index, stride, bounded.then_some(u64::from(count)), None)?;
            }
            &Kind::Vector { of, count } => {
                let component = self.types.info(of).size;
                let stride = if slots { 1 } else { walk.pointer.column.map_or(component, u64::from) };
                walk.pointer.pointee = of;
                walk.pointer.column = None;
                self.step(op, walk, index, stride, bounded.then_some(u64::from(count)), None)?;
            }
            _ => return Err(op.invalid("an index into a type without elements")),
        }
        Ok(())
    }
}

/// The distance of two pointers in elements: a stride in bytes and the width of the result follow them.
fn pointer_difference(input: &[u64], out: &mut [u64]) {
    let (&[a, b, stride, bits], [out]) = (input, out) else { return };
    let bytes = a.wrapping_sub(b) as i64;
    *out = (bytes / (stride as i64).max(1)) as u64 & ones(bits);
}

/// A pointer on its way along the indices.
struct Walk {
    pointer: Ptr,
    offset: u64,
    terms: Vec<Term>,
}
