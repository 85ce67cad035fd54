//! Runs: the form of the next one; the result, buffers as tables, images as half blocks with their difference.

use std::sync::Arc;

use lanescope_core::program::StageKind;
use lanescope_core::run::{self, Ran, Surface};
use lanescope_core::table::Meaning;
use lanescope_inspector::command::Command;
use lanescope_inspector::devices;
use lanescope_inspector::settings::{Passes, RunSettings};
use lanescope_inspector::tasks::{Answer, OF_REPORT, RunText, ScriptRan, Work, is_script};

use super::super::pane::{Change, Image, Link, Row};
use super::super::printable::line;
use super::super::prompt::Prompt;
use super::super::views::Views;
use super::images::{cells, image};
use super::{GAP, Rows, Section, beside, findings};
use lanescope_text::FINDINGS_NOTE;
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;

/// Rows of an image, at most.
const ROWS: usize = 24;

/// The form, and the result.
pub fn run(out: &mut Rows, state: &State, program: &OpenProgram, views: &Views) {
    if program.frozen {
        return out.prose(OF_REPORT);
    }
    if is_script(&program.analysis.report) {
        return script(out, state, program);
    }
    form(out, state, program);
    let how = "r runs the program, and the rewritten one beside it.";
    if out.task(&program.results.run, "Running", how)
        && let Some(ran) = program.results.run.done()
    {
        let answer = program.results.run.answer.as_ref();
        let is_stale = |of: &Answer<Ran>| of.revision != program.revision || of.settings != state.settings.run;
        if answer.is_some_and(is_stale) {
            let style = out.style.meaning(Meaning::Changed);
            let text = " ! The program or the settings have changed since the run.";
            out.rows.push(Row::default().with(style, text, None));
        }
        out.section(Section::Run(&ran.execution));
        if !ran.execution.run.findings.is_empty() {
            out.section(Section::Heading("Findings", FINDINGS_NOTE));
            findings::listed(out, &ran.execution.run.findings, program);
        }
        out.section(Section::RunOutputs(&ran.execution));
        pictures(out, ran, views);
    }
}

/// The form and the result of a script, which states all but the device.
fn script(out: &mut Rows, state: &State, program: &OpenProgram) {
    out.section(Section::Heading("Next run", "Enter changes a setting"));
    let now = &state.settings.run;
    let device_note = if now.is_interpreter() { "no device; errors are findings" } else { "" };
    item(out, "device", device(state), next_device(state), device_note);
    let validate = Link::Do(vec![Command::SetRunSettings(RunSettings { validate: !now.validate, ..now.clone() })]);
    item(out, "validation", on(now.validate), validate, "errors of the validation layer fail the run");
    item(out, "time limit", format!("{} s", now.seconds), Link::Ask(Prompt::Seconds), "of each run");
    item(out, "memory limit", format!("{} MiB", now.memory), Link::Ask(Prompt::Memory), "of each run");
    if program.results.run.underway {
        out.prose("Running …");
    }
    let how = "r runs the script: all of its commands in order, with the checks of every EXPECT.";
    let task = &program.results.script;
    if (task.answer.is_some() || !program.results.run.underway)
        && out.task(task, "Running", how)
        && let Some(ran) = task.done()
    {
        let is_stale = |of: &Answer<ScriptRan>| of.revision != program.revision || of.settings != state.settings.run;
        if task.answer.as_ref().is_some_and(is_stale) {
            let style = out.style.meaning(Meaning::Changed);
            let text = " ! The script or the settings have changed since the run.";
            out.rows.push(Row::default().with(style, text, None));
        }
        out.section(Section::ScriptRun(&ran.run, &ran.unchecked));
    }
}

/// A setting of the next run.
fn item(out: &mut Rows, name: &str, value: String, link: Link, note: &str) {
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let row = Row::default().with(dim, format!("  {name:<14}"), None).with(plain, line(&value), Some(link));
    out.rows.push(row.with(dim, if note.is_empty() { String::new() } else { format!("  {note}") }, None));
}

