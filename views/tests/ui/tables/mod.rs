//! Registers, source, overview and findings.

pub(crate) mod data;

use egui::{Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};
use lanescope_core::options::SpecValue;
use lanescope_core::program::StageKind;
use lanescope_core::report::{Report, StageReport};
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::source::SourceText;
use lanescope_inspector::view::ViewId;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::registry::builtin_views;
use lanescope_views::theme;
use lanescope_views::theme::ThemeOfUi as _;

/// A view on hand-made data. Selections are carried out, as the window would; every command is kept.
struct Stage {
    view: Box<dyn View>,
    report: Report,
    texts: Vec<SourceText>,
    selection: Selection,
    program: u64,
    commands: Vec<Command>,
}

impl Stage {
    fn new(name: &str) -> Stage {
        let view = builtin_views().into_iter().find(|view| view.info().id.name() == name).expect("a view of that name");
        let (report, texts) = (data::report(), data::texts());
        Stage { view, report, texts, selection: Selection::default(), program: 0, commands: Vec::new() }
    }

    fn show(self, size: impl Into<Vec2>, theme: Theme) -> Harness<'static, Stage> {
        let draw = |ui: &mut egui::Ui, stage: &mut Stage| {
            let cx =
                ViewCx { texts: &stage.texts, program: stage.program, ..ViewCx::of(&stage.report, &stage.selection) };
            let commands = stage.view.ui(ui, &cx);
            for command in &commands {
                if let Command::Select(selection) = command {
                    stage.selection = selection.clone();
                }
            }
            stage.commands.extend(commands);
        };
        let look = if theme == Theme::Dark { theme::Theme::dark() } else { theme::Theme::light() };
        let set_up = move |ctx: &egui::Context| ctx.set_visuals_of(theme, look.visuals());
        let builder = Harness::builder().with_size(size).with_theme(theme).with_context_setup(set_up);
        let mut harness = builder.build_ui_state(draw, self);
        harness.run();
        harness
    }

    fn select(mut self, location: u32) -> Stage {
        self.selection.varying = Some(Varying { location, component: None });
        self
    }
}

fn shown(name: &str) -> Harness<'static, Stage> {
    Stage::new(name).show([1000.0, 640.0], Theme::Dark)
}

/// Types into the field of that name, instead of what it holds.
fn type_into(harness: &mut Harness<'_, Stage>, field: &str, text: &str) {
    harness.get_by_label(field).focus();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.run();
    harness.event(egui::Event::Text(text.to_owned()));
    // A grid takes a few frames to find its columns' widths.
    harness.run_steps(12);
}

fn copied(harness: &Harness<'_, Stage>) -> String {
    let mut texts = harness.state().commands.iter().filter_map(|command| match command {
        Command::Copy(text) => Some(text.clone()),
        _ => None,
    });
    texts.next_back().expect("something was copied")
}

#[test]
fn a_target_is_chosen_by_its_button() {
    let mut harness = shown("registers");
    harness.get_by_label("gfx1100").click();
    harness.run();
    let Some(Command::SetOptions(options)) = harness.state().commands.last() else { panic!("no options were set") };
    let expected = lanescope_core::options::Options { target: Target::Gfx1100, ..data::report().options };
    assert_eq!(**options, expected);
}

#[test]
fn a_register_selects_the_varyings_of_its_slot_in_turn() {
    let mut harness = shown("registers");
    let mut places = Vec::new();
    for _ in 0..4 {
        harness.get_by_label("SPI_PS_INPUT_CNTL_1").click();
        harness.run();
        places.push(harness.state().selection.varying.map(|v| (v.location, v.component)));
    }
    let (uv, tint) = ((3, Some(0)), (4, Some(0)));
    assert_eq!(places, [Some(uv), Some((3, Some(1))), Some(tint), Some(uv)]);
    assert_eq!(harness.state().selection.register.as_deref(), Some("SPI_PS_INPUT_CNTL_1"));
    // Slot 2 holds one location only: the whole of it is selected.
    harness.get_by_label("SPI_PS_INPUT_CNTL_2").click();
    harness.run();
    assert_eq!(harness.state().selection.varying, Some(Varying { location: 2, component: None }));
    harness.get_by_label("Attribute slot 2 contains");
    harness.get_by_label("material.y").click();
    harness.run();
    assert_eq!(harness.state().selection.varying, Some(Varying { location: 2, component: Some(1) }));
}

