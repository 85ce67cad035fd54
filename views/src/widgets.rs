//! Small widgets that several tabs share.

use crate::tokens;
use crate::tokens::space;
use egui::{Color32, ComboBox, DragValue, Panel, RichText, TextStyle, Ui};
use lanescope_core::options::Options;
use lanescope_inspector::command::Command;
use lanescope_inspector::view::ViewInfo;

use crate::combo::pick;
use crate::context::ViewCx;
use crate::picture::Picture;
use crate::picture::canvas::CanvasReply;
use crate::rows::controls;
use crate::theme::Theme;
use crate::tooltip::beside_place;

/// A box that picks one of a few values, after its label. True when another one was picked.
pub(crate) fn choice<T: Copy + PartialEq>(ui: &mut Ui, label: &str, value: &mut T, all: &[(T, &str)]) -> bool {
    let before = *value;
    let shown = all.iter().find(|(other, _)| other == value).map_or("", |(_, name)| name);
    let name = ui.label(label).id;
    let shown = ComboBox::from_id_salt(label).selected_text(shown).show_ui(ui, |ui| {
        for (other, name) in all {
            pick(ui, value, *other, *name);
        }
    });
    shown.response.labelled_by(name);
    *value != before
}

/// Begins a new row if a label and the combo box after it do not fit into this one: in rows that
/// wrap, not in grids.
pub(crate) fn room_for_box(ui: &mut Ui, label: &str, shown: &str) {
    let spacing = ui.spacing();
    let around = spacing.icon_width + spacing.icon_spacing + 2.0 * spacing.button_padding.x;
    let least = spacing.combo_width;
    let width = width_of(ui, label) + ui.spacing().item_spacing.x + (width_of(ui, shown) + around).max(least);
    room_for(ui, width);
}

/// Begins a new row where words that belong together do not fit into this one.
pub(crate) fn room_for_words(ui: &mut Ui, words: &[&str]) {
    let width: f32 = words.iter().map(|word| width_of(ui, word) + ui.spacing().item_spacing.x).sum();
    room_for(ui, width);
}

/// Width of a text in the font of labels and buttons.
pub(crate) fn width_of(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
}

fn room_for(ui: &mut Ui, width: f32) {
    // What is first in its row has all the space there is.
    let begun = ui.cursor().left() > ui.max_rect().left() + 1.0;
    if begun && ui.available_size_before_wrap().x < width {
        ui.end_row();
        // Else the label, which is first now, would hang above the box.
        ui.set_row_height(ui.spacing().interact_size.y);
    }
}

/// A number with a label before it. True when it changed.
pub(crate) fn number(ui: &mut Ui, label: &str, value: &mut u32, range: std::ops::RangeInclusive<u32>) -> bool {
    let label = ui.label(label).id;
    // A step of one, for the keyboard too.
    ui.add(DragValue::new(value).range(range).speed(1.0)).labelled_by(label).changed()
}

/// One row of a hover's table: what, and its value in code.
pub(crate) fn fact(ui: &mut Ui, what: &str, value: impl Into<String>) {
    // The name is whole wherever values are cut.
    ui.add(egui::Label::new(RichText::new(what).weak()).extend());
    ui.monospace(value.into());
    ui.end_row();
}

/// The row of controls above a picture.
pub(crate) fn toolbar(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    ui.add_space(space::SNUG);
    controls(ui, "toolbar", |ui| {
        ui.add_space(space::ROW);
        contents(ui);
    });
    ui.add_space(space::HAIR);
}

/// Switches for the options that a report was made with: what was read from a file stays as it is, and says so.
pub(crate) fn switches<R>(ui: &mut Ui, cx: &ViewCx<'_>, contents: impl FnOnce(&mut Ui) -> R) -> R {
    if !cx.frozen {
        return contents(ui);
    }
    let disabled = ui.scope(|ui| {
        ui.disable();
        contents(ui)
    });
    disabled.response.on_hover_text("A report contains no shaders: its options cannot be changed.");
    disabled.inner
}

/// The share of a tab that a panel in it has at most. Panels keep their sizes over those of the window.
const SHARE: f32 = 0.7;

