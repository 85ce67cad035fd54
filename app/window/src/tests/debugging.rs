//! The debug tab in a window: found by label, clicked, and looked at.

use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use lanescope_core::gpu::RecordPlace;
use lanescope_inspector::debugging::{DebugCommand, DrawTarget, LaunchVerdict};
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::view::ViewId;

use super::look::{Look, act, app, opened, until};
use super::*;

fn settle(harness: &mut Harness<'static, Look>) {
    until(harness, |app| app.services.jobs.statuses().next().is_none());
    harness.run_steps(6);
}

fn debugged(size: [f32; 2], theme: Theme, files: &[&str]) -> Harness<'static, Look> {
    let mut harness = opened(size, theme, files);
    act(&mut harness, Command::SetMode(Mode::Run));
    act(&mut harness, Command::Show(ViewId::Debug));
    settle(&mut harness);
    harness
}

fn click(harness: &mut Harness<'static, Look>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(2);
    settle(harness);
}

fn step(harness: &mut Harness<'static, Look>) -> u64 {
    let program = app(harness).state.program().expect("a program");
    program.debugging.stop.as_ref().expect("a session").state.step
}

#[test]
fn starts_steps_and_goes_back_by_its_buttons() {
    let mut harness = debugged([1400.0, 800.0], Theme::Dark, &["race.comp"]);
    assert!(harness.query_all_by_label("no findings").count() > 0);
    click(&mut harness, "Start");
    assert_eq!(step(&mut harness), 0);
    for expected in [10, 11] {
        click(&mut harness, "Step into");
        assert_eq!(line(&mut harness) + 1, expected);
    }
    click(&mut harness, "Step backwards");
    assert_eq!(line(&mut harness) + 1, 10);
    click(&mut harness, "Continue");
    let stop = app(&mut harness).state.program().and_then(|program| program.debugging.stop.clone()).expect("a session");
    assert!(stop.state.finished && stop.findings.iter().any(|finding| &*finding.code == "E001"));
    let place = stop.findings[0].place_text();
    click(&mut harness, &place);
    let program = app(&mut harness).state.program().expect("a program");
    let code = program.selection.code.as_ref().expect("its instruction is selected");
    let source =
        program.texts.iter().find(|text| text.title == "race.comp").and_then(|text| text.instructions.as_ref());
    assert_eq!(source.and_then(|source| source.first_line(code)), Some(12));
    click(&mut harness, "× 1 finding");
    // The strip and the status bar count it, and their panel lists it.
    let counted: Vec<_> = harness.query_all_by_label("1 error").collect();
    assert_eq!(counted.len(), 2);
    counted[0].click();
    drop(counted);
    harness.run_steps(2);
    settle(&mut harness);
    harness.get_by_label_contains(": 1 error");
    act(&mut harness, Command::Findings);
    click(&mut harness, "Continue backwards");
    assert_eq!(step(&mut harness), 0);
    harness.key_press(Key::F11);
    harness.run_steps(2);
    settle(&mut harness);
    assert_eq!(line(&mut harness) + 1, 10);
    let sign = format!("Line {}: set a breakpoint", line(&mut harness) + 1);
    click(&mut harness, &sign);
    let program = app(&mut harness).state.program().expect("a program");
    assert_eq!(program.debugging.stop.as_ref().map(|stop| stop.breakpoints.len()), Some(1));
    click(&mut harness, "End");
    assert!(app(&mut harness).state.program().is_some_and(|program| program.debugging.stop.is_none()));
}

#[test]
fn chooses_the_pixel_and_the_vertex_of_a_draw() {
    let mut harness = debugged([1400.0, 800.0], Theme::Dark, &["lit_surface.vert", "lit_surface.frag"]);
    let stop = |harness: &mut Harness<'static, Look>| {
        app(harness).state.program().and_then(|program| program.debugging.stop.clone()).expect("a session")
    };
    click(&mut harness, "Start");
    assert_eq!(stop(&mut harness).state.fragment.map(|fragment| fragment.pixel), Some([32, 32]));
    act(&mut harness, Command::Debug(DebugCommand::Target(DrawTarget::Pixel(Some([30, 20])))));
    settle(&mut harness);
    assert_eq!(stop(&mut harness).state.fragment.map(|fragment| fragment.pixel), Some([30, 20]));
    click(&mut harness, "Vertex");
    assert_eq!(stop(&mut harness).state.vertex, Some(0));
    click(&mut harness, "Fragment");
    assert!(stop(&mut harness).state.fragment.is_some());
}

/// The quadtree with a run, at a record of its third generation.
fn launch(size: [f32; 2], theme: Theme) -> Harness<'static, Look> {
    let mut harness = opened(size, theme, &["work_graphs/02_quadtree_recursion.dxil"]);
    let program = app(&mut harness).state.program_mut().expect("a program");
    let run = testing::graph_run(program, "Seed");
    program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
    act(&mut harness, Command::SetMode(Mode::Run));
    act(&mut harness, Command::Show(ViewId::Graph));
    settle(&mut harness);
    let program = app(&mut harness).state.program_mut().expect("a program");
    program.stepping.show_record(RecordPlace { generation: 2, run: 0, record: 2 });
    harness.run_steps(6);
    harness
}

