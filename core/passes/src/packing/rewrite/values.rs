//! Converts between a variable as written and the 32-bit (or narrow) components that are passed.

use super::plan::Base;
use crate::liveness::Shapes;
use lanescope_base::ids::Id;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{Capability, Op};
use lanescope_spirv::{Module, Type};

/// A vector or a scalar inside a type.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Indices that lead to it.
    pub path: Vec<u32>,
    pub ty: Id,
    /// The type of its components; its own for a scalar.
    pub scalar: Id,
    /// Number of components.
    pub count: u32,
    /// Its first leaf.
    pub leaf: u32,
}

/// Maximum nesting of types.
const MAX_DEPTH: usize = 255;

/// Every vector and scalar of a type, in the order of the leaves; absent for types with too many or other leaves.
pub(super) fn nodes(module: &Module, shapes: &Shapes<'_>, ty: Id) -> Option<Vec<Node>> {
    let mut out = Vec::new();
    if shapes.is_collapsed(ty) {
        return None;
    }
    collect(module, shapes, ty, &mut Vec::new(), 0, &mut out)?;
    Some(out)
}

fn collect(
    module: &Module,
    shapes: &Shapes<'_>,
    ty: Id,
    path: &mut Vec<u32>,
    leaf: u32,
    out: &mut Vec<Node>,
) -> Option<()> {
    let parts = match module.ty(ty)? {
        Type::Vector { component, count } => {
            out.push(Node { path: path.clone(), ty, scalar: component, count, leaf });
            return Some(());
        }
        Type::Int { .. } | Type::Float { .. } => {
            out.push(Node { path: path.clone(), ty, scalar: ty, count: 1, leaf });
            return Some(());
        }
        Type::Matrix { count, .. } => count,
        Type::Array { length, .. } => module.array_length(length)?,
        Type::Struct { members } => members.len() as u32,
        _ => return None,
    };
    if path.len() >= MAX_DEPTH {
        return None;
    }
    for index in 0..parts {
        let (part, offset) = shapes.part(ty, index)?;
        path.push(index);
        collect(module, shapes, part, path, leaf.checked_add(offset)?, out)?;
        path.pop();
    }
    Some(())
}

/// The type of a kind of number.
pub(super) fn type_of(editor: &mut Editor<'_>, base: Base) -> Id {
    if base.float { editor.float(base.bits) } else { editor.int(base.bits, base.signed) }
}

/// The kind of number that a scalar type is.
pub(super) fn base_of(module: &Module, scalar: Id) -> Option<Base> {
    match module.ty(scalar)? {
        Type::Float { bits } => Some(Base { float: true, signed: false, bits }),
        Type::Int { bits, signed } => Some(Base { float: false, signed, bits }),
        _ => None,
    }
}

/// Number of components of a scalar in the interface.
pub(super) fn dwords(base: Base) -> u32 {
    base.bits.div_ceil(32).max(1)
}

/// A scalar of the type `to` from what travelled; absent where the two do not fit.
pub(super) fn unpack(editor: &mut Editor<'_>, code: &mut Vec<u32>, parts: &[(Id, Base)], to: Id) -> Option<Id> {
    let wanted = base_of(editor.module(), to)?;
    match *parts {
        [(low, a), (high, b)] if wanted.bits == 64 && (a.bits, b.bits) == (32, 32) => {
            let uint = editor.int(32, false);
            let halves = [(low, a), (high, b)].map(|(value, base)| {
                let from = type_of(editor, base);
                editor.bitcast(code, value, from, uint)
            });
            let pair = editor.vector(uint, 2);
            let value = editor.compose(code, pair, &halves);
            Some(editor.bitcast(code, value, pair, to))
        }
        [(value, base)] => convert(editor, code, value, base, (wanted, to)),
        _ => None,
    }
}

/// Converts a scalar of the type `from` for the interface: its dword, as `to`; absent if the two do not match.
pub(super) fn pack(
    editor: &mut Editor<'_>,
    code: &mut Vec<u32>,
    (value, from): (Id, Id),
    dword: u32,
    to: Base,
) -> Option<Id> {
    let base = base_of(editor.module(), from)?;
    let to_type = type_of(editor, to);
    if base.bits == 64 && to.bits == 32 {
        let uint = editor.int(32, false);
        let pair = editor.vector(uint, 2);
        let halves = editor.bitcast(code, value, from, pair);
        let half = editor.component(code, halves, 2, dword, uint);
        return Some(editor.bitcast(code, half, uint, to_type));
    }
    convert(editor, code, value, base, (to, to_type))
}

/// Between kinds of up to 32 bits: equal widths keep their bits, others their value.
fn convert(editor: &mut Editor<'_>, code: &mut Vec<u32>, value: Id, from: Base, to: (Base, Id)) -> Option<Id> {
    let (to, to_type) = to;
    let from_type = type_of(editor, from);
    if from.bits == to.bits {
        return Some(editor.bitcast(code, value, from_type, to_type));
    }
    if from.float != to.float || from.bits > 32 || to.bits > 32 {
        return None;
    }
    let op = match from {
        Base { float: true, .. } => Op::FConvert,
        Base { signed: true, .. } => Op::SConvert,
        _ => Op::UConvert,
    };
    // A conversion of integers keeps the sign of its operand; the last step only changes what the bits are called.
    let same_sign = Base { bits: to.bits, ..from };
    let middle = type_of(editor, same_sign);
    let value = editor.value(code, op, middle, &[value.0]);
    Some(editor.bitcast(code, value, middle, to_type))
}

/// Declares what a private variable of narrow numbers needs.
pub(super) fn declare_narrow(editor: &mut Editor<'_>, scalar: Id) {
    match base_of(editor.module(), scalar) {
        Some(Base { float: true, bits: 16, .. }) => editor.capability(Capability::Float16),
        Some(Base { float: false, bits: 16, .. }) => editor.capability(Capability::Int16),
        Some(Base { float: false, bits: 8, .. }) => editor.capability(Capability::Int8),
        _ => {}
    }
}
