//! The debugger: where it is, the text around, the exec masks, a value on the lane map, variables and breakpoints.

use lanescope_core::findings::{Finding, Severity};
use lanescope_core::program::StageKind;
use lanescope_core::table::{Meaning, Table};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{
    DebugCommand, DebugStop, DrawTarget, LaneCell, LaneGrid, LaneState, LaunchStop, LaunchVerdict, PICTURE,
    breakpoint_table, draws, numbers_of, variable_name, variable_table, written_table,
};
use lanescope_inspector::selection::Code;
use lanescope_inspector::source::{SourceText, TextRole};
use unicode_width::UnicodeWidthStr as _;

use super::super::pane::{Link, Row};
use super::super::printable::line;
use super::super::prompt::Prompt;
use super::{Rows, Section, findings};
use lanescope_workbench::state::program::OpenProgram;

/// Lines of the text before and after the next one.
const CONTEXT: usize = 8;
/// Columns of a lane's value.
const VALUE: usize = 7;
/// The least columns of it: a digit in brackets.
const NARROWEST: usize = 3;
/// Signs of the strip, from no active lane to all of them.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The debugger of the shown program.
pub fn debug(out: &mut Rows, program: &OpenProgram) {
    let debugging = &program.debugging;
    if debugging.underway {
        out.prose("Debugging …");
    }
    if let Some(why) = &debugging.refused {
        let style = out.style.meaning(Meaning::Changed);
        out.rows.push(Row::default().with(style, format!(" {why}"), None));
    }
    let Some(stop) = &debugging.stop else {
        if !debugging.underway {
            target(out, program);
            let what = match (debugging.launch.is_some(), draws(&program.analysis.report)) {
                (true, _) => "steps the launch of the chosen record",
                (_, true) => "draws the scene",
                _ => "runs the compute shader",
            };
            out.prose(&format!(
                "d {what} in the interpreter, f steps into, comma over, V out, B backwards, p continues."
            ));
        }
        return;
    };
    target(out, program);
    programs(out, stop);
    state(out, program, stop);
    if let Some(of) = &stop.launch {
        launch(out, of);
    }
    text(out, program, stop);
    strip(out, stop);
    lanes(out, stop);
    variables(out, stop);
    breakpoints(out, stop);
    if !stop.findings.is_empty() {
        let note = "Enter on a message goes to its place, on a code explains it";
        out.section(Section::Heading("Findings", note));
        findings::listed(out, &stop.findings, program);
    }
}

/// How many findings the run has so far, and the worst of them; Enter goes to its place.
fn found(out: &mut Rows, program: &OpenProgram, stop: &DebugStop) {
    let rank = |finding: &&Finding| Severity::ALL.iter().position(|severity| *severity == finding.severity);
    let Some(worst) = stop.findings.iter().min_by_key(rank) else { return };
    let style = out.style.meaning(Meaning::Severity(worst.severity));
    let count = counted(stop.findings.len() as u64, "finding");
    let text = line(&format!("{count}: {} {}", worst.code, worst.message.replace('\n', " ")));
    let text = lanescope_core::table::elide(&text, out.width.saturating_sub(3));
    let row = Row::default().with(style, " ! ", None);
    out.rows.push(row.with(style, text, findings::place(worst, program)));
}

/// The pixel of a draw, or the invocation of a stage before the fragments; Enter asks for another one.
fn target(out: &mut Rows, program: &OpenProgram) {
    if !draws(&program.analysis.report) {
        return;
    }
    let fragment = program.debugging.stop.as_ref().and_then(|stop| stop.state.fragment);
    let now = program.debugging.target;
    let dim = out.style.meaning(Meaning::Dimmed);
    let mut row = Row::default();
    for (at, target) in DrawTarget::of(&program.analysis.report).into_iter().enumerate() {
        let (label, value, prompt) = match (target, now) {
            (DrawTarget::Pixel(_), DrawTarget::Pixel(pixel)) => {
                let [x, y] = pixel.or(fragment.map(|fragment| fragment.pixel)).unwrap_or([PICTURE / 2; 2]);
                ("pixel", format!("{x},{y}"), Prompt::Pixel)
            }
            (DrawTarget::Pixel(_), DrawTarget::Stage(..)) => ("pixel", "-".to_owned(), Prompt::Pixel),
            (DrawTarget::Stage(stage, _), DrawTarget::Stage(other, numbers)) if stage == other => {
                let numbers = numbers.iter().take(numbers_of(stage).len()).map(u32::to_string);
                (stage.name(), numbers.collect::<Vec<_>>().join(","), Prompt::Invocation)
            }
            (DrawTarget::Stage(stage, _), _) => (stage.name(), "-".to_owned(), Prompt::Invocation),
        };
        let space = if at == 0 { " " } else { "  " };
        row = row.with(dim, format!("{space}{label} "), None);
        row = row.with(anstyle::Style::new(), value, Some(Link::Ask(prompt)));
    }
    out.rows.push(row);
}

