//! The compare tab: sections with their signs, pictures and rows side by side, texts with the diff widget.

use egui::Theme;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::compare::Side;
use lanescope_core::driver::DriverStage;
use lanescope_core::options::Options;
use lanescope_core::report::Report;
use lanescope_core::table::{Cell, Column, Key, Meaning, Table};
use lanescope_core::workgroup::{Macro, Micro};
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::{ComparedVariants, TaskResults, Work};
use lanescope_inspector::view::{Ask, ViewId};
use lanescope_views::compare::CompareView;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::{gallery, theme};

use crate::on_device::drawn;

/// The tab with both sides.
struct Pair {
    view: CompareView,
    reports: [Report; 2],
    driver: [Vec<DriverStage>; 2],
    with: Option<Partner>,
    partners: Vec<(Partner, String)>,
    selection: Selection,
    compiling: bool,
    stale: bool,
    ask: Option<Ask>,
    results: TaskResults,
    commands: Vec<Command>,
}

impl Pair {
    fn new(left: Report, right: Report) -> Pair {
        Pair {
            view: CompareView::default(),
            reports: [left, right],
            driver: [Vec::new(), Vec::new()],
            with: Some(Partner::Program(7)),
            partners: vec![
                (Partner::SecondSetting, "the second setting".to_owned()),
                (Partner::Program(7), "old.vert + old.frag".to_owned()),
            ],
            selection: Selection::default(),
            compiling: false,
            stale: false,
            ask: None,
            results: TaskResults::NOTHING,
            commands: Vec::new(),
        }
    }

    /// A surface whose material moved to a slot of its own and lost a varying, compiled on both sides.
    fn surfaces() -> Pair {
        let left = gallery::lit_report();
        let mut right = left.clone();
        right.options = Options { no_pack: true, ..Options::default() };
        let packing = right.packing.as_mut().expect("it packs");
        packing.map.retain(|mapping| !mapping.variable.starts_with("vertex_color"));
        for mapping in packing.map.iter_mut().filter(|mapping| mapping.variable.starts_with("texcoord")) {
            mapping.to.location.0 += 1;
        }
        packing.slots.after += 1;
        packing.saving.parameter_cache_per_vertex[1].0 += 16;
        let mut pair = Pair::new(left, right);
        let stages = gallery::compiled().sections.stages;
        let of = |version: lanescope_core::driver::Version| -> Vec<DriverStage> {
            let rows = stages.iter().filter(|row| row.of == version).cloned();
            rows.map(|row| DriverStage { of: lanescope_core::driver::Version::Original, ..row }).collect()
        };
        pair.driver = [of(lanescope_core::driver::Version::Original), of(lanescope_core::driver::Version::Packed)];
        pair
    }

    fn groups() -> Pair {
        let left = gallery::workgroup_report(gallery::layout([16, 16, 1], 64, Micro::None, Macro::None));
        let right = gallery::workgroup_report(gallery::strips_16x16(64));
        Pair::new(left, right)
    }

    /// Variants of a program, of which one does not compile.
    fn variants() -> Pair {
        let mut pair = Pair::surfaces();
        pair.with = Some(Partner::Variants);
        pair.partners.push((Partner::Variants, "variants of lit.variants".to_owned()));
        pair.results.variants.take(1, RunSettings::DEFAULT, Ok(variants()));
        pair
    }