#[test]
fn a_search_finds_registers_by_field_value_and_reason() {
    let table = [
        ("in_control", &["SPI_PS_IN_CONTROL"][..]),
        ("0x00000402", &["SPI_PS_INPUT_CNTL_2"]),
        ("holds flat", &["SPI_PS_INPUT_CNTL_2"]),
        ("back end", &["SPI_SHADER_PGM_RSRC1_PS"]),
        ("parameter cntl_4", &["SPI_PS_INPUT_CNTL_4"]),
        ("no such thing", &[]),
    ];
    for (search, expected) in table {
        let mut harness = shown("registers");
        type_into(&mut harness, "Search registers", search);
        if !expected.is_empty() {
            harness.get_by_label("Copy").click();
            harness.run();
            let text = copied(&harness);
            let found: Vec<_> = text
                .lines()
                .skip(1)
                .filter(|line| !line.starts_with(' '))
                .map(|line| line.split('\t').next().unwrap_or_default())
                .collect();
            assert_eq!(found, expected, "{search}");
        } else {
            harness.get_by_label("Nothing matches the search.");
        }
    }
}

#[test]
fn copies_the_shown_table() {
    let mut harness = shown("registers");
    harness.get_by_label("Open SPI_PS_INPUT_CNTL_1").click();
    harness.run();
    harness.get_by_label_contains("Changed only").click();
    harness.run();
    harness.get_by_label("Copy").click();
    harness.run();
    insta::assert_snapshot!(copied(&harness).replace('\t', " | "));
}

#[test]
fn hovering_a_field_shows_the_reason() {
    let mut harness = shown("registers");
    harness.get_by_label("≠ FP16_INTERP_MODE 0→1").hover();
    harness.run_steps(4);
    harness.get_by_label("packed, 1: the slot holds interpolated 16-bit components");
    harness.get_by_label("original, 0: nothing sets it");
}

#[test]
fn a_target_without_tables_has_a_message() {
    let mut stage = Stage::new("registers");
    stage.report.registers.clear();
    stage.report.options.target = Target::Gfx900;
    let harness = stage.show([800.0, 300.0], Theme::Dark);
    harness.get_by_label_contains("No register tables for gfx900");
}

#[test]
fn a_marked_line_selects_its_varyings_in_turn() {
    let mut harness = shown("source");
    let mut places = Vec::new();
    for _ in 0..3 {
        harness.get_by_label_contains("Line 17: select").click();
        harness.run();
        places.push(harness.state().selection.varying.map(|varying| varying.location));
    }
    assert_eq!(places, [Some(3), Some(4), Some(3)]);
    harness.get_by_label_contains("in float fog;").click();
    harness.run();
    assert_eq!(harness.state().selection.varying, Some(Varying { location: 1, component: None }));
    harness.get_by_label_contains("out vec4 colour;").click();
    harness.run();
    assert_eq!(harness.state().commands.len(), 4, "a line without a varying selects nothing");
}

#[test]
fn search_counts_and_wraps_around() {
    let mut harness = shown("source");
    type_into(&mut harness, "Search text", "LOCATION");
    harness.get_by_label("1 of 6");
    harness.get_by_label("Next match").click();
    harness.run();
    harness.get_by_label("2 of 6");
    for expected in ["1 of 6", "6 of 6"] {
        harness.get_by_label("Previous match").click();
        harness.run();
        harness.get_by_label(expected);
    }
    harness.key_press(egui::Key::F3);
    harness.run();
    harness.get_by_label("1 of 6");
}

#[test]
fn a_selection_made_elsewhere_scrolls_to_its_line_in_a_large_text() {
    let mut stage = Stage::new("source");
    stage.texts = vec![data::large_text(100_000)];
    let mut harness = stage.show([900.0, 500.0], Theme::Dark);
    harness.run_steps(8);
    harness.get_by_label_contains("; line 3");
    assert!(harness.query_by_label_contains("; line 99990").is_none());
    harness.state_mut().selection.varying = Some(Varying { location: 0, component: None });
    harness.run_steps(8);
    harness.get_by_label_contains("; line 99990");
}

#[test]
fn shows_another_text_by_name() {
    let mut harness = shown("source");
    assert!(harness.query_by_label_contains("OpCapability Shader").is_none());
    harness.get_by_label("lit.frag (SPIR-V)").click();
    harness.run();
    harness.get_by_label_contains("OpCapability Shader");
}

