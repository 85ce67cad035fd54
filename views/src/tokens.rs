//! The measures of everything that is drawn, and a page that shows them with the colours.
//!
//! Distances are steps of [`space`], text has a size of [`text`] or egui's own, columns of tables are apart as
//! [`table`] says. Colours have names by their meaning in [`Theme`] and [`Tokens`]; one of them, [`Theme::accent`], is the
//! selection's alone.

use egui::{Color32, Rect, RichText, Sense, Ui, vec2};

use crate::theme::{Theme, Tokens};

/// Distances, in points.
pub mod space {
    /// Between two lines of one thing.
    pub const HAIR: f32 = 2.0;
    /// Between things that belong together.
    pub const SNUG: f32 = 4.0;
    /// Between rows.
    pub const ROW: f32 = 6.0;
    /// Between blocks of rows.
    pub const BLOCK: f32 = 8.0;
    /// Between groups.
    pub const GROUP: f32 = 12.0;
    /// Between sections.
    pub const SECTION: f32 = 16.0;
    /// Around a page.
    pub const PAGE: f32 = 24.0;
}

/// Sizes of text beside egui's own, in points.
pub mod text {
    /// A label in a picture, a formula.
    pub const SMALL: f32 = 12.0;
    /// A result in one sentence, text of the manual.
    pub const LEAD: f32 = 14.0;
    /// The line above a table or a group.
    pub const HEADING: f32 = 15.0;
    /// The line above a page.
    pub const TITLE: f32 = 18.0;
}

/// Distances of columns and rows of tables, in points.
pub mod table {
    /// Facts and numbers.
    pub const DENSE: [f32; 2] = [14.0, 2.0];
    /// The usual table.
    pub const USUAL: [f32; 2] = [18.0, 4.0];
    /// Few columns, which are read across.
    pub const WIDE: [f32; 2] = [24.0, 4.0];
    /// Labels and their controls.
    pub const FORM: [f32; 2] = [12.0, 6.0];
}

/// Draws the page.
pub fn page(ui: &mut Ui, theme: &Theme) {
    let tokens = Tokens::on(theme.dark);
    heading(ui, "Text");
    for (name, size) in
        [("small", text::SMALL), ("lead", text::LEAD), ("heading", text::HEADING), ("title", text::TITLE)]
    {
        ui.label(RichText::new(format!("{name} {size}: 5 slots become 4")).size(size));
    }
    ui.monospace("monospace: v_interp_p1_f32 v2, v0, attr0.x");
    heading(ui, "Distances");
    let steps = [
        ("hair", space::HAIR),
        ("snug", space::SNUG),
        ("row", space::ROW),
        ("block", space::BLOCK),
        ("group", space::GROUP),
        ("section", space::SECTION),
        ("page", space::PAGE),
    ];
    ui.horizontal(|ui| {
        for (name, width) in steps {
            let (place, _) = ui.allocate_exact_size(vec2(width, text::SMALL), Sense::hover());
            ui.painter().rect_filled(place, 0.0, theme.outline);
            ui.label(format!("{name} {width}"));
        }
    });
    heading(ui, "Colours by meaning");
    let inks = [
        ("text", theme.ink),
        ("explanation", theme.ink_soft),
        ("accent: the selection", theme.accent),
        ("changed", tokens.changed),
        ("error", tokens.error),
        ("warning", tokens.warning),
        ("note", tokens.note),
        ("less important", tokens.quiet),
    ];
    ui.horizontal_wrapped(|ui| {
        for (name, ink) in inks {
            ui.label(RichText::new(name).color(ink));
        }
    });
    let grounds = [
        ("page", theme.page),
        ("panel", theme.panel),
        ("field", theme.field),
        ("selected", tokens.selected),
        ("found", tokens.found),
        ("found here", tokens.found_here),
        ("removed", tokens.removed[0]),
        ("added", tokens.added[0]),
    ];
    ui.horizontal_wrapped(|ui| grounds.into_iter().for_each(|(name, ground)| swatch(ui, name, ground, theme.ink)));
    heading(ui, "Categories, with the tints of lines");
    ui.horizontal_wrapped(|ui| {
        (0..crate::theme::SERIES).for_each(|index| swatch(ui, &index.to_string(), theme.series(index).fill, theme.ink));
        (0..lanescope_pictures::assembly::TINTS)
            .for_each(|index| swatch(ui, &format!("tint {index}"), theme.tint(index)[0], theme.ink));
    });
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(space::GROUP);
    ui.label(RichText::new(text).size(text::HEADING).strong());
    ui.add_space(space::SNUG);
}

/// A colour with its name on it.
fn swatch(ui: &mut Ui, name: &str, ground: Color32, ink: Color32) {
    let galley = ui.painter().layout_no_wrap(name.to_owned(), egui::FontId::proportional(text::SMALL), ink);
    let size = galley.size() + vec2(2.0 * space::BLOCK, 2.0 * space::SNUG);
    let (place, _): (Rect, _) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(place, 2.0, ground);
    ui.painter().galley(place.min + vec2(space::BLOCK, space::SNUG), galley, ink);
}
