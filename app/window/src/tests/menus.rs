//! Menus by key: those of the bar, and context menus.

use lanescope_inspector::corpus::CorpusCommand;

use super::*;

impl Stage {
    /// The name of what has the keyboard.
    fn focused(&mut self) -> Option<String> {
        let shown = self.look();
        let id = self.ctx.memory(|memory| memory.focused())?;
        shown.get(&id.accesskit_id()).map(|control| label(&control.name))
    }

    /// Presses a key, draws until it has had its effect, and returns what has the keyboard then.
    fn key(&mut self, modifiers: Modifiers, key: Key) -> String {
        self.press(modifiers, key);
        self.draw(Vec::new());
        self.draw(Vec::new());
        self.focused().unwrap_or_default()
    }

    fn shows(&mut self, name: &str) -> bool {
        self.look().values().any(|control| label(&control.name) == name)
    }

    /// Presses and releases a button of the pointer.
    pub(super) fn click(&mut self, at: egui::Pos2, button: egui::PointerButton) {
        let press = |pressed| Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE };
        self.draw(vec![Event::PointerMoved(at)]);
        self.draw(vec![press(true)]);
        self.draw(vec![press(false)]);
        self.draw(Vec::new());
    }

    /// The texts that are drawn, each with the part in view.
    pub(super) fn texts(&mut self) -> Vec<(String, Rect)> {
        let output = self.output(Vec::new());
        let shapes = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => {
                let place = Rect::from_min_size(text.pos, text.galley.size()).intersect(clipped.clip_rect);
                place.is_positive().then(|| (text.galley.text().to_owned(), place))
            }
            _ => None,
        });
        shapes.collect()
    }
}

/// The name of an entry without the key that follows.
fn label(name: &str) -> String {
    let of_row = |row: &lanescope_workbench::commands::Row| {
        let rest = name.strip_prefix(row.label)?;
        (rest.is_empty() || rest.starts_with(" Ctrl") || rest.starts_with(" Alt") || rest.starts_with(" F"))
            .then_some(row.label)
    };
    TABLE.iter().find_map(of_row).unwrap_or(name.trim_end_matches(" Ctrl+A").trim_end_matches(" Ctrl+F2")).to_owned()
}

fn pipeline() -> Stage {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    stage
}

#[test]
fn arrow_keys_walk_the_menus() {
    let mut stage = pipeline();
    assert_eq!(stage.key(Modifiers::ALT, Key::E), "Edit");
    // Nothing can be undone or redone yet.
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Reset options");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowUp), "Preferences…", "it wraps");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Reset options");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowRight), "View");
    assert!(stage.shows("Command palette…") && !stage.shows("Reset options"));
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowLeft), "Edit");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowLeft), "File");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowLeft), "Help", "it wraps");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Manual");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowRight), "File");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Open…");
}

#[test]
fn every_entry_of_the_view_menu_is_walked_and_submenus_too() {
    let mut stage = pipeline();
    stage.key(Modifiers::ALT, Key::V);
    let first = stage.key(Modifiers::NONE, Key::ArrowDown);
    let mut walked = vec![first.clone()];
    loop {
        let next = stage.key(Modifiers::NONE, Key::ArrowDown);
        if next == first {
            break;
        }
        assert!(!walked.contains(&next) && walked.len() < 40, "{next} after {walked:?}");
        walked.push(next);
    }
    assert!(walked.len() > 12 && !walked.contains(&"Corpus result".to_owned()), "{walked:?}");
    assert!(walked.contains(&"Appearance".to_owned()), "{walked:?}");
    while stage.key(Modifiers::NONE, Key::ArrowDown) != "Appearance" {}
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowRight), "Switch between light and dark");
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowLeft), "Appearance");
    stage.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(stage.key(Modifiers::NONE, Key::ArrowRight), "Run", "from an entry without a submenu to the next menu");
}

