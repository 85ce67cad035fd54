//! What each layout does to memory accesses: the tables of the report, and a map of each layout by the lines that an access
//! touches.

use lanescope_core::cost::{Cost, LayoutCost, Tiling, accesses_table};
use lanescope_core::table::{Cell, Column, Key, Meaning, Table};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::CostSettings;
use lanescope_inspector::tasks::CostQuestion;

use super::super::pane::{Change, Link, Row};
use super::super::views::Views;
use super::workgroup::Map;
use super::{GAP, Rows, Section, beside, linked_to};
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;

/// What was counted of a program, or how to count.
pub fn costs(out: &mut Rows, state: &State, program: &OpenProgram, views: &Views) {
    let task = &program.results.costs;
    if program.frozen || !CostQuestion::applies(&program.analysis.report) {
        return;
    }
    times(out, state, program);
    if !out.task(task, "Counting memory accesses", "% counts the memory accesses of each layout.") {
        return;
    }
    let Some(counted) = task.done() else { return };
    let question = CostQuestion::of(program.revision, &state.settings, &program.inputs, &program.typed);
    out.section(Section::Costs(&counted.cost));
    if counted.question != question && !task.underway {
        out.prose("Counted with other settings, options or inputs: % counts again.");
    }
    tiling(out, &state.settings.costs);
    accesses(out, &counted.cost, views, program.selection.invocation);
    out.section(Section::CostNotes(&counted.cost));
}

/// The times of the layouts on a device, or how to take them.
fn times(out: &mut Rows, state: &State, program: &OpenProgram) {
    let task = &program.results.times;
    if !out.task(task, "Timing the layouts", "^ times the layouts on the device.") {
        return;
    }
    let Some(timed) = task.done() else { return };
    out.section(Section::LayoutTimes(&timed.measured));
    let question = CostQuestion::of(program.revision, &state.settings, &program.inputs, &program.typed);
    let device = task.answer.as_ref().and_then(|answer| answer.settings.real_device());
    if timed.question != question || device != state.settings.run.real_device() {
        out.prose("Timed on another device, or with other settings, options or inputs: ^ times again.");
    }
}

/// How texels lie; Enter takes the next way and counts again.
pub(super) fn tiling(out: &mut Rows, settings: &CostSettings) {
    let all = Tiling::ALL;
    let at = all.iter().position(|tiling| *tiling == settings.tiling).unwrap_or(0);
    let next = all.iter().cycle().nth(at + 1).copied().unwrap_or(settings.tiling);
    let changed = CostSettings { tiling: next, ..settings.clone() };
    let link = Link::Do(vec![Command::SetCostSettings(changed), Command::ShowCosts]);
    let plain = anstyle::Style::new();
    let row = Row::default().with(plain, " Tiling: ", None).with(plain, settings.tiling.name(), Some(link));
    out.rows.push(row);
}

/// The accesses, and the maps of the shown one.
fn accesses(out: &mut Rows, cost: &Cost, views: &Views, selected: Option<[u32; 3]>) {
    let count = cost.accesses.len();
    out.section(Section::Heading("Accesses", &counted(count, "instruction")));
    linked_to(out, &accesses_table(cost), |row| match row.key {
        Key::Item(at) => Some(Link::Change(Change::Access(cost.accesses.get(at)?.instruction))),
        _ => None,
    });
    let chosen = views.access.and_then(|number| cost.accesses.iter().position(|site| site.instruction == number));
    let Some(access) = chosen.or_else(|| cost.telling_access()) else { return };
    let Some(site) = cost.accesses.get(access) else { return };
    let title = format!("#{} {} {}", site.instruction, site.name, site.resource);
    out.section(Section::Heading(&title, &format!("{} that it touches first", counted_things(cost, access))));
    maps(out, cost, access, views.slice);
    if let Some(id) = selected {
        waves(out, cost, access, id);
    }
}

/// `12 lines`, `32 banks`.
fn counted_things(cost: &Cost, access: usize) -> String {
    let touched = cost.accesses.get(access).map(|site| site.touched.iter().flatten()).into_iter().flatten();
    let all: std::collections::BTreeSet<u32> = touched.copied().collect();
    counted(all.len(), cost.touched_thing(access))
}

/// A map of each layout, two beside each other where they fit.
fn maps(out: &mut Rows, cost: &Cost, access: usize, slice: u32) {
    let there: Vec<_> = cost.layouts.iter().filter(|layout| layout.total.is_some()).collect();
    let half = out.width.saturating_sub(GAP) / 2;
    let draw = |out: &mut Rows, layout: &LayoutCost| {
        let mark = if layout.selected { " (selected)" } else { "" };
        let strong = out.style.meaning(Meaning::Strong);
        let title = format!(" {}{mark}: {}", layout.layout, cost.figures(layout, access));
        out.rows.push(Row::default().with(strong, title, None));
        if let Some(map) = Map::of_access(cost, layout, access) {
            map.draw(out, slice, "");
        }
    };
    let is_narrow = |rows: &Rows| rows.rows.iter().all(|row| row.width() <= half);
    let mut at = 0;
    while let Some(first) = there.get(at) {
        let second = there.get(at + 1);
        let (mut left, mut right) = (out.narrower(half), out.narrower(half));
        draw(&mut left, first);
        if let Some(second) = second {
            draw(&mut right, second);
        }
        let fits = left.rows.len() > 2 && is_narrow(&left) && is_narrow(&right) && right.rows.len() == left.rows.len();
        if second.is_some() && fits {
            let line = out.style.meaning(Meaning::Dimmed);
            out.rows.extend(beside(left.rows, right.rows, half, line));
            at += 2;
        } else {
            draw(out, first);
            at += 1;
        }
    }
}

/// The wave of the selected invocation in each layout, with what it touches.
fn waves(out: &mut Rows, cost: &Cost, access: usize, id: [u32; 3]) {
    let ([x, y, z], thing) = (id, cost.touched_thing(access));
    let note = match cost.touched(access, id) {
        Some(touched) => format!("touches {thing} {touched} first"),
        None => "does not run this access".to_owned(),
    };
    out.section(Section::Heading(&format!("Invocation ({x}, {y}, {z})"), &note));
    let of_wave = format!("{thing}s of its wave");
    let columns = [Column::left("layout"), Column::right("wave"), Column::right("lane"), Column::left(&of_wave)];
    let mut table = Table::new(columns);
    for wave in cost.waves_of(access, id) {
        let layout = cost.layouts.get(wave.layout).map(|one| one.layout.clone()).unwrap_or_default();
        table.row([layout, wave.wave.to_string(), wave.lane.to_string(), wave.words()].map(Cell::from));
    }
    linked_to(out, &table, |_| None);
}
