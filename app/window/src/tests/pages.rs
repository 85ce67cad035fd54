//! The samples, failures, menus and dialogs in front of open programs.

use egui::accesskit::Role;
use egui::{Order, vec2};
use lanescope_inspector::view::ViewId;

use super::*;

impl Stage {
    fn controls_named(&mut self, name: &str) -> usize {
        self.look().values().filter(|control| control.name == name).count()
    }

    /// Moves the keyboard to a control of this name, as the Tab key does after many presses.
    fn focus_on(&mut self, name: &str) {
        let find = |stage: &mut Stage| {
            let found = stage.look().into_iter().find(|(_, control)| control.name == name);
            found.map(|(id, _)| id)
        };
        let wanted = find(self).unwrap_or_else(|| panic!("{name} is shown: {:?}", self.look()));
        for _ in 0..400 {
            if self.ctx.memory(|memory| memory.focused()).is_some_and(|id| id.accesskit_id() == wanted) {
                return;
            }
            self.press(Modifiers::NONE, Key::Tab);
            self.draw(Vec::new());
        }
        panic!("Tab comes to {name}");
    }

    fn layers(&self, order: Order) -> usize {
        self.ctx.memory(|memory| memory.areas().visible_layer_ids().iter().filter(|id| id.order == order).count())
    }
}

#[test]
fn the_samples_are_left_with_escape_close_or_the_list_of_programs() {
    let mut stage = Stage::new(Session::default());
    let (first, second) = (stage.file("lit.frag", FRAGMENT), stage.file("group.comp", COMPUTE));
    stage.open(&[&first]);
    stage.open(&[&second]);
    stage.settle();
    let leave: [&dyn Fn(&mut Stage); 3] = [
        &|stage| stage.press(Modifiers::NONE, Key::Escape),
        &|stage| stage.press(Modifiers::COMMAND, Key::W),
        &|stage| stage.press(Modifiers::COMMAND, Key::Num1),
    ];
    for leave in leave {
        stage.press(Modifiers::COMMAND, Key::G);
        assert_eq!(stage.frame.state.page, Page::Gallery);
        assert_eq!(stage.controls_named("Program"), 1, "the list of programs stays: {:?}", stage.look());
        leave(&mut stage);
        assert_eq!((stage.frame.state.page, stage.frame.state.programs.len()), (Page::Program, 2));
    }
    stage.press(Modifiers::COMMAND, Key::G);
    stage.press(Modifiers::COMMAND, Key::Tab);
    assert_eq!((stage.frame.state.page, stage.frame.state.active), (Page::Program, 0), "and the next one comes");
}

#[test]
fn a_failure_lies_over_the_open_program_and_shows_the_line() {
    let mut stage = Stage::new(Session::default());
    let good = stage.file("lit.frag", FRAGMENT);
    let bad = stage.file("bad.frag", "#version 450\nvoid main() {\n    x = 1;\n}\n");
    stage.open(&[&good]);
    stage.open(&[&bad]);
    stage.settle();
    assert_eq!(stage.frame.state.page, Page::Program);
    assert_eq!(stage.controls_named("Packing"), 1, "the program is drawn below");
    let failure = &stage.frame.state.failure.as_ref().expect("it did not open").failure;
    let [excerpt] = failure.excerpts.as_slice() else { panic!("{:?}", failure.excerpts) };
    assert_eq!((excerpt.line, excerpt.lines[2].as_str()), (3, "    x = 1;"));
    assert_eq!(stage.controls_named("bad.frag:3"), 1);
    stage.press(Modifiers::COMMAND, Key::W);
    assert_eq!(stage.frame.state.programs.len(), 1, "keys of the window wait");
    stage.press(Modifiers::NONE, Key::Escape);
    assert!(stage.frame.state.failure.is_none());
}

#[test]
fn an_entry_that_is_chosen_by_key_closes_its_list() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    stage.focus_on("Order");
    stage.press(Modifiers::NONE, Key::Enter);
    stage.draw(Vec::new());
    assert!(egui::Popup::is_any_open(&stage.ctx), "the list opens");
    stage.focus_on("design note");
    stage.press(Modifiers::NONE, Key::Enter);
    stage.settle();
    assert!(!egui::Popup::is_any_open(&stage.ctx));
    let order = stage.frame.state.program().expect("a program").options.order;
    assert_eq!(order, lanescope_core::options::PackingOrder::DesignNote);
}

#[test]
fn a_dialog_hides_the_tooltip_of_what_was_hovered() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    let place = |stage: &mut Stage| {
        let output = stage.output(Vec::new());
        let all = output.shapes.iter().find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == "Copy table" => Some(text.pos + vec2(4.0, 4.0)),
            _ => None,
        });
        all.expect("the button is shown")
    };
    let at = place(&mut stage);
    stage.draw(vec![Event::PointerMoved(at)]);
    for _ in 0..60 {
        stage.draw(Vec::new());
    }
    assert_eq!(stage.layers(Order::Tooltip), 1, "the tooltip is shown");
    stage.press(Modifiers::SHIFT, Key::F1);
    stage.settle();
    assert!(matches!(stage.frame.state.overlay, Overlay::Keys));
    // Layers of the last two frames count as visible.
    stage.draw(Vec::new());
    assert_eq!(stage.layers(Order::Tooltip), 0);
}