#[test]
fn keys_open_the_menu_of_what_has_the_keyboard() {
    for (modifiers, key) in [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)] {
        let mut stage = pipeline();
        stage.frame.act(Command::ShowTab(ViewId::Packing));
        stage.settle();
        // No widget has the keyboard.
        assert_eq!(stage.key(modifiers, key), "Move tab to right pane");
        assert!(stage.frame.state.messages.texts().is_empty());
        assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Move tab to lower pane");
        stage.key(Modifiers::NONE, Key::Escape);
        stage.settle();
        assert!(!stage.shows("Move tab to right pane"));
        // The text of the source has a menu of its own.
        stage.frame.act(Command::ShowTab(ViewId::Source));
        stage.settle();
        stage.go_into("Text of lit.frag");
        assert_eq!(stage.key(modifiers, key), "Select all", "nothing is selected to be copied");
        stage.key(Modifiers::NONE, Key::ArrowDown);
        stage.key(Modifiers::NONE, Key::ArrowDown);
        assert_eq!(stage.key(Modifiers::NONE, Key::ArrowDown), "Set bookmark");
        stage.key(Modifiers::NONE, Key::Enter);
        stage.settle();
        assert_eq!(stage.key(modifiers, key), "Select all", "the text has the keyboard again");
        assert!(stage.shows("Remove bookmark"));
    }
}

#[test]
fn keys_open_the_menu_of_a_graph_too() {
    let mut stage = Stage::new(Session::default());
    stage.open(&[&access::sample("work_graphs/01_tile_classify.dxil")]);
    stage.settle();
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.settle();
    stage.key(Modifiers::SHIFT, Key::F10);
    assert!(stage.shows("Move tab to right pane") || stage.shows("Select all"));
    assert!(stage.frame.state.messages.texts().is_empty(), "nothing was stepped back");
}

#[test]
fn a_row_of_a_corpus_result_reacts_over_its_whole_width() {
    let mut stage = corpus::opened(30);
    let chosen = |stage: &Stage| stage.frame.state.corpus.as_ref().expect("open").chosen;
    // Each pipeline has two rows.
    let texts = stage.texts();
    let cell = texts.iter().find(|(text, _)| text.ends_with("0000001")).expect("the row is shown").1;
    for x in [cell.left() + 2.0, cell.right() - 2.0, cell.right() + 200.0] {
        stage.frame.act(Command::Corpus(CorpusCommand::Choose(0)));
        stage.click(pos2(x, cell.center().y), egui::PointerButton::Primary);
        assert_eq!(chosen(&stage), Some(2), "at {x}");
    }
    stage.click(cell.center(), egui::PointerButton::Secondary);
    assert!(stage.shows("Copy the name"));
    stage.key(Modifiers::NONE, Key::Escape);
    assert_eq!(stage.key(Modifiers::SHIFT, Key::F10), "Open the pipeline", "of the chosen row");
    stage.key(Modifiers::NONE, Key::Escape);
    stage.settle();
    // A pipeline of the samples.
    let first = texts.iter().find(|(text, _)| text == lanescope_host::corpus::testing::SAMPLE).expect("shown").1;
    for _ in 0..2 {
        stage.click(first.left_center() + vec2(3.0, 0.0), egui::PointerButton::Primary);
    }
    stage.until("a double click opens it", |frame| frame.state.in_front().is_some());
}

/// Clicks with the middle button.
fn middle_click(stage: &mut Stage, pos: egui::Pos2) {
    let modifiers = Modifiers::NONE;
    let button = |pressed| Event::PointerButton { pos, button: egui::PointerButton::Middle, pressed, modifiers };
    stage.draw(vec![Event::PointerMoved(pos)]);
    stage.draw(vec![button(true)]);
    stage.draw(vec![button(false)]);
    stage.draw(Vec::new());
}

