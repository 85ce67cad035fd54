//! A sheet of costs: sections with text and tables, one after the other.

use crate::tokens;
use std::collections::BTreeMap;

use egui::{DragValue, Label, Panel, RichText, ScrollArea, Ui};
use lanescope_core::cost::Tiling;
use lanescope_core::cost::sheet::{Part, Section, Sheet};
use lanescope_core::table::Key;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::CostSettings;

use crate::context::ViewCx;
use crate::memory_strip::memory_strip;
use crate::picture::clean;
use crate::table::{GridLook, grid};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{below, beside, choice, heading};

/// From this width on costs are beside a picture.
const WIDE: f32 = 1500.0;
/// The longest pitch, in bytes.
const PITCH: u32 = 1 << 24;

/// How often commands had asked to show the costs of each program, as a view saw last.
#[derive(Default)]
pub(crate) struct Asked {
    seen: BTreeMap<u64, u64>,
}

impl Asked {
    /// Whether a command has asked since, be it before the view was drawn for the first time.
    pub(crate) fn is_new(&mut self, cx: &ViewCx<'_>) -> bool {
        self.seen.insert(cx.program, cx.results.costs_shown).unwrap_or(0) < cx.results.costs_shown
    }

    pub(crate) fn forget(&mut self, program: u64) {
        self.seen.remove(&program);
    }
}

/// The panel of costs, which leaves space for a picture. The share is that of the height where it is below.
pub(crate) fn panel(ui: &Ui, share: f32) -> Panel {
    let room = ui.available_size();
    if room.x < WIDE { below(ui, "costs under", room.y * share) } else { beside(ui, "costs", 760.0) }
}

/// How texels lie in memory, and the pitch of linear images.
pub(crate) fn tiling(ui: &mut Ui, settings: &mut CostSettings) {
    let tilings = [(Tiling::Linear, "linear"), (Tiling::Tiled, "tiled"), (Tiling::Standard, "standard")];
    choice(ui, "Tiling", &mut settings.tiling, &tilings);
    if settings.tiling == Tiling::Linear {
        let label = ui.label("Pitch").id;
        let value = DragValue::new(&mut settings.pitch).range(0..=PITCH).speed(16.0).suffix(" B");
        let hint = "Bytes from a row to the next, at least; 0: the row, rounded up to 256";
        ui.add(value).labelled_by(label).on_hover_text(hint);
    }
}

/// Draws a sheet in a scrolled area. The node is the selected one; returns the one whose row was clicked.
pub(crate) fn sheet(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    sheet: &Sheet,
    node: Option<usize>,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    let mut chosen = None;
    ScrollArea::both().id_salt("cost sheet").auto_shrink(false).show(ui, |ui| {
        for (at, one) in sheet.sections.iter().enumerate() {
            ui.push_id(at, |ui| chosen = section(ui, cx, one, node, commands).or(chosen));
        }
    });
    chosen
}

fn section(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    section: &Section,
    node: Option<usize>,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    let theme = Theme::of(ui);
    heading(ui, &theme, &section.title);
    if !section.note.is_empty() {
        wrapped(ui, RichText::new(clean(&section.note)).weak());
    }
    let mut chosen = None;
    for (at, part) in section.parts.iter().enumerate() {
        let id = (section.title.as_ref(), at);
        match part {
            Part::Prose(text) => wrapped(ui, RichText::new(clean(text))),
            Part::Item(text) => wrapped(ui, RichText::new(clean(&format!("· {text}")))),
            Part::Table(table) => {
                let look = GridLook { spacing: tokens::table::USUAL, fixed: true, ..GridLook::default() };
                grid(ui, cx, id, table, look, |_| false, commands);
            }
            Part::Strip(strip) => memory_strip(ui, &theme, strip),
            Part::Nodes(table) => {
                let look =
                    GridLook { spacing: tokens::table::USUAL, select: "Select this node", ..GridLook::default() };
                let is_selected = |key: &Key| node.is_some_and(|node| *key == Key::Item(node));
                if let Some(Key::Item(at)) = grid(ui, cx, id, table, look, is_selected, commands) {
                    chosen = Some(*at);
                }
            }
        }
    }
    chosen
}

/// A paragraph as wide as what is in view.
fn wrapped(ui: &mut Ui, text: RichText) {
    ui.scope(|ui| {
        ui.set_max_width(ui.clip_rect().width() - 8.0);
        ui.add(Label::new(text).wrap());
    });
}
