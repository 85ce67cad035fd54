//! The tab of AMD code objects: its parts, their search; and the registers of shaders beside those of an object.

use std::path::Path;

use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::codeobject::CodeObject;
use lanescope_core::options::Options;
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::{Comparing, ObjectSide, Partner};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::view::Ask;
use lanescope_views::code_object::CodeObjectView;
use lanescope_views::compare::CompareView;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::registers::RegistersView;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

struct Tab {
    view: CodeObjectView,
    report: Report,
    object: Option<CodeObject>,
    ask: Option<Ask>,
    commands: Vec<Command>,
    selection: Selection,
}

fn sample(name: &str) -> CodeObject {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/code_objects").join(name);
    CodeObject::read(name, &std::fs::read(path).expect("a sample")).expect("is an object")
}

fn open(theme: Theme, object: Option<CodeObject>) -> Harness<'static, Tab> {
    let (report, selection) = (gallery::lit_report(), Selection::default());
    let tab = Tab { view: CodeObjectView::default(), report, object, ask: None, commands: Vec::new(), selection };
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
        let (object, ask) = (tab.object.as_ref(), tab.ask.take());
        let cx = ViewCx { object, ask, frozen: true, ..ViewCx::of(&tab.report, &tab.selection) };
        tab.commands.extend(tab.view.ui(ui, &cx));
    };
    let mut harness =
        Harness::builder().with_size(vec2(1000.0, 640.0)).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

fn part(harness: &mut Harness<'static, Tab>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(8);
}

#[test]
fn parts_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = open(theme, Some(sample("lit_named.elf")));
        for name in ["User data", "Registers", "File"] {
            part(&mut harness, name);
            let file = name.to_lowercase().replace(' ', "_");
            results.add(harness.try_snapshot(format!("code_object/{file}_{mode}")));
        }
    }
}

#[test]
fn the_search_leaves_rows_that_match() {
    let mut harness = open(Theme::light(), Some(sample("fill.elf")));
    part(&mut harness, "User data");
    assert!(harness.query_by_label("GlobalTable").is_some());
    harness.get_by_label("Search rows").focus();
    harness.run();
    harness.get_by_label("Search rows").type_text("entry 2");
    harness.run_steps(8);
    assert!(harness.query_by_label("GlobalTable").is_none() && harness.query_by_label("entry 2").is_some());
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let copied = harness.state().commands.iter().find_map(|command| match command {
        Command::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert!(copied.is_some_and(|text| text.contains("COMPUTE_USER_DATA_3\t0x2e43\t0x00000002\tentry 2")));
}

#[test]
fn says_that_other_programs_are_no_objects() {
    let harness = open(Theme::light(), None);
    assert!(harness.query_by_label("Not an AMD code object").is_some());
}

/// The registers of a pipeline, beside those of its object.
struct Beside {
    view: RegistersView,
    report: Report,
    object: CodeObject,
    commands: Vec<Command>,
}

fn beside(theme: Theme, target: Target) -> Harness<'static, Beside> {
    let pipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/code_objects/textured.pipe");
    let program = lanescope_core::load::load(&[pipe], &[]).expect("loads");
    let wave = lanescope_core::options::WaveChoice::Wave32;
    let options = Options { target, wave, ..program.options(&Options::default()) };
    let report = lanescope_core::analyse(&program, &options).expect("fits");
    let object = sample("textured.elf");
    let state = Beside { view: RegistersView::default(), report, object, commands: Vec::new() };
    let draw = |ui: &mut egui::Ui, state: &mut Beside| {
        let selection = Selection::default();
        let comparing = Comparing {
            with: Some(Partner::Program(1)),
            names: ["textured.elf", "textured.pipe"],
            titles: ["textured.elf", "textured.pipe"],
            object: Some(&state.object),
            key: [1, 1, 0, 0],
            ..Comparing::NOTHING
        };
        let cx = ViewCx { comparing, ..ViewCx::of(&state.report, &selection) };
        state.commands.extend(state.view.ui(ui, &cx));
    };
    let mut harness =
        Harness::builder().with_size(vec2(1200.0, 640.0)).with_pixels_per_point(1.0).build_ui_state(draw, state);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

#[test]
fn registers_beside_an_object_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = beside(theme, Target::Gfx1010);
        assert!(harness.query_by_label_contains("1 differs").is_some());
        harness.get_by_label("Open SPI_PS_IN_CONTROL").click();
        harness.run_steps(8);
        results.add(harness.try_snapshot(format!("code_object/beside_{mode}")));
    }
}

