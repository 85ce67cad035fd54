//! Measures in which order a device starts the workgroups of a dispatch.

use super::compute::run_compute;
use super::device::{DeviceOptions, with_device};
use super::{GpuError, Needs};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_run::Blob;
use lanescope_run::inputs::{Content, Given, Inputs};

/// The most workgroups that are started.
const MAX_GROUPS: u64 = 1 << 16;

/// Where workgroups start, beside their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupStarts {
    /// Workgroups of the dispatch that was measured: it may be smaller than the wanted one.
    pub groups: [u32; 3],
    /// By id, x first: how many workgroups started before it.
    pub started: Vec<u32>,
}

impl GroupStarts {
    /// How far from the place of its id a workgroup starts, in workgroups: the middle and the most.
    pub fn distances(&self) -> [u32; 2] {
        let mut all: Vec<u32> = (0u32..).zip(&self.started).map(|(place, started)| place.abs_diff(*started)).collect();
        all.sort_unstable();
        [all.get(all.len() / 2), all.last()].map(|found| found.copied().unwrap_or(0))
    }
}

/// Dispatches a shader of one row of invocations that counts its workgroups as they start.
///
/// # Errors
/// Those of [`with_device`] and [`run_compute`].
pub fn group_starts(options: &DeviceOptions, groups: [u32; 3], invocations: u32) -> Result<GroupStarts, GpuError> {
    // What is cut off is of the last dimensions: rows stay whole.
    let mut room = MAX_GROUPS;
    let groups = groups.map(|side| {
        let side = u64::from(side).clamp(1, room.max(1));
        room /= side;
        u32::try_from(side).unwrap_or(1)
    });
    let internal = |why: &str| {
        GpuError::NotRun(format!("internal error: the shader that counts workgroups {why}; please report it"))
    };
    let module = compile_own(&source(invocations), StageKind::Compute)
        .map_err(|log| internal(&format!("does not compile: {log}")))?;
    let entry = module.entry_points().first().ok_or_else(|| internal("has no entry point"))?;
    let count = groups.iter().map(|side| *side as usize).product::<usize>();
    let zeros = vec![0; (1 + count) * 4];
    let inputs = Inputs {
        buffers: vec![Given { set: 0, binding: 0, element: None, content: Content::Bytes(Blob(zeros)) }],
        ..Inputs::default()
    };
    let used = with_device(&Needs::of([&module]), options, |device| {
        run_compute(device, &module, entry, Some(groups), &inputs, None)
    })?;
    let (words, _) = used.value.contents("set0.binding0").as_chunks::<4>();
    let started = words.iter().skip(1).take(count).map(|word| u32::from_le_bytes(*word)).collect();
    Ok(GroupStarts { groups, started })
}

fn source(invocations: u32) -> String {
    format!(
        "#version 460\nlayout(local_size_x = {}) in;\n\
         layout(set = 0, binding = 0, std430) buffer Starts {{ uint next; uint started[]; }};\n\
         void main() {{\n\
         uvec3 id = gl_WorkGroupID;\n\
         uint at = (id.z * gl_NumWorkGroups.y + id.y) * gl_NumWorkGroups.x + id.x;\n\
         if (gl_LocalInvocationIndex == 0u) started[at] = atomicAdd(next, 1u);\n}}\n",
        invocations.clamp(1, 1024)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_workgroup_starts_once() {
        let options = DeviceOptions { device: Some("llvmpipe".to_owned()), ..DeviceOptions::default() };
        let found = group_starts(&options, [300, 300, 2], 64).expect("it runs");
        assert_eq!(found.groups, [300, 218, 1]);
        let mut all = found.started.clone();
        all.sort_unstable();
        assert_eq!(all, (0..300 * 218).collect::<Vec<u32>>());
    }

    #[test]
    fn distances_are_from_the_place_of_the_id() {
        let of = |started: &[u32]| GroupStarts { groups: [4, 1, 1], started: started.to_vec() }.distances();
        assert_eq!(of(&[0, 1, 2, 3]), [0, 0]);
        assert_eq!(of(&[3, 1, 2, 0]), [3, 3]);
        assert_eq!(of(&[]), [0, 0]);
    }
}
