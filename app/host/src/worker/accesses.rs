//! Memory accesses of the compute shaders of a corpus, by workgroup layout.

use lanescope_core::corpus::{AccessCounts, AccessRow};
use lanescope_core::cost::{Cost, LayoutCost, Settings};
use lanescope_core::gpu::Inputs;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};

use crate::costs::{costs, limits};

/// Workgroups of a shader that run.
const SAMPLE: u64 = 16;
/// Instructions that all of its waves run together.
const MAX_STEPS: u64 = 20_000_000;
/// Bytes that its memory may take, and its log.
const MEMORY: u64 = 256 << 20;

/// The accesses of a program's compute shader, or why they are not counted; none without exactly one. What the shader reads
/// is zero.
pub fn row(program: &Program, options: &Options) -> Option<AccessRow> {
    let compute = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute);
    (compute.count() == 1).then_some(())?;
    let inputs = Inputs { zeros: true, ..Inputs::default() };
    let (limits, accesses) = limits(MAX_STEPS, MEMORY);
    let settings = Settings { sample: SAMPLE, accesses, ..Settings::DEFAULT };
    let counted = costs(program, options, &inputs, &settings, limits, &mut || false);
    Some(match counted.map_err(|why| why.to_string()).and_then(|cost| counts(&cost)) {
        Ok(counts) => AccessRow::Counted(counts),
        Err(why) => AccessRow::NotCounted(why),
    })
}

fn counts(cost: &Cost) -> Result<AccessCounts, String> {
    let of = |layout: &LayoutCost| layout.total.as_ref().map(|total| [total.lines(cost.line), total.lds_passes]);
    let selected = cost.layouts.iter().find(|one| one.selected).ok_or("no layout is selected")?;
    let passes = of(selected).ok_or_else(|| {
        let why = selected.unavailable.as_deref().unwrap_or("it is not counted");
        format!("the selected layout, {}: {why}", selected.layout)
    })?;
    let recommended = cost.advice.layout.as_ref();
    Ok(AccessCounts {
        layout: selected.layout.clone(),
        verdict: cost.advice.verdict.name().to_owned(),
        recommended: recommended.cloned(),
        line: cost.line,
        depends: !cost.depends.is_empty(),
        not_followed: cost.not_followed,
        passes,
        best: cost.layouts.iter().find(|one| Some(&one.layout) == recommended).and_then(of),
        groups: cost.counted,
    })
}
