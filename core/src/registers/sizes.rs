//! How many bytes a shader's workgroup variables take in LDS.

use crate::ids::Id;
use crate::liveness::Liveness;
use crate::spirv::enums::{Decoration, Op, StorageClass};
use crate::spirv::{Module, Type};

/// Types nested deeper than this have no size here: a broken module may nest them in a circle.
const MAX_DEPTH: u32 = 32;

/// Bytes of the workgroup variables that are left after dead code is gone, as LLVM lays them out: the most aligned first.
///
/// Absent where a type's size is unknown or the sum does not fit.
pub(crate) fn workgroup_bytes(live: &Liveness<'_>) -> Option<u64> {
    let module = live.module();
    let mut plain = Vec::new();
    let mut blocks = 0;
    for variable in live.variables(StorageClass::Workgroup) {
        let ty = module.pointee(variable)?;
        let layout = layout(module, ty, MAX_DEPTH)?;
        if module.is_decorated(ty, None, Decoration::Block) {
            // Blocks with an explicit layout all start at 0 and share their memory.
            blocks = blocks.max(layout.bytes);
        } else {
            plain.push(layout);
        }
    }
    plain.sort_by_key(|layout| (std::cmp::Reverse(layout.align), std::cmp::Reverse(layout.bytes)));
    plain
        .into_iter()
        .try_fold(blocks, |end: u64, layout| end.checked_next_multiple_of(layout.align)?.checked_add(layout.bytes))
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    bytes: u64,
    align: u64,
}

fn layout(module: &Module, ty: Id, depth: u32) -> Option<Layout> {
    let depth = depth.checked_sub(1)?;
    match module.ty(ty)? {
        Type::Bool => Some(Layout { bytes: 4, align: 4 }),
        Type::Int { bits, .. } | Type::Float { bits } => {
            let bytes = u64::from(bits.div_ceil(8));
            Some(Layout { bytes, align: bytes.max(1) })
        }
        Type::Vector { component, count } => {
            // A vector of three takes the room of four.
            let bytes =
                layout(module, component, depth)?.bytes.checked_mul(u64::from(count))?.checked_next_power_of_two()?;
            Some(Layout { bytes, align: bytes.max(1) })
        }
        Type::Matrix { column, count } => repeated(layout(module, column, depth)?, count),
        Type::Array { element, length } => {
            let element_layout = layout(module, element, depth)?;
            match module.decoration(ty, None, Decoration::ArrayStride) {
                Some(stride) => {
                    repeated(Layout { bytes: u64::from(stride), ..element_layout }, module.array_length(length)?)
                }
                None => repeated(element_layout, module.array_length(length)?),
            }
        }
        Type::Struct { members } => {
            let mut whole = Layout { bytes: 0, align: 1 };
            for (member, &member_type) in (0u32..).zip(members) {
                let member_layout = layout(module, Id(member_type), depth)?;
                let start = match module.decoration(ty, Some(member), Decoration::Offset) {
                    Some(offset) => u64::from(offset),
                    None => whole.bytes.checked_next_multiple_of(member_layout.align)?,
                };
                whole.bytes = whole.bytes.max(start.checked_add(member_layout.bytes)?);
                whole.align = whole.align.max(member_layout.align);
            }
            whole.bytes = whole.bytes.checked_next_multiple_of(whole.align)?;
            Some(whole)
        }
        Type::Pointer { .. } => Some(Layout { bytes: 8, align: 8 }),
        Type::Void | Type::RuntimeArray { .. } | Type::Other(Op::TypeOpaque) | Type::Other(_) => None,
    }
}

fn repeated(element: Layout, count: u32) -> Option<Layout> {
    let stride = element.bytes.checked_next_multiple_of(element.align)?;
    Some(Layout { bytes: stride.checked_mul(u64::from(count))?, align: element.align })
}
