//! Layouts of constant and structured buffers as D3D has them.
//!
//! The front end pads arrays and structures in constant buffers, and lays structured buffers out by std430. D3D lets the
//! next member of a constant buffer begin in the last row of an array or a structure, and packs structured buffers by
//! the sizes of their scalars.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Module, Type};

/// Bytes of a row of a constant buffer: no vector crosses its end, and aggregates begin at one.
const ROW: u32 = 16;

/// What the front end calls the only member of a structured or raw buffer.
const ELEMENTS: &str = "@data";

/// How a block is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// In rows of 16 bytes.
    Constant,
    /// By the alignment of scalars.
    Structured,
}

/// What a type takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extent {
    size: u32,
    align: u32,
}

/// The module's words, with the offsets and strides of D3D in every block of constants and every structured buffer.
pub(super) fn with_d3d_layout(module: &Module) -> Vec<u32> {
    let mut layouts = Layouts { module, places: places(module), structs: BTreeMap::new(), values: BTreeMap::new() };
    for inst in module.globals().filter(|inst| inst.op() == Some(Op::Variable)) {
        let ty = inst.result_type().and_then(|ty| module.ty(ty));
        let Some(Type::Pointer { class: Some(class), mut pointee }) = ty else { continue };
        while let Some(Type::Array { element, .. } | Type::RuntimeArray { element }) = module.ty(pointee) {
            pointee = element;
        }
        let rule = match class {
            StorageClass::Uniform if !module.is_decorated(pointee, None, Decoration::BufferBlock) => Rule::Constant,
            // A texture buffer (`tbuffer`) is laid out as a constant buffer is.
            StorageClass::Uniform | StorageClass::StorageBuffer => match module.member_name(pointee, 0) {
                Some(ELEMENTS) => Rule::Structured,
                _ => Rule::Constant,
            },
            _ => continue,
        };
        layouts.extent(pointee, rule, false, 0);
    }
    let values = layouts.values;
    let mut words = module.words().to_vec();
    for (at, value) in values {
        if let (Some(value), Some(word)) = (value, words.get_mut(at)) {
            *word = value;
        }
    }
    words
}

/// What a literal belongs to: a type, a member of it, a decoration.
type Place = (Id, Option<u32>, u32);

/// Where the literals of layout decorations are, as word indices.
fn places(module: &Module) -> BTreeMap<Place, usize> {
    let mut out = BTreeMap::new();
    for inst in module.globals() {
        match inst.op() {
            Some(Op::Decorate) => out.insert((inst.id_at(1), None, inst.word_at(2)), inst.word as usize + 3),
            Some(Op::MemberDecorate) => {
                out.insert((inst.id_at(1), Some(inst.word_at(2)), inst.word_at(3)), inst.word as usize + 4)
            }
            _ => None,
        };
    }
    out
}

struct Layouts<'m> {
    module: &'m Module,
    places: BTreeMap<Place, usize>,
    /// Structures that are laid out already, by which rule.
    structs: BTreeMap<Id, (Rule, Option<Extent>)>,
    /// New literals by their places; absent where two uses of a type want different ones.
    values: BTreeMap<usize, Option<u32>>,
}

/// Maximum nesting depth of types: more than any compiler emits.
const DEEPEST: u32 = 64;

