//! What a module's instructions require of a device in addition to its capabilities: atomics by where they work, clocks
//! by their scope, subgroup operations by their stage, fused multiply-adds by their width.

use std::collections::BTreeSet;
use std::ffi::CStr;

use super::registry::{self, Enabling};
use super::{Field, Need};
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{Op, Scope, StorageClass};
use lanescope_spirv::opcode::Group;
use lanescope_spirv::{Inst, Module, Type};

type Features = &'static [(&'static str, Field)];

pub(super) const ATOMIC_FLOAT: &[&CStr] = &[c"VK_EXT_shader_atomic_float"];
pub(super) const CLOCK: &[&CStr] = &[c"VK_KHR_shader_clock"];

/// Of buffers, then of workgroup memory.
pub(super) const INT64_ATOMICS: Features = &[
    ("shaderBufferInt64Atomics", |f| &mut f.v12.shader_buffer_int64_atomics),
    ("shaderSharedInt64Atomics", |f| &mut f.v12.shader_shared_int64_atomics),
];
/// Of buffers, of workgroup memory, then of images.
pub(super) const FLOAT32_ADDS: Features = &[
    ("shaderBufferFloat32AtomicAdd", |f| &mut f.atomic_float.shader_buffer_float32_atomic_add),
    ("shaderSharedFloat32AtomicAdd", |f| &mut f.atomic_float.shader_shared_float32_atomic_add),
    ("shaderImageFloat32AtomicAdd", |f| &mut f.atomic_float.shader_image_float32_atomic_add),
];
pub(super) const FLOAT64_ADDS: Features = &[
    ("shaderBufferFloat64AtomicAdd", |f| &mut f.atomic_float.shader_buffer_float64_atomic_add),
    ("shaderSharedFloat64AtomicAdd", |f| &mut f.atomic_float.shader_shared_float64_atomic_add),
];
const FLOAT32_ATOMICS: Features = &[
    ("shaderBufferFloat32Atomics", |f| &mut f.atomic_float.shader_buffer_float32_atomics),
    ("shaderSharedFloat32Atomics", |f| &mut f.atomic_float.shader_shared_float32_atomics),
    ("shaderImageFloat32Atomics", |f| &mut f.atomic_float.shader_image_float32_atomics),
];
const FLOAT64_ATOMICS: Features = &[
    ("shaderBufferFloat64Atomics", |f| &mut f.atomic_float.shader_buffer_float64_atomics),
    ("shaderSharedFloat64Atomics", |f| &mut f.atomic_float.shader_shared_float64_atomics),
];
/// Of a subgroup, then of the device.
pub(super) const CLOCKS: Features = &[
    ("shaderSubgroupClock", |f| &mut f.clock.shader_subgroup_clock),
    ("shaderDeviceClock", |f| &mut f.clock.shader_device_clock),
];

/// Where an atomic works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Buffer,
    Workgroup,
    Image,
}

/// What instructions do that needs a feature of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// An atomic on 64-bit integers.
    Int64(Place),
    /// An addition to floats of so many bits.
    FloatAdd(u32, Place),
    /// An atomic minimum or maximum of floats of so many bits.
    FloatExtreme(u32, Place),
    /// Another atomic on floats of so many bits.
    Float(u32, Place),
    /// A fused multiply-add of floats of so many bits.
    Fma(u32),
    /// A rotation within clusters of a subgroup.
    RotateClustered,
    /// The device's clock; else the subgroup's.
    Clock(bool),
    /// Subgroup operations in a stage.
    Subgroup(StageKind),
    /// Those of quads.
    Quads(StageKind),
}