/// Which program is stepped, and whether the other one is compared.
fn programs(out: &mut Rows, stop: &DebugStop) {
    if stop.launch.is_some() {
        return;
    }
    let dim = out.style.meaning(Meaning::Dimmed);
    let go = |command| Some(Link::Do(vec![Command::Debug(command)]));
    let now = if stop.is_rewritten { "rewritten" } else { "original" };
    let beside = if stop.beside.is_some() { "on" } else { "off" };
    let row = Row::default().with(dim, " program ", None);
    let row = row.with(anstyle::Style::new(), now, go(DebugCommand::SwitchProgram)).with(dim, "  compare ", None);
    out.rows.push(row.with(anstyle::Style::new(), beside, go(DebugCommand::ToggleBeside)));
}

fn state(out: &mut Rows, program: &OpenProgram, stop: &DebugStop) {
    let state = &stop.state;
    let active = if state.active { "active" } else { "inactive" };
    let why = if matches!(stop.why.as_str(), "" | "step") { String::new() } else { format!("{} · ", stop.why) };
    let lane = match stop.stage {
        StageKind::Compute => format!("{}.{}", state.wave, state.lane),
        _ => state.lane.to_string(),
    };
    let text = format!(" {why}step {} · {} · lane {lane}, {active}", state.step, state.place());
    out.rows.push(Row::default().with(out.style.meaning(Meaning::Strong), text, None));
    if let Some(others) = &stop.others {
        let text = format!(" other workgroups: {}", others.text());
        out.rows.push(Row::default().with(out.style.meaning(Meaning::Dimmed), text, None));
    }
    found(out, program, stop);
    out.rows.push(Row::default().with(anstyle::Style::new(), format!(" {}", line(&state.instruction)), None));
    if stop.revision != program.revision {
        out.prose("The program or its options have changed since this session began.");
    }
}

/// The launch of a work graph's record: its input, and what it wrote beside what the device wrote.
fn launch(out: &mut Rows, launch: &LaunchStop) {
    out.section(Section::Heading("Launch", &line(&launch.title)));
    let dim = out.style.meaning(Meaning::Dimmed);
    if !launch.input.is_empty() {
        let row = Row::default().with(dim, " input: ", None);
        out.rows.push(row.with(anstyle::Style::new(), line(&launch.input), None));
    }
    let meaning = match (launch.is_wrong(), &launch.verdict) {
        (true, _) => Meaning::Changed,
        (_, LaunchVerdict::Same) => Meaning::Strong,
        _ => Meaning::Dimmed,
    };
    let verdict = format!(" {}", line(&launch.verdict_text()));
    out.rows.push(Row::default().with(out.style.meaning(meaning), verdict, None));
    let written = written_table(launch);
    if !written.rows.is_empty() {
        table(out, &written, "compared, the interpreter, the device", |_| None);
    }
    if launch.more > 0 {
        out.prose(&format!("and {} more", launch.more));
    }
}

