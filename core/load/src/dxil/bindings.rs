//! Maps registers to descriptors: one table for all containers of a pipeline.

use std::collections::{BTreeMap, BTreeSet};

use dxil_spirv::Converter;
use dxil_spirv::binding::{
    Bindless, CbvVulkanBinding, D3dBinding, ResourceKind, SrvVulkanBinding, UavVulkanBinding, VulkanBinding,
    VulkanDescriptorType,
};

use lanescope_dxil::Dxil;
use lanescope_model::options::{Conversion, ConversionSwitch, RegisterBindings};
use lanescope_model::program::{ADDRESS_BYTES, DescriptorBinding};

/// Where every register of a pipeline goes.
///
/// Spaces become sets and registers bindings, both numbered without gaps in the order of spaces, then of constant
/// buffers, textures and buffers, writable ones, samplers: so no two registers share a descriptor, as `t0` and `u0`
/// would by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bindings {
    rows: Vec<DescriptorBinding>,
    /// Rows of buffers that are bound as texels, since loads of them give feedback.
    texels: BTreeSet<usize>,
    /// For each container its rows.
    of: Vec<Vec<usize>>,
}

/// Classes in the order in which a space numbers them, and the letters of their registers.
const ORDER: [(&str, &str); 4] = [("cbv", "b"), ("srv", "t"), ("uav", "u"), ("sampler", "s")];

/// Space, class (its place in [`ORDER`]), number, whether it is the hidden counter of that register's buffer: in the
/// order in which descriptors are numbered.
type Key = (u32, usize, u32, bool);

/// A register that a container uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Register {
    key: Key,
    /// Whether it can be reached by an address: one buffer of bytes or structures.
    by_address: bool,
    /// Whether a load of the buffer gives feedback, which SPIR-V has of images alone.
    feedback: bool,
}

impl Register {
    /// A register by its class, space and number; `counter` for the hidden counter of its buffer. It is not reached by an
    /// address.
    pub fn of(class: &str, space: u32, lower: u32, counter: bool) -> Register {
        Register { key: (space, class_of(class), lower, counter), by_address: false, feedback: false }
    }

    /// The register that a converter met.
    pub fn met(class: &str, binding: &D3dBinding, counter: bool) -> Register {
        Register {
            key: (binding.register_space, class_of(class), binding.register_index, counter),
            by_address: !counter && is_buffer(binding.kind) && binding.range_size == 1,
            feedback: false,
        }
    }
}

fn class_of(name: &str) -> usize {
    ORDER.iter().position(|(class, _)| *class == name).unwrap_or(0)
}

fn is_buffer(kind: ResourceKind) -> bool {
    matches!(kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer)
}

/// The registers that a container's metadata lists.
pub(crate) fn registers(dxil: &Dxil) -> Vec<Register> {
    let mut out = Vec::new();
    let with_feedback = dxil.buffers_with_feedback();
    for resource in dxil.resources() {
        let (class, counter) = (class_of(&resource.class), resource.flags.iter().any(|flag| flag == "counter"));
        let buffer = matches!(&*resource.kind, "RawBuffer" | "StructuredBuffer");
        let feedback = with_feedback.contains(&(resource.class.to_string(), resource.id));
        let by_address = buffer && resource.count == Some(1) && !feedback;
        out.push(Register { key: (resource.space, class, resource.lower, false), by_address, feedback });
        if counter {
            out.push(Register {
                key: (resource.space, class, resource.lower, true),
                by_address: false,
                feedback: false,
            });
        }
    }
    out
}

impl Bindings {
    /// The table of containers that use these registers.
    pub fn of(containers: &[Vec<Register>], conversion: &Conversion) -> Bindings {
        let mut keys: BTreeMap<Key, bool> = BTreeMap::new();
        let mut feedback: BTreeSet<Key> = BTreeSet::new();
        for register in containers.iter().flatten() {
            *keys.entry(register.key).or_insert(true) &= register.by_address;
            if register.feedback {
                feedback.insert(register.key);
            }
        }
        let texels =
            keys.keys().enumerate().filter(|(_, key)| feedback.contains(key)).map(|(index, _)| index).collect();
        let physical = conversion.has(ConversionSwitch::PhysicalBuffers);
        let (mut set, mut binding, mut last) = (0u32, 0u32, None);
        let mut addresses = 0u32;
        let mut rows: Vec<DescriptorBinding> = Vec::new();
        for (&(space, class, lower, counter), &by_address) in &keys {
            let (name, letter) = ORDER.get(class).copied().unwrap_or_default();
            let mut row = DescriptorBinding {
                register: format!("{letter}{lower}"),
                class: name.to_owned(),
                space,
                lower,
                counter,
                set: 0,
                binding: 0,
                // Addresses come first in the push constants, eight bytes each.
                address: (physical && by_address).then_some(addresses.saturating_mul(ADDRESS_BYTES)),
            };
            if row.address.is_some() {
                addresses += 1;
            } else {
                match last {
                    Some(before) if before != space => (set, binding) = (set + 1, 0),
                    Some(_) => binding += 1,
                    None => {}
                }
                last = Some(space);
                (row.set, row.binding) = match conversion.bindings {
                    // A counter has no register: it lies after all of them.
                    RegisterBindings::Registers => {
                        (space, if counter { lower.saturating_add(COUNTERS) } else { lower })
                    }
                    RegisterBindings::Compact => (set, binding),
                };
            }
            rows.push(row);
        }
        let of_one = |registers: &Vec<Register>| {
            let used: BTreeSet<Key> = registers.iter().map(|register| register.key).collect();
            keys.keys().enumerate().filter(|(_, key)| used.contains(key)).map(|(index, _)| index).collect()
        };
        let of = containers.iter().map(of_one).collect();
        Bindings { rows, texels, of }
    }