impl Use {
    /// What it needs, and who needs it as text.
    pub fn need(&self) -> (Need, String) {
        let (need, by) = match *self {
            Use::Int64(place) => (of_device(INT64_ATOMICS, place as usize, &[]), "an atomic on 64-bit integers"),
            Use::FloatAdd(16, place) => {
                (row(registry::FLOAT16_ADDS, place as usize), "an atomic addition of 16-bit floats")
            }
            Use::FloatAdd(32, place) => {
                (of_device(FLOAT32_ADDS, place as usize, ATOMIC_FLOAT), "an atomic addition of floats")
            }
            Use::FloatAdd(_, place) => {
                (of_device(FLOAT64_ADDS, place as usize, ATOMIC_FLOAT), "an atomic addition of doubles")
            }
            Use::FloatExtreme(bits, place) => {
                let (rows, by) = match bits {
                    16 => (registry::FLOAT16_EXTREMES, "an atomic minimum or maximum of 16-bit floats"),
                    32 => (registry::FLOAT32_EXTREMES, "an atomic minimum or maximum of floats"),
                    _ => (registry::FLOAT64_EXTREMES, "an atomic minimum or maximum of doubles"),
                };
                (row(rows, place as usize), by)
            }
            Use::Float(16, place) => (row(registry::FLOAT16_ATOMICS, place as usize), "an atomic on 16-bit floats"),
            Use::Float(32, place) => (of_device(FLOAT32_ATOMICS, place as usize, ATOMIC_FLOAT), "an atomic on floats"),
            Use::Float(_, place) => (of_device(FLOAT64_ATOMICS, place as usize, ATOMIC_FLOAT), "an atomic on doubles"),
            Use::Fma(bits) => {
                let (at, by) = match bits {
                    16 => (0, "OpFmaKHR of 16-bit floats"),
                    32 => (1, "OpFmaKHR of floats"),
                    _ => (2, "OpFmaKHR of doubles"),
                };
                (row(registry::FMA, at), by)
            }
            Use::RotateClustered => (row(registry::ROTATE_CLUSTERED, 0), "a rotation within clusters of a subgroup"),
            Use::Clock(device) => (of_device(CLOCKS, usize::from(device), CLOCK), "reading a clock"),
            Use::Subgroup(stage) => (Need::SubgroupStage(stage), "the shader"),
            Use::Quads(stage) => (Need::QuadStage(stage), "the shader"),
        };
        (need, by.to_owned())
    }
}

/// One of some features; nothing beyond the last: images of 64 bits have capabilities of their own.
fn of_device(features: Features, at: usize, extensions: &'static [&'static CStr]) -> Need {
    match (features.get(at), extensions) {
        (Some((name, field)), []) => Need::Feature(name, *field),
        (Some((name, field)), extensions) => Need::Extension(name, *field, extensions),
        (None, _) => Need::Nothing,
    }
}

/// One of some rows of the registry; nothing beyond the last.
fn row(rows: &'static [Enabling], at: usize) -> Need {
    rows.get(at).map_or(Need::Nothing, Need::Registered)
}

/// What a module's instructions use.
pub(super) fn of(module: &Module) -> BTreeSet<Use> {
    let mut out: BTreeSet<Use> = module.insts().filter_map(|inst| one(module, &inst)).collect();
    for entry in module.entry_points() {
        let Some(stage) = entry.stage else { continue };
        let functions = module.reachable(entry);
        let insts = functions.iter().flat_map(|function| module.insts_in(function.insts.clone()));
        for group in insts.filter_map(|inst| inst.facts().group) {
            if matches!(group, Group::NonUniform | Group::Quad) {
                out.insert(Use::Subgroup(stage));
            }
            if group == Group::Quad {
                out.insert(Use::Quads(stage));
            }
        }
    }
    out
}

fn one(module: &Module, inst: &Inst<'_>) -> Option<Use> {
    let op = inst.op()?;
    match op {
        Op::ReadClockKHR => {
            let scope = module.constant(inst.id_at(3))?.as_u32()?;
            return Some(Use::Clock(scope == Scope::Device as u32));
        }
        Op::GroupNonUniformRotateKHR => {
            // Type, result, scope, value, distance, and the size of a cluster where it has one.
            return (inst.words.len() > 6).then_some(Use::RotateClustered);
        }
        Op::FmaKHR => {
            let ty = inst.result_type()?;
            let scalar = match module.ty(ty)? {
                Type::Vector { component, .. } => module.ty(component)?,
                scalar => scalar,
            };
            return match scalar {
                Type::Float { bits: bits @ (16 | 32 | 64) } => Some(Use::Fma(bits)),
                _ => None,
            };
        }
        _ => {}
    }
    let is_extreme = matches!(op, Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
    let pointer = inst.facts().atomic_pointer()?;
    // A store has pointer, scope, semantics and value.
    let ty = inst.result_type().or_else(|| module.type_of(inst.id_at(4)))?;
    let place = match module.pointer_class(inst.id_at(pointer))? {
        StorageClass::Workgroup => Place::Workgroup,
        StorageClass::Image => Place::Image,
        _ => Place::Buffer,
    };
    match module.ty(ty)? {
        Type::Int { bits: 64, .. } => Some(Use::Int64(place)),
        Type::Float { bits: bits @ (16 | 32 | 64) } if op == Op::AtomicFAddEXT => Some(Use::FloatAdd(bits, place)),
        Type::Float { bits: bits @ (16 | 32 | 64) } if is_extreme => Some(Use::FloatExtreme(bits, place)),
        Type::Float { bits: bits @ (16 | 32 | 64) } => Some(Use::Float(bits, place)),
        _ => None,
    }
}
