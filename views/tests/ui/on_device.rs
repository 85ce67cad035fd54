//! Work on request: rewritten modules side by side, runs, measurements.

use egui::accesskit::Role;
use egui::{Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lanescope_core::findings::{DATA_RACE, Place, SourceLine};
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::ids::Id;
use lanescope_core::options::Derivatives;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::report::{Report, StageReport};
use lanescope_core::run::Ran;
use lanescope_inspector::command::{Command, Output, OutputFile, PictureFile};
use lanescope_inspector::devices::{INTERPRETER, NO_LANE_MAPS};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{Passes, RunSettings, Settings};
use lanescope_inspector::source::SourceText;
use lanescope_inspector::tasks::{Rewriting, Task, TaskResults, Work};
use lanescope_inspector::view::{Ask, ViewId};
use lanescope_views::context::{View, ViewCx};
use lanescope_views::picture::Picture;
use lanescope_views::registry::builtin_views;
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::{gallery, theme};

/// A view with what was made of its program.
pub(crate) struct Stage {
    view: Box<dyn View>,
    pub report: Report,
    pub results: TaskResults,
    pub settings: Settings,
    pub selection: Selection,
    pub texts: Vec<SourceText>,
    /// What was loaded, where a view reads more of it than the report has.
    pub loaded: Option<Program>,
    /// Number of the program in front.
    pub program: u64,
    /// Its report was read from a file.
    pub frozen: bool,
    commands: Vec<Command>,
    pub ask: Option<Ask>,
}

impl Stage {
    pub fn new(name: &str) -> Stage {
        let view = builtin_views().into_iter().find(|view| view.info().id.name() == name).expect("a view of that name");
        let mut report = gallery::workgroup_report(gallery::quads_8x8());
        report.stages = vec![entry(StageKind::Compute)];
        let mut settings = Settings::DEFAULT;
        settings.devices.take(0, RunSettings::DEFAULT, Ok(vec![device("paper"), device("pulp"), device("pulp")]));
        let selection = Selection::default();
        let (commands, ask) = (Vec::new(), None);
        let (texts, results, loaded) = (Vec::new(), TaskResults::NOTHING, None);
        Stage { view, report, results, settings, selection, texts, loaded, program: 0, frozen: false, commands, ask }
    }

    pub fn rewritten(rewriting: Result<Rewriting, String>) -> Stage {
        let mut stage = Stage::new("rewritten");
        stage.results.rewriting.take(1, RunSettings::DEFAULT, rewriting);
        stage
    }

    fn ran(ran: Result<Ran, String>) -> Stage {
        let mut stage = Stage::new("run");
        if ran.as_ref().is_ok_and(|ran| !ran.execution.run.attachments.is_empty()) {
            stage.report.stages = vec![entry(StageKind::Fragment)];
        }
        stage.results.run.take(1, RunSettings::DEFAULT, ran);
        stage
    }

    pub fn measured(obedient: bool) -> Stage {
        let mut stage = Stage::new("workgroup");
        stage.results.probe.take(1, RunSettings::DEFAULT, Ok(gallery::probe(obedient)));
        stage
    }

    pub fn show(self, size: impl Into<Vec2>, theme: Theme) -> Harness<'static, Stage> {
        let draw = |ui: &mut egui::Ui, stage: &mut Stage| {
            let Stage { view, report, selection, texts, loaded, results, settings, program, frozen, ask, .. } =
                &mut *stage;
            let (loaded, program, frozen, ask) = (loaded.as_ref(), *program, *frozen, ask.take());
            let own = ViewCx::of(report, selection);
            let cx = ViewCx { texts, loaded, results, settings, program, frozen, ask, ..own };
            let commands = view.ui(ui, &cx);
            for command in &commands {
                match command {
                    Command::Select(selection) => stage.selection = selection.clone(),
                    Command::SetTextSettings(settings) => stage.settings.texts = settings.clone(),
                    _ => {}
                }
            }
            stage.commands.extend(commands);
        };
        let look = if theme == Theme::Dark { theme::Theme::dark() } else { theme::Theme::light() };
        let set_up = move |ctx: &egui::Context| ctx.set_visuals_of(theme, look.visuals());
        let builder = Harness::builder().with_size(size).with_theme(theme).with_context_setup(set_up);
        let mut harness = builder.build_ui_state(draw, self);
        harness.run_steps(8);
        harness
    }
}

