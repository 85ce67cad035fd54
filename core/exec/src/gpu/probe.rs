//! Measures where a device runs each invocation of a workgroup, with a compute shader made for the group's size.

use super::compute::run_compute;
use super::device::{DeviceOptions, chosen_device, with_device};
use super::{GpuError, Needs};
use lanescope_load::compile_own;
use lanescope_model::options::{Derivatives, SpecValue};
use lanescope_model::program::StageKind;
use lanescope_passes::workgroup::{LaneMap, MAX_INVOCATIONS, Macro, Micro};
use lanescope_run::inputs::{Content, Given, Inputs};
use lanescope_run::{Blob, Measured, Probe, Slopes, Subgroups, contradictions, disagreements};
use lanescope_spirv::Module;

/// Words that the shader writes for an invocation.
const ROW: usize = 16;
/// Words before the rows: the counter, and room to keep rows aligned.
const HEAD: usize = 4;

/// Measures a device's map for a workgroup, and compares it with the closed form for the measured subgroup size.
///
/// The form is row-major; under quads derivatives that the device takes natively it is 2x2. A derivative group that
/// the device does not have is left out of the shader, and [`Probe::not_measured`] says so.
///
/// # Errors
/// Those of [`with_device`] and [`run_compute`]; a size that cannot have the derivative group.
pub fn probe(options: &DeviceOptions, size: [u32; 3], wanted: Derivatives) -> Result<Probe, GpuError> {
    let info = chosen_device(options)?;
    let mut not_measured = Vec::new();
    let derivatives = if info.derivatives.has(wanted) { wanted } else { Derivatives::None };
    if derivatives != wanted {
        not_measured.push(format!("{wanted} derivatives: the device does not support them in compute"));
    }
    if !info.subgroup_quads {
        not_measured.push("quad lanes: the device has no quad subgroup operations in compute".to_owned());
    }
    let micro = match derivatives {
        Derivatives::Quads => Micro::Quads,
        Derivatives::Linear => Micro::Linear,
        Derivatives::None => Micro::None,
    };
    let map = LaneMap::new(micro, Macro::None, size).ok_or_else(|| {
        let [x, y, z] = size;
        GpuError::Unusable(format!(
            "a workgroup of {x}x{y}x{z} with {derivatives} derivatives cannot be probed: it needs 1 to \
             {MAX_INVOCATIONS} invocations, and even X and Y for quads"
        ))
    })?;
    let module = shader(size, derivatives, info.subgroup_quads).map_err(|log| {
        GpuError::NotRun(format!("internal error: the probe shader does not compile: {log}; please report it"))
    })?;
    let entry = module.entry_points().first().ok_or_else(|| {
        GpuError::NotRun("internal error: the probe shader has no entry point; please report it".to_owned())
    })?;
    let zeros = vec![0; (HEAD + map.len() as usize * ROW) * 4];
    let inputs = Inputs {
        buffers: vec![Given { set: 0, binding: 0, element: None, content: Content::Bytes(Blob(zeros)) }],
        ..Inputs::default()
    };
    let used = with_device(&Needs::of([&module]), options, |device| {
        run_compute(device, &module, entry, Some([1, 1, 1]), &inputs, None)
    })?;
    let words: Vec<u32> = used
        .value
        .contents("set0.binding0")
        .chunks_exact(4)
        .map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
        .collect();
    let rows: Vec<&[u32]> = words.get(HEAD..).unwrap_or(&[]).chunks_exact(ROW).collect();
    let row_major = LaneMap::new(Micro::None, Macro::None, size).map(|map| map.invocations()).unwrap_or_default();
    let lanes: Vec<Measured> = row_major
        .into_iter()
        .zip(&rows)
        .map(|(id, row)| measured(id, row, info.subgroup_quads, derivatives != Derivatives::None))
        .collect();
    let word = |row: &[u32], at: usize| row.get(at).copied().unwrap_or(0);
    let read = |row: &&[u32]| Subgroups { size: word(row, 4), count: word(row, 5) };
    let read: Vec<Subgroups> = rows.iter().take(lanes.len()).map(read).collect();
    let Subgroups { size: subgroup_size, count: subgroups } =
        read.first().copied().unwrap_or(Subgroups { size: 0, count: 0 });
    Ok(Probe {
        device: info.name,
        size,
        subgroup_range: info.subgroup_range,
        subgroup_size,
        subgroups,
        wanted_derivatives: wanted,
        derivatives,
        quads: info.subgroup_quads,
        disagreements: disagreements(&map, subgroup_size, derivatives, &lanes),
        contradictions: contradictions(&lanes, &read),
        predicted: map.invocations(),
        lanes,
        not_measured,
    })
}

