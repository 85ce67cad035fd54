//! Why a lane runs its invocation: the rules that chose the layout, and the arithmetic.

use lanescope_core::ids::Thread;
use lanescope_core::report::Report;
use lanescope_core::workgroup::{Explanation, Layout, explain, tiles};
use lanescope_inspector::strip;

use super::Part;

/// A lane: `WAVE.LANE`, or a lane of wave 0.
pub(super) fn lane(report: &Report, text: &str) -> Result<Vec<Part>, String> {
    let layout = layout(report)?;
    let (wave, lane) = text.split_once('.').unwrap_or(("0", text));
    let parsed = wave.trim().parse::<u32>().ok().zip(lane.trim().parse::<u32>().ok());
    let (wave, lane) = parsed.ok_or_else(|| format!("invalid lane `{text}`: expected WAVE.LANE"))?;
    let size = layout.wave.max(1);
    if lane >= size {
        return Err(format!("lane {lane} does not exist: a wave has {size} lanes"));
    }
    let map = layout.lane_map().ok_or_else(|| unknown(layout))?;
    let thread = wave.checked_mul(size).and_then(|first| first.checked_add(lane)).map(Thread);
    let invocation = thread.and_then(|thread| map.invocation(thread));
    let missing = || {
        let waves = map.len().div_ceil(size);
        let wave_lanes = format!("{waves} waves of {size}");
        format!("lane {lane} of wave {wave} has no invocation: the workgroup has {} in {wave_lanes}", map.len())
    };
    place(layout, invocation.ok_or_else(missing)?)
}

/// An invocation: `X,Y,Z`.
pub(super) fn invocation(report: &Report, text: &str) -> Result<Vec<Part>, String> {
    let layout = layout(report)?;
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let id = numbers.and_then(|numbers| <[u32; 3]>::try_from(numbers).ok());
    place(layout, id.ok_or_else(|| format!("invalid invocation `{text}`: expected X,Y,Z"))?)
}

/// The layout of the first entry point with a workgroup.
fn layout(report: &Report) -> Result<&Layout, String> {
    report.workgroup.first().ok_or_else(|| "the program has no entry point with a workgroup".to_owned())
}

fn unknown(layout: &Layout) -> String {
    match layout.interleave {
        Some([x, y]) => format!("the hardware walks tiles of 2^{x} by 2^{y} invocations: the compiler defines no map"),
        None => "the workgroup has no lane map; its findings say why".to_owned(),
    }
}

fn place(layout: &Layout, id: [u32; 3]) -> Result<Vec<Part>, String> {
    if layout.lane_map().is_none() {
        return Err(unknown(layout));
    }
    let [x, y, z] = id;
    let [sx, sy, sz] = layout.size;
    let found = explain(layout, id)
        .ok_or_else(|| format!("invocation {x},{y},{z} does not exist: the workgroup has {sx}×{sy}×{sz}"))?;
    Ok(vec![of_invocation(layout, &found), of_layout(layout)])
}

fn of_invocation(layout: &Layout, found: &Explanation) -> Part {
    let [x, y, z] = found.invocation;
    let mut part = Part::new(format!("Invocation ({x}, {y}, {z}) of {} {}", layout.stage, layout.entry));
    found.facts(layout.wave).into_iter().for_each(|(name, value)| part.fact(name, value));
    part.notes = found.steps.iter().map(ToString::to_string).collect();
    part
}

fn of_layout(layout: &Layout) -> Part {
    let mut part = Part::new(tiles(layout.micro, layout.macro_tile));
    for fact in strip::workgroup(layout) {
        part.fact(fact.text, fact.about);
    }
    let rule = |rule: &lanescope_core::workgroup::Rule| {
        format!("{} {}: {}", if rule.held { "✓" } else { "·" }, rule.rule, rule.reason())
    };
    part.notes = layout.rules.iter().map(rule).collect();
    part
}
