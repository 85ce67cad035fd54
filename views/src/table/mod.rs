//! What the table and text tabs share: colours with a meaning, search, places of varyings, text for the clipboard.

mod grid;
mod sorting;

pub use grid::{GridLook, aligned, double_clicked, grid};
pub use sorting::{as_shown, row_at, rows_in_order, sort_of, sorting_title, table_id, with_sign};

use egui::{Id, Key, Label, Response, RichText, ScrollArea, TextEdit, TextWrapMode, Ui};
use egui_extras::{TableBuilder, TableRow};
use lanescope_core::findings::Severity;
use lanescope_core::packing::{Mapping, Packing};
use lanescope_core::table::{Cell, Meaning, Part, Row, Table, Width};
use lanescope_inspector::selection::Varying;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::pane::in_view;
pub use crate::theme::{Tokens, TokensOfVisuals};

/// A search field's text.
#[derive(Debug, Default)]
pub struct Search {
    /// Search text.
    pub text: String,
}

impl Search {
    /// Draws the field. Escape empties it.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, name: &'static str, width: f32) -> Response {
        let id = ui.scope_id().with(("search", name));
        if cx.asked(Ask::Search) {
            // Before the field is drawn, so that it takes the keys of this frame.
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let field = TextEdit::singleline(&mut self.text).id(id).hint_text(name).desired_width(width).char_limit(200);
        let mut response = ui.add(field);
        call(&response, name);
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) && !self.text.is_empty() {
            self.text.clear();
            response.mark_changed();
        }
        response
    }

    /// The words searched for, in lower case.
    pub fn words(&self) -> Vec<String> {
        self.text.split_whitespace().map(str::to_lowercase).collect()
    }
}

/// Names a widget for those who hear the window, where what it shows is only a sign.
pub fn call(response: &Response, name: impl Into<String>) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name.into()));
}

/// A table whose rows can be selected: what is selected is on a ground on which every token reads.
pub fn table_of_rows(ui: &mut Ui) -> TableBuilder<'_> {
    ui.visuals_mut().selection.bg_fill = Tokens::of(ui.visuals()).selected;
    // In a low pane its rows scroll instead of running out of the pane.
    TableBuilder::new(ui).min_scrolled_height(0.0)
}

/// Room for a table that may be wider than its pane: it scrolls across.
pub fn across<R>(ui: &mut Ui, salt: impl egui::AsIdSalt, table: impl FnOnce(&mut Ui) -> R) -> R {
    let area = ScrollArea::horizontal().id_salt(salt).auto_shrink(false);
    area.show(ui, |ui| in_view(ui, table)).inner
}

/// A cell's text: one line, not selectable, so that a click reaches the row.
pub fn cell(ui: &mut Ui, text: impl Into<RichText>) -> Response {
    ui.add(Label::new(text.into()).selectable(false).truncate())
}

/// Like the above, for less important text.
pub fn quiet_cell(ui: &mut Ui, text: impl Into<RichText>) -> Response {
    let colour = Tokens::of(ui.visuals()).quiet;
    cell(ui, text.into().color(colour))
}

/// The titles of a long table of that name. Each is on one line, and sorts by its column.
pub fn titles(mut header: TableRow<'_, '_>, id: Id, table: &Table, columns: &[usize]) {
    for (at, column) in columns.iter().filter_map(|at| Some((*at, table.columns.get(*at)?))) {
        header.col(|ui| {
            if column.width != Width::Sign && !column.title.is_empty() {
                sorting_title(ui, id, at, &column.title, &column.help, TextWrapMode::Truncate);
            }
        });
    }
}

/// The titles of a long table that has too many rows to be sorted.
pub fn unsorted_titles(mut header: TableRow<'_, '_>, table: &Table, columns: &[usize]) {
    for column in columns.iter().filter_map(|at| table.columns.get(*at)) {
        header.col(|ui| {
            if column.width != Width::Sign {
                cell(ui, RichText::new(&column.title).strong()).on_hover_text("Too many rows to sort");
            }
        });
    }
}

/// A cell of a long table: one line, not selectable, so that a click reaches the row. Items of a list have their space.
pub fn long_cell(ui: &mut Ui, cell: Option<&Cell>) {
    parts(ui, cell, cell.is_some_and(|cell| cell.list));
}

/// The same, as wide as its text.
pub fn whole_cell(ui: &mut Ui, cell: Option<&Cell>) {
    parts(ui, cell, true);
}

fn parts(ui: &mut Ui, cell: Option<&Cell>, extend: bool) {
    let Some(cell) = cell else { return };
    if cell.list {
        ui.spacing_mut().item_spacing.x = 10.0;
    }
    for part in cell.parts.iter().chain(&cell.change) {
        let label = Label::new(text_of(ui, part)).selectable(false);
        let label = ui.add(if extend { label.extend() } else { label.truncate() });
        if !part.help.is_empty() {
            label.on_hover_ui(|ui| explanation(ui, &part.help));
        }
    }
}