    fn show(self, size: [f32; 2], theme: Theme) -> Harness<'static, Pair> {
        let draw = |ui: &mut egui::Ui, pair: &mut Pair| {
            let Pair { view, reports, driver, with, partners, selection, compiling, stale, ask, results, commands } =
                pair;
            let side = |at: usize| Side { report: &reports[at], driver: &driver[at] };
            let comparing = Comparing {
                partners,
                with: *with,
                names: ["old.vert + old.frag", "lit.vert + lit.frag"],
                titles: ["old.vert + old.frag", "lit.vert + lit.frag"],
                sides: with.filter(|with| *with != Partner::Variants).map(|_| [side(0), side(1)]),
                object: None,
                objects: None,
                shown: 1,
                key: [1, 2, 3, 4],
                compiling: *compiling,
                stale: *stale,
            };
            let cx = ViewCx { comparing, results, ask: ask.take(), ..ViewCx::of(&reports[1], selection) };
            commands.extend(view.ui(ui, &cx));
        };
        let look = if theme == Theme::Dark { theme::Theme::dark() } else { theme::Theme::light() };
        let set_up = move |ctx: &egui::Context| ctx.set_visuals_of(theme, look.visuals());
        let builder = Harness::builder().with_size(size).with_theme(theme).with_context_setup(set_up);
        let mut harness = builder.build_ui_state(draw, self);
        harness.run_steps(8);
        harness
    }
}

/// What the engine makes of four variants.
fn variants() -> ComparedVariants {
    let mut rows = Table::new([
        Column::left("No."),
        Column::left("Variant"),
        Column::left("Result"),
        Column::left("Slots").optional(),
        Column::right("Registers").optional(),
        Column::left("Others").optional(),
    ]);
    let row = |number: usize, name: &str, result: Cell, slots: Cell, registers: &str| {
        [number.to_string().into(), Cell::code(name), result, slots, Cell::code(registers), Cell::default()]
    };
    rows.row(row(1, "-D FOG=0 -D LIGHTS=1", Cell::of(Meaning::Strong, "the base"), "3".into(), ""));
    rows.row(row(2, "-D FOG=0 -D LIGHTS=4", Cell::of(Meaning::Dimmed, "as 1"), "3".into(), ""));
    let changed = |text: &str| Cell::of(Meaning::Changed, text);
    rows.row(row(3, "-D FOG=1 -D LIGHTS=1", changed("differs"), Cell::code("3 → 4").meaning(Meaning::Changed), "2"));
    if let Some(row) = rows.rows.last_mut() {
        row.key = Key::Item(1);
    }
    rows.row(row(4, "-D FOG=1 -D LIGHTS=4", changed("cannot be used"), Cell::default(), ""));
    const LIGHTS: &str = "nothing: the modules are equal; cannot be used with this value in 1 of 2 pairs";
    let mut macros = Table::new([Column::left("Macro"), Column::left("Value"), Column::left("Changes")]);
    macros.row([Cell::code("FOG"), Cell::code("0 → 1"), Cell::code("packed slots 3 → 4, SPI_PS_IN_CONTROL")]);
    macros.row([Cell::code("LIGHTS"), Cell::code("1 → 4"), Cell::code(LIGHTS)]);
    ComparedVariants {
        file: "lit.variants".into(),
        summary: "4 variants, 2 different programs".to_owned(),
        rows,
        macros,
        failures: vec![(
            "4".to_owned(),
            "lit.frag: GLSL does not compile: ERROR: lit.frag:9: 'fog' : undeclared".to_owned(),
        )],
        programs: vec![("-D FOG=0 -D LIGHTS=1".to_owned(), gallery::lit_report()); 2],
    }
}

const WIDE: [f32; 2] = [1200.0, 760.0];

fn taken(harness: &mut Harness<'_, Pair>) -> Vec<Command> {
    std::mem::take(&mut harness.state_mut().commands)
}

fn ask(harness: &mut Harness<'_, Pair>, ask: Ask) {
    harness.state_mut().ask = Some(ask);
    harness.run_steps(4);
}

fn click(harness: &mut Harness<'_, Pair>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(6);
}

#[test]
fn offers_all_partners_if_none_is_chosen() {
    let mut pair = Pair::surfaces();
    pair.with = None;
    let mut harness = pair.show(WIDE, Theme::Dark);
    click(&mut harness, "old.vert + old.frag");
    assert_eq!(taken(&mut harness), [Command::CompareWith(Some(Partner::Program(7)))]);
    click(&mut harness, "Open…");
    assert_eq!(taken(&mut harness), [Command::Compare]);
}