impl Layouts<'_> {
    /// Lays a type out. Matrices with `by_rows` are stored as rows. Absent where a type has no known size.
    fn extent(&mut self, ty: Id, rule: Rule, by_rows: bool, depth: u32) -> Option<Extent> {
        if depth > DEEPEST {
            return None;
        }
        match self.module.ty(ty)? {
            Type::Int { bits, .. } | Type::Float { bits } | Type::OtherFloat { bits, .. } => {
                Some(Extent { size: bits / 8, align: bits / 8 })
            }
            Type::Bool => Some(Extent { size: 4, align: 4 }),
            Type::Vector { component, count } => {
                let scalar = self.extent(component, rule, by_rows, depth + 1)?;
                Some(Extent { size: scalar.size.checked_mul(count)?, align: scalar.align })
            }
            Type::Matrix { column, count } => {
                let Some(Type::Vector { component, count: rows }) = self.module.ty(column) else { return None };
                let scalar = self.extent(component, rule, by_rows, depth + 1)?;
                let (vectors, length) = if by_rows { (rows, count) } else { (count, rows) };
                let stride = matrix_stride(rule, scalar.size.checked_mul(length)?);
                let last = scalar.size.checked_mul(length)?;
                let size = stride.checked_mul(vectors.checked_sub(1)?)?.checked_add(last)?;
                let align = if rule == Rule::Constant { ROW } else { scalar.align };
                Some(Extent { size, align })
            }
            Type::Array { element, length } => {
                let length = self.module.array_length(length)?;
                let (inner, stride) = self.strided(ty, element, rule, by_rows, depth)?;
                let size = stride.checked_mul(length.checked_sub(1)?)?.checked_add(inner.size)?;
                let align = if rule == Rule::Constant { ROW } else { inner.align };
                Some(Extent { size, align })
            }
            Type::RuntimeArray { element } => {
                let (inner, _) = self.strided(ty, element, rule, by_rows, depth)?;
                Some(Extent { size: 0, align: inner.align })
            }
            Type::Struct { members } => {
                match self.structs.get(&ty) {
                    Some((known, extent)) if *known == rule => return *extent,
                    // One type for two layouts: both stay as they are.
                    Some(_) => return None,
                    None => {}
                }
                self.structs.insert(ty, (rule, None));
                let extent = self.members(ty, members, rule, depth);
                self.structs.insert(ty, (rule, extent));
                extent
            }
            _ => None,
        }
    }

    fn members(&mut self, ty: Id, members: &[u32], rule: Rule, depth: u32) -> Option<Extent> {
        let (mut end, mut align) = (0u32, 1u32);
        let mut offsets = Vec::new();
        for (&member_type, member) in members.iter().zip(0..) {
            let by_rows = self.module.is_decorated(ty, Some(member), Decoration::RowMajor);
            let inner = self.extent(Id(member_type), rule, by_rows, depth + 1)?;
            let mut offset = end.checked_next_multiple_of(inner.align)?;
            if rule == Rule::Constant && (offset % ROW).saturating_add(inner.size) > ROW {
                offset = offset.checked_next_multiple_of(ROW)?;
            }
            let stride = self.matrix_stride_of(Id(member_type), rule, by_rows);
            offsets.push((offset, stride));
            end = offset.checked_add(inner.size)?;
            align = align.max(inner.align);
        }
        for ((offset, stride), member) in offsets.into_iter().zip(0..) {
            self.set((ty, Some(member), Decoration::Offset as u32), offset);
            if let Some(stride) = stride {
                self.set((ty, Some(member), Decoration::MatrixStride as u32), stride);
            }
        }
        match rule {
            Rule::Constant => Some(Extent { size: end, align: ROW }),
            Rule::Structured => Some(Extent { size: end.checked_next_multiple_of(align)?, align }),
        }
    }

    /// An array's element and its stride, which is noted.
    fn strided(&mut self, ty: Id, element: Id, rule: Rule, by_rows: bool, depth: u32) -> Option<(Extent, u32)> {
        let inner = self.extent(element, rule, by_rows, depth + 1)?;
        let align = if rule == Rule::Constant { ROW } else { inner.align };
        let stride = inner.size.checked_next_multiple_of(align)?;
        self.set((ty, None, Decoration::ArrayStride as u32), stride);
        Some((inner, stride))
    }

    /// The stride of the matrices in a member, if it has any.
    fn matrix_stride_of(&self, mut ty: Id, rule: Rule, by_rows: bool) -> Option<u32> {
        while let Some(Type::Array { element, .. } | Type::RuntimeArray { element }) = self.module.ty(ty) {
            ty = element;
        }
        let Some(Type::Matrix { column, count }) = self.module.ty(ty) else { return None };
        let Some(Type::Vector { component, count: rows }) = self.module.ty(column) else { return None };
        let Some(Type::Float { bits } | Type::Int { bits, .. }) = self.module.ty(component) else { return None };
        Some(matrix_stride(rule, bits / 8 * if by_rows { count } else { rows }))
    }

    fn set(&mut self, place: Place, value: u32) {
        if let Some(at) = self.places.get(&place) {
            let known = self.values.entry(*at).or_insert(Some(value));
            *known = known.filter(|known| *known == value);
        }
    }
}

fn matrix_stride(rule: Rule, vector: u32) -> u32 {
    if rule == Rule::Constant { vector.next_multiple_of(ROW) } else { vector }
}