/// The texts of a row's shown cells.
pub fn texts_of(row: &Row, columns: &[usize]) -> Vec<String> {
    columns.iter().map(|at| row.cell(*at).map(|cell| cell.text().into_owned()).unwrap_or_default()).collect()
}

/// An explanation: where it has several lines, the first one is its heading.
fn explanation(ui: &mut Ui, text: &str) {
    let mut lines = text.lines().peekable();
    let first = lines.next().unwrap_or_default();
    if lines.peek().is_some() {
        ui.strong(first)
    } else {
        ui.label(first)
    };
    lines.for_each(|line| _ = ui.label(line));
}

/// A part of a cell in its font and colour, with the sign that goes with the colour.
pub fn text_of(ui: &Ui, part: &Part) -> RichText {
    let tokens = Tokens::of(ui.visuals());
    let sign = part.meaning.sign();
    let text = one_line(&part.text);
    let text = RichText::new(if sign.is_empty() { text } else { format!("{sign} {text}") });
    let text = if part.code { text.monospace() } else { text };
    match part.meaning {
        Meaning::Plain | Meaning::Good | Meaning::Item(_) => text,
        Meaning::Strong => text.strong(),
        Meaning::Dimmed => text.color(tokens.quiet),
        Meaning::Missing => text.color(tokens.quiet).italics(),
        Meaning::Changed => text.color(tokens.changed),
        Meaning::Lower => text.color(tokens.lower()),
        Meaning::Higher => text.color(tokens.higher()),
        Meaning::Severity(Severity::Error) => text.color(tokens.error),
        Meaning::Severity(Severity::Warning) => text.color(tokens.warning),
        Meaning::Severity(Severity::Note) => text.color(tokens.note),
    }
}

/// Rows as text for the clipboard: tabs between cells, a line a row. Tabs and breaks inside a cell become spaces.
pub fn tab_separated<'a>(rows: impl IntoIterator<Item = Vec<std::borrow::Cow<'a, str>>>) -> String {
    let mut text = String::new();
    for row in rows {
        for (index, cell) in row.iter().enumerate() {
            if index > 0 {
                text.push('\t');
            }
            text.push_str(&one_line(cell));
        }
        text.push('\n');
    }
    text
}

pub use lanescope_core::table::one_line;
pub use lanescope_pictures::packing::varying_of;

/// Whether a selected varying means this place as written.
pub fn is_selected(selected: Option<Varying>, location: u32, component: Option<u8>) -> bool {
    selected.is_some_and(|varying| {
        varying.location == location
            && (varying.component.is_none() || component.is_none() || varying.component == component)
    })
}

/// A scalar's name with its component in the variable: `uv.x`.
pub fn scalar_name(mapping: &Mapping) -> String {
    format!("{}.{}", one_line(&mapping.variable), mapping.part())
}

/// The scalars that sit in a packed slot.
pub fn in_slot(packing: Option<&Packing>, slot: u32) -> impl Iterator<Item = &Mapping> {
    packing.into_iter().flat_map(|packing| &packing.map).filter(move |mapping| mapping.to.location.0 == slot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Theme, ThemeOfUi as _, contrast};

    #[test]
    fn a_cell_cannot_break_the_copied_table() {
        let text = tab_separated([vec!["a\tb".into(), "c\nd".into()], vec!["e".into()]]);
        assert_eq!(text, "a b\tc d\ne\n");
    }

    #[test]
    fn text_colours_can_be_read_on_their_ground() {
        for theme in [Theme::dark(), Theme::light()] {
            let visuals = theme.visuals();
            let tokens = Tokens::of(&visuals);
            // Text on these is drawn in the strongest colour.
            for part in [tokens.removed[1], tokens.added[1], tokens.found, tokens.found_here, tokens.text_selection] {
                assert!(contrast(visuals.strong_text_color(), part) >= 4.5, "{part:?}");
            }
            for ground in [theme.page, theme.panel, tokens.removed[0], tokens.added[0], tokens.selected] {
                for colour in [
                    tokens.changed,
                    tokens.quiet,
                    tokens.error,
                    tokens.warning,
                    tokens.note,
                    tokens.comment,
                    tokens.keyword,
                    tokens.kind,
                    tokens.number,
                    tokens.string,
                    tokens.function,
                    tokens.id,
                    tokens.directive,
                ] {
                    let contrast = contrast(colour, ground);
                    assert!(contrast >= 4.5, "{colour:?} on {ground:?}: {contrast:.2}");
                }
            }
        }
    }
}
