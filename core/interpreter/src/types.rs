//! The types of a module, resolved once: scalars of a value, and where they lie in memory.

use std::collections::BTreeMap;

use crate::error::DecodeError;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Inst, Module, Type};

/// Index of a type.
pub(crate) type Ty = u32;

/// The most scalars a value or a variable may have.
pub(crate) const MAX_SCALARS: u32 = 1 << 18;

/// Where the columns of a matrix lie in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MatrixLayout {
    /// Bytes between columns, or between rows where they are contiguous.
    pub stride: Option<u32>,
    pub row_major: bool,
}

/// A member of a structure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub ty: Ty,
    /// Byte offset.
    pub offset: u64,
    pub matrix: MatrixLayout,
}

/// An image type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageType {
    pub sampled: Ty,
    pub dim: u32,
    pub depth: u32,
    pub arrayed: bool,
    pub multisampled: bool,
    /// 1: used with a sampler, 2: storage.
    pub usage: u32,
    pub format: u32,
}

/// A type.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Void,
    Bool,
    Int { bits: u32, signed: bool },
    Float { bits: u32 },
    Vector { of: Ty, count: u32 },
    Matrix { of: Ty, count: u32 },
    Array { of: Ty, count: u32, stride: u64 },
    RuntimeArray { of: Ty, stride: u64 },
    Struct { members: Box<[Member]>, is_block: bool },
    Pointer { class: StorageClass, to: Id },
    Image(ImageType),
    Sampler,
    SampledImage { image: Ty },
    Other,
}

/// A type, with its sizes.
#[derive(Debug, Clone)]
pub(crate) struct TypeInfo {
    pub id: Id,
    pub kind: Kind,
    /// Scalars of a value; absent if it has no values of a fixed, small size.
    pub scalars: Option<u32>,
    /// Size and alignment in memory, in bytes; of a runtime array those of nothing.
    pub size: u64,
    pub align: u64,
    /// Levels of composites.
    depth: u32,
}

/// Levels of composites that are followed: more than any shader has.
const MAX_DEPTH: u32 = 64;

/// The types of a module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Types {
    infos: Vec<TypeInfo>,
    by_id: BTreeMap<Id, Ty>,
    /// By element: the stride of the arrays of such elements; absent where they differ.
    strides: BTreeMap<Ty, Option<u64>>,
}

/// A scalar in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScalarAt {
    /// Byte offset.
    pub offset: u64,
    /// Bytes, 1 to 8.
    pub bytes: u32,
    pub is_bool: bool,
}

impl Types {
    /// Reads a module's types.
    pub fn of(module: &Module) -> Types {
        let mut types = Types::default();
        for inst in module.definitions() {
            let Some(id) = inst.result() else { continue };
            let Some(kind) = types.kind(module, &inst, id) else { continue };
            let depth = types.depth(&kind);
            let kind = if depth > MAX_DEPTH { Kind::Other } else { kind };
            let (scalars, size, align) = types.sizes(&kind);
            if let Kind::Array { of, stride, .. } | Kind::RuntimeArray { of, stride } = kind {
                let known = types.strides.entry(of).or_insert(Some(stride));
                *known = known.filter(|other| *other == stride);
            }
            types.by_id.insert(id, types.infos.len() as Ty);
            types.infos.push(TypeInfo { id, kind, scalars, size, align, depth });
        }
        types
    }

    /// The type that an id names.
    pub fn get(&self, id: Id) -> Option<Ty> {
        self.by_id.get(&id).copied()
    }

    /// A type's row.
    pub fn info(&self, ty: Ty) -> &TypeInfo {
        &self.infos[ty as usize]
    }

    /// A type's kind.
    pub fn kind_of(&self, ty: Ty) -> &Kind {
        &self.infos[ty as usize].kind
    }

    /// The scalars of a value of a type, or why the instruction cannot have it.
    pub fn scalars(&self, ty: Ty, inst: &Inst<'_>) -> Result<u32, DecodeError> {
        let scalars = self.info(ty).scalars;
        let why = || format!("a value of type %{} (expected at most {MAX_SCALARS} scalars)", self.info(ty).id);
        scalars.ok_or_else(|| DecodeError::unsupported(inst, why()))
    }

    /// The type of one component: of a vector its component, of a matrix its scalar, of a scalar itself.
    pub fn component(&self, ty: Ty) -> Ty {
        match self.kind_of(ty) {
            Kind::Vector { of, .. } => *of,
            Kind::Matrix { of, .. } => self.component(*of),
            _ => ty,
        }
    }