fn measured(id: [u32; 3], row: &[u32], quads: bool, slopes: bool) -> Measured {
    let word = |i: usize| row.get(i).copied().unwrap_or(0);
    let float = |i: usize| f32::from_bits(word(i));
    Measured {
        id,
        index: word(0),
        subgroup: word(1),
        lane: word(2),
        order: word(3),
        quad: quads.then(|| [6, 7, 8, 9].map(word)),
        slopes: slopes.then(|| Slopes {
            fine_x: float(10),
            fine_y: float(11),
            coarse_x: float(12),
            coarse_y: float(13),
        }),
    }
}

/// The shader for a group. Its size is set as specialization constants: compilers have limits of their own.
fn shader(size: [u32; 3], derivatives: Derivatives, quads: bool) -> Result<Module, String> {
    let module = compile_own(&source(size, derivatives, quads), StageKind::Compute)?;
    let values = (0u32..).zip(size.map(|side| SpecValue(side.to_string()))).collect();
    module.specialised(&values).map_err(|error| error.to_string())
}

/// The shader's text: each invocation writes one row, at the row-major index of its `LocalInvocationId`.
fn source(size: [u32; 3], derivatives: Derivatives, quads: bool) -> String {
    let [x, y, _] = size;
    let mut text = String::from(
        "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n\
         #extension GL_KHR_shader_subgroup_quad : enable\n\
         #extension GL_NV_compute_shader_derivatives : enable\n",
    );
    // The compiler checks derivative groups against these sizes; they are set for real later.
    let [some_x, some_y] = if derivatives == Derivatives::Linear { [4, 1] } else { [2, 2] };
    text.push_str(&format!(
        "layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;\n\
         layout(local_size_x = {some_x}, local_size_y = {some_y}, local_size_z = 1) in;\n"
    ));
    match derivatives {
        Derivatives::None => {}
        Derivatives::Linear => text.push_str("layout(derivative_group_linearNV) in;\n"),
        Derivatives::Quads => text.push_str("layout(derivative_group_quadsNV) in;\n"),
    }
    text.push_str(&format!(
        "layout(set = 0, binding = 0, std430) buffer Rows {{ uint counter; uint pad[{}]; uint words[]; }};\n\
         void main() {{\n\
         uint index = gl_LocalInvocationIndex;\n\
         uvec3 id = gl_LocalInvocationID;\n\
         uint at = ((id.z * {y}u + id.y) * {x}u + id.x) * {ROW}u;\n\
         words[at] = index;\n\
         words[at + 1u] = gl_SubgroupID;\n\
         words[at + 2u] = gl_SubgroupInvocationID;\n\
         words[at + 3u] = atomicAdd(counter, 1u);\n\
         words[at + 4u] = gl_SubgroupSize;\n\
         words[at + 5u] = gl_NumSubgroups;\n",
        HEAD - 1
    ));
    if quads {
        for place in 0..4 {
            text.push_str(&format!("words[at + {}u] = subgroupQuadBroadcast(index, {place}u);\n", 6 + place));
        }
    }
    if derivatives != Derivatives::None {
        text.push_str("float square = float(index) * float(index);\n");
        for (place, call) in ["dFdxFine", "dFdyFine", "dFdxCoarse", "dFdyCoarse"].iter().enumerate() {
            text.push_str(&format!("words[at + {}u] = floatBitsToUint({call}(square));\n", 10 + place));
        }
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_spirv::enums::{Capability, Op};

    #[test]
    fn every_variant_compiles_with_minimal_capabilities() {
        for (derivatives, mode) in [
            (Derivatives::None, None),
            (Derivatives::Linear, Some(Capability::ComputeDerivativeGroupLinearKHR)),
            (Derivatives::Quads, Some(Capability::ComputeDerivativeGroupQuadsKHR)),
        ] {
            for quads in [false, true] {
                let module = shader([4, 2, 300], derivatives, quads).expect("the shader is valid");
                let has = |capability: Capability| {
                    module.insts().any(|i| i.op() == Some(Op::Capability) && i.word_at(1) == capability as u32)
                };
                assert_eq!(has(Capability::GroupNonUniformQuad), quads);
                let groups = [Capability::ComputeDerivativeGroupLinearKHR, Capability::ComputeDerivativeGroupQuadsKHR];
                assert!(groups.into_iter().all(|group| has(group) == (mode == Some(group))), "{derivatives}");
            }
        }
    }
}
