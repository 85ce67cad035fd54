//! Context menus: by a right click, and by the Menu key or Shift+F10 on what has the keyboard.

pub mod links;

use egui::{Context, Event, Id, Key, Modifiers, Popup, Rangef, Rect, Response, SetOpenCommand, Ui, vec2};
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
    /// The widget that had the keyboard. It gets it again when the menu closes.
    from: Option<Id>,
    /// What the menu is below, where a key opened it.
    below: Option<Rect>,
    column: Option<usize>,
    takes_focus: bool,
}

/// A widget larger than this has its menu at its corner, and not below it, in points.
const LARGE: f32 = 120.0;

impl Menu<'_> {
    /// An entry. Returns whether it was chosen.
    pub fn item(&mut self, label: &str) -> bool {
        self.enabled_item(true, label)
    }

    /// An entry that may be unavailable.
    pub fn enabled_item(&mut self, enabled: bool, label: &str) -> bool {
        self.item_with_key(enabled, label, "")
    }

    /// The same with the key that does it.
    pub fn item_with_key(&mut self, enabled: bool, label: &str, key: &str) -> bool {
        let button = egui::Button::new(label);
        let button = if key.is_empty() { button } else { button.shortcut_text(key) };
        let response = self.ui.add_enabled(enabled, button);
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

    /// Where other entries are added. The first entry of the menu is not one of them.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
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
    let by_key = key_on(&response.ctx, response);
    open(response, &[], response.secondary_clicked(), by_key, fill);
}

/// The context menu of an area: a key opens it if `has_keys` and no widget with a menu of its own has the keyboard.
pub fn menu_of_area(response: &Response, has_keys: bool, fill: impl FnOnce(&mut Menu<'_>)) {
    let ctx = &response.ctx;
    let focused = ctx.memory(|memory| memory.focused());
    let by_key = (has_keys && pressed(ctx)).then(|| (focused, anchor(response.rect)));
    open(response, &[], false, by_key, fill);
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
    row_menu_of(response, columns, false, fill);
}

/// The same for a row that may be the chosen one. Its menu opens by key too while no widget has the keyboard.
pub fn row_menu_of(response: &Response, columns: &[Rangef], is_chosen: bool, fill: impl FnOnce(&mut Menu<'_>)) {
    let ctx = &response.ctx;
    let of_chosen = || is_chosen && ctx.memory(|memory| memory.focused()).is_none() && pressed(ctx);
    let by_key = key_on(ctx, response).or_else(|| of_chosen().then_some((None, response.rect)));
    open(response, columns, response.secondary_clicked() || response.container_secondary_clicked(), by_key, fill);
}

fn open(
    response: &Response,
    columns: &[Rangef],
    clicked: bool,
    by_key: Option<(Option<Id>, Rect)>,
    fill: impl FnOnce(&mut Menu<'_>),
) {
    let ctx = &response.ctx;
    let popup = Popup::menu(response).id(menu_id(response));
    let id = popup.get_id();
    let at = match by_key {
        Some((_, rect)) => Some(rect.center()),
        None => response.interact_pointer_pos().or_else(|| ctx.pointer_interact_pos()),
    };
    if clicked || by_key.is_some() {
        let column = at.and_then(|at| columns.iter().position(|range| range.contains(at.x)));
        let from = match by_key {
            Some((from, _)) => from,
            // A text would take the arrow keys, which are the menu's now.
            None => ctx.memory_mut(|memory| memory.focused().inspect(|id| memory.surrender_focus(*id))),
        };
        let below = by_key.map(|(_, rect)| rect);
        ctx.data_mut(|data| data.insert_temp(id, Opened { from, below, column, takes_focus: by_key.is_some() }));
    }
    let state = match (clicked || by_key.is_some(), response.clicked()) {
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
    let popup = match opened.below {
        Some(rect) => popup.anchor(rect),
        None => popup.at_pointer_fixed(),
    };
    popup.show(|ui| fill(&mut Menu { ui, column: opened.column, takes_focus: opened.takes_focus }));
    if opened.takes_focus {
        ctx.data_mut(|data| data.insert_temp(id, Opened { takes_focus: false, ..opened }));
    }
    if let Some(from) = opened.from.filter(|_| !Popup::is_id_open(ctx, id)) {
        ctx.memory_mut(|memory| memory.request_focus(from));
    }
}

/// Whether a key for context menus was pressed. It is taken.
fn pressed(ctx: &Context) -> bool {
    ctx.input_mut(|input| KEYS.into_iter().any(|(modifiers, key)| input.consume_key(modifiers, key)))
}

const KEYS: [(Modifiers, Key); 2] = [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)];

/// What a menu is below that a key opens: of something large only its corner.
fn anchor(rect: Rect) -> Rect {
    if rect.height() <= LARGE { rect } else { Rect::from_min_size(rect.min + vec2(24.0, 24.0), vec2(1.0, 1.0)) }
}

/// The widget in this one that has the keyboard, with its place, where a key for its menu was pressed.
fn key_on(ctx: &Context, response: &Response) -> Option<(Option<Id>, Rect)> {
    let is_menu_key = |event: &Event| match event {
        Event::Key { key, pressed: true, modifiers, .. } => {
            KEYS.iter().any(|(held, menu)| menu == key && modifiers.matches_exact(*held))
        }
        _ => false,
    };
    if !ctx.input(|input| input.events.iter().any(is_menu_key)) {
        return None;
    }
    let focused = ctx.memory(|memory| memory.focused())?;
    let inner = ctx.read_response(focused)?;
    let is_inside = focused == response.id || response.rect.expand(1.0).contains_rect(inner.rect);
    (is_inside && inner.layer_id == response.layer_id && pressed(ctx)).then(|| (Some(focused), anchor(inner.rect)))
}