    /// The width in bits of a component: 1 for booleans, 64 for pointers.
    pub fn bits(&self, ty: Ty) -> u32 {
        match self.kind_of(self.component(ty)) {
            Kind::Bool => 1,
            Kind::Int { bits, .. } | Kind::Float { bits } => *bits,
            _ => 64,
        }
    }

    /// Whether the components are floats.
    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.kind_of(self.component(ty)), Kind::Float { .. })
    }

    fn kind(&self, module: &Module, inst: &Inst<'_>, id: Id) -> Option<Kind> {
        let get = |id: Id| self.get(id);
        Some(match inst.ty()? {
            Type::Void => Kind::Void,
            Type::Bool => Kind::Bool,
            Type::Int { bits, signed } if matches!(bits, 8 | 16 | 32 | 64) => Kind::Int { bits, signed },
            Type::Float { bits } if matches!(bits, 16 | 32 | 64) => Kind::Float { bits },
            Type::Vector { component, count } if (1..=16).contains(&count) => {
                let of = get(component)?;
                let scalar = matches!(
                    self.kind_of(of),
                    Kind::Bool | Kind::Int { .. } | Kind::Float { .. } | Kind::Pointer { .. }
                );
                if scalar { Kind::Vector { of, count } } else { Kind::Other }
            }
            Type::Matrix { column, count } if (1..=4).contains(&count) => {
                let of = get(column)?;
                let rows = match self.kind_of(of) {
                    Kind::Vector { of, count } if *count <= 4 => self.is_float(*of),
                    _ => false,
                };
                if rows { Kind::Matrix { of, count } } else { Kind::Other }
            }
            Type::Array { element, length } => {
                let of = get(element)?;
                match module.array_length(length) {
                    Some(count) => Kind::Array { of, count, stride: self.stride(module, id, of) },
                    None => Kind::Other,
                }
            }
            Type::RuntimeArray { element } => {
                let of = get(element)?;
                Kind::RuntimeArray { of, stride: self.stride(module, id, of) }
            }
            Type::Struct { members } => {
                let members = self.members(module, id, members)?;
                let is_block = module.is_decorated(id, None, Decoration::Block)
                    || module.is_decorated(id, None, Decoration::BufferBlock);
                Kind::Struct { members, is_block }
            }
            Type::Pointer { class: Some(class), pointee } => Kind::Pointer { class, to: pointee },
            Type::Other(Op::TypeImage) => Kind::Image(ImageType {
                sampled: get(inst.id_at(2))?,
                dim: inst.word_at(3),
                depth: inst.word_at(4),
                arrayed: inst.word_at(5) != 0,
                multisampled: inst.word_at(6) != 0,
                usage: inst.word_at(7),
                format: inst.word_at(8),
            }),
            Type::Other(Op::TypeSampler) => Kind::Sampler,
            Type::Other(Op::TypeSampledImage) => Kind::SampledImage { image: get(inst.id_at(2))? },
            Type::Other(_) if inst.op() == Some(Op::TypeForwardPointer) => return None,
            _ => Kind::Other,
        })
    }

    fn stride(&self, module: &Module, id: Id, of: Ty) -> u64 {
        let info = self.info(of);
        module
            .decoration(id, None, Decoration::ArrayStride)
            .map_or_else(|| info.size.next_multiple_of(info.align.max(1)), u64::from)
    }

    fn members(&self, module: &Module, id: Id, members: &[u32]) -> Option<Box<[Member]>> {
        let mut end = 0u64;
        let mut out = Vec::with_capacity(members.len());
        for (at, &member) in members.iter().enumerate() {
            let at = Some(at as u32);
            let ty = self.get(Id(member))?;
            let info = self.info(ty);
            let offset = module.decoration(id, at, Decoration::Offset).map(u64::from);
            let offset = offset.unwrap_or_else(|| end.next_multiple_of(info.align.max(1)));
            let matrix = MatrixLayout {
                stride: module.decoration(id, at, Decoration::MatrixStride).filter(|&stride| stride > 0),
                row_major: module.is_decorated(id, at, Decoration::RowMajor),
            };
            end = end.max(offset.saturating_add(info.size).min(1 << 48));
            out.push(Member { ty, offset, matrix });
        }
        Some(out.into())
    }

    fn depth(&self, kind: &Kind) -> u32 {
        let below = |ty: &Ty| self.info(*ty).depth;
        match kind {
            Kind::Vector { of, .. }
            | Kind::Matrix { of, .. }
            | Kind::Array { of, .. }
            | Kind::RuntimeArray { of, .. } => below(of) + 1,
            Kind::Struct { members, .. } => members.iter().map(|m| below(&m.ty)).max().unwrap_or(0) + 1,
            _ => 0,
        }
    }

    /// Scalars, bytes, and alignment.
    fn sizes(&self, kind: &Kind) -> (Option<u32>, u64, u64) {
        let product =
            |of: Ty, count: u32| self.info(of).scalars.and_then(|n| n.checked_mul(count)).filter(|&n| n <= MAX_SCALARS);
        match kind {
            Kind::Void | Kind::Other => (None, 0, 1),
            Kind::Bool => (Some(1), 4, 4),
            Kind::Int { bits, .. } | Kind::Float { bits } => (Some(1), u64::from(bits / 8), u64::from(bits / 8)),
            Kind::Vector { of, count } | Kind::Matrix { of, count } => {
                let info = self.info(*of);
                (product(*of, *count), info.size * u64::from(*count), info.align)
            }
            Kind::Array { of, count, stride } => {
                let size = stride.saturating_mul(u64::from(*count)).min(1 << 48);
                (product(*of, *count), size, self.info(*of).align)
            }
            Kind::RuntimeArray { of, .. } => (None, 0, self.info(*of).align),
            Kind::Struct { members, .. } => {
                let mut scalars = Some(0u32);
                let (mut size, mut align) = (0, 1);
                for member in members {
                    let info = self.info(member.ty);
                    let sum = scalars.zip(info.scalars).and_then(|(a, b)| a.checked_add(b));
                    scalars = sum.filter(|&n| n <= MAX_SCALARS);
                    size = size.max(member.offset.saturating_add(info.size).min(1 << 48));
                    align = align.max(info.align);
                }
                (scalars, size.next_multiple_of(align), align)
            }
            Kind::Pointer { .. } | Kind::Image(_) | Kind::Sampler | Kind::SampledImage { .. } => (Some(1), 8, 8),
        }
    }

    /// Adds the scalars of a value of a type at an offset, in the order of its registers.
    ///
    /// `column` is the distance of a vector's components where it is a column of a row-major matrix.
    pub fn layout(&self, ty: Ty, base: u64, matrix: MatrixLayout, column: Option<u32>, out: &mut Vec<ScalarAt>) {
        let info = self.info(ty);
        if matches!(info.scalars, None | Some(0)) {
            return;
        }
        match &info.kind {
            Kind::Bool => out.push(ScalarAt { offset: base, bytes: 4, is_bool: true }),
            Kind::Vector { of, count } => {
                let stride = column.map_or(self.info(*of).size, u64::from);
                for at in 0..u64::from(*count) {
                    self.layout(*of, base + at * stride, matrix, None, out);
                }
            }
            Kind::Matrix { of, count } => {
                let component = self.info(self.component(*of)).size;
                for at in 0..u64::from(*count) {
                    let (step, column) = match matrix {
                        MatrixLayout { stride: Some(stride), row_major: true } => (component, Some(stride)),
                        MatrixLayout { stride: Some(stride), row_major: false } => (u64::from(stride), None),
                        MatrixLayout { stride: None, .. } => (self.info(*of).size, None),
                    };
                    self.layout(*of, base + at * step, matrix, column, out);
                }
            }
            Kind::Array { of, count, stride } => {
                for at in 0..u64::from(*count) {
                    self.layout(*of, base + at * stride, matrix, None, out);
                }
            }
            Kind::Struct { members, .. } => {
                for member in members {
                    self.layout(member.ty, base + member.offset, member.matrix, None, out);
                }
            }
            _ => out.push(ScalarAt { offset: base, bytes: info.size as u32, is_bool: false }),
        }
    }

    /// The first scalar of an element of a composite, and its type.
    pub fn element(&self, ty: Ty, index: u32) -> Option<(u32, Ty)> {
        match self.kind_of(ty) {
            Kind::Vector { of, count } | Kind::Matrix { of, count } | Kind::Array { of, count, .. } => {
                let each = self.info(*of).scalars?;
                (index < *count).then(|| (each * index, *of))
            }
            Kind::Struct { members, .. } => {
                let member = members.get(index as usize)?;
                let before: Option<u32> = members[..index as usize].iter().map(|m| self.info(m.ty).scalars).sum();
                Some((before?, member.ty))
            }
            _ => None,
        }
    }

    /// The stride of all arrays of a type of elements; absent where they differ. Nothing if there are none.
    pub fn array_stride(&self, element: Ty) -> Option<Option<u64>> {
        self.strides.get(&element).copied()
    }

    /// The number of elements of a composite.
    pub fn count(&self, ty: Ty) -> u32 {
        match self.kind_of(ty) {
            Kind::Vector { count, .. } | Kind::Matrix { count, .. } | Kind::Array { count, .. } => *count,
            Kind::Struct { members, .. } => members.len() as u32,
            _ => 0,
        }
    }
}