#[test]
fn the_source_follows_the_stage_in_front() {
    let mut stage = Stage::new("source");
    let row = |stage, input| StageReport {
        stage,
        entry: "main".to_owned(),
        input,
        workgroup_size: None,
        driver_hashes: None,
    };
    stage.report.stages = vec![row(StageKind::Fragment, 0), row(StageKind::Vertex, 1)];
    let vertex = SourceText { title: "lit.vert".to_owned(), input: 1, marks: Vec::new(), ..stage.texts[0].clone() };
    stage.texts.push(vertex);
    let mut harness = stage.show([1000.0, 640.0], Theme::Dark);
    let [first, second] = ["Text of lit.frag", "Text of lit.vert"];
    harness.get_by_label(first);
    harness.state_mut().selection.stage = Some(StageKind::Vertex);
    harness.run();
    harness.get_by_label(second);
    // What is chosen by hand is in front in other tabs too.
    harness.get_by_label("lit.frag (SPIR-V)").click();
    harness.run();
    assert_eq!(harness.state().selection.stage, Some(StageKind::Fragment));
    harness.get_by_label("Text of lit.frag (SPIR-V)");
}

#[test]
fn arrow_keys_go_from_register_to_register() {
    let mut harness = Stage::new("registers").show([900.0, 640.0], Theme::Dark);
    let names = ["SPI_PS_INPUT_CNTL_0", "SPI_PS_INPUT_CNTL_1"];
    let register = |harness: &Harness<'static, Stage>| harness.state().selection.register.clone();
    harness.get_by_label(names[0]).click();
    harness.run();
    assert_eq!(register(&harness).as_deref(), Some(names[0]));
    for (key, name) in [(egui::Key::ArrowDown, names[1]), (egui::Key::ArrowUp, names[0])] {
        harness.key_press(key);
        harness.run();
        assert_eq!(register(&harness).as_deref(), Some(name));
        assert!(harness.get_by_label(name).is_focused(), "{name}");
    }
}

#[test]
fn each_program_has_its_own_search_and_scroll_position() {
    let mut harness = Stage::new("registers").show([900.0, 640.0], Theme::Dark);
    type_into(&mut harness, "Search registers", "CNTL_1");
    harness.run();
    assert!(harness.query_by_label("SPI_PS_INPUT_CNTL_0").is_none());
    harness.state_mut().program = 7;
    harness.run();
    harness.get_by_label("SPI_PS_INPUT_CNTL_0");
    harness.state_mut().program = 0;
    harness.run();
    assert!(
        harness.query_by_label("SPI_PS_INPUT_CNTL_0").is_none()
            && harness.query_by_label("SPI_PS_INPUT_CNTL_1").is_some()
    );
}

#[test]
fn an_opened_register_shows_its_fields() {
    let mut harness = Stage::new("registers").show([900.0, 260.0], Theme::Dark);
    let buttons = harness.query_all_by_label_contains("Open ").filter(|node| node.rect().bottom() < 258.0);
    let last = buttons.max_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).expect("a register");
    let name = last.accesskit_node().label().unwrap_or_default().trim_start_matches("Open ").to_owned();
    let top = last.rect().top();
    last.click();
    harness.run();
    let close = format!("Close {name}");
    let opened = harness.get_by_label(&close);
    assert!(opened.rect().top() < top, "the table scrolled: {name}");
    let state = harness.state();
    let register = state.report.registers.iter().find(|register| *register.name == *name).expect("it is reported");
    let field = register.fields.last().expect("fields").name.to_string();
    let fields = harness.query_all_by_label_contains(&field).filter(|node| node.rect().bottom() < 330.0);
    assert!(fields.count() > 0, "{name}.{field} is in view");
}

#[test]
fn sets_resets_and_rejects_a_constant() {
    let set = |harness: &Harness<'_, Stage>| match harness.state().commands.last() {
        Some(Command::SetOptions(options)) => Some(options.spec.clone()),
        _ => None,
    };
    let mut harness = shown("overview");
    type_into(&mut harness, "Value of constant 2", "2.x");
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(set(&harness), None);
    harness.get_by_label_contains("expected a number that fits float32");
    type_into(&mut harness, "Value of constant 2", "2.25");
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    let value = |text: &str| SpecValue(text.to_owned());
    assert_eq!(set(&harness), Some([(0, value("8")), (2, value("2.25"))].into()));
    harness.get_by_label("Value of constant 1").click();
    harness.run();
    assert_eq!(set(&harness), Some([(0, value("8")), (1, value("false"))].into()));
    harness.get_by_label("Reset constant 0").click();
    harness.run();
    assert_eq!(set(&harness), Some([].into()));
}

