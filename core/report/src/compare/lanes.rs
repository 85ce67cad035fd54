//! Lanes: the decision about each workgroup, which thread runs which invocation, and the order of the groups.

use std::collections::BTreeMap;

use super::pairing::{Key, pairs};
use super::{Kind, LayoutPair, Part, Row, Section, Side};
use lanescope_passes::workgroup::{GroupMap, Layout, Rule, tiles};

/// Compares the layouts of two reports.
pub(super) fn section(sides: [Side<'_>; 2]) -> Section {
    let [left, right] = sides.map(|side| side.report.workgroup.as_slice());
    let by_name: Key<'_, Layout> = &|layout| Some(format!("{} {}", layout.stage, layout.entry));
    let by_stage: Key<'_, Layout> = &|layout| Some(layout.stage.to_string());
    let mut rows = Vec::new();
    let mut layouts = Vec::new();
    for source @ [l, r] in pairs(left, right, &[by_name, by_stage]) {
        let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        let Some(layout) = both[0].or(both[1]) else { continue };
        let of = format!("{} {}", layout.stage, layout.entry);
        let moved = compare(&of, both, &mut rows);
        layouts.push(LayoutPair { name: format!("{} ({})", layout.entry, layout.stage), source, moved });
    }
    let maps = sides.map(|side| side.report.group_map.as_ref());
    groups(maps, &mut rows);
    let present = [0, 1].map(|side| !sides[side].report.workgroup.is_empty() || maps[side].is_some());
    Section { layouts, ..Section::new(Part::Lanes, present, rows) }
}

/// Answers with the invocations that another thread runs.
fn compare(of: &str, sides: [Option<&Layout>; 2], rows: &mut Vec<Row>) -> Vec<[u32; 3]> {
    let mut row = |name: &str, show: fn(&Layout) -> String| rows.push(Row::both(of, name, sides, show));
    row("size", |layout| by(&layout.size));
    row("declared size", |layout| by(&layout.declared_size));
    row("wave", |layout| format!("wave{}", layout.wave));
    row("tiles", |layout| tiles(layout.micro, layout.macro_tile).to_owned());
    row("derivatives", |layout| layout.derivatives.words().to_owned());
    row("interleave", |layout| layout.interleave.map_or("none".to_owned(), |log2| by(&log2)));
    row("derivative instructions", |layout| layout.derivative_uses.len().to_string());
    let [left, right] = sides.map(|side| side.map(|layout| layout.rules.as_slice()).unwrap_or_default());
    let key: Key<'_, Rule> = &|rule| Some(rule.rule.clone());
    for [l, r] in pairs(left, right, &[key]) {
        let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        let Some(rule) = both[1].or(both[0]) else { continue };
        let held = |rule: &Rule| if rule.held { "applies" } else { "does not apply" }.to_owned();
        rows.push(Row::both(of, &format!("rule {}", rule.rule), both, held).because(rule.why.clone()));
    }
    map(of, sides, rows)
}

fn map(of: &str, sides: [Option<&Layout>; 2], rows: &mut Vec<Row>) -> Vec<[u32; 3]> {
    let lanes = sides.map(|side| side.map(|layout| layout.lanes.as_deref()));
    let named = |lanes: &[[u32; 3]]| format!("{} threads", lanes.len());
    let [Some(Some(old)), Some(Some(new))] = lanes else {
        let text = |side: Option<Option<&[[u32; 3]]>>| side.map(|lanes| lanes.map_or("none".to_owned(), named));
        rows.push(Row::new(of, "lane map", lanes.map(text), [None, None]));
        return Vec::new();
    };
    let threads: BTreeMap<[u32; 3], usize> = old.iter().enumerate().map(|(thread, id)| (*id, thread)).collect();
    let elsewhere = |(thread, id): (usize, &[u32; 3])| {
        let before = *threads.get(id)?;
        (before != thread).then_some((*id, [before, thread]))
    };
    let moved: BTreeMap<[u32; 3], [usize; 2]> = new.iter().enumerate().filter_map(elsewhere).collect();
    let mut row = Row::new(of, "lane map", [Some(named(old)), Some(named(new))], [None, None]);
    if let Some(([x, y, z], [before, after])) = moved.iter().map(|(id, threads)| (*id, *threads)).next() {
        row.kind = Kind::Changed;
        row.left = Some(format!("thread {before} runs ({x},{y},{z})"));
        row.right = Some(format!("thread {after} runs ({x},{y},{z})"));
        let many = moved.len();
        let rest = if many == 1 { "runs" } else { "run" };
        let of = new.len();
        row.why = format!("{many} of {of} invocations {rest} on a different thread, first: ({x},{y},{z})");
    }
    rows.push(row);
    moved.into_keys().collect()
}

fn groups(sides: [Option<&GroupMap>; 2], rows: &mut Vec<Row>) {
    if sides == [None, None] {
        return;
    }
    let of = "workgroup ids";
    let mut row = |name: &str, show: fn(&GroupMap) -> String| rows.push(Row::both(of, name, sides, show));
    row("tile", |map| map.tile.to_string());
    row("groups", |map| by(&map.groups));
    row("swizzled", |map| if map.applies { "yes" } else { "no" }.to_owned());
    if let [Some(old), Some(new)] = sides {
        let other = old.ids.iter().zip(&new.ids).position(|(a, b)| a != b);
        if let Some((at, (a, b))) = other.and_then(|at| Some((at, (old.ids.get(at)?, new.ids.get(at)?)))) {
            let count = old.ids.iter().zip(&new.ids).filter(|(a, b)| a != b).count();
            let values = [a, b].map(|[x, y]| Some(format!("group {at} → ({x},{y})")));
            let why = format!("{count} of {} groups have a different id", new.ids.len());
            rows.push(Row::new(of, "ids", values, [None, None]).because(why));
        }
    }
}

fn by<const N: usize>(sizes: &[u32; N]) -> String {
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("×")
}
