//! Records that workgroups share: what reaches them by address has the scope of the device.
//!
//! The converter gives atomics on a record, and barriers that order it, the scope of the workgroup, also where the node
//! declares its input `globallycoherent`: the groups of a broadcasting node's grid then race for the record.

use lanescope_base::ids::Id;
use lanescope_passes::graph::Node;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{Capability, Op, StorageClass};
use lanescope_spirv::{Inst, Module, Type};

/// Scopes of SPIR-V.
const DEVICE: u32 = 1;
const WORKGROUP: u32 = 2;
const QUEUE_FAMILY: u32 = 5;
/// The memory semantics of buffers.
const UNIFORM_MEMORY: u32 = 0x40;

/// Whether the workgroups of a node share a record that they write.
pub(super) fn is_shared(node: &Node) -> bool {
    node.inputs.iter().any(|input| input.coherent)
}

/// The module with a wider scope of atomics on memory that is reached by address, and of barriers that order it.
///
/// # Errors
/// A module that cannot be edited.
pub(super) fn widened(module: &Module) -> Result<Module, String> {
    let mut editor = Editor::new(module);
    let is_model =
        |inst: &Inst<'_>| inst.op() == Some(Op::Capability) && inst.word_at(1) == Capability::VulkanMemoryModel as u32;
    let has_model = module.globals().any(|inst| is_model(&inst));
    // In the Vulkan memory model the scope of the device needs a feature; that of the queue family is as wide here.
    let scope = editor.u32(if has_model { QUEUE_FAMILY } else { DEVICE });
    for inst in module.insts() {
        let Some(at) = scope_of(module, &inst) else { continue };
        if constant(module, inst.id_at(at)) != Some(WORKGROUP) {
            continue;
        }
        let mut words = inst.words.to_vec();
        if let Some(word) = words.get_mut(at) {
            *word = scope.0;
            editor.replace(inst.index, words);
        }
    }
    editor.finish().map_err(|error| error.to_string())
}

/// The word of the scope of an atomic by address, or of a barrier that orders buffers.
fn scope_of(module: &Module, inst: &Inst<'_>) -> Option<usize> {
    use Op::*;
    let by_address = |at: usize| {
        let ty = module.type_of(inst.id_at(at)).and_then(|ty| module.ty(ty));
        matches!(ty, Some(Type::Pointer { class: Some(StorageClass::PhysicalStorageBuffer), .. }))
    };
    let orders_buffers = |at: usize| constant(module, inst.id_at(at)).is_some_and(|bits| bits & UNIFORM_MEMORY != 0);
    match inst.op()? {
        ControlBarrier => orders_buffers(3).then_some(2),
        MemoryBarrier => orders_buffers(2).then_some(1),
        _ => inst.facts().atomic_pointer().filter(|&pointer| by_address(pointer)).map(|pointer| pointer + 1),
    }
}

fn constant(module: &Module, id: Id) -> Option<u32> {
    module.constant(id)?.as_u32()
}