/// The text around the next line; a line with an instruction sets or removes its breakpoint.
fn text(out: &mut Rows, program: &OpenProgram, stop: &DebugStop) {
    let code = |inst: u32| Code { module: stop.module, instructions: vec![inst] };
    let line_of = |text: &SourceText, inst: u32| text.instructions.as_ref().and_then(|of| of.first_line(&code(inst)));
    let with = |source: bool| {
        let of = |text: &&SourceText| (text.role == TextRole::Source) == source;
        stop.texts(&program.texts).iter().filter(of).find_map(|text| Some((text, line_of(text, stop.instruction)?)))
    };
    let Some((shown, current)) = with(true).or_else(|| with(false)) else { return };
    out.section(Section::Heading(&shown.title, ""));
    let marked: Vec<usize> = stop.breakpoints.iter().filter_map(|row| line_of(shown, row.instruction?)).collect();
    let first = current.saturating_sub(CONTEXT);
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let strong = out.style.meaning(Meaning::Strong);
    for (number, text) in shown.text.lines().enumerate().skip(first).take(2 * CONTEXT + 1) {
        let toggle = shown.instructions.as_ref().and_then(|all| all.code(number));
        let link = toggle.map(|code| Link::Do(vec![Command::Debug(DebugCommand::ToggleBreakpoint(code, shown.role))]));
        let breakpoint = if marked.contains(&number) { '●' } else { ' ' };
        let arrow = if number == current { '→' } else { ' ' };
        let style = if number == current { strong } else { plain };
        let row = Row::default().with(dim, format!("{breakpoint}{arrow}{:>4}  ", number + 1), None);
        out.rows.push(row.with(style, line(text), link));
    }
}

/// Active lanes over the run; a place leads to its time.
fn strip(out: &mut Rows, stop: &DebugStop) {
    let all = &stop.strip;
    if all.rows.is_empty() {
        return;
    }
    out.section(Section::Heading("Active lanes", &format!("of wave {} over the run", stop.state.wave)));
    let width = all.rows.len().min(out.width.saturating_sub(2)).max(1);
    let now = all.row_at(stop.state.step).unwrap_or(0);
    let column = |row: usize| row * width / all.rows.len();
    let mut row = Row::default().with(anstyle::Style::new(), " ", None);
    let mut pointer = String::from(" ");
    for at in 0..width {
        let part = all.rows.iter().enumerate().filter(|(row, _)| column(*row) == at).map(|(_, row)| row);
        let (mut most, mut first) = (0, 0);
        for (number, part) in part.enumerate() {
            most = most.max(part.most);
            if number == 0 {
                first = part.first;
            }
        }
        let level = (most as usize * (LEVELS.len() - 1)).div_ceil(all.lanes.max(1) as usize);
        let sign = LEVELS.get(level).copied().unwrap_or('█').to_string();
        let go = Link::Do(vec![Command::Debug(DebugCommand::Seek(first))]);
        row = row.with(anstyle::Style::new(), sign, Some(go));
        pointer.push(if column(now) == at { '^' } else { ' ' });
    }
    out.rows.push(row);
    out.rows.push(Row::default().with(out.style.meaning(Meaning::Strong), pointer, None));
}

/// The lanes, with the shown value: `·7·` runs not, `-` has ended. A lane chooses itself.
fn lanes(out: &mut Rows, stop: &DebugStop) {
    let grid = LaneGrid::of(stop);
    let name = if stop.lanes.name.is_empty() { "lane numbers" } else { &stop.lanes.name };
    out.section(Section::Heading("Lanes", &format!("{name}; {}", stop.lane_map)));
    for text in &stop.writers {
        out.prose(text);
    }
    // As wide as the widest value with its brackets, if that fits; a fraction needs some digits, and lines then scroll
    // sideways.
    let all = || grid.rows.iter().flatten().flatten();
    let has_fraction = |cell: &LaneCell| cell.value.as_ref().is_some_and(|value| value.contains('.'));
    let least = if all().any(has_fraction) { VALUE } else { NARROWEST };
    let around = |cell: &LaneCell| 2 + usize::from(cell.helper);
    let width = |cell: &LaneCell| value(cell, VALUE - around(cell)).width() + around(cell);
    let widest = all().map(width).max().unwrap_or(0).clamp(least, VALUE);
    let across = grid.rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let wide = widest.min((out.width / across).saturating_sub(1)).max(least);
    let mut last = None;
    for cells in &grid.rows {
        let wave = cells.iter().flatten().next().map(|cell| cell.lane.wave);
        if grid.by_wave && wave != last {
            let text = format!(" wave {}", wave.unwrap_or_default());
            out.rows.push(Row::default().with(out.style.meaning(Meaning::Dimmed), text, None));
        }
        last = wave;
        let mut row = Row::default();
        let mut before: Option<u32> = None;
        for cell in cells {
            let own = cell.as_ref().map(|cell| cell.lane.wave);
            // A bar where another wave begins.
            let edge = if own != before && !grid.by_wave { "│" } else { " " };
            before = own;
            row = row.with(out.style.meaning(Meaning::Dimmed), edge, None);
            row = match cell {
                Some(cell) => lane(out, row, cell, stop, wide),
                None => row.with(anstyle::Style::new(), " ".repeat(wide), None),
            };
        }
        out.rows.push(row);
    }
    out.prose(match stop.fragments.is_empty() {
        true => "Brackets: the chosen lane. Dots: inactive. A dash: ended.",
        false => "Quads of 2×2 pixels. Brackets: the chosen lane. Dots: inactive. A dash: ended. h: helper invocation.",
    });
}

