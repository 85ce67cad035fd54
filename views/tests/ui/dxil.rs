//! The DXIL tab: its pages and their requests.

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::dxil::metadata::EntryPoint;
use lanescope_core::dxil::psv::Binding;
use lanescope_core::findings::{Finding, Place};
use lanescope_core::program::{ConvertedEntry, LoadedDxil};
use lanescope_core::report::Report;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Listed, Selection};
use lanescope_inspector::source::{SourceText, TextRole};
use lanescope_inspector::view::{Ask, ViewId};
use lanescope_views::context::{View, ViewCx};
use lanescope_views::dxil::DxilView;
use lanescope_views::findings::FindingsView;
use lanescope_views::gallery;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

struct Tab {
    view: DxilView,
    report: Report,
    texts: Vec<SourceText>,
    containers: Vec<LoadedDxil>,
    ask: Option<Ask>,
    commands: Vec<Command>,
    selection: Selection,
}

type Shown = (Report, Vec<SourceText>, Vec<LoadedDxil>);

fn open(theme: Theme, shown: Shown, size: egui::Vec2) -> Harness<'static, Tab> {
    let (selection, (report, texts, containers)) = (Selection::default(), shown);
    let tab = Tab { view: DxilView::default(), report, texts, containers, ask: None, commands: Vec::new(), selection };
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
        let (texts, containers, ask) = (&tab.texts, &tab.containers, tab.ask.take());
        let cx = ViewCx { texts, containers, ask, ..ViewCx::of(&tab.report, &tab.selection) };
        let commands = tab.view.ui(ui, &cx);
        // As the window does.
        for command in &commands {
            if let Command::Select(selection) = command {
                tab.selection = selection.clone();
            }
        }
        tab.commands.extend(commands);
    };
    let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

fn containers(theme: Theme) -> Harness<'static, Tab> {
    open(theme, gallery::containers(), vec2(1000.0, 700.0))
}

fn page(harness: &mut Harness<'static, Tab>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(8);
}

fn second(harness: &mut Harness<'static, Tab>) {
    harness.get_by_role_and_label(Role::ComboBox, "Container").click();
    harness.run();
    harness.get_by_label("preview_matrix.cs.dxil").click();
    harness.run_steps(8);
}

#[test]
fn pages_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = containers(theme);
        for name in ["File", "Signatures", "Ops", "Code", "Resources", "Reflection"] {
            page(&mut harness, name);
            results.add(harness.try_snapshot(format!("dxil/{}_{mode}", name.to_lowercase())));
        }
        page(&mut harness, "Findings");
        harness.get_by_label("No findings");
        second(&mut harness);
        page(&mut harness, "Ops");
        harness.get_by_role_and_label(Role::Button, "LinAlgMatrixGetElement").click();
        harness.run_steps(8);
        results.add(harness.try_snapshot(format!("dxil/experimental_{mode}")));
        page(&mut harness, "Findings 2");
        results.add(harness.try_snapshot(format!("dxil/findings_{mode}")));
    }
}

#[test]
fn clicking_a_part_shows_its_bytes() {
    let mut harness = containers(Theme::light());
    let canvas = harness.get_by_label("Container of 5228 bytes with 7 parts").rect();
    // Below the header's block comes the first part; the picture is drawn at its own size or smaller.
    let mut shown = false;
    for down in (40..160).step_by(12) {
        let at = canvas.min + vec2(150.0, down as f32);
        harness.hover_at(at);
        harness.run();
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers: egui::Modifiers::NONE });
        }
        harness.run_steps(4);
        shown = harness.query_by_label_contains("8 bytes from 0x3c").is_some();
        if shown {
            break;
        }
    }
    assert!(shown, "no part was hit");
    harness.get_by_label_contains("53 46 49 30");
    harness.get_by_label("Text of SFI0 at 0x3c");
    harness.get_by_label("Close").click();
    harness.run();
    assert!(harness.query_by_label_contains("8 bytes from 0x3c").is_none());
}

