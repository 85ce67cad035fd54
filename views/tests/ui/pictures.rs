//! The tabs as a user meets them: found by label, clicked, and looked at (rendered by wgpu, light and dark).

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::options::{Options, PackingOrder, ProducerChoice};
use lanescope_core::packing::{Packing, Stored};
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;
use lanescope_core::workgroup::{Macro, Micro};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::{Ask, ViewId};
use lanescope_views::context::{View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::packing::PackingView;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::workgroup::{ColorBy, Legend, MapSettings, WorkgroupView};

use crate::on_device::drawn;

/// A tab with what it is drawn from, and what it requested so far.
struct Tab {
    view: Box<dyn View>,
    report: Report,
    other: Option<Report>,
    selection: Selection,
    commands: Vec<Command>,
    /// The request to the next drawing.
    ask: Option<Ask>,
}

impl Tab {
    fn new(view: impl View + 'static, report: Report) -> Self {
        Tab {
            view: Box::new(view),
            report,
            other: None,
            selection: Selection::default(),
            commands: Vec::new(),
            ask: None,
        }
    }

    fn packing() -> Self {
        Tab::new(PackingView::default(), gallery::packing_report(gallery::every_case()))
    }

    fn workgroup() -> Self {
        Tab::new(WorkgroupView::default(), gallery::workgroup_report(gallery::quads_8x8()))
    }

    fn open(self, theme: Theme, size: egui::Vec2) -> Harness<'static, Tab> {
        let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
            let cx =
                ViewCx { other: tab.other.as_ref(), ask: tab.ask.take(), ..ViewCx::of(&tab.report, &tab.selection) };
            tab.commands.extend(tab.view.ui(ui, &cx));
        };
        let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, self);
        harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
        harness.ctx.set_visuals(theme.visuals());
        harness.run();
        harness
    }

    fn asked(harness: &mut Harness<'_, Tab>) -> Vec<Command> {
        std::mem::take(&mut harness.state_mut().commands)
    }
}

const WIDE: egui::Vec2 = vec2(1000.0, 640.0);

fn options(commands: &[Command]) -> &Options {
    match commands {
        [Command::SetOptions(options)] => options,
        other => panic!("one change of options was expected, not {other:?}"),
    }
}

#[test]
fn the_order_can_be_switched() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    harness.get_by_role_and_label(Role::ComboBox, "Order").click();
    harness.run();
    harness.get_by_label("design note").click();
    harness.run();
    assert_eq!(options(&Tab::asked(&mut harness)).order, PackingOrder::DesignNote);
}

#[test]
fn packing_can_be_switched_off() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    harness.get_by_label("Pack").click();
    harness.run();
    assert!(options(&Tab::asked(&mut harness)).no_pack);
}

#[test]
fn a_click_selects_the_scalar_under_it() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    let canvas = harness.get_by_label("Packing: 8 original locations, 5 packed slots").rect();
    // The first cell of the left grid; the picture fits the width.
    let zoom = (WIDE.x - 16.0) / 1060.0;
    let at = canvas.min + vec2(100.0, 140.0) * zoom;
    harness.hover_at(at);
    harness.run();
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    }
    harness.run();
    let wanted = Varying { location: 0, component: Some(0) };
    let commands = Tab::asked(&mut harness);
    let selection = Selection { varying: Some(wanted), ..Default::default() };
    assert_eq!(commands, [Command::Select(selection.clone())]);
    // The keyboard continues from there.
    harness.state_mut().selection = selection;
    harness.key_press(Key::ArrowDown);
    harness.run();
    let below = Varying { location: 1, component: Some(0) };
    let moved = Selection { varying: Some(below), ..Default::default() };
    assert_eq!(Tab::asked(&mut harness), [Command::Select(moved)]);
}

