//! What panes show beyond their first look: unfolded registers, slices, records, prompts, dragged lines.

use lanescope_core::options::Options;
use lanescope_core::program::StageKind;
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::layout::Layout;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::super::Begin;
use super::super::look::{Colors, Look};
use super::{COMPUTE, LARGE, LOOK, SMALL, Stage, compute, enter, graph, pair};

fn find(stage: &mut Stage, text: &str) {
    stage.press(KeyCode::Char('/'));
    stage.type_in(text);
    stage.press(KeyCode::Enter);
}

fn show(stage: &mut Stage, view: ViewId) {
    stage.app.act(Command::ShowTab(view));
    stage.settle();
}

#[test]
fn what_the_command_line_names_is_not_kept() {
    let mut stage = Stage::new(LOOK, SMALL);
    let path = stage.file("group.comp", COMPUTE);
    let begin = Begin {
        files: vec![path],
        chips: vec![Target::Gfx1030.into()],
        target: Some(Target::Gfx1100),
        ..Begin::default()
    };
    stage.app.begin(begin);
    stage.settle();
    let before = Options::default().target;
    assert_eq!(stage.app.state.settings.compile.chips, [Target::Gfx1030.into()]);
    assert_eq!(stage.app.state.program().map(|program| program.options.target), Some(Target::Gfx1100));
    let kept = stage.app.state.session_now().clone();
    assert!(kept.compile.chips.is_empty());
    assert_eq!(kept.open[0].options.target, before);
    let now = stage.app.state.settings.compile.clone();
    stage.app.act(Command::SetCompileSettings(CompileSettings { packed: false, ..now.clone() }));
    let kept = stage.app.state.session_now().compile.clone();
    assert!(kept.chips.is_empty() && !kept.packed, "what is chosen here is kept");
    stage.app.act(Command::SetCompileSettings(CompileSettings { chips: vec![Target::Gfx1100.into()], ..now }));
    assert_eq!(stage.app.state.session_now().compile.chips, [Target::Gfx1100.into()]);
}

#[test]
fn the_source_follows_the_stage() {
    let mut stage = pair(LOOK, LARGE);
    stage.app.act(Command::ShowTab(ViewId::Source));
    stage.draw();
    let line = |stage: &mut Stage| stage.app.focused().cursor();
    let first = line(&mut stage);
    let selection = stage.app.state.program().map(|program| program.selection.clone()).unwrap_or_default();
    stage.app.act(Command::Select(selection.at_stage(StageKind::Fragment)));
    stage.draw();
    assert!(line(&mut stage) > first && stage.app.focused().line().contains("lit.frag"), "{}", stage.text());
    stage.press(KeyCode::Char('j'));
    stage.press(KeyCode::Char('j'));
    let here = line(&mut stage);
    stage.app.act(Command::ClearSelection);
    stage.app.act(Command::Select(selection.at_stage(StageKind::Fragment)));
    stage.draw();
    assert_eq!(line(&mut stage), here, "the cursor stays in the text");
    stage.app.act(Command::Select(selection.at_stage(StageKind::Vertex)));
    stage.draw();
    assert!(stage.app.focused().line().contains("lit.vert"), "{}", stage.text());
}

#[test]
fn opened_registers_show_their_fields() {
    let mut stage = pair(LOOK, SMALL);
    stage.app.act(Command::ShowTab(ViewId::Registers));
    stage.draw();
    (0..15).for_each(|_| stage.press(KeyCode::Char('j')));
    let name = stage.app.focused().line();
    stage.press(KeyCode::Enter);
    let text = stage.text();
    assert!(text.contains("byte address") && text.contains('▼'), "{name}: {text}");
}

#[test]
fn a_register_unfolds_with_reasons() {
    let mut stage = pair(LOOK, LARGE);
    show(&mut stage, ViewId::Registers);
    find(&mut stage, "SPI_PS_INPUT_CNTL_1");
    let before = stage.app.focused().count();
    stage.press(KeyCode::Enter);
    stage.draw();
    let text = stage.app.focused().text();
    assert!(stage.app.focused().count() > before && text.contains("byte address"), "{text}");
    assert!(text.contains("OFFSET"), "{text}");
    stage.press(KeyCode::Enter);
    stage.draw();
    assert_eq!(stage.app.focused().count(), before, "it folds again");
}

#[test]
fn a_varying_is_marked_in_registers_and_source() {
    let mut stage = pair(LOOK, LARGE);
    let selection = lanescope_inspector::selection::Selection {
        varying: Some(Varying { location: 3, component: None }),
        ..Default::default()
    };
    stage.app.act(Command::Select(selection));
    for view in [ViewId::Registers, ViewId::Source] {
        show(&mut stage, view);
        find(&mut stage, if view == ViewId::Source { "gloss" } else { "INPUT_CNTL" });
        let text = stage.text();
        let marked = text.lines().filter(|line| line.contains('›') || line.contains('▌'));
        assert!(marked.count() > 0, "{view}\n{text}");
        assert!(text.contains('›'), "{view}\n{text}");
    }
}