/// The picture that a view asks to save.
pub(crate) fn drawn(picture: &PictureFile) -> &Picture {
    picture.drawn().expect("a picture of the views")
}

fn entry(stage: StageKind) -> StageReport {
    StageReport { stage, entry: "main".to_owned(), input: 0, workgroup_size: None, driver_hashes: None }
}

fn device(name: &str) -> DeviceInfo {
    DeviceInfo {
        name: name.to_owned(),
        kind: "software".to_owned(),
        api_version: "1.3.0".to_owned(),
        driver: "by hand".to_owned(),
        subgroup_size: 8,
        subgroup_range: [8, 8],
        subgroup_quads: true,
        executable_properties: false,
        compute_derivatives: false,
        subgroup_required: true,
        pipeline_libraries: false,
        ..DeviceInfo::default()
    }
}

pub(crate) const WIDE: [f32; 2] = [1100.0, 640.0];

pub(crate) fn taken(harness: &mut Harness<'_, Stage>) -> Vec<Command> {
    std::mem::take(&mut harness.state_mut().commands)
}

/// Requests something with the frame that has these events.
pub(crate) fn ask_with(harness: &mut Harness<'_, Stage>, ask: Ask, events: Vec<egui::Event>) {
    harness.state_mut().ask = Some(ask);
    harness.input_mut().events.extend(events);
    harness.run_steps(1);
}

pub(crate) fn ask(harness: &mut Harness<'_, Stage>, ask: Ask) {
    harness.state_mut().ask = Some(ask);
    harness.run_steps(4);
}

#[test]
fn rewrites_modules_when_shown_and_when_passes_change() {
    let mut harness = Stage::new("rewritten").show(WIDE, Theme::Dark);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Rewrite)], "once, not with every frame");
    harness.get_by_label("Swizzle").click();
    harness.run_steps(4);
    let passes = Passes { pack: true, swizzle: false };
    let settings = RunSettings { passes, ..RunSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetRunSettings(settings.clone())]);
    harness.state_mut().settings.run = settings;
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Rewrite)]);
    harness.state_mut().results.rewriting.underway = true;
    harness.run_steps(2);
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Stop(Work::Rewrite)]);
}

#[test]
fn steps_from_change_to_change() {
    let mut harness = Stage::rewritten(Ok(gallery::rewriting(300))).show(WIDE, Theme::Dark);
    harness.get_by_label("6 changes");
    harness.get_by_label("Next change").click();
    harness.run_steps(4);
    harness.get_by_label("change 1 of 6");
    ask(&mut harness, Ask::PreviousChange);
    harness.get_by_label("change 6 of 6");
    harness.get_by_label("Line 244: removed");
    ask(&mut harness, Ask::NextChange);
    harness.get_by_label("change 1 of 6");
    harness.get_by_label("Line 24: added");
}

#[test]
fn folds_open_and_everything_can_be_shown() {
    let mut harness = Stage::rewritten(Ok(gallery::rewriting(300))).show(WIDE, Theme::Dark);
    assert!(harness.query_by_label_contains("OpCapability").is_none(), "the beginning is folded away");
    harness.get_by_label("⋯ 20 unchanged lines").click();
    harness.run_steps(4);
    assert_eq!(harness.query_all_by_label_contains("OpCapability Shader").count(), 2, "in both texts");
    harness.get_by_label("Fold unchanged").click();
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("unchanged lines").is_none());
}

