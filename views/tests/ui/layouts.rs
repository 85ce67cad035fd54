//! The layout tab, as a user meets it.

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::options::{AutoLayoutRule, GuessedColor};
use lanescope_core::report::Report;
use lanescope_views::context::{Ask, Selection, View as _, ViewCommand, ViewCx};
use lanescope_views::gallery;
use lanescope_views::partial::PartialView;
use lanescope_views::theme::Theme;

struct Tab {
    view: PartialView,
    report: Report,
    commands: Vec<ViewCommand>,
    ask: Option<Ask>,
}

fn open(report: Report, theme: Theme) -> Harness<'static, Tab> {
    let tab = Tab { view: PartialView::default(), report, commands: Vec::new(), ask: None };
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
        let selection = Selection::default();
        let cx = ViewCx { ask: tab.ask.take(), ..ViewCx::of(&tab.report, &selection) };
        tab.commands.extend(tab.view.ui(ui, &cx));
    };
    let size = vec2(1100.0, 900.0);
    let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

#[test]
fn both_layouts_are_drawn() {
    let mut results = SnapshotResults::new();
    let hit = || gallery::partial_report(gallery::partial_hit());
    let miss = || gallery::partial_report(gallery::partial_miss());
    for (name, report, theme) in [
        ("layout_hit", hit(), Theme::light()),
        ("layout_miss", miss(), Theme::light()),
        ("layout_miss_dark", miss(), Theme::dark()),
    ] {
        results.add(open(report, theme).try_snapshot(name));
    }
}

#[test]
fn the_guess_can_be_switched_and_its_nodes_copied() {
    let mut harness = open(gallery::partial_report(gallery::partial_miss()), Theme::light());
    harness.get_by_role_and_label(Role::ComboBox, "Guess").click();
    harness.run();
    harness.get_by_label("in sequence (LLPC's tool)").click();
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    let [ViewCommand::SetOptions(options)] = commands.as_slice() else { panic!("{commands:?}") };
    assert_eq!(options.auto_layout, AutoLayoutRule::Sequential);
    harness.get_by_role_and_label(Role::ComboBox, "Colour targets").click();
    harness.run();
    harness.get_by_label("8 bits, normalised").click();
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    assert!(
        commands.iter().any(|c| matches!(c, ViewCommand::SetOptions(o) if o.guessed_color == GuessedColor::Unorm8)),
        "{commands:?}"
    );
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    let Some(ViewCommand::Copy(table)) = commands.first() else { panic!("{commands:?}") };
    assert!(table.contains("guessed\t0\t2\tDescriptorCombinedTexture\tno\t24\t96\t12\t1\timage"), "{table}");
    harness.state_mut().ask = Some(Ask::ExportPicture);
    harness.run();
    let exported = harness.state().commands.iter().any(|c| matches!(c, ViewCommand::Export { name: "layout", .. }));
    assert!(exported);
}

#[test]
fn a_report_without_such_stages_says_so() {
    let harness = open(gallery::empty_report(), Theme::light());
    harness.get_by_label("No layout to guess");
}