#[test]
fn copies_tables_and_exports_pictures() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    harness.get_by_label("Copy table").click();
    harness.run();
    harness.get_by_label("Export picture").click();
    harness.run();
    harness.get_by_label("Exports").click();
    harness.run();
    harness.get_by_label("Copy exports").click();
    harness.run();
    match &Tab::asked(&mut harness)[..] {
        [Command::Copy(table), Command::SavePicture { picture, name: "packing" }, Command::Copy(exports)] => {
            assert_eq!(*drawn(picture), lanescope_views::packing::picture(&gallery::every_case(), &Theme::light()));
            assert!(table.contains("tint\t6\t3\t2\t1\thigh\t16\tsmooth"), "{table}");
            assert!(exports.contains("1\txy··"), "{exports}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn shows_a_stored_map_if_present() {
    let mut report = gallery::packing_report(gallery::note_example());
    let stored = Stored { locations: vec![0x2A, 9], builtins: vec![7, 2], distances: [0, 0] };
    report.packing.as_mut().expect("it has a packing").stored = Some(stored);
    let mut harness = Tab::new(PackingView::default(), report).open(Theme::light(), WIDE);
    harness.get_by_label("Stored").click();
    harness.run();
    harness.get_by_label("5.y → 1.x high");
    harness.get_by_label("Copy stored").click();
    harness.run();
    match &Tab::asked(&mut harness)[..] {
        [Command::Copy(text)] => assert!(text.contains("locations\t0x2a\t0x9"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn shows_each_interface_of_a_pipeline() {
    let mut report = gallery::packing_report(gallery::every_case());
    let inner = Packing { consumer: StageKind::Geometry, ..gallery::note_example() };
    report.inner_packing.push(inner);
    let mut harness = Tab::new(PackingView::default(), report).open(Theme::light(), WIDE);
    harness.get_by_role_and_label(Role::ComboBox, "Interface").click();
    harness.run();
    harness.get_by_label("vertex to geometry").click();
    harness.run();
    // What does not fit into the toolbar is in its menu.
    harness.get_by_label("More").click();
    harness.run();
    harness.get_by_label("Copy table").click();
    harness.run();
    match &Tab::asked(&mut harness)[..] {
        [Command::Copy(text)] => assert!(text.contains("materialId\t3\t1"), "the other interface's table: {text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn can_ignore_the_previous_stage() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    harness.get_by_role_and_label(Role::ComboBox, "Producer").click();
    harness.run();
    harness.get_by_label("none").click();
    harness.run();
    assert_eq!(options(&Tab::asked(&mut harness)).producer, ProducerChoice::None);
}

#[test]
fn saves_a_lane_map_as_shown() {
    let mut harness = Tab::workgroup().open(Theme::dark(), WIDE);
    harness.get_by_role_and_label(Role::ComboBox, "Color").click();
    harness.run();
    harness.get_by_label("order").click();
    harness.run();
    let exported = |harness: &mut Harness<'_, Tab>| {
        harness.state_mut().ask = Some(Ask::ExportPicture);
        harness.run();
        match Tab::asked(harness).pop() {
            Some(Command::SavePicture { picture, name: "workgroup" }) => drawn(&picture).clone(),
            other => panic!("{other:?}"),
        }
    };
    let settings = MapSettings { color_by: ColorBy::Order, z: Some(0), legend: Legend::Below, ..Default::default() };
    let expected = lanescope_views::workgroup::picture(&gallery::quads_8x8(), &settings, &Theme::dark());
    assert_eq!(exported(&mut harness), expected);
    let other = gallery::layout([8, 8, 1], 64, Micro::None, Macro::None);
    harness.state_mut().other = Some(gallery::workgroup_report(other));
    harness.run();
    let both = exported(&mut harness);
    assert_eq!(both.title.matches("Lane map").count(), 2, "{}", both.title);
}

#[test]
fn layout_options_can_be_overridden() {
    let mut harness = Tab::workgroup().open(Theme::light(), WIDE);
    harness.get_by_label("Force swizzle").click();
    harness.run();
    assert!(options(&Tab::asked(&mut harness)).force_swizzle);
    harness.get_by_label("Reconfigure layout").click();
    harness.run();
    let commands = Tab::asked(&mut harness);
    let both = options(&commands);
    assert!(both.force_swizzle && both.reconfig, "the second change keeps the first: {both:?}");
}

#[test]
fn the_size_can_be_overridden() {
    let mut harness = Tab::workgroup().open(Theme::light(), WIDE);
    harness.get_by_role_and_label(Role::SpinButton, "Size x").increment_accesskit();
    harness.run();
    assert_eq!(options(&Tab::asked(&mut harness)).group_size, Some([9, 8, 1]));
}

#[test]
fn the_picture_can_be_zoomed() {
    let mut harness = Tab::packing().open(Theme::light(), WIDE);
    let width = |harness: &Harness<'_, Tab>| {
        harness.get_by_label("Packing: 8 original locations, 5 packed slots").rect().width()
    };
    let fit = width(&harness);
    harness.get_by_label("Zoom in").click();
    harness.run();
    assert!(width(&harness) > fit * 1.1, "{} after {fit}", width(&harness));
    harness.get_by_label("Fit").click();
    harness.run();
    assert_eq!(width(&harness), fit);
}

#[test]
fn a_selected_invocation_is_explained() {
    let mut tab = Tab::workgroup();
    tab.selection.invocation = Some([3, 5, 0]);
    let harness = tab.open(Theme::light(), WIDE);
    harness.get_by_label("Invocation (3, 5, 0)");
    harness.get_by_label("39 div 32 = 1");
    harness.get_by_label("y = 2·(q div X/2) + t div 2 mod 2");
    harness.get_by_label("  = 2·2 + 1 = 5");
}

#[test]
fn shows_two_settings_side_by_side() {
    let mut harness = Tab::workgroup().open(Theme::light(), WIDE);
    harness.get_by_label("Compare").click();
    harness.run();
    let commands = Tab::asked(&mut harness);
    assert!(matches!(&commands[..], [Command::SetOther(Some(_))]), "{commands:?}");
    let other = gallery::layout([8, 8, 1], 64, Micro::None, Macro::None);
    harness.state_mut().other = Some(gallery::workgroup_report(other));
    harness.run();
    harness.get_by_label("Lane map of main: 8 x 8 x 1 in waves of 32");
    harness.get_by_label("Lane map of main: 8 x 8 x 1 in waves of 64");
    // Each map is named above it, and its options are in the panel alone.
    for setting in ["First setting", "Second setting"] {
        assert_eq!(harness.query_all_by_label(setting).count(), 1, "{setting}");
    }
    assert!(harness.query_by_label("Force swizzle").is_none());
    harness.get_by_label("Options").click();
    harness.run();
    assert_eq!(Tab::asked(&mut harness), [Command::Options]);
    harness.get_by_label("Compare").click();
    harness.run();
    assert_eq!(Tab::asked(&mut harness), [Command::SetOther(None)]);
}

#[test]
fn switches_slices() {
    let deep = gallery::layout([6, 4, 2], 32, Micro::Quads, Macro::None);
    let mut harness = Tab::new(WorkgroupView::default(), gallery::workgroup_report(deep)).open(Theme::light(), WIDE);
    harness.get_by_label("Next z").click();
    harness.run();
    assert!(
        harness.query_all_by_label("Next z").all(|button| button.accesskit_node().is_disabled()),
        "z is the last one"
    );
}

#[test]
fn lists_derivatives_with_their_operands() {
    let report = gallery::workgroup_report(gallery::with_derivatives());
    let harness = Tab::new(WorkgroupView::default(), report).open(Theme::dark(), WIDE);
    for label in ["Derivatives: quads", "#76", "OpImageSampleImplicitLod", "x: 1−0, 1−0, 3−2, 3−2; 2×2 invocations"]
    {
        harness.get_by_label(label);
    }
    assert!(Tab::workgroup().open(Theme::dark(), WIDE).query_by_label("Derivatives: quads").is_none());
}

#[test]
fn tabs_without_their_artifact_say_what_to_open() {
    let empty = gallery::empty_report();
    Tab::new(PackingView::default(), empty.clone()).open(Theme::dark(), WIDE).get_by_label("No inputs to pack");
    Tab::new(WorkgroupView::default(), empty).open(Theme::dark(), WIDE).get_by_label("No workgroup");
    let compute = gallery::workgroup_report(gallery::quads_8x8());
    let mut harness = Tab::new(PackingView::default(), compute).open(Theme::light(), WIDE);
    harness.get_by_label("Show Workgroup").click();
    harness.run();
    assert_eq!(Tab::asked(&mut harness), [Command::Show(ViewId::Workgroup)]);
}

#[test]
fn tabs_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for theme in [Theme::light(), Theme::dark()] {
        let mode = if theme.dark { "dark" } else { "light" };
        let mut packing = Tab::packing();
        packing.selection.varying = Some(Varying { location: 6, component: Some(1) });
        let mut harness = packing.open(theme.clone(), WIDE);
        harness.snapshot(format!("packing-{mode}"));
        results.extend_harness(&mut harness);
        let mut workgroup = Tab::workgroup();
        workgroup.selection.invocation = Some([3, 5, 0]);
        let mut harness = workgroup.open(theme, WIDE);
        harness.snapshot(format!("workgroup-{mode}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn a_picture_opens_whole_and_stays_so_until_its_own_size_is_chosen() {
    let is_on = |harness: &Harness<'static, Tab>, label: &str| {
        harness.get_by_label(label).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    for make in [Tab::packing, Tab::workgroup] {
        let mut harness = make().open(Theme::light(), vec2(1000.0, 640.0));
        for size in [vec2(1000.0, 640.0), vec2(760.0, 560.0), vec2(1400.0, 900.0)] {
            harness.set_size(size);
            harness.run();
            assert!(is_on(&harness, "Fit") && !is_on(&harness, "100%"), "{size:?}");
        }
        harness.get_by_label("100%").click();
        harness.run();
        harness.set_size(vec2(700.0, 500.0));
        harness.run();
        assert!(is_on(&harness, "100%") && !is_on(&harness, "Fit"));
        harness.get_by_label("Fit").click();
        harness.run();
        assert!(is_on(&harness, "Fit") && !is_on(&harness, "100%"));
    }
}

#[test]
fn packed_slots_are_below_the_original_ones_in_a_narrow_tab() {
    for (width, stacked) in [(1000.0, false), (480.0, true)] {
        let mut harness = Tab::packing().open(Theme::light(), vec2(width, 800.0));
        harness.state_mut().ask = Some(Ask::ExportPicture);
        harness.run();
        let size = harness.state().commands.iter().find_map(|command| match command {
            Command::SavePicture { picture, .. } => Some(drawn(picture).size),
            _ => None,
        });
        let size = size.expect("it is exported");
        assert_eq!(size.x < 600.0, stacked, "{size:?}");
    }
}