#[test]
fn the_difference_is_copied_as_a_patch_and_modules_are_saved() {
    let mut harness = Stage::rewritten(Ok(gallery::rewriting(100))).show(WIDE, Theme::Dark);
    ask(&mut harness, Ask::CopyTable);
    harness.get_by_label("Save…").click();
    harness.run_steps(2);
    match &taken(&mut harness)[..] {
        [Command::Copy(text), Command::SaveRewritten] => {
            assert!(text.starts_with("--- original\n+++ rewritten\n@@ "), "{text}");
            assert!(text.contains("\n+       %new20 = OpUDiv"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    harness.get_by_label("same.comp").click();
    harness.run_steps(4);
    harness.get_by_label("no line differs");
}

#[test]
fn a_search_visits_both_texts() {
    let mut harness = Stage::rewritten(Ok(gallery::rewriting(300))).show(WIDE, Theme::Dark);
    harness.get_by_label("Search both").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("hardware_local_id".to_owned()));
    harness.run_steps(4);
    harness.get_by_label("1 of 6");
    harness.key_press(egui::Key::Enter);
    harness.run_steps(4);
    harness.get_by_label("2 of 6");
}

#[test]
fn shows_why_a_program_cannot_be_rewritten() {
    let harness = Stage::rewritten(Err("main: OpFoo cannot be taken along".to_owned())).show(WIDE, Theme::Dark);
    harness.get_by_label("main: OpFoo cannot be taken along");
    let mut stage = Stage::new("rewritten");
    stage.report = gallery::empty_report();
    stage.show(WIDE, Theme::Dark).get_by_label("Nothing to rewrite");
}

#[test]
fn nothing_runs_until_requested() {
    let mut harness = Stage::new("run").show(WIDE, Theme::Dark);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("Run").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Run)]);
    harness.state_mut().results.run.underway = true;
    harness.run_steps(2);
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Stop(Work::Run)]);
}

#[test]
fn lists_devices_once_and_chooses_by_name() {
    let mut stage = Stage::new("run");
    stage.settings.devices = Task::NEVER;
    let mut harness = stage.show(WIDE, Theme::Dark);
    assert!(taken(&mut harness).contains(&Command::Begin(Work::Devices)));
    let mut harness = Stage::new("run").show(WIDE, Theme::Dark);
    harness.get_by_role_and_label(Role::ComboBox, "Device").click();
    harness.run_steps(4);
    harness.get_by_label("1  pulp (software)").click();
    harness.run_steps(4);
    // Two are called so: the index distinguishes them.
    let settings = RunSettings { device: Some("1".to_owned()), ..RunSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetRunSettings(settings)]);
}

#[test]
fn the_interpreter_is_among_the_devices() {
    let mut harness = Stage::new("run").show(WIDE, Theme::Dark);
    harness.get_by_role_and_label(Role::ComboBox, "Device").click();
    harness.run_steps(4);
    harness.get_by_label("Interpreter").click();
    harness.run_steps(4);
    let settings = RunSettings { device: Some(INTERPRETER.to_owned()), ..RunSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetRunSettings(settings.clone())]);
    let mut ran = gallery::compute_run(false);
    let place = Some(Place::Operation {
        result: Some(Id(12)),
        opcode: "OpStore".to_owned(),
        source: Some(SourceLine { file: "tile.comp".to_owned(), line: 3 }),
    });
    ran.execution.run.findings = vec![DATA_RACE.at(Some(StageKind::Compute), place, "two invocations")];
    let mut stage = Stage::ran(Ok(ran));
    stage.settings.run = settings.clone();
    let mut harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label("Findings of the interpreter: 1 error");
    harness.get_by_label("%12 OpStore, tile.comp:3").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Show(ViewId::Debug)], "the module has no line here");
    let mut stage = Stage::measured(true);
    stage.settings.run = settings;
    let mut harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label("Measured").click();
    harness.run_steps(4);
    harness.get_by_label_contains(NO_LANE_MAPS);
}

#[test]
fn groups_are_an_option_of_the_program() {
    let mut harness = Stage::new("run").show(WIDE, Theme::Dark);
    let first = harness.get_all_by_role_and_label(Role::SpinButton, "Groups").next().expect("a field");
    first.increment_accesskit();
    harness.run_steps(4);
    match &taken(&mut harness)[..] {
        [Command::SetOptions(options)] => assert_eq!(options.groups, Some([2, 1, 1])),
        other => panic!("{other:?}"),
    }
}

