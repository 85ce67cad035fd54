//! The size of a shader's workgroup variables in LDS.

use std::collections::BTreeMap;

use crate::liveness::Liveness;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Module, Type};

/// Types nested deeper than this have no size here: a broken module may nest them in a circle.
const MAX_DEPTH: u32 = 32;

/// Bytes of the workgroup variables that are left after dead code is gone, as LLVM lays them out: the most aligned
/// first.
///
/// Absent where a type's size is unknown or the sum does not fit.
pub fn workgroup_bytes(live: &Liveness<'_>) -> Option<u64> {
    let module = live.module();
    let mut layouts = Layouts { module, known: BTreeMap::new() };
    let mut plain = Vec::new();
    let mut blocks = 0;
    for variable in live.variables(StorageClass::Workgroup) {
        let ty = module.pointee(variable)?;
        let layout = layouts.of(ty, MAX_DEPTH)?;
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

/// The layouts of types, each found once.
struct Layouts<'m> {
    module: &'m Module,
    known: BTreeMap<Id, Option<Layout>>,
}

impl Layouts<'_> {
    fn of(&mut self, ty: Id, depth: u32) -> Option<Layout> {
        if let Some(known) = self.known.get(&ty) {
            return *known;
        }
        let found = depth.checked_sub(1).and_then(|depth| self.find(ty, depth));
        self.known.insert(ty, found);
        found
    }

    fn find(&mut self, ty: Id, depth: u32) -> Option<Layout> {
        let module = self.module;
        match module.ty(ty)? {
            Type::Bool => Some(Layout { bytes: 4, align: 4 }),
            Type::Int { bits, .. } | Type::Float { bits } | Type::OtherFloat { bits, .. } => {
                let bytes = u64::from(bits.div_ceil(8));
                Some(Layout { bytes, align: bytes.max(1) })
            }
            Type::Vector { component, count } => {
                // A vector of three occupies the space of four.
                let bytes =
                    self.of(component, depth)?.bytes.checked_mul(u64::from(count))?.checked_next_power_of_two()?;
                Some(Layout { bytes, align: bytes.max(1) })
            }
            Type::Matrix { column, count } => repeated(self.of(column, depth)?, count),
            Type::Array { element, length } => {
                let element_layout = self.of(element, depth)?;
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
                    let member_layout = self.of(Id(member_type), depth)?;
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
}

fn repeated(element: Layout, count: u32) -> Option<Layout> {
    let stride = element.bytes.checked_next_multiple_of(element.align)?;
    Some(Layout { bytes: stride.checked_mul(u64::from(count))?, align: element.align })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Structures that each hold the one before twice: as many bytes as there are parts, found type by type.
    #[test]
    fn size_of_doubling_structures_takes_linear_time() {
        const LEVELS: u32 = 27;
        let levels = (1..=LEVELS).map(|level| format!("%s{level} = OpTypeStruct %s{0} %s{0}\n", level - 1));
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"
             OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void
             %s0 = OpTypeInt 32 0\n%zero = OpConstant %s0 0\n{}%whole = OpTypePointer Workgroup %s{LEVELS}
             %part = OpTypePointer Workgroup %s0\n%v = OpVariable %whole Workgroup\n%main = OpFunction %void None %fn
             %l = OpLabel\n%p = OpAccessChain %part %v {}\nOpStore %p %zero\nOpReturn\nOpFunctionEnd\n",
            levels.collect::<String>(),
            "%zero ".repeat(LEVELS as usize)
        );
        use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
        let assembler = create(Some(spirv_tools::TargetEnv::Universal_1_5));
        let words = assembler.assemble(&text, AssemblerOptions::default()).expect("assembles").as_words().to_vec();
        let module = Module::parse(words).expect("a module");
        let live = Liveness::of(&module, &module.entry_points()[0]);
        assert_eq!(workgroup_bytes(&live), Some(4 << LEVELS));
    }
}