#[test]
fn menus_open_with_alt_and_fit_the_window() {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1280.0, 820.0);
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    for (key, row) in [
        (Key::F, "Open… Ctrl+O"),
        (Key::E, "Preferences… Ctrl+Shift+,"),
        (Key::V, "Command palette… Ctrl+Shift+P"),
        (Key::R, "Run on the device F9"),
        (Key::C, "Compile with drivers' compilers F7"),
        (Key::H, "Manual F1"),
    ] {
        stage.press(Modifiers::ALT, key);
        stage.settle();
        let shown = stage.look();
        let names: Vec<_> = shown.values().filter(|it| it.role == Role::Button).map(|it| it.name.as_str()).collect();
        assert!(names.iter().any(|name| name.starts_with(row.split('…').next().unwrap_or(row))), "{row}: {names:?}");
        let menus = stage.ctx.memory(|memory| {
            let areas = memory.areas();
            let popups = areas.visible_layer_ids().into_iter().filter(|id| id.order == Order::Foreground);
            popups.filter_map(|id| memory.area_rect(id.id)).collect::<Vec<_>>()
        });
        assert!(!menus.is_empty(), "{key:?}");
        for menu in menus {
            assert!(stage.ctx.content_rect().contains_rect(menu), "{key:?}: {menu:?}");
        }
        stage.press(Modifiers::NONE, Key::Escape);
        stage.settle();
    }
}

#[test]
fn the_menu_of_a_tab_moves_it() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.frame.act(Command::SetMode(lanescope_inspector::mode::Mode::Compiled));
    stage.settle();
    let output = stage.output(Vec::new());
    let at = output.shapes.iter().find_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text() == "Statistics" => Some(text.pos + vec2(4.0, 4.0)),
        _ => None,
    });
    let at = at.expect("the tab is shown");
    let press = |button, pressed| Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE };
    stage.draw(vec![Event::PointerMoved(at)]);
    stage.draw(vec![press(egui::PointerButton::Secondary, true)]);
    stage.draw(vec![press(egui::PointerButton::Secondary, false)]);
    stage.settle();
    stage.click_text("Move tab to right pane");
    stage.settle();
    let tabs = &stage.frame.state.tabs;
    assert!(
        tabs.shows(ViewId::Isa) && tabs.shows(ViewId::Statistics),
        "they are beside each other: {:?}",
        tabs.layout()
    );
}

#[test]
fn tab_completes_a_typed_path() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.frame.act(Command::OpenPath);
    stage.settle();
    let typed = path.display().to_string();
    stage.draw(vec![Event::Text(typed[..typed.len() - 6].to_owned())]);
    stage.settle();
    assert_eq!(stage.controls_named("lit.frag"), 1, "the name is offered");
    stage.press(Modifiers::NONE, Key::Tab);
    stage.settle();
    stage.press(Modifiers::NONE, Key::Enter);
    stage.until("it opens", |frame| frame.state.programs.len() == 1);
}

#[test]
fn undo_in_a_field_leaves_the_options() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    let options = lanescope_core::options::Options {
        no_pack: true,
        ..stage.frame.state.program().expect("a program").options.clone()
    };
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.settle();
    let no_pack = |stage: &Stage| stage.frame.state.program().expect("a program").options.no_pack;
    stage.focus_on("Search registers");
    stage.press(Modifiers::COMMAND, Key::Z);
    assert!(no_pack(&stage), "the field has an undo of its own");
    stage.ctx.memory_mut(|memory| memory.stop_text_input());
    stage.draw(Vec::new());
    stage.press(Modifiers::COMMAND, Key::Z);
    assert!(!no_pack(&stage));
}

#[test]
fn dialogs_fit_small_windows() {
    for size in [vec2(400.0, 300.0), vec2(320.0, 240.0)] {
        let mut stage = Stage::new(Session::default());
        stage.size = size;
        let path = stage.file("lit.frag", FRAGMENT);
        stage.open(&[&path]);
        for overlay in
            [Command::Palette, Command::Help, Command::Keys, Command::About, Command::Preferences, Command::OpenPath]
        {
            stage.frame.act(overlay.clone());
            stage.settle();
            let dialogs = stage.ctx.memory(|memory| {
                let areas = memory.areas();
                let shown = areas.visible_layer_ids().into_iter().filter(|id| id.order == Order::Foreground);
                shown.filter_map(|id| memory.area_rect(id.id)).collect::<Vec<_>>()
            });
            assert!(!dialogs.is_empty(), "{overlay:?}");
            for dialog in dialogs {
                assert!(stage.ctx.content_rect().contains_rect(dialog), "{overlay:?} at {size:?}: {dialog:?}");
            }
            stage.press(Modifiers::NONE, Key::Escape);
            stage.settle();
        }
    }
}
