//! What the numbers of constant operands stand for: kinds and sets of flags by name.

use super::{Op, by_name};
use crate::names;

/// The form of an operand's number.
#[derive(Debug, Clone, Copy)]
enum Reading {
    /// The index of a name.
    Kind(&'static [&'static str]),
    /// Each bit has a name, from bit 0 on.
    Flags(&'static [&'static str]),
    /// A set of columns.
    Columns,
}

use Reading::{Columns, Flags, Kind};

/// What `Barrier` waits for.
const BARRIER_MODE: &[&str] = &["sync_thread_group", "uav_fence_global", "uav_fence_thread_group", "groupshared_fence"];
/// Memory that the later barriers are about.
const MEMORY: &[&str] = &["uav", "groupshared", "node_input", "node_output"];
/// What the later barriers do.
const SEMANTICS: &[&str] = &["group_sync", "group_scope", "device_scope", "reorder_scope"];
const ATOMIC: &[&str] = &["add", "and", "or", "xor", "imin", "imax", "umin", "umax", "exchange"];
const WAVE: &[&str] = &["sum", "product", "min", "max"];
const WAVE_BIT: &[&str] = &["and", "or", "xor"];
const WAVE_MULTI: &[&str] = &["sum", "and", "or", "xor", "product"];
const SIGN: &[&str] = &["signed", "unsigned"];
const QUAD: &[&str] = &["across_x", "across_y", "across_diagonal"];
const VOTE: &[&str] = &["any", "all"];
const PACK: &[&str] = &["truncate", "clamp_u8", "clamp_s8"];
const UNPACK: &[&str] = &["unsigned", "signed"];
const LAYOUT: &[&str] = &[
    "row_major",
    "column_major",
    "mul_optimal",
    "mul_optimal_transpose",
    "outer_product_optimal",
    "outer_product_optimal_transpose",
];
const RAY: &[&str] = &[
    "force_opaque",
    "force_non_opaque",
    "accept_first_hit",
    "skip_closest_hit",
    "cull_back_facing",
    "cull_front_facing",
    "cull_opaque",
    "cull_non_opaque",
    "skip_triangles",
    "skip_procedural",
    "force_omm_2_state",
];

/// Op (every op, where it is empty), operand, reading. The first row that fits counts.
const READINGS: &[(&str, &str, Reading)] = &[
    ("", "barrierMode", Flags(BARRIER_MODE)),
    ("", "MemoryTypeFlags", Flags(MEMORY)),
    ("", "SemanticFlags", Flags(SEMANTICS)),
    ("", "atomicOp", Kind(ATOMIC)),
    ("WaveActiveOp", "op", Kind(WAVE)),
    ("WavePrefixOp", "op", Kind(WAVE)),
    ("WaveActiveBit", "op", Kind(WAVE_BIT)),
    ("WaveMultiPrefixOp", "op", Kind(WAVE_MULTI)),
    ("QuadOp", "op", Kind(QUAD)),
    ("QuadVote", "op", Kind(VOTE)),
    ("", "sop", Kind(SIGN)),
    ("", "packMode", Kind(PACK)),
    ("", "unpackMode", Kind(UNPACK)),
    ("", "resourceClass", Kind(names::CLASS)),
    ("", "layout", Kind(LAYOUT)),
    ("", "interpretation", Kind(names::COMPONENT_TYPE)),
    ("", "inputInterpretation", Kind(names::COMPONENT_TYPE)),
    ("", "outputInterpretation", Kind(names::COMPONENT_TYPE)),
    ("", "targetType", Kind(names::COMPONENT_TYPE)),
    ("", "RayFlags", Flags(RAY)),
    ("", "rayFlags", Flags(RAY)),
    ("", "constRayFlags", Flags(RAY)),
    ("TextureStore", "mask", Columns),
    ("TextureStoreSample", "mask", Columns),
    ("BufferStore", "mask", Columns),
    ("RawBufferLoad", "mask", Columns),
    ("RawBufferStore", "mask", Columns),
];

/// What a constant operand of an op stands for: `sync_thread_group|groupshared_fence`, `umax`, `xy--`. Absent where the
/// number is a number, or no kind of its operand, or the op is of another table than the bundled one.
pub fn meaning(op: &Op, operand: &str, number: i64) -> Option<String> {
    by_name(&op.name).filter(|own| own.operands.iter().any(|own| own.name == operand))?;
    let fits = |(of, name, _): &&(&str, &str, Reading)| *name == operand && (of.is_empty() || *of == op.name);
    let (_, _, reading) = READINGS.iter().find(fits)?;
    match reading {
        Kind(table) => {
            let name = table.get(usize::try_from(number).ok()?)?;
            (!name.is_empty()).then(|| (*name).to_owned())
        }
        Flags(table) => {
            // A constant of 32 bits is sign-extended.
            let bits = number as u32;
            let (mut known, unknown) = names::of_bits(table, u64::from(bits));
            if unknown != 0 {
                known.push(format!("{unknown:#x}").into());
            }
            Some(if known.is_empty() { "none".to_owned() } else { known.join("|") })
        }
        Columns => Some(names::mask(number as u8).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::database;

    #[test]
    fn names_constant_operands() {
        let of = |op: &str, operand: &str, number| meaning(by_name(op).expect("an op"), operand, number);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("Barrier", "barrierMode", 9), some("sync_thread_group|groupshared_fence"));
        assert_eq!(of("Barrier", "barrierMode", 0), some("none"));
        assert_eq!(of("Barrier", "barrierMode", 0x12), some("uav_fence_global|0x10"));
        assert_eq!(of("BarrierByMemoryType", "MemoryTypeFlags", 3), some("uav|groupshared"));
        assert_eq!(of("BarrierByMemoryType", "SemanticFlags", 5), some("group_sync|device_scope"));
        assert_eq!(of("AtomicBinOp", "atomicOp", 7), some("umax"));
        assert_eq!(of("AtomicBinOp", "atomicOp", 9), None);
        assert_eq!(of("AtomicBinOp", "atomicOp", -1), None);
        assert_eq!(of("WaveActiveOp", "op", 1), some("product"));
        assert_eq!(of("WaveMultiPrefixOp", "op", 1), some("and"));
        assert_eq!(of("QuadOp", "op", 2), some("across_diagonal"));
        assert_eq!(of("TraceRay", "RayFlags", -1), some(&(RAY.join("|") + "|0xfffff800")));
        assert_eq!(of("RawBufferStore", "mask", 5), some("x-z-"));
        assert_eq!(of("LinAlgMatVecMul", "interpretation", 8), some("float16"));
        assert_eq!(of("LoadInput", "rowIndex", 1), None);
    }

    /// Each row is about an operand that some op has, and a constant one.
    #[test]
    fn meanings_refer_to_existing_operands() {
        let ops: Vec<&Op> = database().tables.iter().flat_map(|table| &table.ops).collect();
        for (of, operand, _) in READINGS {
            let mut named = ops.iter().filter(|op| of.is_empty() || *of == op.name);
            assert!(named.any(|op| op.operands.iter().any(|o| o.name == *operand)), "{of} {operand}");
        }
    }
}
