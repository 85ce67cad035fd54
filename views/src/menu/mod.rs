//! Context menus: by a right click, and by the Menu key or Shift+F10 on what has the keyboard.

pub mod links;

use egui::{Context, FocusDirection, Id, Key, Modifiers, Popup, Rangef, Rect, Response, SetOpenCommand, Ui};
use lanescope_core::table::one_line;
use lanescope_inspector::command::Command;

/// An open context menu, to be filled.
pub struct Menu<'a> {
    ui: &'a mut Ui,
    /// The column that it was opened on, where it is a row's.
    column: Option<usize>,
    /// The first entry takes the keyboard.
    takes_focus: bool,
}

/// How a menu was opened.
#[derive(Debug, Clone, Copy, Default)]
struct Opened {
    /// The widget that had the keyboard, where a key opened it.
    from: Option<Id>,
    column: Option<usize>,
    takes_focus: bool,
}

impl Menu<'_> {
    /// An entry. Returns whether it was chosen.
    pub fn item(&mut self, label: &str) -> bool {
        self.enabled_item(true, label)
    }

    /// An entry that may be unavailable.
    pub fn enabled_item(&mut self, enabled: bool, label: &str) -> bool {
        let response = self.ui.add_enabled(enabled, egui::Button::new(label));
        if enabled && std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        // A click by pointer closes the menu in any case, one by key does not.
        if response.clicked() {
            self.ui.close();
        }
        response.clicked()
    }

    /// An entry that carries out a command.
    pub fn command(&mut self, label: &str, command: impl FnOnce() -> Command, commands: &mut Vec<Command>) {
        if self.item(label) {
            commands.push(command());
        }
    }

    /// A line between groups of entries.
    pub fn separator(&mut self) {
        self.ui.separator();
    }

    /// Entries that copy the cell that was clicked, the row and the table.
    pub fn copy(&mut self, cells: &[String], table: impl FnOnce() -> String, commands: &mut Vec<Command>) {
        commands.extend(self.copied(cells, table).map(Command::Copy));
    }

    /// The same entries. Returns the text that is to be copied.
    pub fn copied(&mut self, cells: &[String], table: impl FnOnce() -> String) -> Option<String> {
        let mut text = None;
        let cell = self.column.and_then(|column| cells.get(column)).filter(|text| !text.is_empty());
        if self.enabled_item(cell.is_some(), "Copy cell") {
            text = cell.cloned();
        }
        if self.item("Copy row") {
            let cells: Vec<String> = cells.iter().map(|text| one_line(text)).collect();
            text = Some(cells.join("\t"));
        }
        if self.item("Copy table") {
            text = Some(table());
        }
        text
    }
}

/// The context menu of a widget.
pub fn context_menu(response: &Response, fill: impl FnOnce(&mut Menu<'_>)) {
    open(response, &[], response.secondary_clicked(), fill);
}

/// Whether the context menu of a widget is open.
pub fn is_open(response: &Response) -> bool {
    Popup::is_id_open(&response.ctx, menu_id(response))
}

fn menu_id(response: &Response) -> Id {
    response.id.with("context menu")
}

/// The context menu of a row of a table. `columns` are the places of its cells, from left to right.
pub fn row_menu(response: &Response, columns: &[Rangef], fill: impl FnOnce(&mut Menu<'_>)) {
    open(response, columns, response.secondary_clicked() || response.container_secondary_clicked(), fill);
}

fn open(response: &Response, columns: &[Rangef], clicked: bool, fill: impl FnOnce(&mut Menu<'_>)) {
    let ctx = &response.ctx;
    let popup = Popup::menu(response).id(menu_id(response));
    let id = popup.get_id();
    let from = key_on(ctx, response);
    let at = match from {
        Some((_, rect)) => Some(rect.center()),
        None => response.interact_pointer_pos().or_else(|| ctx.pointer_interact_pos()),
    };
    if clicked || from.is_some() {
        let column = at.and_then(|at| columns.iter().position(|range| range.contains(at.x)));
        let opened = Opened { from: from.map(|(id, _)| id), column, takes_focus: from.is_some() };
        ctx.data_mut(|data| data.insert_temp(id, opened));
    }
    let state = match (clicked || from.is_some(), response.clicked()) {
        (true, _) => Some(SetOpenCommand::Bool(true)),
        (false, true) => Some(SetOpenCommand::Bool(false)),
        (false, false) => None,
    };
    if state.is_none() && !popup.is_open() {
        return;
    }
    let opened: Opened = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    let popup = popup.open_memory(state);
    // Without a pointer the menu is below what has the keyboard.
    let popup = if opened.from.is_some() { popup.anchor(response.rect) } else { popup.at_pointer_fixed() };
    popup.show(|ui| {
        arrows(ui);
        fill(&mut Menu { ui, column: opened.column, takes_focus: opened.takes_focus });
    });
    if opened.takes_focus {
        ctx.data_mut(|data| data.insert_temp(id, Opened { takes_focus: false, ..opened }));
    }
    if let Some(from) = opened.from.filter(|_| !Popup::is_id_open(ctx, id)) {
        ctx.memory_mut(|memory| memory.request_focus(from));
    }
}

/// Moves the keyboard through the entries with the arrow keys.
fn arrows(ui: &mut Ui) {
    for (key, direction) in [(Key::ArrowDown, FocusDirection::Next), (Key::ArrowUp, FocusDirection::Previous)] {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.memory_mut(|memory| memory.move_focus(direction));
        }
    }
}

/// The widget in this one that has the keyboard, with its place, where a key for its menu was pressed.
fn key_on(ctx: &Context, response: &Response) -> Option<(Id, Rect)> {
    let pressed = |keep: bool| {
        ctx.input_mut(|input| {
            let keys = [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)];
            keys.into_iter().any(|(modifiers, key)| match keep {
                true => input.key_pressed(key) && input.modifiers.matches_exact(modifiers),
                false => input.consume_key(modifiers, key),
            })
        })
    };
    if !pressed(true) {
        return None;
    }
    let focused = ctx.memory(|memory| memory.focused())?;
    let inner = ctx.read_response(focused)?;
    let is_inside = focused == response.id || response.rect.expand(1.0).contains_rect(inner.rect);
    (is_inside && inner.layer_id == response.layer_id && pressed(false)).then_some((focused, inner.rect))
}