#[test]
fn only_what_differs_from_the_object_is_shown_on_request() {
    let mut harness = beside(Theme::light(), Target::Gfx1010);
    assert!(harness.query_by_label("CB_SHADER_MASK").is_some());
    harness.get_by_label("≠ Differing only (1)").click();
    harness.run_steps(8);
    assert!(harness.query_by_label("CB_SHADER_MASK").is_none());
    assert!(harness.query_by_label("SPI_PS_IN_CONTROL").is_some());
    harness.get_by_label("Stop comparing").click();
    harness.run_steps(8);
    assert!(harness.state().commands.contains(&Command::CompareWith(None)));
}

#[test]
fn an_object_for_another_chip_offers_its_target() {
    let mut harness = beside(Theme::light(), Target::Gfx1030);
    assert!(harness.query_by_label("is for gfx1010; the target is gfx1030").is_some());
    harness.get_by_label("Set target gfx1010").click();
    harness.run_steps(8);
    let target = harness.state().commands.iter().find_map(|command| match command {
        Command::SetOptions(options) => Some(options.target),
        _ => None,
    });
    assert_eq!(target, Some(Target::Gfx1010));
}

struct Pair {
    view: CompareView,
    report: Report,
    sides: [(CodeObject, Result<&'static str, &'static str>); 2],
    commands: Vec<Command>,
}

const LISTING: &str = "\nDisassembly of section .text:\n\n0000000000000000 <_amdgpu_cs_main>:\n\ts_nop 0  // 000000000000: \
                       BF800000\n\ts_endpgm  // 000000000004: BF810000\n";

fn compared(names: [&str; 2], listings: [Result<&'static str, &'static str>; 2]) -> Harness<'static, Pair> {
    let sides = [(sample(names[0]), listings[0]), (sample(names[1]), listings[1])];
    let pair = Pair { view: CompareView::default(), report: gallery::lit_report(), sides, commands: Vec::new() };
    let draw = |ui: &mut egui::Ui, pair: &mut Pair| {
        let partners = [(Partner::Program(2), "a.elf".to_owned())];
        let objects = pair.sides.each_ref().map(|(object, listing)| ObjectSide { object, listing: *listing });
        let comparing = Comparing {
            partners: &partners,
            with: Some(Partner::Program(2)),
            names: ["a.elf", "b.elf"],
            titles: ["a.elf", "b.elf"],
            objects: Some(objects),
            key: [1, 2, 0, 0],
            ..Comparing::NOTHING
        };
        let selection = Selection::default();
        let cx = ViewCx { comparing, frozen: true, ..ViewCx::of(&pair.report, &selection) };
        pair.commands.extend(pair.view.ui(ui, &cx));
    };
    let mut harness =
        Harness::builder().with_size(vec2(1000.0, 480.0)).with_pixels_per_point(1.0).build_ui_state(draw, pair);
    let theme = Theme::light();
    harness.ctx.set_theme(egui::Theme::Light);
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

#[test]
fn two_objects_are_compared_part_by_part() {
    let mut harness = compared(["fill.elf", "fill_moved.elf"], [Ok(LISTING), Ok(LISTING)]);
    // The first part that differs is shown, without what is equal.
    harness.get_by_label("≠ Pipeline (3)");
    harness.get_by_label("= Header");
    harness.get_by_label("≠ User data (3)").click();
    harness.run_steps(8);
    harness.get_by_label("cs s1");
    harness.get_by_label("entry 4");
    assert!(harness.query_by_label("cs s0").is_none());
    SnapshotResults::new().add(harness.try_snapshot("compare_code_objects"));
    harness.get_by_label("≠ Changed only").click();
    harness.run_steps(8);
    harness.get_by_label("cs s0");
    harness.get_by_label("· Semantics").click();
    harness.run_steps(8);
    harness.get_by_label("Neither object has any.");
    harness.get_by_label("= Assembly").click();
    harness.run_steps(8);
    harness.get_by_label("= Both objects have the same instructions.");
}

#[test]
fn code_of_two_objects_is_compared_where_it_is_known() {
    let mut harness = compared(["fill.elf", "textured.elf"], [Ok(LISTING), Err("llvm-objdump is not on PATH")]);
    harness.get_by_label("· Assembly").click();
    harness.run_steps(8);
    harness.get_by_label("Not compared: llvm-objdump is not on PATH");
    let other = "\nDisassembly of section .text:\n\n0000000000000000 <_amdgpu_cs_main>:\n\ts_endpgm\n";
    let mut harness = compared(["fill.elf", "fill_moved.elf"], [Ok(LISTING), Ok(other)]);
    harness.get_by_label("≠ Assembly").click();
    harness.run_steps(8);
    harness.get_by_label_contains("s_nop 0");
}