/// The settings of the next run; Enter changes each.
fn form(out: &mut Rows, state: &State, program: &OpenProgram) {
    out.section(Section::Heading("Next run", "Enter changes a setting"));
    let now = &state.settings.run;
    let set = |settings: RunSettings| Link::Do(vec![Command::SetRunSettings(settings)]);
    let mut item = |name: &str, value: String, link: Link, note: &str| item(out, name, value, link, note);
    let device_note = if now.is_interpreter() { "no device; errors are findings" } else { "" };
    item("device", device(state), next_device(state), device_note);
    let is_compute = program.analysis.report.stages.iter().any(|stage| stage.stage == StageKind::Compute);
    if is_compute {
        let groups = program.options.groups.map(|[x, y, z]| format!("{x}×{y}×{z}"));
        let note = if groups.is_none() { "covers the largest storage image, else one" } else { "" };
        item("workgroups", groups.unwrap_or_else(|| "auto".to_owned()), Link::Ask(Prompt::Groups), note);
    }
    let contents = if now.zeros { "zeros".to_owned() } else { format!("seed {}", now.fill) };
    item("contents", contents, Link::Ask(Prompt::Seed), "of buffers and images without a file");
    let zeros = set(RunSettings { zeros: !now.zeros, ..now.clone() });
    item("zeros", on(now.zeros), zeros, "");
    let Passes { pack, swizzle } = now.passes;
    let report = &program.analysis.report;
    let passes = |passes: Passes| set(RunSettings { passes, ..now.clone() });
    if report.packing.is_some() {
        item("packed", on(pack), passes(Passes { pack: !pack, swizzle }), "run beside the original and compared");
    }
    if !report.workgroup.is_empty() {
        item(
            "swizzled",
            on(swizzle),
            passes(Passes { pack, swizzle: !swizzle }),
            "run beside the original and compared",
        );
    }
    let validate = set(RunSettings { validate: !now.validate, ..now.clone() });
    item("validation", on(now.validate), validate, "errors of the validation layer fail the run");
    item("time limit", format!("{} s", now.seconds), Link::Ask(Prompt::Seconds), "");
    item("memory limit", format!("{} MiB", now.memory), Link::Ask(Prompt::Memory), "of a run and of the debugger");
    item("step limit", now.steps.to_string(), Link::Ask(Prompt::Steps), "of the debugger, all waves together");
    for (of, input) in program.typed.all().filter(|(_, input)| !input.known.is_empty()) {
        let (name, usual) = match of {
            RunText::Push => ("push", "filled"),
            RunText::Buffers => ("values", "none typed"),
            RunText::Samplers => ("samplers", "as usual"),
            RunText::Draw => ("draw", "the scene"),
        };
        let text = if input.text.is_empty() { usual.to_owned() } else { line(&input.text) };
        let known =
            || input.known.iter().map(|(name, about)| format!("{name}: {about}")).collect::<Vec<_>>().join(", ");
        // The resources have rows of their own below.
        let about = || if of == RunText::Buffers { String::new() } else { known() };
        let note = input.wrong.clone().unwrap_or_else(about);
        item(name, text, Link::Ask(Prompt::Run(of)), &line(&note));
    }
    for input in &program.inputs {
        let place = input.place.to_string();
        let (text, commands) = match &input.file {
            Some(file) => (file.display().to_string(), vec![Command::DropContents(input.place)]),
            None => ("no file".to_owned(), vec![Command::ChooseContents(input.place)]),
        };
        let named = input.variable.as_deref().unwrap_or_default();
        item(&line(&place), text, Link::Do(commands), &line(&format!("{} {named}", input.kind)));
    }
}

fn on(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn device(state: &State) -> String {
    let list = &state.settings.devices;
    match (&state.settings.run.device, list.done().and_then(|devices| devices.first())) {
        (Some(name), _) => name.clone(),
        (None, Some(first)) => format!("first: {}", first.name),
        (None, None) if list.underway => "looking…".to_owned(),
        (None, None) => "first".to_owned(),
    }
}

/// Chooses the device after the chosen one, the interpreter after the last; the list is made when it is first asked for.
fn next_device(state: &State) -> Link {
    let list = &state.settings.devices;
    if list.answer.is_none() {
        return Link::Do(vec![Command::Begin(Work::Devices)]);
    }
    let device = devices::after(&state.settings);
    Link::Do(vec![Command::SetRunSettings(RunSettings { device, ..state.settings.run.clone() })])
}

/// Each attachment and image: original, rewritten, and where they differ.
fn pictures(out: &mut Rows, ran: &Ran, views: &Views) {
    let of = &ran.execution.run;
    for attachment in &of.attachments {
        out.section(Section::Heading(&line(&attachment.name), "picture"));
        surface(out, ran, &attachment.surface());
    }
    for of_image in &of.images {
        let planes = of_image.planes();
        let plane = views.plane.min(planes.saturating_sub(1));
        let Some(shown) = of_image.surface(plane) else { continue };
        out.section(Section::Heading(&line(of_image.variable.as_deref().unwrap_or(&of_image.name)), "picture"));
        if planes > 1 {
            let to = |plane: u32| Some(Link::Change(Change::Plane(plane)));
            let text = format!(" {} {plane} of {planes}  ", of_image.plane_noun());
            let row = Row::default().with(out.style.meaning(Meaning::Strong), text, None);
            let row = row.with(anstyle::Style::new(), "← previous", to(plane.checked_sub(1).unwrap_or(planes - 1)));
            out.rows.push(row.with(anstyle::Style::new(), "   ", None).with(
                anstyle::Style::new(),
                "next →",
                to((plane + 1) % planes),
            ));
        }
        surface(out, ran, &shown);
    }
}

fn surface(out: &mut Rows, ran: &Ran, shown: &Surface<'_>) {
    let strong = out.style.meaning(Meaning::Strong);
    let against = ran.against.as_ref().filter(|other| other.run.surface(shown.name, shown.plane).is_some());
    let mut all = vec![("original", run::picture(&ran.execution, shown, None))];
    if let Some(other) = against {
        all.push(("rewritten", run::picture(other, shown, None)));
        all.extend(run::difference(&ran.execution, other, shown, None).map(|pixels| ("difference", pixels)));
    }
    // As many beside each other as have room for something.
    let count = all.len();
    let each = (out.width.saturating_sub(1) / count).saturating_sub(3);
    let across = if each >= 24 { count } else { 1 };
    let width = if across > 1 { each } else { out.width.saturating_sub(2) };
    let dim = out.style.meaning(Meaning::Dimmed);
    let base = out.rows.len();
    let mut joined: Vec<Row> = Vec::new();
    for (name, pixels) in all {
        let title = Row::default().with(strong, format!(" {name}"), None);
        let size = cells(&pixels, width, ROWS);
        let block = [vec![title], image(&pixels, out.look, width, ROWS)].concat();
        let is_first = joined.is_empty();
        // A column is before each image, and three are between two.
        let left = joined.iter().map(Row::width).max().unwrap_or(0).max(width);
        let (row, column) = match across > 1 {
            true => (base + 1, if is_first { 1 } else { left + GAP + 1 }),
            false => (base + joined.len() + 1, 1),
        };
        joined = match across > 1 && !is_first {
            true => beside(joined, block, left, dim),
            false => [joined, block].concat(),
        };
        if out.graphics {
            out.images.push(Image { row, column, size, pixels: Arc::new(pixels) });
        }
    }
    out.rows.extend(joined);
}
