//! What a module's instructions require of a device in addition to its capabilities: atomics by where they work, clocks
//! by their scope, subgroup operations by their stage.

use std::collections::BTreeSet;
use std::ffi::CStr;

use super::{Field, Need};
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{Op, Scope, StorageClass};
use lanescope_spirv::{Inst, Module, Type, grammar};

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
    /// Another atomic on floats of so many bits.
    Float(u32, Place),
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
        let (features, at, extensions, by): (Features, usize, &'static [&'static CStr], &str) = match *self {
            Use::Int64(place) => (INT64_ATOMICS, place as usize, &[], "an atomic on 64-bit integers"),
            Use::FloatAdd(32, place) => (FLOAT32_ADDS, place as usize, ATOMIC_FLOAT, "an atomic addition of floats"),
            Use::FloatAdd(_, place) => (FLOAT64_ADDS, place as usize, ATOMIC_FLOAT, "an atomic addition of doubles"),
            Use::Float(32, place) => (FLOAT32_ATOMICS, place as usize, ATOMIC_FLOAT, "an atomic on floats"),
            Use::Float(_, place) => (FLOAT64_ATOMICS, place as usize, ATOMIC_FLOAT, "an atomic on doubles"),
            Use::Clock(device) => (CLOCKS, usize::from(device), CLOCK, "reading a clock"),
            Use::Subgroup(stage) => return (Need::SubgroupStage(stage), "the shader".to_owned()),
            Use::Quads(stage) => return (Need::QuadStage(stage), "the shader".to_owned()),
        };
        let need = match (features.get(at), extensions) {
            (Some((name, field)), []) => Need::Feature(name, *field),
            (Some((name, field)), extensions) => Need::Extension(name, *field, extensions),
            // Images of 64 bits have capabilities of their own.
            (None, _) => Need::Nothing,
        };
        (need, by.to_owned())
    }
}

/// What a module's instructions use.
pub(super) fn of(module: &Module) -> BTreeSet<Use> {
    let mut out: BTreeSet<Use> = module.insts().filter_map(|inst| one(module, &inst)).collect();
    let is_of_subgroup =
        |inst: &Inst<'_>| grammar::info(inst.opcode()).is_some_and(|info| info.name.starts_with("GroupNonUniform"));
    for entry in module.entry_points() {
        let Some(stage) = entry.stage else { continue };
        let functions = module.reachable(entry);
        let insts = functions.iter().flat_map(|function| module.insts_in(function.insts.clone()));
        for inst in insts.filter(is_of_subgroup) {
            out.insert(Use::Subgroup(stage));
            if matches!(inst.op(), Some(Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformQuadSwap)) {
                out.insert(Use::Quads(stage));
            }
        }
    }
    out
}

fn one(module: &Module, inst: &Inst<'_>) -> Option<Use> {
    let op = inst.op()?;
    if op == Op::ReadClockKHR {
        let scope = module.constant(inst.id_at(3))?.as_u32()?;
        return Some(Use::Clock(scope == Scope::Device as u32));
    }
    if !(Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&(op as u32)) && op != Op::AtomicFAddEXT {
        return None;
    }
    // A store has its pointer in front: the others a type and a result.
    let pointer: Id = inst.id_at(if op == Op::AtomicStore { 1 } else { 3 });
    let Type::Pointer { class, pointee } = module.ty(module.type_of(pointer)?)? else { return None };
    let place = match class? {
        StorageClass::Workgroup => Place::Workgroup,
        StorageClass::Image => Place::Image,
        _ => Place::Buffer,
    };
    match module.ty(pointee)? {
        Type::Int { bits: 64, .. } => Some(Use::Int64(place)),
        Type::Float { bits: bits @ (32 | 64) } if op == Op::AtomicFAddEXT => Some(Use::FloatAdd(bits, place)),
        Type::Float { bits: bits @ (32 | 64) } => Some(Use::Float(bits, place)),
        _ => None,
    }
}