#[test]
fn requested_groups_can_be_reset_to_the_rule() {
    let mut stage = Stage::new("run");
    stage.report.options.groups = Some([3, 2, 1]);
    let mut harness = stage.show(WIDE, Theme::Dark);
    let fields = harness.get_all_by_role_and_label(Role::SpinButton, "Groups");
    assert_eq!(fields.filter_map(|field| field.value()).collect::<Vec<_>>(), ["3", "2", "1"]);
    harness.get_by_label("Auto").click();
    harness.run_steps(4);
    match &taken(&mut harness)[..] {
        [Command::SetOptions(options)] => assert_eq!(options.groups, None),
        other => panic!("{other:?}"),
    }
}

#[test]
fn marks_and_filters_rows_that_differ() {
    let mut harness = Stage::ran(Ok(gallery::compute_run(true))).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("≠ 1 of 1 outputs differ: set0.binding0 in 3 of 1024 words");
    harness.get_by_label("Differences only (2)").click();
    harness.run_steps(4);
    ask(&mut harness, Ask::CopyTable);
    let Some(Command::Copy(text)) = taken(&mut harness).pop() else { panic!("a table was asked for") };
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["Offset", "Member", "Original", "Differs", "Rewritten"]);
    let marked: Vec<_> = rows[1..].iter().map(|row| (row[0], row[1], row[3])).collect();
    assert_eq!(marked, [("16", "particles[1].position", "≠"), ("2800", "particles[175].position", "≠")]);
    assert_ne!(rows[1][2], rows[1][4]);
}

#[test]
fn saves_outputs_of_either_run() {
    let mut harness = Stage::ran(Ok(gallery::compute_run(true))).show(WIDE, Theme::Dark);
    harness.get_by_label("Save").click();
    harness.run_steps(4);
    harness.get_by_label("JSON, rewritten…").click();
    harness.run_steps(4);
    let output = Output { name: "set0.binding0".to_owned(), what: OutputFile::Json, rewritten: true, plane: 0 };
    assert_eq!(taken(&mut harness), [Command::SaveOutput(output)]);
}

#[test]
fn reads_a_pixel_in_every_output_and_sample() {
    let ran = gallery::graphics_run(true);
    let compare = ran.execution.run.compare.as_ref().expect("two runs");
    let [x, y, _] = compare.outputs[0].first.as_ref().and_then(|first| first.pixel).expect("color0 differs");
    let mut harness = Stage::ran(Ok(ran)).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("≠ 1 of 2 outputs differ: color0");
    harness.get_by_label(&format!("Pixel ({x}, {y})"));
    harness.get_all_by_role_and_label(Role::SpinButton, "Pixel").next().expect("x").increment_accesskit();
    harness.run_steps(4);
    harness.get_by_label(&format!("Pixel ({}, {y})", x + 1));
    ask(&mut harness, Ask::CopyTable);
    let Some(Command::Copy(text)) = taken(&mut harness).pop() else { panic!("the values were asked for") };
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 8, "two outputs, four samples each: {text}");
    let differing: Vec<_> = rows.iter().filter(|row| row[5] == "≠").map(|row| (row[2], row[3])).collect();
    assert_eq!(differing, [("color0", "1")]);
    assert_eq!(rows[4][4], format!("{}  {}  {y}  1", (x + 1) / 4 + y, x + 1), "integers are read as integers");
}

#[test]
fn shows_an_image_layer_by_layer() {
    let mut harness = Stage::ran(Ok(gallery::image_run())).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("64×64 texels, 2 layers, R8G8B8A8_UNORM");
    let layer = harness.get_by_role_and_label(Role::SpinButton, "Layer");
    assert_eq!(layer.accesskit_node().numeric_value(), Some(1.0), "what differs is looked at first");
    harness.get_by_label("Pixel (9, 0)");
    ask(&mut harness, Ask::CopyTable);
    let Some(Command::Copy(text)) = taken(&mut harness).pop() else { panic!("the values were asked for") };
    let row: Vec<_> = text.lines().nth(1).expect("one image").split('\t').collect();
    assert_eq!(row[2..], ["set0.binding1", "0", "0.14117648  0.0  0.0  1.0", "≠", "0.14117648  0.003921569  0.0  1.0"]);
    harness.get_by_label("Save").click();
    harness.run_steps(4);
    harness.get_by_label("PNG, difference…").click();
    harness.run_steps(4);
    let (name, what) = ("set0.binding1".to_owned(), OutputFile::DifferencePng);
    let output = Output { name, what, rewritten: false, plane: 1 };
    assert_eq!(taken(&mut harness), [Command::SaveOutput(output)]);
    harness.get_by_role_and_label(Role::SpinButton, "Layer").decrement_accesskit();
    harness.run_steps(4);
    ask(&mut harness, Ask::CopyTable);
    let Some(Command::Copy(text)) = taken(&mut harness).pop() else { panic!("the values were asked for") };
    assert!(!text.contains('≠'), "the first layer is the same: {text}");
}

