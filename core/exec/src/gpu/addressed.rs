//! Buffers that shaders reach by addresses: a conversion of DXIL puts these at the front of the push constants.

use ash::vk;

use super::Addressed;
use super::resources::{Binding, Kind};
use lanescope_run::fill::ADDRESS_SET;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::shape::Shape;

/// The resource that replaces its descriptor. Its contents are words: only the code knows more.
pub(super) fn binding(addressed: Addressed, bytes: u64, stages: vk::ShaderStageFlags) -> Binding {
    Binding {
        set: ADDRESS_SET,
        binding: addressed.number,
        variable: None,
        kind: Kind::Storage(Shape::Words { count: u32::try_from(bytes / 4).unwrap_or(u32::MAX) }),
        count: 1,
        is_array: false,
        stages,
        writable: addressed.writable,
        dynamic: false,
        compares: None,
    }
}

/// Whether a module reaches memory by addresses.
pub(super) fn takes_addresses(module: &Module) -> bool {
    module
        .globals()
        .any(|inst| inst.op() == Some(Op::TypePointer) && inst.word_at(2) == StorageClass::PhysicalStorageBuffer as u32)
}
