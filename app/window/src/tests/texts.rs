//! Keys of texts in the window: those of the window come first, and the text that has the keyboard takes the others.

use egui::accesskit::{Action, ActionRequest, Node, NodeId, TreeId};
use lanescope_inspector::view::ViewId;

use super::*;

impl Stage {
    /// The node of that name, as those meet it who hear the window.
    fn node(&mut self, name: &str) -> (NodeId, Node) {
        self.ctx.enable_accesskit();
        self.draw(Vec::new());
        let output = self.output(Vec::new());
        let tree = output.platform_output.accesskit_update.expect("it is enabled");
        let found = tree.nodes.into_iter().find(|(_, node)| node.label().or(node.value()) == Some(name));
        found.unwrap_or_else(|| panic!("nothing is called {name}"))
    }

    /// Puts the keyboard into the widget of that name, as the Tab key does.
    pub(super) fn go_into(&mut self, name: &str) {
        let (target_node, _) = self.node(name);
        let request = ActionRequest { action: Action::Focus, target_tree: TreeId::ROOT, target_node, data: None };
        self.draw(vec![Event::AccessKitActionRequest(request)]);
        self.settle();
    }
}

fn source() -> Stage {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1400.0, 900.0);
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.settle();
    stage
}

fn key(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

#[test]
fn keys_typed_at_once_after_ctrl_f_and_ctrl_l_are_not_lost() {
    let mut stage = source();
    let typed = |text: &str| text.chars().map(|c| Event::Text(c.to_string())).collect::<Vec<_>>();
    let mut events = vec![key(Key::F, Modifiers::COMMAND)];
    events.extend(typed("void"));
    stage.draw(events);
    stage.settle();
    assert_eq!(stage.node("Search text").1.value(), Some("void"));
    let mut events = vec![key(Key::L, Modifiers::COMMAND)];
    events.extend(typed("2"));
    events.push(key(Key::Enter, Modifiers::NONE));
    stage.draw(events);
    stage.settle();
    let (_, text) = stage.node("Text of lit.frag");
    assert!(text.value().is_some_and(|value| value.starts_with("Line 2: ")), "{:?}", text.value());
}

#[test]
fn keys_of_the_window_are_for_the_pane_that_has_the_keyboard() {
    let mut stage = source();
    stage.frame.act(Command::Focus(ViewId::Packing));
    stage.go_into("Text of lit.frag");
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Source));
    stage.press(Modifiers::COMMAND, Key::F2);
    stage.settle();
    stage.node("Line 1: bookmark");
    // A tab that is shown by a command keeps the keys.
    stage.frame.act(Command::Focus(ViewId::Packing));
    stage.settle();
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Packing));
}

#[test]
fn a_copy_of_the_selection_is_on_the_clipboard() {
    let mut stage = source();
    stage.go_into("Text of lit.frag");
    stage.press(Modifiers::SHIFT, Key::End);
    let output = stage.output(vec![Event::Copy]);
    let first = FRAGMENT.lines().next().expect("a line").to_owned();
    let copies = |output: &egui::FullOutput| {
        output
            .platform_output
            .commands
            .iter()
            .any(|c| matches!(c, egui::OutputCommand::CopyText(text) if *text == first))
    };
    assert!(copies(&output) || copies(&stage.output(Vec::new())));
}
