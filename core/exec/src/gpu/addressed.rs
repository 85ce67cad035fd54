//! Buffers that shaders reach by addresses: a conversion of DXIL puts these at the front of the push constants.

use std::collections::BTreeMap;

use ash::vk;

use super::inputs::{Content, Inputs};
use super::resources::{Binding, Kind};
use lanescope_model::program::{ADDRESS_BYTES, Program};
use lanescope_passes::run::Blob;
use lanescope_passes::run::fill::ADDRESS_SET;
use lanescope_passes::run::types::Shape;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Op, StorageClass};

/// Bytes of such a buffer where nothing says how many: nothing stops a shader past its end.
const BYTES: u64 = 64 << 10;

/// A buffer that shaders reach by an address in their push constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressed {
    /// Its number among them, which is its binding in [`ADDRESS_SET`].
    pub number: u32,
    /// Whether a shader may write it.
    pub writable: bool,
}

impl Addressed {
    /// Those of a program, by number.
    pub fn of(program: &Program) -> Vec<Addressed> {
        let mut found: BTreeMap<u32, bool> = BTreeMap::new();
        for row in program.dxil.iter().flat_map(|loaded| &loaded.bindings) {
            if let Some(offset) = row.address {
                *found.entry(offset / ADDRESS_BYTES).or_default() |= row.class == "uav";
            }
        }
        found.into_iter().map(|(number, writable)| Addressed { number, writable }).collect()
    }

    /// Where among the push constants its address is, if they are long enough: one that no stage uses has no place.
    pub(super) fn place(self, push: &mut [u8]) -> Option<&mut [u8]> {
        let at = (self.number * ADDRESS_BYTES) as usize;
        push.get_mut(at..at + ADDRESS_BYTES as usize)
    }

    /// Its size.
    pub(super) fn bytes(self, inputs: &Inputs) -> u64 {
        match inputs.given(ADDRESS_SET, self.number, 0) {
            Some(Content::Size(bytes)) => *bytes,
            Some(Content::Bytes(Blob(bytes))) => bytes.len() as u64,
            None => BYTES,
        }
    }

    /// The resource that replaces its descriptor. Its contents are words: only the code knows more.
    pub(super) fn binding(self, bytes: u64, stages: vk::ShaderStageFlags) -> Binding {
        Binding {
            set: ADDRESS_SET,
            binding: self.number,
            variable: None,
            kind: Kind::Storage(Shape::Words { count: u32::try_from(bytes / 4).unwrap_or(u32::MAX) }),
            count: 1,
            is_array: false,
            stages,
            writable: self.writable,
            dynamic: false,
        }
    }
}

/// Whether a module reaches memory by addresses.
pub(super) fn takes_addresses(module: &Module) -> bool {
    module
        .globals()
        .any(|inst| inst.op() == Some(Op::TypePointer) && inst.word_at(2) == StorageClass::PhysicalStorageBuffer as u32)
}
