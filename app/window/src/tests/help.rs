//! The manual in the window: opened by key, searched, read and followed by links.

use egui::accesskit::Role;

use super::*;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::manual;

impl Stage {
    fn has_control(&mut self, name: &str) -> bool {
        self.look().values().any(|control| control.name == name)
    }

    /// Clicks the middle of the first text that is drawn so.
    pub(super) fn click_text(&mut self, text: &str) {
        let output = self.output(Vec::new());
        let find = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Text(it) if it.galley.text().contains(text) && shape.clip_rect.contains(it.pos) => {
                let at = it.galley.text().find(text)?;
                let begin = it.galley.text()[..at].chars().count();
                let cursor = egui::text::CCursor::new(begin + text.chars().count() / 2);
                Some(it.pos + it.galley.pos_from_cursor(cursor).center().to_vec2())
            }
            _ => None,
        };
        let at = output.shapes.iter().rev().find_map(find).unwrap_or_else(|| panic!("`{text}` is not drawn"));
        let button = egui::PointerButton::Primary;
        let press = |pressed| Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE };
        self.draw(vec![Event::PointerMoved(at)]);
        self.draw(vec![press(true)]);
        self.draw(vec![press(false)]);
        self.draw(Vec::new());
    }
}

#[test]
fn f1_opens_the_page_of_the_tab_in_front() {
    let mut stage = Stage::new(Session::default());
    stage.frame.begin(Vec::new(), Vec::new());
    stage.settle();
    stage.press(Modifiers::NONE, Key::F1);
    assert!(matches!(stage.frame.state.overlay, Overlay::Help(_)));
    stage.settle();
    stage.press(Modifiers::NONE, Key::Escape);
    stage.settle();
    assert!(matches!(stage.frame.state.overlay, Overlay::None), "Escape closes it");
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    for (tab, page) in [
        (ViewId::Registers, "registers"),
        (ViewId::Isa, "drivers"),
        (ViewId::GuessedLayout, "guessed-layouts"),
        (ViewId::Findings, "window"),
    ] {
        stage.frame.act(Command::ShowTab(tab));
        stage.settle();
        stage.press(Modifiers::NONE, Key::F1);
        assert_eq!(stage.frame.panels.help.page(), page, "{tab}");
        stage.press(Modifiers::NONE, Key::Escape);
        stage.settle();
    }
}

#[test]
fn tabs_without_their_own_page_open_a_related_page() {
    let stage = Stage::new(Session::default());
    for view in &stage.frame.views {
        let id = view.info().id;
        assert_eq!(manual::PAGES.iter().filter(|page| page.tabs.contains(&id)).count(), 1, "{id}");
    }
}

#[test]
fn search_lists_places_and_a_click_opens_them() {
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::Help);
    stage.settle();
    assert!(stage.has_control("Troubleshooting"));
    let typed = |text: &str| vec![Event::Text(text.to_owned())];
    stage.draw(typed("unattributed"));
    stage.settle();
    assert!(!stage.has_control("Troubleshooting"), "pages without the word are not listed");
    stage.click_text("Drivers: Driver places and registers");
    assert_eq!(stage.frame.panels.help.page(), "drivers");
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::Help);
    stage.settle();
    stage.draw(typed("unattributed wombat"));
    stage.settle();
    assert!(!stage.has_control("Drivers: Driver places and registers"), "nothing contains both");
}

#[test]
fn links_open_their_pages_and_back_returns() {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1200.0, 3000.0);
    stage.frame.act(Command::Help);
    stage.settle();
    assert_eq!(stage.frame.panels.help.page(), "packing");
    stage.click_text("Rewriting");
    assert_eq!(stage.frame.panels.help.page(), "rewriting");
    stage.settle();
    stage.click_text("Back");
    assert_eq!(stage.frame.panels.help.page(), "packing");
}

#[test]
fn draws_every_page_with_named_controls_and_comes_to_rest() {
    let mut stage = Stage::new(Session::default());
    for (index, page) in manual::PAGES.iter().enumerate() {
        stage.frame.act(Command::Help);
        stage.frame.panels.help.go(index, 0);
        stage.settle();
        assert_eq!(stage.frame.panels.help.page(), page.name);
        assert_eq!(stage.draw(Vec::new()), Duration::MAX, "{} rests", page.name);
        let controls = stage.look();
        // Links and buttons say where they lead; text says itself.
        let silent = |control: &&access::Control| {
            !matches!(control.role, Role::Label | Role::ScrollBar) && !control.name.chars().any(char::is_alphanumeric)
        };
        let silent: Vec<_> = controls.values().filter(silent).collect();
        assert!(silent.is_empty(), "{}: {silent:?}", page.name);
        assert!(controls.values().any(|control| control.role == Role::Link), "{} has no link", page.name);
    }
}

#[test]
fn pictures_are_decoded() {
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::Help);
    stage.settle();
    for (path, _) in manual::PICTURES {
        let limit = Instant::now() + Duration::from_secs(30);
        let uri = format!("bytes://manual/{path}");
        loop {
            match stage.ctx.try_load_image(&uri, egui::SizeHint::default()) {
                Ok(egui::load::ImagePoll::Ready { image }) => {
                    assert!(image.size[0] >= 600, "{path}: {:?}", image.size);
                    break;
                }
                Ok(egui::load::ImagePoll::Pending { .. }) => {}
                Err(error) => panic!("{path}: {error}"),
            }
            assert!(Instant::now() < limit, "{path} is decoded");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn small_windows_draw_the_manual() {
    for size in [vec2(320.0, 240.0), vec2(90.0, 60.0)] {
        let mut stage = Stage::new(Session::default());
        stage.size = size;
        stage.frame.act(Command::Help);
        stage.settle();
        stage.press(Modifiers::NONE, Key::Escape);
        stage.settle();
    }
}

#[test]
fn the_manual_lists_every_key() {
    let line = |row: &lanescope_workbench::commands::Row| {
        let keys = row.key_list(ToString::to_string);
        format!("| {} | {keys} |\n", row.label.trim_end_matches('…'))
    };
    let expected: String = TABLE.iter().filter(|row| !row.keys.is_empty()).map(line).collect();
    let page = manual::find("window").expect("there is one");
    let (before, table) = page.text.split_once("| command | keys |\n|---|---|\n").expect("the table of keys");
    if std::env::var_os("LANESCOPE_UPDATE_MANUAL").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/manual/window.md");
        std::fs::write(path, format!("{before}| command | keys |\n|---|---|\n{expected}")).expect("writes");
        return;
    }
    assert!(table == expected, "LANESCOPE_UPDATE_MANUAL=1 writes this table into the page:\n{expected}");
}