#[test]
fn sections_show_differences_by_sign_and_number() {
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    for label in ["≠ Packing (7)", "– Lanes", "– Registers", "≠ Statistics (8)", "≠ ISA (4)"] {
        harness.get_by_label(label);
    }
    harness.get_by_label_contains("no-pack false → true");
    // Changed rows only, with what both sides say of them.
    assert!(harness.query_by_label_contains("world_normal.x").is_none(), "it lands where it did");
    let moved = "3.x → 2.z, 32-bit smooth";
    assert_eq!(harness.query_all_by_label_contains("texcoord.x").count(), 1, "{moved}");
    click(&mut harness, "≠ Changed only");
    assert!(harness.query_all_by_label_contains("world_").count() > 0);
}

#[test]
fn marks_results_of_an_older_state() {
    let text = "! The program or the settings have changed since the compile.";
    let mut pair = Pair::surfaces();
    pair.stale = true;
    let mut harness = pair.show(WIDE, Theme::Dark);
    assert!(harness.query_by_label(text).is_none(), "packing is of now");
    for section in ["≠ Statistics (8)", "≠ ISA (4)"] {
        click(&mut harness, section);
        harness.get_by_label(text);
    }
    harness.state_mut().compiling = true;
    harness.run_steps(4);
    assert!(harness.query_by_label(text).is_none(), "it is about to be new");
}

