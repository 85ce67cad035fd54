//! The mouse: what is pressed, scrolled, dragged.

use lanescope_inspector::command::Command;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::app::App;

/// Lines that the wheel scrolls.
const WHEEL: isize = 3;

impl App {
    /// Takes the mouse.
    pub fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        let presses = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if presses && let Some((_, field)) = &mut self.prompt {
            // What is typed is given up where something else is pressed.
            if field.press(at) {
                return;
            }
            self.prompt = None;
        }
        if self.has_dialog() {
            let commands = self.dialog.mouse(&self.state, mouse);
            return self.requested(commands);
        }
        let pane = self.areas.iter().find(|(area, _)| area.contains(at)).cloned();
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.notice = None;
                if let Some((_, command)) = self.buttons.iter().find(|(area, _)| area.contains(at)).cloned() {
                    self.act(command);
                } else if let Some(divider) = self.dividers.iter().find(|divider| divider.area.contains(at)) {
                    self.dragged = Some(divider.begin(self.state.tabs.layout()));
                } else if let Some((area, id)) = pane {
                    if let Some(view) = id.view().filter(|view| self.state.tabs.focus() != Some(*view)) {
                        self.act(Command::Focus(view));
                    }
                    if self.panes.entry(id).or_default().press(area, at) {
                        self.follow();
                    }
                }
            }
            MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => {
                let by = if mouse.kind == MouseEventKind::ScrollDown { WHEEL } else { -WHEEL };
                if let Some((_, id)) = pane {
                    self.panes.entry(id).or_default().scroll(by);
                    self.slide(&id);
                }
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                let layout = self.dragged.as_ref().and_then(|dragged| dragged.to(at));
                if let Some(layout) = layout {
                    self.act(Command::Arrange { layout, edited: true, dragged: Vec::new() });
                }
            }
            MouseEventKind::Up(MouseButton::Left) => self.dragged = None,
            _ => {}
        }
    }
}