    /// The rows of a container's registers.
    pub fn rows_of(&self, container: usize) -> Vec<DescriptorBinding> {
        self.of.get(container).into_iter().flatten().filter_map(|index| self.rows.get(*index).cloned()).collect()
    }

    /// Set and binding of a register, if the table has it.
    pub fn place(&self, register: &Register) -> Option<(u32, u32)> {
        let (space, class, lower, counter) = register.key;
        let class = ORDER.get(class).map(|(name, _)| *name)?;
        let row = self
            .rows
            .iter()
            .find(|row| row.class == class && (row.space, row.lower, row.counter) == (space, lower, counter))?;
        Some((row.set, row.binding))
    }

    fn find(&self, class: &str, binding: &D3dBinding, counter: bool) -> VulkanBinding {
        let at = self.rows.iter().position(|row| {
            row.class == class
                && (row.space, row.lower, row.counter) == (binding.register_space, binding.register_index, counter)
        });
        let found = at.and_then(|at| self.rows.get(at));
        // What has no register is indexed in the heap itself: a set after all others.
        let heap = found.is_none();
        let sets = self.rows.iter().map(|row| row.set.saturating_add(1)).max().unwrap_or(0);
        let address = found.and_then(|row| row.address);
        let descriptor_type = match address {
            Some(_) => VulkanDescriptorType::BufferDeviceAddress,
            None if at.is_some_and(|at| self.texels.contains(&at)) => VulkanDescriptorType::Identity,
            None if is_buffer(binding.kind) || counter => VulkanDescriptorType::Ssbo,
            None => VulkanDescriptorType::Identity,
        };
        VulkanBinding {
            set: found.map_or(sets, |row| row.set),
            binding: found.map_or(u32::from(class == "sampler"), |row| row.binding),
            root_constant_index: address.map_or(0, |offset| offset / ADDRESS_BYTES),
            bindless: Bindless { heap_root_offset: 0, use_heap: heap },
            descriptor_type,
        }
    }

    /// Tells a converter where everything goes.
    pub fn apply(&self, converter: &mut Converter) {
        let addresses = self.rows.iter().filter(|row| row.address.is_some()).count();
        if addresses > 0 {
            converter.set_root_descriptor_count(addresses as u32);
        }
        let table = self.clone();
        converter.set_srv_remapper(move |binding| {
            let buffer_binding = table.find("srv", binding, false);
            Some(SrvVulkanBinding { buffer_binding, offset_binding: buffer_binding })
        });
        let table = self.clone();
        converter.set_uav_remapper(move |uav| {
            let buffer_binding = table.find("uav", &uav.binding, false);
            let counter_binding = table.find("uav", &uav.binding, uav.has_counter);
            Some(UavVulkanBinding { buffer_binding, counter_binding, offset_binding: buffer_binding })
        });
        let table = self.clone();
        converter.set_cbv_remapper(move |binding| Some(CbvVulkanBinding::Uniform(table.find("cbv", binding, false))));
        let table = self.clone();
        converter.set_sampler_remapper(move |binding| Some(table.find("sampler", binding, false)));
    }
}

/// Where counters begin, if descriptors keep the numbers of registers.
const COUNTERS: u32 = 0x1_0000;

#[cfg(test)]
mod tests {
    use super::*;

    fn register(space: u32, class: &str, lower: u32, by_address: bool) -> Register {
        Register { key: (space, class_of(class), lower, false), by_address, feedback: false }
    }

    fn places(conversion: &Conversion) -> Vec<String> {
        let vertex = vec![register(0, "cbv", 0, false), register(0, "srv", 3, true)];
        let pixel = vec![register(0, "uav", 3, true), register(0, "srv", 3, true), register(2, "srv", 0, false)];
        let bindings = Bindings::of(&[vertex, pixel], conversion);
        let rows = bindings.rows_of(1);
        assert_eq!(bindings.rows_of(0).len(), 2);
        rows.iter().map(|row| format!("{} {}", row.name(), row.place())).collect()
    }

    #[test]
    fn registers_of_all_stages_are_numbered_together() {
        let compact = Conversion::default();
        assert_eq!(places(&compact), ["t3 set0.binding1", "u3 set0.binding2", "t0,space2 set1.binding0"]);
        let registers = Conversion { bindings: RegisterBindings::Registers, ..Conversion::default() };
        assert_eq!(places(&registers), ["t3 set0.binding3", "u3 set0.binding3", "t0,space2 set2.binding0"]);
        let with = [ConversionSwitch::PhysicalBuffers].into();
        let physical = Conversion { with, ..Conversion::default() };
        assert_eq!(places(&physical), ["t3 push constant 0", "u3 push constant 8", "t0,space2 set1.binding0"]);
    }
}