#[test]
fn copies_ops_with_their_calls_and_searches_them() {
    let mut harness = containers(Theme::dark());
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let Some(Command::Copy(text)) = harness.state().commands.first() else { panic!("nothing was copied") };
    assert!(text.starts_with("Table\tOp\tHex\tOpcode\tClass\tSince\tFunction\tLine"), "{text}");
    assert!(text.contains("stable\tDot3\t0x00000037\t55\tDot3\t6.0\tPSMain\t"), "{text}");
    second(&mut harness);
    harness.get_by_label("Search ops").focus();
    harness.run();
    harness.event(egui::Event::Text("experimental fill".to_owned()));
    harness.run_steps(8);
    harness.get_by_role_and_label(Role::Button, "LinAlgFillMatrix");
    assert!(harness.query_by_role_and_label(Role::Button, "AnnotateHandle").is_none());
}

#[test]
fn a_call_opens_its_line_beside_the_converted_code() {
    let mut harness = containers(Theme::light());
    page(&mut harness, "Ops");
    harness.get_by_role_and_label(Role::Button, "Dot3").click();
    harness.run_steps(8);
    let line =
        harness.state().report.dxil.iter().flat_map(|dxil| &dxil.ops).find(|op| op.name.as_deref() == Some("Dot3"));
    let line = line.and_then(|op| op.sites.first()?.line).expect("its call has a line");
    harness.get_by_role_and_label(Role::Link, &line.to_string()).click();
    harness.run_steps(8);
    assert_eq!(harness.state().selection.listed, Some(Listed { input: 0, line }));
    let text =
        harness.state().texts[0].text.lines().nth(line as usize - 1).expect("there is that line").trim().to_owned();
    assert!(text.contains("Dot3"), "{text}");
    assert!(harness.query_all_by_label_contains("Dot3").next().is_some(), "the line is in view");
    assert!(harness.query_by_label_contains("OpMemoryModel Logical GLSL450").is_some(), "and the module beside it");
    // Who comes back and asks for the same line again sees it again.
    page(&mut harness, "Ops");
    assert!(harness.query_by_label_contains("OpMemoryModel Logical GLSL450").is_none());
    harness.get_by_role_and_label(Role::Link, &line.to_string()).click();
    harness.run_steps(8);
    assert!(harness.query_by_label_contains("OpMemoryModel Logical GLSL450").is_some());
    // The second container has a listing of its own, and nothing that was converted.
    harness.state_mut().selection.listed = Some(Listed { input: 1, line: 3 });
    harness.run_steps(8);
    harness.get_by_label("No entry point was converted to SPIR-V.");
}

/// From a finding, in the tab itself and in the table of all, to the line that it is about.
#[test]
fn a_finding_opens_its_line_of_the_listing() {
    let mut harness = containers(Theme::dark());
    let (mut report, ..) = gallery::containers();
    let experimental = report.dxil.iter().flat_map(|first| &first.others).flat_map(|second| &second.ops);
    let called = experimental.flat_map(|op| op.sites.iter().filter_map(|site| Some((op.name.clone()?, site.line?))));
    let (op, line) = called.last().expect("a call with its line");
    let listed = Listed { input: 1, line };
    let rule = lanescope_core::findings::rule("X05").expect("a rule of ops");
    let at = Place::Record { name: op.clone() }.in_file("preview_matrix.cs.dxil");
    let place = at.to_string();
    report.findings.push(Finding { line: Some(listed), ..rule.at(None, Some(at), "newer than its model") });
    harness.state_mut().report = report.clone();
    harness.run();
    page(&mut harness, "Findings");
    assert!(harness.query_by_label(&place).is_none(), "it is about the other container");
    second(&mut harness);
    page(&mut harness, "File");
    harness.get_by_label("Show findings").click();
    harness.run_steps(4);
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let Some(Command::Copy(text)) = harness.state().commands.last() else { panic!("nothing was copied") };
    assert!(text.contains("newer than its model") && !text.contains("stable\tDot3"), "{text}");
    harness.get_by_label(&place).click();
    harness.run_steps(8);
    assert_eq!(harness.state().selection.listed, Some(listed));
    assert!(harness.query_all_by_label_contains(&op).next().is_some(), "the line is in view");
    page(&mut harness, "File");
    struct Table(FindingsView, Report, Selection, Vec<Command>);
    let draw = |ui: &mut egui::Ui, table: &mut Table| {
        let commands = table.0.ui(ui, &ViewCx::of(&table.1, &table.2));
        table.3.extend(commands);
    };
    let table = Table(FindingsView::default(), report, harness.state().selection.clone(), Vec::new());
    let mut findings = Harness::builder().with_size(vec2(900.0, 600.0)).build_ui_state(draw, table);
    findings.run();
    findings.get_by_label(&place).click();
    findings.run_steps(2);
    let [Command::Select(selection), Command::Show(ViewId::Dxil)] = findings.state().3.as_slice() else {
        panic!("{:?}", findings.state().3)
    };
    assert_eq!(selection.listed, Some(listed));
    harness.state_mut().selection = selection.clone();
    harness.run_steps(8);
    let text = harness.state().texts.iter().find(|text| text.input == 1).expect("its listing");
    assert!(text.text.lines().nth(line as usize - 1).is_some_and(|line| line.contains(&op)), "{op} at {line}");
    assert!(harness.query_all_by_label_contains(&op).next().is_some(), "the line is in view");
}