/// A panel below what is drawn next, of a height that leaves space for that too.
pub(crate) fn below(ui: &Ui, name: impl std::hash::Hash + std::fmt::Debug, height: f32) -> Panel {
    let room = ui.available_height();
    let panel = Panel::bottom(ui.scope_id().with(name)).resizable(true).default_size(height.min(room / 2.0));
    let most = (room * SHARE).max(0.0);
    panel.size_range(most.min(40.0)..=most)
}

/// A panel at the right of what is drawn next, of a width that leaves space for that too.
pub(crate) fn beside(ui: &Ui, name: impl std::hash::Hash + std::fmt::Debug, width: f32) -> Panel {
    let room = ui.available_width();
    let panel = Panel::right(ui.scope_id().with(name)).resizable(true).default_size(width.min(room * 0.6));
    let most = (room * SHARE).max(0.0);
    panel.size_range(most.min(width).min(200.0)..=most)
}

/// Facts on the part of a picture that the pointer is over, at once: a map is read by moving over it. They are beside the
/// part, never over it.
pub(crate) fn beside_part(reply: &CanvasReply, contents: impl FnOnce(&mut Ui)) {
    let Some(place) = reply.hovered_place else { return };
    beside_place(&reply.response, place, |ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        contents(ui);
    });
}

/// What a tab shows where its artifact is missing: why, and a button to the tab that has something to show.
pub(crate) fn nothing(ui: &mut Ui, title: &str, hint: &str, instead: Option<&'static ViewInfo>) -> Option<Command> {
    let mut command = None;
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.35);
        ui.label(RichText::new(title).size(tokens::text::TITLE));
        ui.weak(hint);
        if let Some(info) = instead {
            ui.add_space(space::BLOCK);
            if ui.button(format!("Show {}", info.title)).on_hover_text(info.about).clicked() {
                command = Some(Command::Show(info.id));
            }
        }
    });
    command
}

/// The same where nothing that was opened has one: the samples have.
pub(crate) fn unopened(ui: &mut Ui, title: &str, hint: &str, instead: Option<&'static ViewInfo>) -> Option<Command> {
    let mut command = nothing(ui, title, hint, instead);
    ui.vertical_centered(|ui| {
        ui.add_space(space::BLOCK);
        if ui
            .button("Show the samples")
            .on_hover_text("Samples, each with a note on what to look at (Ctrl+G)")
            .clicked()
        {
            command = Some(Command::Samples);
        }
    });
    command
}

/// Says that work is under way; true where it is to be stopped.
pub(crate) fn underway(ui: &mut Ui, doing: &str) -> bool {
    ui.add(egui::Spinner::new().size(14.0));
    ui.label(format!("{doing}…"));
    ui.button("Cancel").clicked()
}

/// The button that begins work, or cancels it while it is under way: as wide in both states, so that nothing beside it
/// moves. True where it was clicked.
pub(crate) fn work_button(ui: &mut Ui, underway: Option<&str>, label: &str, hint: &str) -> bool {
    const SPINNER: f32 = 14.0;
    let spacing = ui.spacing();
    let (gap, padding, height) = (spacing.item_spacing.x, 2.0 * spacing.button_padding.x, spacing.interact_size.y);
    let cancel = width_of(ui, "Cancel") + padding;
    let width = (width_of(ui, label) + padding).max(SPINNER + gap + cancel);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let drawn = ui.allocate_ui_with_layout(egui::vec2(width, height), layout, |ui| match underway {
        Some(doing) => {
            ui.add(egui::Spinner::new().size(SPINNER));
            ui.add(egui::Button::new("Cancel").min_size(egui::vec2(cancel, height)))
                .on_hover_text(format!("Cancel: {doing}"))
                .clicked()
        }
        None => {
            let button = egui::Button::new(RichText::new(label).strong()).min_size(egui::vec2(width, height));
            ui.add(button).on_hover_text(hint).clicked()
        }
    });
    drawn.inner
}

/// A menu button that keeps the width of its longest title.
pub(crate) fn steady_menu<R>(
    ui: &mut Ui,
    title: &str,
    longest: &str,
    contents: impl FnOnce(&mut Ui) -> R,
) -> egui::InnerResponse<Option<R>> {
    let spacing = ui.spacing();
    let size = egui::vec2(width_of(ui, longest) + 2.0 * spacing.button_padding.x, spacing.interact_size.y);
    let button = egui::Button::new(title).min_size(size);
    let (response, inner) = egui::containers::menu::MenuButton::from_button(button).ui(ui, contents);
    egui::InnerResponse::new(inner.map(|inner| inner.inner), response)
}

