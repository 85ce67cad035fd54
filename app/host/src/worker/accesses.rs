//! Memory accesses of the compute shaders of a corpus, by workgroup layout.

use lanescope_core::corpus::{AccessCounts, AccessRow};
use lanescope_core::cost::{Cost, Settings};
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
    Some(match costs(program, options, &inputs, &settings, limits, &mut || false) {
        Ok(cost) => AccessRow::Counted(counted(&cost)),
        Err(why) => AccessRow::NotCounted(why.to_string()),
    })
}

fn counted(cost: &Cost) -> AccessCounts {
    let of = |is: &dyn Fn(&lanescope_core::cost::LayoutCost) -> bool| {
        let total = cost.layouts.iter().find(|one| is(one))?.total.as_ref()?;
        Some([total.lines(cost.line), total.lds_passes])
    };
    let selected = cost.layouts.iter().find(|one| one.selected);
    let passes = of(&|one| one.selected).unwrap_or_default();
    AccessCounts {
        layout: selected.map(|one| one.layout.clone()).unwrap_or_default(),
        verdict: cost.advice.verdict.name().to_owned(),
        recommended: cost.advice.layout.clone(),
        line: cost.line,
        passes,
        best: of(&|one| cost.advice.layout.as_ref() == Some(&one.layout)).unwrap_or(passes),
        groups: cost.counted,
    }
}