#[test]
fn nothing_of_a_report_runs_and_its_switches_are_fixed() {
    let frozen = |name: &str| {
        let mut stage = Stage::new(name);
        stage.results = TaskResults::of_report(&stage.report, 1);
        stage.frozen = true;
        stage
    };
    for (name, label) in [("run", "Nothing to run"), ("rewritten", "Nothing to rewrite")] {
        let harness = frozen(name).show(WIDE, Theme::Dark);
        harness.get_by_label(label);
        harness.get_by_label_contains("A report contains no shaders");
        assert!(harness.query_by_label("Run").is_none() && harness.query_by_label_contains("changed since").is_none());
    }
    let mut stage = frozen("packing");
    stage.report = gallery::lit_report();
    let mut harness = stage.show(WIDE, Theme::Dark);
    let pack = harness.get_by_role_and_label(Role::CheckBox, "Pack");
    assert!(pack.accesskit_node().is_disabled(), "nothing can be packed anew");
    pack.hover();
    harness.run_steps(8);
    harness.get_by_label("A report contains no shaders: its options cannot be changed.");
    assert!(!harness.get_by_label("Copy table").accesskit_node().is_disabled());
}

#[test]
fn compile_failures_are_findings_while_current() {
    let mut stage = Stage::new("findings");
    let compiled = gallery::compiled();
    stage.settings.compile = compiled.settings.clone();
    stage.results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    let mut harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label_contains("RADV for gfx900 (radv Mesa 22.3.6) crashed on the packed fragment shader");
    harness.state_mut().settings.compile.chips.clear();
    harness.run_steps(4);
    harness.get_by_label("No findings");
}

#[test]
fn a_work_graph_runs_in_its_own_tab() {
    let mut stage = Stage::new("run");
    stage.report = gallery::work_graph(1);
    let mut harness = stage.show(WIDE, Theme::Dark);
    assert!(harness.query_by_label("Run").is_none());
    harness.get_by_label("Show Graph").click();
    harness.run_steps(4);
    assert!(taken(&mut harness).contains(&Command::Show(ViewId::Graph)));
}

#[test]
fn failed_and_outdated_runs_say_so() {
    let mut harness = Stage::ran(Err("no Vulkan loader: install libvulkan1".to_owned())).show(WIDE, Theme::Dark);
    harness.get_by_label("× The program did not run");
    harness.get_by_label_contains("install libvulkan1");
    harness.get_by_label("Run in the interpreter").click();
    harness.run_steps(4);
    let settings = RunSettings { device: Some(INTERPRETER.to_owned()), ..RunSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetRunSettings(settings), Command::Begin(Work::Run)]);
    let mut stage = Stage::ran(Ok(gallery::compute_run(false)));
    stage.settings.run.fill = 9;
    let harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label_contains("have changed since the run");
    harness.get_by_label_contains("= Equal, bit for bit");
    let mut ran = gallery::compute_run(true);
    ran.execution.run.order_dependent = vec!["atomic results are used".to_owned()];
    let harness = Stage::ran(Ok(ran)).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("≈ Order-dependent, so not a failure");
    harness.get_by_label("≈ order-dependent: atomic results are used");
}