#[test]
fn a_description_is_shown_with_its_places_and_resets_to_its_options() {
    use lanescope_core::pipeline::{Pipeline, PipelineKind, Setting};
    let mut stage = Stage::new("overview");
    let mut pipeline = Pipeline::new(lanescope_core::program::Format::Pipe, PipelineKind::Compute);
    pipeline.origin.version = Some(75);
    pipeline.settings.push(Setting::new("line 43", "options.reconfigWorkgroupLayout", "true"));
    stage.report.pipeline = Some(Box::new(pipeline));
    let mut harness = stage.show([1000.0, 900.0], Theme::Light);
    harness.get_by_label("compute pipeline, LLPC text version 75");
    harness.get_by_label("options.reconfigWorkgroupLayout");
    harness.get_by_label("line 43");
    harness.get_by_label("Reset all options").click();
    harness.run();
    let last = harness.state().commands.last();
    assert!(matches!(last, Some(Command::SetOptions(options)) if options.reconfig), "{last:?}");
}

#[test]
fn findings_are_listed_worst_first_and_filtered() {
    let mut harness = shown("findings");
    let codes = |harness: &mut Harness<'_, Stage>| {
        harness.get_by_label("Copy").click();
        harness.run();
        let text = copied(harness);
        text.lines().skip(1).filter_map(|line| line.split('\t').nth(1).map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(codes(&mut harness), ["P001", "P002", "R002"]);
    harness.get_all_by_label_contains("1 warning").next().expect("the switch").click();
    harness.run();
    assert_eq!(codes(&mut harness), ["P001", "R002"]);
    harness.state_mut().report.findings.clear();
    harness.run();
    harness.get_by_label("No findings");
}

/// The row with this code is opened by a click, or by Enter where it has the focus.
#[test]
fn a_finding_is_explained_by_pointer_and_by_keyboard() {
    let mut harness = shown("findings");
    harness.state_mut().report.findings[0].details = Some("error -2\nthe converter's second line".to_owned());
    let code = harness.state().report.findings[0].code.clone();
    let rule = lanescope_core::findings::rule(&code).expect("a known code");
    harness.run();
    assert!(harness.query_by_label("What to do").is_none());
    harness.get_by_label(&code).click();
    harness.run_steps(4);
    harness.get_by_label(rule.meaning);
    harness.get_by_label(rule.remedy);
    assert!(harness.query_by_label_contains("second line").is_none(), "details are folded");
    harness.get_by_label("Details").click();
    harness.run_steps(20);
    harness.get_by_label_contains("second line");
    harness.get_by_label("Close").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("What to do").is_none());
    harness.get_by_label("P002").focus();
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(4);
    harness.get_by_label(lanescope_core::findings::INPUT_NOT_WRITTEN.meaning);
    harness.key_press(egui::Key::Escape);
    harness.run_steps(4);
    assert!(harness.query_by_label("What to do").is_none());
}

/// The first cells of the copied rows.
fn first_cells(harness: &mut Harness<'_, Stage>) -> Vec<String> {
    harness.get_by_label("Copy").click();
    harness.run();
    copied(harness).lines().skip(1).map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_title_sorts_by_its_column_and_copies_keep_the_order() {
    let mut harness = shown("registers");
    let declared = first_cells(&mut harness);
    let by_address = |harness: &mut Harness<'_, Stage>| {
        harness.get_all_by_label_contains("Byte address").next().expect("a title").click();
        harness.run();
        first_cells(harness)
    };
    let up = by_address(&mut harness);
    harness.get_by_label("Byte address, sorted, ascending");
    let down = by_address(&mut harness);
    harness.get_by_label("Byte address, sorted, descending");
    assert_eq!(down, up.iter().rev().cloned().collect::<Vec<_>>());
    assert_ne!(down, declared);
    assert_eq!(by_address(&mut harness), declared, "a third click restores the order");
    // The keyboard sorts too.
    harness.get_by_label("Byte address").focus();
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    harness.get_by_label("Byte address, sorted, ascending");
}