#[test]
fn exports_pictures_of_pages() {
    let mut harness = containers(Theme::light());
    for (page_name, expected) in [("Ops", "dxil-parts"), ("Signatures", "dxil-signatures")] {
        page(&mut harness, page_name);
        harness.state_mut().commands.clear();
        harness.state_mut().ask = Some(Ask::ExportPicture);
        harness.run();
        let names: Vec<_> = harness
            .state()
            .commands
            .iter()
            .filter_map(|command| match command {
                Command::SavePicture { name, .. } => Some(*name),
                _ => None,
            })
            .collect();
        assert_eq!(names, [expected]);
    }
}

#[test]
fn a_program_without_container_has_a_message() {
    let shown = (gallery::empty_report(), Vec::new(), Vec::new());
    let harness = open(Theme::light(), shown, vec2(1000.0, 700.0));
    harness.get_by_label("No DXIL container");
}

/// Rows beyond the first hundred, words that few rows have, and all of it as text.
#[test]
fn long_tables_have_pages_and_are_searched_and_copied() {
    let (mut report, texts, loaded) = gallery::containers();
    let Some(psv) = report.dxil.as_mut().and_then(|dxil| dxil.psv.as_mut()) else { panic!("has a part") };
    let binding = psv.resources[0].clone();
    psv.resources = (0..250).map(|space| Binding { space: 1000 + space, ..binding.clone() }).collect();
    let mut harness = open(Theme::light(), (report, texts, loaded), vec2(900.0, 600.0));
    page(&mut harness, "Reflection");
    harness.get_by_label("Bindings (250)");
    assert!(harness.query_by_label("1099").is_some() && harness.query_by_label("1100").is_none());
    for _ in 0..2 {
        harness.get_by_label("Next").click();
        harness.run_steps(2);
    }
    assert!(harness.query_by_label("201 to 250 of 250 rows").is_some() && harness.query_by_label("1249").is_some());
    harness.get_by_label("Search rows").focus();
    harness.run();
    harness.event(egui::Event::Text("1123".to_owned()));
    harness.run_steps(4);
    assert!(harness.query_by_label("Bindings (1)").is_some() && harness.query_by_label("Inputs (5)").is_none());
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let Some(Command::Copy(text)) = harness.state().commands.last() else { panic!("nothing was copied") };
    assert!(text.starts_with("version\t4 (56 bytes)\nstage\tpixel\n"), "{text}");
    assert!(text.contains("Bindings\nType\tKind\tSpace\tFirst\tLast\t64-bit atomics\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("cbv\t") || line.starts_with("srv")).count(), 250);
    harness.get_by_label("Entry points").click();
    harness.run_steps(2);
    assert!(harness.query_by_label("Nothing matches the search.").is_some());
}

#[test]
fn small_windows_have_every_page() {
    let mut results = SnapshotResults::new();
    let mut harness = open(Theme::dark(), gallery::containers(), vec2(420.0, 300.0));
    for name in ["File", "Signatures", "Ops", "Code", "Resources", "Findings", "Reflection"] {
        page(&mut harness, name);
    }
    results.add(harness.try_snapshot("dxil/small"));
}

/// Of a container with several entry points the listing goes to the one whose module is chosen.
#[test]
fn shows_a_chosen_entry_point_in_both_texts() {
    let (mut report, mut texts, loaded) = gallery::containers();
    let dxil = report.dxil.as_mut().expect("has containers");
    let other = EntryPoint { name: "Other".to_owned(), ..dxil.entry_points[0].clone() };
    dxil.entry_points.push(other);
    dxil.conversions = ["PSMain", "Other"]
        .into_iter()
        .enumerate()
        .map(|(module, name)| ConvertedEntry {
            details: None,
            name: name.to_owned(),
            kind: "pixel".to_owned(),
            module: Some(module),
            why: None,
            stopped_at: None,
            stopped_at_source: None,
            has_source_lines: None,
            registers_agree: true,
            wave_size: None,
        })
        .collect();
    let module = texts.iter().find(|text| text.role == TextRole::Module(0)).expect("is there").clone();
    texts.push(SourceText { title: "Other (SPIR-V)".to_owned(), role: TextRole::Module(1), ..module });
    texts[0].text.push_str("\n; entry point Other (pixel)\n");
    let line = texts[0].text.lines().count() as u32;
    let mut harness = open(Theme::light(), (report, texts, loaded), vec2(1000.0, 700.0));
    page(&mut harness, "Code");
    harness.get_by_role_and_label(Role::ComboBox, "Entry point").click();
    harness.run();
    harness.get_by_label("Other (SPIR-V)").click();
    harness.run_steps(8);
    assert_eq!(harness.state().selection.listed, Some(Listed { input: 0, line }));
    assert!(harness.query_all_by_label_contains("; entry point Other (pixel)").next().is_some(), "it is in view");
}

#[test]
fn listing_and_module_are_texts_and_requests_are_for_the_one_with_the_keyboard() {
    let mut harness = containers(Theme::light());
    page(&mut harness, "Code");
    let names: Vec<String> = harness.state().texts.iter().map(|text| format!("Text of {}", text.title)).collect();
    let shown = |harness: &Harness<'static, Tab>, name: &str| harness.query_by_label(name).is_some();
    let [listing, module] =
        [0, 1].map(|at: usize| names.iter().filter(|name| shown(&harness, name)).nth(at).expect("two texts").clone());
    let go = |harness: &mut Harness<'static, Tab>, line: &str| {
        harness.state_mut().ask = Some(Ask::GoToLine);
        harness.input_mut().events.push(egui::Event::Text(line.to_owned()));
        harness.run_steps(1);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(4);
    };
    go(&mut harness, "25");
    assert!(harness.get_by_label(&listing).is_focused());
    assert_eq!(harness.get_by_label(&listing).value().as_deref(), Some("Line 25: ; entry point PSMain (pixel)"));
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::End);
    harness.run_steps(2);
    harness.event(egui::Event::Copy);
    harness.run_steps(2);
    let copied = harness.state().commands.last().cloned();
    assert_eq!(copied, Some(Command::Copy("; entry point PSMain (pixel)".to_owned())));
    harness.get_by_label(&module).focus();
    harness.run_steps(4);
    go(&mut harness, "5");
    assert!(harness.get_by_label(&module).value().is_some_and(|value| value.starts_with("Line 5: ")));
    assert!(harness.get_by_label(&listing).value().is_some_and(|value| value.starts_with("Line 25: ")));
}