#[test]
fn slices_are_pages() {
    let mut stage = Stage::new(LOOK, LARGE);
    let deep = COMPUTE.replace("local_size_y = 8", "local_size_y = 2, local_size_z = 3");
    let files = vec![stage.file("deep.comp", &deep)];
    stage.open(files);
    show(&mut stage, ViewId::Workgroup);
    assert!(stage.app.focused().text().contains("z 0 of 3"), "{}", stage.app.focused().text());
    find(&mut stage, "next →");
    stage.press(KeyCode::Char('l'));
    stage.press(KeyCode::Enter);
    stage.draw();
    assert!(stage.app.focused().text().contains("z 1 of 3"), "{}", stage.app.focused().text());
}

#[test]
fn the_selected_lane_is_explained() {
    let mut stage = compute(LOOK, LARGE);
    show(&mut stage, ViewId::Workgroup);
    assert!(stage.app.focused().text().contains("Enter explains a lane."), "{}", stage.app.focused().text());
    find(&mut stage, "│a00");
    (0..5).for_each(|_| stage.press(KeyCode::Char('l')));
    stage.press(KeyCode::Enter);
    stage.draw();
    let text = stage.app.focused().text();
    assert!(text.contains("Invocation (5, 0, 0)"), "{text}");
    assert!(text.contains("lane = h mod wave size = 5 mod 64 = 5"), "{text}");
    assert!(text.lines().any(|line| line.trim().starts_with("x = ") && line.ends_with("= 5")), "{text}");
}

#[test]
fn two_settings_are_beside_each_other() {
    let mut stage = compute(LOOK, LARGE);
    show(&mut stage, ViewId::Workgroup);
    stage.press(KeyCode::Char('D'));
    stage.settle();
    stage.draw();
    let text = stage.app.focused().text();
    let line = text.lines().find(|line| line.contains("First setting")).unwrap_or_default();
    assert!(line.contains("Second setting"), "{text}");
    let row = text.lines().find(|line| line.matches("a00").count() == 2).unwrap_or_default();
    assert!(row.matches("a07").count() == 2, "both maps have their lanes\n{text}");
    assert!(text.lines().all(|line| line.chars().count() < usize::from(LARGE.0) * 3 / 4), "{text}");
}

#[test]
fn the_number_of_workgroups_is_typed() {
    let mut stage = compute(LOOK, SMALL);
    stage.press(KeyCode::Char(':'));
    stage.type_in("groups");
    stage.press(KeyCode::Enter);
    assert!(stage.text().contains("Workgroups, x y z"), "{}", stage.text());
    stage.type_in("4 2");
    stage.press(KeyCode::Enter);
    stage.settle();
    assert_eq!(stage.app.state.program().and_then(|program| program.options.groups), Some([4, 2, 1]));
    stage.press(KeyCode::Char(':'));
    stage.type_in("groups");
    stage.press(KeyCode::Enter);
    stage.type_in(" 9 9");
    stage.press(KeyCode::Enter);
    assert!(stage.text().contains("Not a number of workgroups"), "{}", stage.text());
}

#[test]
fn a_graph_is_drawn_with_boxes_and_arrows_where_it_fits() {
    let mut stage = graph(LOOK, (240, 60));
    show(&mut stage, ViewId::Graph);
    let text = stage.app.focused().text();
    assert!(text.contains('┌') && text.contains('▶') && text.contains("(entry)"), "{text}");
    stage.size = (60, 60);
    stage.draw();
    let tall = stage.app.focused().text();
    assert!(tall.contains('▼') && !tall.contains("──→"), "from top to bottom: {tall}");
    stage.size = (30, 60);
    stage.draw();
    let narrow = stage.app.focused().text();
    assert!(narrow.contains("──→"), "a list where it does not fit: {narrow}");
    stage.app.act(Command::Step(StepCommand::SelectNode(Some(1))));
    stage.draw();
    assert!(stage.app.focused().text().contains("› "), "the selected node has a sign");
}

#[test]
fn dividers_are_dragged() {
    let mut stage = pair(LOOK, LARGE);
    stage.draw();
    let divider = stage.app.dividers.iter().find(|divider| divider.area.width == 1).cloned().expect("two panes");
    let mouse = |kind, column| {
        Event::Mouse(MouseEvent { kind, column, row: divider.area.y + 2, modifiers: KeyModifiers::NONE })
    };
    stage.app.input(mouse(MouseEventKind::Down(MouseButton::Left), divider.area.x));
    stage.app.input(mouse(MouseEventKind::Drag(MouseButton::Left), divider.area.x + 20));
    stage.app.input(mouse(MouseEventKind::Up(MouseButton::Left), divider.area.x + 20));
    stage.draw();
    let now = stage.app.dividers.iter().find(|divider| divider.area.width == 1).cloned().expect("two panes");
    assert!(now.area.x.abs_diff(divider.area.x + 20) <= 1, "{now:?}");
    assert!(matches!(stage.app.state.tabs.layout(), Layout::Row(_)));
}