#[test]
fn a_row_selects_its_varying_and_the_picture_is_exported() {
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    harness.get_by_label("texcoord.x").hover();
    let at = harness.get_by_label("texcoord.x").rect().center();
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(4);
    let commands = taken(&mut harness);
    let selected = commands.iter().find_map(|command| match command {
        Command::Select(selection) => selection.varying,
        _ => None,
    });
    assert_eq!(selected.map(|varying| (varying.location, varying.component)), Some((3, Some(0))), "{commands:?}");
    ask(&mut harness, Ask::ExportPicture);
    match taken(&mut harness).pop() {
        Some(Command::SavePicture { picture, name }) => {
            assert_eq!(name, "compared-packing");
            let svg = lanescope_views::draw::svg(drawn(&picture));
            assert!(svg.contains("vertex_color") && svg.contains("moved or absent on the other side"), "{svg}");
        }
        other => panic!("{other:?}"),
    }
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => assert!(text.contains("−\tfragment inputs\tvertex_color.x\t"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn flags_moved_lanes_and_shows_both_threads() {
    let mut harness = Pair::groups().show(WIDE, Theme::Light);
    harness.get_by_label_contains("invocations run on a different thread");
    // Beside the first one, which stays where it was.
    let map = harness.get_all_by_role(Role::Image).next().expect("a map").rect();
    harness.hover_at(map.left_top() + egui::vec2(map.width() * 0.5, map.height() * 0.5));
    harness.run_steps(4);
    harness.get_by_label_contains("Invocation (");
    harness.get_all_by_label_contains("thread ").next().expect("where it runs");
}

/// The pictures of both sides, and their headings.
fn sides(harness: &Harness<'_, Pair>) -> ([egui::Rect; 2], [egui::Rect; 2]) {
    let maps: Vec<_> = harness.get_all_by_role(Role::Image).map(|image| image.rect()).collect();
    // Above the title of the column of that name.
    let top = |rects: &mut dyn Iterator<Item = egui::Rect>| rects.min_by(|a, b| a.top().total_cmp(&b.top()));
    let heading = |name: &str| top(&mut harness.get_all_by_label(name).map(|node| node.rect())).expect("a heading");
    let [a, b] = maps.as_slice() else { panic!("two pictures, not {}", maps.len()) };
    ([*a, *b], [heading("A  old.vert + old.frag"), heading("B  lit.vert + lit.frag")])
}

#[test]
fn each_picture_is_whole_below_its_heading_and_above_the_explanations() {
    for (size, is_stacked) in [(WIDE, false), ([1600.0, 900.0], false), ([600.0, 380.0], true), ([400.0, 700.0], true)]
    {
        let harness = Pair::groups().show(size, Theme::Light);
        let ([a, b], headings) = sides(&harness);
        assert_eq!(b.top() > a.bottom(), is_stacked, "{size:?}: {a:?} {b:?}");
        for (map, heading) in [a, b].iter().zip(headings) {
            assert!(heading.bottom() <= map.top() && heading.left() < map.right(), "{size:?}: {heading:?} {map:?}");
            assert!(map.width() <= size[0], "{size:?}: {map:?} is cut");
        }
        // What a heading shows of its side, below the name.
        harness.get_by_label("compute 16×16×1 · wave64 · row-major");
        harness.get_by_label("compute 16×16×1 · wave64 · 8×N strips");
        // Where the page scrolls, the rows are out of view at first.
        let rows = harness.query_by_label_contains("invocations run on a different thread");
        assert!(rows.is_some() || is_stacked, "{size:?}");
        if let Some(rows) = rows {
            assert!(rows.rect().top() >= a.bottom() && rows.rect().top() >= b.bottom(), "{size:?}");
        }
    }
    let harness = Pair::surfaces().show(WIDE, Theme::Light);
    harness.get_by_label("vertex → fragment · 4 of 6 slots · 64 B per vertex · no-pack false");
    harness.get_by_label("vertex → fragment · 5 of 6 slots · 80 B per vertex · no-pack true");
}

#[test]
fn facts_on_a_part_of_a_map_are_beside_it() {
    let mut harness = Pair::groups().show(WIDE, Theme::Light);
    let map = harness.get_all_by_role(Role::Image).next().expect("a map").rect();
    let mut seen = 0;
    for [x, y] in [[0.2, 0.3], [0.4, 0.6], [0.5, 0.5]] {
        let at = map.left_top() + egui::vec2(map.width() * x, map.height() * y);
        harness.hover_at(at);
        harness.run_steps(4);
        let Some(facts) = harness.query_by_label_contains("Invocation (") else { continue };
        assert!(!facts.rect().expand(6.0).contains(at), "{:?} is over {at:?}", facts.rect());
        seen += 1;
    }
    assert!(seen >= 2, "{seen} of the places are in the map");
}

#[test]
fn the_middle_button_ends_the_comparison() {
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    let at = harness.get_by_role_and_label(Role::ComboBox, "Compare with").rect().center();
    for pressed in [true, false] {
        let button = egui::PointerButton::Middle;
        harness.event(egui::Event::PointerMoved(at));
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers: egui::Modifiers::NONE });
        harness.run_steps(1);
    }
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::CompareWith(None)]);
}

#[test]
fn compiles_both_sides_and_shows_statistics_with_changes() {
    let mut pair = Pair::surfaces();
    pair.driver = [Vec::new(), Vec::new()];
    let mut harness = pair.show(WIDE, Theme::Dark);
    click(&mut harness, "– Statistics");
    click(&mut harness, "Compile both");
    assert_eq!(taken(&mut harness), [Command::CompileCompared]);
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    harness.get_by_label_contains("≠ Statistics").click();
    harness.run_steps(6);
    harness.get_by_label("▼ -8 (-25%)");
}