#[test]
fn debugs_the_launch_of_a_record() {
    let mut harness = launch([1400.0, 900.0], Theme::Dark);
    click(&mut harness, "Debug this launch");
    let stop = |harness: &mut Harness<'static, Look>| {
        app(harness).state.program().and_then(|program| program.debugging.stop.clone()).expect("a session")
    };
    let launch = |harness: &mut Harness<'static, Look>| stop(harness).launch.clone().expect("a launch");
    let title = launch(&mut harness).title;
    assert_eq!(title, "record 2 of Split[0] in generation 2");
    click(&mut harness, "Step into");
    assert!(stop(&mut harness).state.step > 0 && launch(&mut harness).verdict == LaunchVerdict::Running);
    click(&mut harness, "Continue");
    assert_eq!(launch(&mut harness).verdict, LaunchVerdict::Same);
    harness.get_by_label("The same records as on llvmpipe");
    assert!(harness.query_by_label("Rewritten").is_none(), "nodes are not rewritten");
    click(&mut harness, "End");
    assert!(app(&mut harness).state.tabs.applicable().all(|view| view.id != ViewId::Debug));
    harness.get_by_label("Debug this launch");
}

#[test]
fn the_launch_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut harness = launch([1280.0, 800.0], theme);
        act(&mut harness, Command::Debug(DebugCommand::Launch));
        settle(&mut harness);
        act(&mut harness, Command::Debug(DebugCommand::Continue));
        settle(&mut harness);
        results.add(harness.try_snapshot_options(format!("window/debug_launch_{name}"), &compared()));
    }
}

#[test]
fn compares_with_the_rewritten_program() {
    let mut harness = debugged([1400.0, 800.0], Theme::Dark, &["packing_sensitive.vert", "packing_sensitive.frag"]);
    click(&mut harness, "Start");
    let stop = |harness: &mut Harness<'static, Look>| {
        app(harness).state.program().and_then(|program| program.debugging.stop.clone()).expect("a session")
    };
    click(&mut harness, "Step over");
    click(&mut harness, "Compare values");
    assert!(stop(&mut harness).beside.is_some());
    harness.get_by_label("packed0");
    // The headers of the table have the same names.
    let toggle = |harness: &mut Harness<'static, Look>, label: &str| {
        let all = harness.get_all_by_label(label);
        all.into_iter().next().expect("a label").click();
        harness.run_steps(2);
        settle(harness);
    };
    toggle(&mut harness, "Rewritten");
    assert!(stop(&mut harness).is_rewritten && !stop(&mut harness).texts.is_empty());
    toggle(&mut harness, "Original");
    assert!(!stop(&mut harness).is_rewritten);
}

#[test]
fn the_comparison_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut harness = debugged([1400.0, 800.0], theme, &["packing_sensitive.vert", "packing_sensitive.frag"]);
        act(&mut harness, Command::Debug(DebugCommand::ToggleBeside));
        settle(&mut harness);
        for command in [DebugCommand::StepOver, DebugCommand::StepOver, DebugCommand::SwitchProgram] {
            act(&mut harness, Command::Debug(command));
            settle(&mut harness);
        }
        results.add(harness.try_snapshot_options(format!("window/debug_beside_{name}"), &compared()));
    }
}

/// Which tests drew before decides some pixels of slanted comments: of slashes and colons.
fn compared() -> SnapshotOptions {
    SnapshotOptions::default().max_failed_pixels(8)
}

/// The line of the next instruction in the source, from 0.
fn line(harness: &mut Harness<'static, Look>) -> usize {
    let program = app(harness).state.program().expect("a program");
    let stop = program.debugging.stop.as_ref().expect("a session");
    let code = lanescope_inspector::selection::Code { module: stop.module, instructions: vec![stop.instruction] };
    let mut lines = program.texts.iter().filter_map(|text| text.instructions.as_ref()?.first_line(&code));
    lines.next().expect("a text shows it")
}

#[test]
fn the_debugger_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let looks = [
            ([1600.0, 900.0], "1600", ["divergent_derivative.comp"].as_slice(), "at[0]", 4),
            ([760.0, 700.0], "760", &["race.comp"], "i", 2),
            ([1100.0, 640.0], "fragment", &["lit_surface.vert", "lit_surface.frag"], "texcoord[0]", 2),
        ];
        for (size, width, files, variable, steps) in looks {
            let mut harness = debugged(size, theme, files);
            act(&mut harness, Command::Debug(DebugCommand::Map(variable.to_owned())));
            settle(&mut harness);
            for _ in 0..steps {
                act(&mut harness, Command::Debug(DebugCommand::StepOver));
                settle(&mut harness);
            }
            results.add(harness.try_snapshot_options(format!("window/debug_{width}_{name}"), &compared()));
        }
    }
}