#[test]
fn panes_are_made_again_only_after_changes() {
    let mut stage = compute(LOOK, SMALL);
    stage.draw();
    let epoch = stage.app.epoch;
    for key in ['j', 'k', 'l', 'G', 'g'] {
        stage.press(KeyCode::Char(key));
        stage.app.poll();
        stage.draw();
    }
    assert_eq!(stage.app.epoch, epoch, "movement changes nothing");
    stage.press(KeyCode::Char('U'));
    assert!(stage.app.epoch > epoch);
}

#[test]
fn long_texts_follow_the_file_and_nothing_else() {
    let mut stage = compute(LOOK, LARGE);
    show(&mut stage, ViewId::Source);
    let made = |stage: &mut Stage| {
        stage.draw();
        stage.app.focused().made()
    };
    let before = made(&mut stage);
    stage.press(KeyCode::Char('u'));
    stage.press(KeyCode::Char('3'));
    show(&mut stage, ViewId::Source);
    assert_eq!(made(&mut stage), before, "commands change no text");
    stage.file("group.comp", &COMPUTE.replace("void main()", "void  main()"));
    stage.app.act(Command::Reload);
    stage.settle();
    assert!(made(&mut stage) > before);
    assert!(stage.app.focused().text().contains("void  main()"));
}

#[test]
fn a_picture_is_exported_as_the_window_draws_it() {
    let mut stage = pair(LOOK, LARGE);
    show(&mut stage, ViewId::Packing);
    stage.app.act(Command::ExportPicture);
    stage.settle();
    let path = stage.folder.path().join("out.svg");
    stage.type_clear();
    stage.app.input(Event::Paste(path.display().to_string()));
    stage.press(KeyCode::Enter);
    stage.settle();
    let svg = std::fs::read_to_string(&path).expect("it was written");
    assert!(svg.starts_with("<svg") && svg.contains("gloss"), "{}", &svg[..200.min(svg.len())]);
}

#[test]
fn the_status_line_has_the_keys_of_the_tab() {
    let mut stage = pair(LOOK, LARGE);
    for (view, key) in [(ViewId::Packing, "D second setting"), (ViewId::Isa, "x compile"), (ViewId::Run, "r run")] {
        show(&mut stage, view);
        let text = stage.text();
        let status = text.lines().last().expect("a line");
        assert!(status.contains(key) && status.ends_with("? keys  : commands  q quit"), "{status}");
    }
    // In a narrow terminal what leads to all keys stays.
    stage.size = (60, 24);
    let text = stage.text();
    assert!(text.lines().last().is_some_and(|line| line.ends_with("? keys  : commands  q quit")), "{text}");
}

#[test]
fn lanes_have_the_colours_of_their_order() {
    let shown = |colors: Colors| {
        let mut stage = compute(Look { colors, ..LOOK }, LARGE);
        show(&mut stage, ViewId::Workgroup);
        let buffer = stage.draw();
        let text = stage.text();
        let at = |words: &str| {
            let y = text.lines().position(|line| line.contains(words)).expect("drawn");
            let line = text.lines().nth(y).expect("a line");
            let x = line[..line.find(words).expect("there")].chars().count();
            buffer[(u16::try_from(x).expect("small"), u16::try_from(y).expect("small"))].bg
        };
        (at("a00"), at("a63"), text.contains("first lane"))
    };
    let (first, last, legend) = shown(Colors::True);
    assert_ne!(first, last);
    assert!(legend);
    let (first, last, legend) = shown(Colors::Sixteen);
    assert!(first == last && !legend);
}

#[test]
fn names_are_beside_the_slots_where_there_is_room() {
    for (size, is_beside) in [((80, 40), true), ((50, 40), false), ((100, 40), false), ((220, 50), true)] {
        let mut stage = pair(LOOK, size);
        show(&mut stage, ViewId::Packing);
        let text = stage.text();
        let line = text.lines().find(|line| line.trim_end().ends_with("·  empty")).expect("the legend");
        assert_eq!(!line.trim_start().starts_with('·'), is_beside, "{size:?}\n{text}");
    }
}

#[test]
fn enter_after_a_search_takes_the_match() {
    let mut stage = Stage::new(LOOK, (100, 30));
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/tile_16x16.comp");
    stage.open(vec![sample]);
    stage.app.act(Command::ShowTab(ViewId::Workgroup));
    stage.settle();
    let invocation = |stage: &Stage| stage.app.state.program().expect("open").selection.invocation;
    enter(&mut stage, "b13");
    assert_eq!(invocation(&stage), Some([13, 4, 0]));
    // As the keys that move do.
    stage.press(KeyCode::Char('h'));
    stage.press(KeyCode::Enter);
    assert_eq!(invocation(&stage), Some([12, 4, 0]));
    // The next match may be in the same line.
    find(&mut stage, "b1");
    for (key, column) in [('n', 13), ('N', 12), ('N', 11)] {
        stage.press(KeyCode::Char(key));
        stage.press(KeyCode::Enter);
        assert_eq!(invocation(&stage), Some([column, 4, 0]), "{key}");
    }
}