/// Buttons at the end of a toolbar, each with its hint; where they and `reserved` points do not fit into the row, they are
/// in a menu. Returns the index of the one that was clicked.
pub(crate) fn actions(ui: &mut Ui, all: &[(&str, &str)], reserved: f32) -> Option<usize> {
    let spacing = ui.spacing();
    let around = 2.0 * spacing.button_padding.x + spacing.item_spacing.x;
    let needed: f32 = all.iter().map(|(label, _)| width_of(ui, label) + around).sum();
    let mut clicked = None;
    let mut buttons = |ui: &mut Ui| {
        for (index, (label, hint)) in all.iter().enumerate() {
            if ui.button(*label).on_hover_text(*hint).clicked() {
                clicked = Some(index);
            }
        }
    };
    if ui.available_size_before_wrap().x >= needed + reserved {
        buttons(ui);
    } else {
        let menu = ui.menu_button(RichText::new("⋯").monospace(), buttons);
        menu.response.on_hover_text("More").accessible_name("More");
    }
    clicked
}

/// Options that were sent to the window, shown until the report follows.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    sent: Option<(Options, u64)>,
}

impl Draft {
    /// The options to show in controls: what was sent last, or what the report was made with.
    pub(crate) fn options(&mut self, ui: &Ui, report: &Options, revision: u64) -> Options {
        if let Some((sent, at)) = &self.sent {
            // A value that is being dragged must not jump back to an answer on the way.
            let dragging = ui.input(|input| input.pointer.any_down());
            if sent == report || (*at != revision && !dragging) {
                self.sent = None;
            }
        }
        self.sent.as_ref().map_or_else(|| report.clone(), |(sent, _)| sent.clone())
    }

    /// Remembers what was sent.
    pub(crate) fn send(&mut self, options: &Options, revision: u64) {
        self.sent = Some((options.clone(), revision));
    }
}

/// A picture that is built anew only when what it is made from changes.
#[derive(Debug)]
pub(crate) struct Cached<K> {
    built: Option<(K, Picture)>,
}

impl<K> Default for Cached<K> {
    fn default() -> Self {
        Cached { built: None }
    }
}

impl<K> Cached<K> {
    /// The picture that was requested last.
    pub(crate) fn last(&self) -> Option<&Picture> {
        self.built.as_ref().map(|(_, picture)| picture)
    }
}

impl<K: PartialEq> Cached<K> {
    /// The picture for `key`, which names everything that `build` looks at.
    pub(crate) fn get(&mut self, key: K, build: impl FnOnce() -> Picture) -> &Picture {
        if self.built.as_ref().is_some_and(|(old, _)| *old != key) {
            self.built = None;
        }
        &self.built.get_or_insert_with(|| (key, build())).1
    }
}

/// The line above a table: its title.
pub(crate) fn heading(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(space::ROW);
    ui.label(RichText::new(text).size(tokens::text::HEADING).color(theme.ink));
    ui.add_space(space::HAIR);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_leave_room_after_a_larger_window() {
        let ctx = egui::Context::default();
        let mut room = egui::Vec2::ZERO;
        for (size, least) in [([2560.0, 1440.0], 300.0), ([640.0, 400.0], 100.0)] {
            let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect: Some(rect), ..egui::RawInput::default() };
                let _ = ctx.run_ui(input, |ui| {
                    below(ui, "under", 700.0).show(ui, |ui| ui.set_min_height(ui.available_height()));
                    beside(ui, "right", 1500.0).show(ui, |ui| ui.set_min_width(ui.available_width()));
                    room = ui.available_size();
                });
            }
            assert!(room.x >= least && room.y >= least, "{size:?} leaves {room:?}");
        }
    }

    #[test]
    fn a_picture_is_built_once_for_a_key() {
        let mut cached = Cached::default();
        let mut built = 0;
        for key in [1, 1, 2, 2, 1] {
            cached.get(key, || {
                built += 1;
                Picture::new(format!("{key}"), Color32::WHITE)
            });
        }
        assert_eq!(built, 3);
        assert_eq!(cached.get(1, || unreachable!("cached")).title, "1");
    }
}