#[test]
fn shows_texts_side_by_side_with_changes() {
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    harness.get_by_label_contains("≠ ISA").click();
    harness.run_steps(6);
    ask(&mut harness, Ask::NextChange);
    harness.get_by_label_contains("change 1 of ");
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => {
            assert!(text.starts_with("--- old.vert + old.frag\n+++ lit.vert + lit.frag\n@@ "), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn swaps_and_releases_the_sides() {
    let mut harness = Pair::surfaces().show(WIDE, Theme::Dark);
    click(&mut harness, "Swap");
    assert_eq!(taken(&mut harness), [Command::SwapCompared]);
    click(&mut harness, "Compare with");
    click(&mut harness, "Nothing");
    assert_eq!(taken(&mut harness), [Command::CompareWith(None)]);
}

#[test]
fn without_a_partner_all_that_can_be_compared_is_offered() {
    let mut pair = Pair::surfaces();
    (pair.with, pair.partners) = (None, Vec::new());
    let mut harness = pair.show(WIDE, Theme::Dark);
    click(&mut harness, "A second setting");
    let with = Some(Partner::SecondSetting);
    assert_eq!(taken(&mut harness), [Command::SideBySide, Command::CompareWith(with)]);
    for (name, view) in [("Original and rewritten", ViewId::Rewritten), ("Another chip or driver", ViewId::Isa)] {
        click(&mut harness, name);
        assert_eq!(taken(&mut harness), [Command::ShowTab(view)]);
    }
    let mut pair = Pair::surfaces();
    pair.with = None;
    let harness = pair.show(WIDE, Theme::Dark);
    harness.get_by_label("Another open program");
}

#[test]
fn the_tab_matches_its_pictures() {
    let mut results = egui_kittest::SnapshotResults::new();
    let mut look = |name: &str, pair: Pair, section: Option<&str>, size: [f32; 2], theme: Theme| {
        let mut harness = pair.show(size, theme);
        if let Some(section) = section {
            harness.get_by_label_contains(section).click();
        }
        harness.run_steps(8);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("compare/{name}")));
    };
    for (theme, mode) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        look(&format!("packing_{mode}"), Pair::surfaces(), None, WIDE, theme);
        look(&format!("lanes_{mode}"), Pair::groups(), None, WIDE, theme);
        look(&format!("statistics_{mode}"), Pair::surfaces(), Some("≠ Statistics"), WIDE, theme);
        look(&format!("isa_{mode}"), Pair::surfaces(), Some("≠ ISA"), WIDE, theme);
    }
    let mut alone = Pair::surfaces();
    alone.with = None;
    look("nobody", alone, None, WIDE, Theme::Dark);
    for (theme, mode) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        look(&format!("variants_{mode}"), Pair::variants(), None, WIDE, theme);
    }
    look("variants_small", Pair::variants(), None, [400.0, 310.0], Theme::Dark);
    look("small", Pair::surfaces(), None, [400.0, 310.0], Theme::Dark);
}

#[test]
fn a_variant_is_compared_with_the_base() {
    let mut harness = Pair::variants().show(WIDE, Theme::Dark);
    harness.get_by_role_and_label(Role::Button, "3").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::CompareWith(Some(Partner::Variant(1)))]);
    click(&mut harness, "Compile again");
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Variants)]);
    // Of an older state, and one that failed.
    harness.state_mut().results.variants.take(7, RunSettings::DEFAULT, Ok(variants()));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("have changed since").is_some());
    harness.state_mut().results.variants.take(1, RunSettings::DEFAULT, Err("a.variants, line 2: is wrong".to_owned()));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("line 2: is wrong").is_some());
}

#[test]
fn encodings_and_addresses_are_no_difference() {
    let mut pair = Pair::surfaces();
    pair.driver[1] = pair.driver[0].clone();
    for (rows, encoding) in pair.driver.iter_mut().zip(["7e040300", "7e060301"]) {
        for row in rows {
            let code = |line: &str| line.split(';').next().unwrap_or_default().trim_end().to_owned();
            let encoded = |isa: &String| isa.lines().map(|line| format!("{} ; {encoding}\n", code(line))).collect();
            row.isa = row.isa.as_ref().map(encoded);
        }
    }
    let mut harness = pair.show(WIDE, Theme::Light);
    click(&mut harness, "= ISA");
    harness.get_by_label("= Both sides compile to the same code.");
}

#[test]
fn counts_are_of_what_both_sides_have() {
    let mut pair = Pair::surfaces();
    pair.driver[1].clear();
    let harness = pair.show(WIDE, Theme::Light);
    harness.get_by_label("≠ ISA: only A");
    harness.get_by_label("≠ Statistics: only A");
    harness.get_by_label_contains("≠ Packing (");
}