/// What a lane has: the shown value in at most so many columns, or its number.
fn value(cell: &LaneCell, room: usize) -> String {
    cell.short(room).unwrap_or_else(|| cell.lane.lane.to_string())
}

fn lane(out: &Rows, row: Row, cell: &LaneCell, stop: &DebugStop, wide: usize) -> Row {
    let room = wide.saturating_sub(2 + usize::from(cell.helper));
    let helper = if cell.helper { "h" } else { "" };
    let text = format!("{}{helper}", lanescope_core::table::elide(&value(cell, room), room));
    let text = match cell.state {
        LaneState::Active => text,
        LaneState::Inactive => format!("·{text}·"),
        LaneState::Ended => "-".to_owned(),
    };
    let is_chosen = (cell.lane.wave, cell.lane.lane) == (stop.state.wave, stop.state.lane);
    let text = if is_chosen { format!("[{}]", text.trim_matches('·')) } else { text };
    let pad = wide.saturating_sub(text.width());
    let meaning = match (is_chosen, cell.state) {
        (true, _) => Meaning::Strong,
        (_, LaneState::Active) => Meaning::Plain,
        _ => Meaning::Dimmed,
    };
    let choose = Link::Do(vec![Command::Debug(DebugCommand::Choose(cell.lane))]);
    row.with(anstyle::Style::new(), " ".repeat(pad), None).with(out.style.meaning(meaning), text, Some(choose))
}

/// The variables; one shows itself in all lanes.
fn variables(out: &mut Rows, stop: &DebugStop) {
    let link = |index: usize| {
        let name = variable_name(stop, index)?;
        Some(Link::Do(vec![Command::Debug(DebugCommand::Map(name.to_owned()))]))
    };
    table(out, &variable_table(stop), "Enter shows one in all lanes", link);
    if let Some(beside) = &stop.beside {
        let other = if stop.is_rewritten { "original" } else { "rewritten" };
        let place = beside.point.text();
        out.prose(&format!("Compared {place}; step {} of the {other} program.", beside.step));
    }
}

fn breakpoints(out: &mut Rows, stop: &DebugStop) {
    let link = |index: usize| {
        let row = stop.breakpoints.get(index)?;
        Some(Link::Do(vec![Command::Debug(DebugCommand::RemoveBreakpoint(row.number))]))
    };
    table(out, &breakpoint_table(stop), "Enter removes one; Enter on a line above sets one", link);
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let mut row = Row::default().with(plain, " ", None).with(plain, "Break", Some(Link::Ask(Prompt::Break)));
    row = row.with(dim, "   ", None).with(plain, "Watch", Some(Link::Ask(Prompt::Watch)));
    if !stop.breakpoints.is_empty() {
        row = row.with(dim, "   ", None).with(plain, "Ignore hits", Some(Link::Ask(Prompt::Ignore)));
    }
    out.rows.push(row);
}

/// A table whose rows lead somewhere, by their index.
fn table(out: &mut Rows, table: &Table, note: &str, link: impl Fn(usize) -> Option<Link>) {
    out.section(Section::Heading(&table.title, note));
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|at| table.rows.iter().filter_map(|row| row.cell(at)).map(|cell| cell.text().width()).max().unwrap_or(0))
        .collect();
    for (index, cells) in table.rows.iter().enumerate() {
        let mut row = Row::default().with(anstyle::Style::new(), " ", None);
        for (at, width) in widths.iter().enumerate() {
            let text = cells.cell(at).map(|cell| line(&cell.text())).unwrap_or_default();
            let pad = " ".repeat(width.saturating_sub(text.width()) + 2);
            let meaning = if at == 1 { Meaning::Dimmed } else { Meaning::Plain };
            let link = if at == 0 { link(index) } else { None };
            row = row.with(out.style.meaning(meaning), text, link).with(anstyle::Style::new(), pad, None);
        }
        out.rows.push(row);
    }
}
