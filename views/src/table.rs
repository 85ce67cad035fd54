//! What the table and text tabs share: colours with a meaning, search, places of varyings, text for the clipboard.

use egui::{Key, Label, Response, RichText, TextEdit, Ui};
use egui_extras::TableBuilder;
use lanescope_core::packing::{Mapping, Packing};
use lanescope_inspector::selection::Varying;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
pub use crate::theme::Tokens;

/// A search field's text.
#[derive(Debug, Default)]
pub struct Search {
    /// Search text.
    pub text: String,
}

impl Search {
    /// Draws the field. Escape empties it.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, name: &'static str, width: f32) -> Response {
        let field = TextEdit::singleline(&mut self.text).hint_text(name).desired_width(width).char_limit(200);
        let mut response = ui.add(field);
        call(&response, name);
        if cx.asked(Ask::Search) {
            response.request_focus();
        }
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
    TableBuilder::new(ui)
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

/// A title above cells that are buttons: as far in as their texts.
pub fn title_above_buttons(ui: &mut Ui, title: &str) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(ui.spacing().button_padding.x);
        ui.strong(title)
    })
    .inner
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

/// The text on one line: what would break or steer a line becomes a space.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether a selected varying means this place as written.
pub fn is_selected(selected: Option<Varying>, location: u32, component: Option<u8>) -> bool {
    selected.is_some_and(|varying| {
        varying.location == location
            && (varying.component.is_none() || component.is_none() || varying.component == component)
    })
}

/// The varying that a scalar of the map belongs to.
pub fn varying_of(mapping: &Mapping) -> Varying {
    Varying { location: mapping.from.location.0, component: Some(mapping.from.component.0) }
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
    use crate::theme::{Theme, contrast};

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
            for part in [tokens.removed[1], tokens.added[1], tokens.found, tokens.found_here] {
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