/// A sample with constants, a root descriptor, tables and static samplers, and one resource that nothing covers.
#[test]
fn a_root_signature_is_drawn_by_dword() {
    let mut results = SnapshotResults::new();
    let bytes = include_bytes!("../../../samples/dxil/signed_map.ps.dxil");
    let dxil = lanescope_core::dxil::Dxil::read(bytes.to_vec()).expect("a bundled sample is a container");
    let mut summary = dxil.summary(0);
    let lost = summary.root_places.last_mut().expect("has resources");
    (lost.place, lost.why_not) = (None, Some("it is not covered".to_owned()));
    for (theme, name) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let (mut report, texts, loaded) = gallery::containers();
        report.dxil = Some(summary.clone());
        let mut harness = open(theme, (report, texts, loaded), vec2(1000.0, 500.0));
        page(&mut harness, "Root signature");
        results.add(harness.try_snapshot(format!("dxil/root_signature_{name}")));
        harness.state_mut().ask = Some(Ask::ExportPicture);
        harness.run();
        let saved = harness.state().commands.last();
        assert!(matches!(saved, Some(Command::SavePicture { name: "root-signature", .. })), "{saved:?}");
    }
    // Containers without one have no such page.
    let harness = containers(Theme::light());
    assert!(harness.query_by_label("Root signature").is_none());
}