#[test]
fn the_middle_button_closes_and_ctrl_tab_goes_on() {
    let mut stage = Stage::new(Session::default());
    let paths = ["a.frag", "b.frag", "c.frag"].map(|name| stage.file(name, FRAGMENT));
    paths.iter().for_each(|path| stage.open(&[path]));
    stage.settle();
    let shown = |stage: &Stage| stage.frame.state.program().map(|program| program.paths.clone()).unwrap_or_default();
    for path in [&paths[0], &paths[1]] {
        stage.press(Modifiers::COMMAND, Key::Tab);
        assert_eq!(shown(&stage), std::slice::from_ref(path));
    }
    stage.press(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab);
    assert_eq!(shown(&stage), std::slice::from_ref(&paths[0]));
    let place = |stage: &mut Stage, name: &str| {
        let id = *stage.look().iter().find(|(_, control)| control.name == name).expect("it is shown").0;
        let rects = stage.ctx.viewport(|viewport| {
            let all = viewport.prev_pass.widgets.layers().flat_map(|(_, all)| all.to_vec()).collect::<Vec<_>>();
            all.into_iter().find(|widget| widget.id.accesskit_id() == id).map(|widget| widget.rect)
        });
        rects.expect("it is drawn").center()
    };
    // The switcher closes the shown program, an entry of its list that one.
    let switcher = place(&mut stage, "Program");
    middle_click(&mut stage, switcher);
    assert_eq!((stage.frame.state.programs.len(), shown(&stage)), (2, vec![paths[1].clone()]));
    // The second setting, the drawer.
    stage.frame.act(Command::SideBySide);
    stage.frame.act(Command::Options);
    stage.settle();
    let second = place(&mut stage, "Second");
    middle_click(&mut stage, second);
    stage.settle();
    assert!(stage.frame.state.program().is_some_and(|program| program.other.is_none()));
    stage.frame.act(Command::Inspect);
    stage.settle();
    let overview = place(&mut stage, "Overview");
    middle_click(&mut stage, overview);
    stage.settle();
    assert!(stage.frame.state.tabs.drawer().is_none());
}

#[test]
fn letters_go_to_registers_and_entries_of_an_open_list() {
    let mut stage = pipeline();
    stage.frame.act(Command::ShowTab(ViewId::Registers));
    stage.settle();
    let register = |stage: &Stage| stage.frame.state.program().and_then(|program| program.selection.register.clone());
    let texts = stage.texts();
    let is_register = |text: &str| text.starts_with("SPI_PS_") || text.starts_with("SPI_SHADER_");
    let names: Vec<_> = texts.iter().filter(|(text, _)| is_register(text)).cloned().collect();
    let [first, .., last] = names.as_slice() else { panic!("several registers: {texts:?}") };
    stage.click(first.1.center(), egui::PointerButton::Primary);
    stage.settle();
    assert_eq!(register(&stage).as_ref(), Some(&first.0));
    for letter in last.0.to_lowercase().chars() {
        stage.draw(vec![Event::Text(letter.to_string())]);
        stage.draw(Vec::new());
        stage.draw(Vec::new());
    }
    assert_eq!(register(&stage).as_ref(), Some(&last.0));
    // The targets of the options: the box is open, and has the keyboard itself.
    stage.frame.act(Command::Options);
    stage.settle();
    let texts = stage.texts();
    let target = texts.iter().filter(|(text, _)| text == "gfx1030").map(|(_, place)| *place);
    let target = target.min_by(|a, b| a.left().total_cmp(&b.left())).expect("the target is in the panel");
    stage.click(target.center(), egui::PointerButton::Primary);
    stage.settle();
    stage.time += 5.0;
    for letter in ["g", "f", "x", "1", "1"] {
        stage.draw(vec![Event::Text(letter.to_owned())]);
        stage.draw(Vec::new());
    }
    let focused = stage.focused().unwrap_or_default();
    assert!(focused.starts_with("gfx11"), "{focused}");
}

#[test]
fn a_double_click_opens_a_row_of_a_comparison() {
    let mut stage = corpus::opened(30);
    let before = lanescope_host::corpus::testing::result(&stage.folder.path().join("before.jsonl"), 30, 0);
    stage.frame.act(Command::CompareFiles(vec![before]));
    stage.settle();
    let sample = lanescope_host::corpus::testing::SAMPLE;
    let texts = stage.texts();
    let name = texts.iter().find(|(text, _)| text == sample).expect("the sample is shown").1;
    // Beside the name, which opens with one click.
    let at = pos2(name.right() + 60.0, name.center().y);
    stage.click(at, egui::PointerButton::Primary);
    stage.settle();
    assert!(stage.frame.state.in_front().is_none());
    stage.time += 5.0;
    for _ in 0..2 {
        stage.click(at, egui::PointerButton::Primary);
    }
    stage.until("a double click opens it", |frame| frame.state.in_front().is_some());
}
