//! Names of buffers and images in a run: registers for DXIL and HLSL, descriptors for everything else.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::declared::buffer_shape;
use super::fill::ADDRESS_SET;
use super::place::descriptor_of;
use lanescope_dxil::Dxil;
use lanescope_dxil::metadata::Resource;
use lanescope_model::program::Program;
use lanescope_spirv::shape::Shape;

/// The registers of a program's descriptors, by set and binding.
///
/// A register that two stages use for different descriptors names neither of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceNames(Vec<Register>);

/// A descriptor and its register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Register {
    set: u32,
    binding: u32,
    /// `u0`, `t3,space1`, `u2 counter`.
    register: String,
    /// Bytes that a constant buffer's container states: SPIR-V has it in units of 16.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bytes: Option<u32>,
    /// What a structured buffer contains, where its container declares it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    shape: Option<Shape>,
}

impl ResourceNames {
    /// The registers of a program, empty for SPIR-V and GLSL.
    pub fn of(program: &Program) -> ResourceNames {
        let mut by_register: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
        for row in program.registers() {
            let places = by_register.entry(row.name()).or_default();
            let place = descriptor_of(row);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let (constants, buffers) = (constant_buffers(program), structured_buffers(program));
        let unique = by_register.into_iter().filter_map(|(register, places)| match places[..] {
            [(set, binding)] => Some(Register {
                set,
                binding,
                bytes: constants.get(&register).copied(),
                shape: buffers.get(&register).cloned().flatten(),
                register,
            }),
            _ => None,
        });
        ResourceNames(unique.collect())
    }

    /// With another name for a descriptor.
    #[must_use]
    pub fn with(mut self, set: u32, binding: u32, register: String) -> ResourceNames {
        self.0.push(Register { set, binding, register, bytes: None, shape: None });
        self
    }

    /// What a structured buffer contains, where its container declares it.
    pub fn declared(&self, set: u32, binding: u32) -> Option<&Shape> {
        let mut found = self.0.iter().filter(|known| (known.set, known.binding) == (set, binding));
        found.find_map(|known| known.shape.as_ref())
    }

    /// The bytes of a constant buffer, where its container states them.
    pub fn constant_bytes(&self, set: u32, binding: u32) -> Option<u64> {
        let mut found = self.0.iter().filter(|known| (known.set, known.binding) == (set, binding));
        found.find_map(|known| known.bytes).map(u64::from)
    }

    /// The register of a descriptor: `u0`, `t3,space1`.
    pub fn register(&self, set: u32, binding: u32) -> Option<&str> {
        let found = self.0.iter().find(|known| (known.set, known.binding) == (set, binding));
        found.map(|known| known.register.as_str())
    }

    /// The name of a descriptor's contents: `u0`, `u0.space1`, `set0.binding1`; with `.2` after it for element 2 of an
    /// array of descriptors.
    pub fn name(&self, set: u32, binding: u32, element: u32, is_array: bool) -> String {
        let base = match self.register(set, binding) {
            Some(register) => file_name(register),
            None => descriptor_name(set, binding),
        };
        if is_array { format!("{base}.{element}") } else { base }
    }
}

/// The resources of containers with the names of their registers.
fn resources(program: &Program) -> impl Iterator<Item = (&Dxil, Resource, String)> {
    program.dxil.iter().flat_map(|loaded| {
        loaded.dxil.resources().into_iter().filter_map(|resource| {
            let row = loaded.bindings.iter().find(|row| {
                row.class == resource.class
                    && (row.space, row.lower) == (resource.space, resource.lower)
                    && !row.counter
            })?;
            Some((&loaded.dxil, resource, row.name()))
        })
    })
}

/// The bytes of constant buffers by register, the most of all stages that have it.
fn constant_buffers(program: &Program) -> BTreeMap<String, u32> {
    let mut out: BTreeMap<String, u32> = BTreeMap::new();
    for (_, resource, name) in resources(program) {
        if let Some(bytes) = resource.bytes {
            let known = out.entry(name).or_default();
            *known = bytes.max(*known);
        }
    }
    out
}

/// What structured buffers contain by register; `None` where two stages declare different contents.
fn structured_buffers(program: &Program) -> BTreeMap<String, Option<Shape>> {
    let mut out: BTreeMap<String, Option<Shape>> = BTreeMap::new();
    for (dxil, resource, name) in resources(program) {
        let Some(shape) = buffer_shape(dxil, &resource) else { continue };
        let known = out.entry(name).or_insert_with(|| Some(shape.clone()));
        if known.as_ref() != Some(&shape) {
            *known = None;
        }
    }
    out
}

/// A register as the name of a file: `u0.space1` for `u0,space1`.
pub(super) fn file_name(register: &str) -> String {
    register.replace([',', ' '], ".")
}

/// The name of a descriptor without a register: `set0.binding1`, or `address0` for a buffer that shaders reach by an
/// address.
pub fn descriptor_name(set: u32, binding: u32) -> String {
    if set == ADDRESS_SET { format!("address{binding}") } else { format!("set{set}.binding{binding}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> ResourceNames {
        let row = |set, binding, register: &str| Register {
            set,
            binding,
            register: register.to_owned(),
            bytes: None,
            shape: None,
        };
        ResourceNames(vec![row(0, 0, "u0"), row(1, 0, "u0,space1"), row(0, 1, "u2 counter"), row(ADDRESS_SET, 3, "t1")])
    }

    #[test]
    fn registers_name_contents_before_descriptors() {
        let names = names();
        assert_eq!(names.name(0, 0, 0, false), "u0");
        assert_eq!(names.name(1, 0, 2, true), "u0.space1.2");
        assert_eq!(names.name(0, 1, 0, false), "u2.counter");
        assert_eq!(names.name(ADDRESS_SET, 3, 0, false), "t1");
        assert_eq!(names.name(ADDRESS_SET, 4, 0, false), "address4");
        assert_eq!(names.name(2, 7, 1, true), "set2.binding7.1");
        assert_eq!(names.register(1, 0), Some("u0,space1"));
    }
}