fn open_menu(harness: &mut Harness<'_, Stage>, label: &str) {
    harness.get_by_label(label).click_secondary();
    harness.run_steps(4);
}

#[test]
fn a_row_has_a_context_menu() {
    let mut harness = shown("registers");
    open_menu(&mut harness, "SPI_PS_INPUT_CNTL_1");
    harness.get_by_label("Copy row").click();
    harness.run_steps(4);
    let row = copied(&harness);
    assert!(row.starts_with("SPI_PS_INPUT_CNTL_1\t") && !row.contains('\n'), "{row}");
    open_menu(&mut harness, "SPI_PS_INPUT_CNTL_1");
    harness.get_by_label("Copy cell").click();
    harness.run_steps(4);
    assert_eq!(copied(&harness), "SPI_PS_INPUT_CNTL_1");
    open_menu(&mut harness, "SPI_PS_INPUT_CNTL_1");
    harness.get_by_label("Go to slot").click();
    harness.run_steps(4);
    assert_eq!(harness.state().selection.varying.map(|varying| varying.location), Some(3));
    assert_eq!(harness.state().commands.last(), Some(&Command::Show(ViewId::Packing)));
    assert!(harness.query_by_label("Copy row").is_none(), "a choice closes the menu");
}

#[test]
fn a_key_opens_the_context_menu() {
    for (modifiers, key) in [(egui::Modifiers::NONE, egui::Key::Menu), (egui::Modifiers::SHIFT, egui::Key::F10)] {
        let mut harness = shown("registers");
        harness.get_by_label("SPI_PS_INPUT_CNTL_2").focus();
        harness.run_steps(2);
        harness.key_press_modifiers(modifiers, key);
        harness.run_steps(4);
        harness.get_by_label("Copy table");
        // The first entry has the keyboard.
        harness.key_press(egui::Key::Enter);
        harness.run_steps(4);
        assert_eq!(copied(&harness), "SPI_PS_INPUT_CNTL_2");
    }
}

#[test]
fn a_finding_leads_to_its_place() {
    let mut harness = shown("findings");
    harness.get_by_label("SPI_SHADER_PGM_RSRC1_PS").click();
    harness.run_steps(4);
    assert_eq!(harness.state().selection.register.as_deref(), Some("SPI_SHADER_PGM_RSRC1_PS"));
    assert_eq!(harness.state().commands.last(), Some(&Command::Show(ViewId::Registers)));
    harness.get_by_label_contains("does not write it").click();
    harness.run_steps(4);
    assert_eq!(harness.state().selection.varying.map(|varying| varying.location), Some(4));
    assert_eq!(harness.state().commands.last(), Some(&Command::Show(ViewId::Packing)));
    harness.get_by_label("Stage interfaces and packing: 1 error, 1 warning");
    harness.get_by_label("Register values: 1 note");
    // The same finding again is no second row.
    let twice = harness.state().report.findings[1].clone();
    harness.state_mut().report.findings.push(twice);
    harness.run_steps(4);
    harness.get_by_label("Stage interfaces and packing: 1 error, 1 warning");
    // Sorted, they are not grouped.
    harness.get_by_label("Code").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Register values: 1 note").is_none());
}

#[test]
fn the_tabs_match_their_pictures() {
    let mut results = egui_kittest::SnapshotResults::new();
    for theme in [Theme::Dark, Theme::Light] {
        for (name, size, selected) in [
            ("registers", [1000.0, 480.0], Some(3)),
            ("source", [760.0, 520.0], Some(3)),
            ("overview", [820.0, 520.0], None),
            ("findings", [820.0, 260.0], None),
        ] {
            let stage = Stage::new(name);
            let stage = selected.map_or_else(|| Stage::new(name), |location| stage.select(location));
            let mut harness = stage.show(size, theme);
            if name == "registers" {
                harness.get_by_label("Open SPI_PS_INPUT_CNTL_1").click();
            }
            if name == "source" {
                type_into(&mut harness, "Search text", "uv");
                harness.get_by_label("Next match").click();
            }
            harness.run();
            harness.remove_cursor();
            harness.run();
            let theme = if theme == Theme::Dark { "dark" } else { "light" };
            results.add(harness.try_snapshot(format!("tables/{name}_{theme}")));
        }
    }
}