#[test]
fn shows_a_large_buffer_as_a_table() {
    let started = std::time::Instant::now();
    let ran = gallery::particles(1_000_000, &[3_999_996]);
    let made = started.elapsed();
    let mut harness = Stage::ran(Ok(ran)).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("2000000 rows");
    harness.get_by_label("Differences only (1)").click();
    harness.run_steps(4);
    harness.get_by_label("particles[999999].position");
    // Twelve frames, two of which look through two million rows.
    assert!(started.elapsed() - made < std::time::Duration::from_secs(20), "{:?}", started.elapsed() - made);
}

#[test]
fn requests_a_measurement_and_selects_disagreements() {
    let mut harness = Stage::new("workgroup").show(WIDE, Theme::Dark);
    harness.get_by_label("Measured").click();
    harness.run_steps(4);
    harness.get_by_label("Measure").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Measure(0))]);

    let mut harness = Stage::measured(false).show(WIDE, Theme::Dark);
    harness.get_by_label("Measured").click();
    harness.run_steps(6);
    harness.get_by_label("≠ 4 disagreements in 2 of 64 invocations");
    harness.get_by_label("≠ dFdxFine: 62 of 64 as predicted");
    harness.get_by_label("4 to 16");
    harness.get_by_label("Measured lane map: 8 x 8 x 1 in subgroups of 8");
    harness.get_by_label("Predicted lane map: 8 x 8 x 1 in subgroups of 8");
    harness.get_all_by_label("(1, 2, 0)").next().expect("a row of the list").click();
    harness.run_steps(4);
    assert_eq!(harness.state().selection.invocation, Some([1, 2, 0]));
    ask(&mut harness, Ask::ExportPicture);
    match taken(&mut harness).pop() {
        Some(Command::SavePicture { picture, name: "measured" }) => assert!(drawn(&picture).title.contains("Measured")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn marks_a_measurement_of_another_group() {
    let mut harness = Stage::measured(true).show(WIDE, Theme::Dark);
    harness.get_by_label("Measured").click();
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("! Measured").is_none());
    harness.state_mut().report.workgroup[0].derivatives = Derivatives::None;
    harness.run_steps(4);
    harness.get_by_label("! Measured for a group of 8×8×1 and derivatives quads.");
}

#[test]
fn rarely_changed_settings_are_named() {
    let mut harness = Stage::new("run").show(WIDE, Theme::Dark);
    harness.get_by_label("More").click();
    harness.run_steps(4);
    for name in ["Zeros", "Validation layer"] {
        harness.get_by_role_and_label(Role::CheckBox, name);
    }
}

#[test]
fn small_tabs_show_every_part() {
    let mut results = egui_kittest::SnapshotResults::new();
    for (name, stage) in [
        ("rewritten", Stage::rewritten(Ok(gallery::rewriting(300)))),
        ("run_buffer", Stage::ran(Ok(gallery::compute_run(true)))),
        ("run_picture", Stage::ran(Ok(gallery::graphics_run(true)))),
        ("measured", Stage::measured(false)),
    ] {
        let mut harness = stage.show([400.0, 300.0], Theme::Dark);
        if name == "measured" {
            harness.get_by_label("Measured").click();
        }
        harness.run_steps(6);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("on_device/{name}_small")));
    }
}

#[test]
fn the_tabs_match_their_pictures() {
    let mut results = egui_kittest::SnapshotResults::new();
    for theme in [Theme::Dark, Theme::Light] {
        for (name, stage) in [
            ("rewritten", Stage::rewritten(Ok(gallery::rewriting(300)))),
            ("run_buffer", Stage::ran(Ok(gallery::compute_run(true)))),
            ("run_picture", Stage::ran(Ok(gallery::graphics_run(true)))),
            ("run_image", Stage::ran(Ok(gallery::image_run()))),
            ("measured", Stage::measured(false)),
        ] {
            let mut harness = stage.show(WIDE, theme);
            if name == "measured" {
                harness.get_by_label("Measured").click();
                harness.state_mut().selection.invocation = Some([1, 2, 0]);
            }
            if name == "rewritten" {
                harness.get_by_label("Next change").click();
            }
            harness.run_steps(6);
            harness.remove_cursor();
            harness.run_steps(2);
            let mode = if theme == Theme::Dark { "dark" } else { "light" };
            results.add(harness.try_snapshot(format!("on_device/{name}_{mode}")));
        }
    }
}
