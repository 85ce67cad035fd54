//! Two packings side by side: the packed grids only, with moved scalars flagged.

use std::collections::{BTreeMap, BTreeSet};

use emath::{Rect, pos2, vec2};
use lanescope_core::ids::Id;
use lanescope_core::packing::Packing;

use super::picture::{CELL, END, LEFT, MARGIN, RIGHT, Rows, Sheet, slots};
use crate::picture::{Anchor, Font, Mark, Picture, clean, elide, flag_in};
use crate::theme::Theme;

/// What a flag says.
pub const MOVED: &str = "moved or absent on the other side";
/// Where the grid begins.
const TOP: f32 = 118.0;
/// The height of the title.
const HEADER: f32 = 60.0;

/// One side of a pair.
pub struct Beside<'a> {
    /// Its packing.
    pub packing: &'a Packing,
    /// Name.
    pub name: &'a str,
    /// Scalars that moved on the other side.
    pub flagged: &'a BTreeSet<Mark>,
}

/// Draws both sides, each alone and with its title or without. A variable has the same colour on both, by its name.
pub fn beside(sides: [Option<Beside<'_>>; 2], titled: bool, theme: &Theme) -> [Option<Picture>; 2] {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for side in sides.iter().flatten() {
        for scalar in side.packing.interface.iter().filter(|scalar| scalar.input_id.is_some()) {
            let next = names.len();
            names.entry(base(&scalar.variable).to_owned()).or_insert(next);
        }
    }
    sides.map(|side| side.map(|side| draw(&side, titled, &names, theme)))
}

/// The facts of a packing in a line: `vertex → fragment · 4 of 6 slots · 64 B per vertex`.
pub fn facts(packing: &Packing) -> String {
    let from = packing.producer.map_or("no previous stage", |stage| stage.name());
    format!(
        "{from} → {} · {} of {} slots · {} B per vertex",
        packing.reader(),
        packing.slots.after,
        packing.slots.before,
        packing.saving.parameter_cache_per_vertex[1]
    )
}

fn draw(side: &Beside<'_>, titled: bool, names: &BTreeMap<String, usize>, theme: &Theme) -> Picture {
    let packing = side.packing;
    let title = format!("{}: {} slots", clean(side.name), packing.slots.after);
    let mut colors: BTreeMap<Id, usize> = BTreeMap::new();
    for mapping in &packing.map {
        let color = names.get(base(&mapping.variable)).copied().unwrap_or(names.len());
        colors.entry(mapping.variable_id).or_insert(color);
    }
    let mut sheet = Sheet::new(packing, theme, "", colors);
    let begin = RIGHT - LEFT + MARGIN;
    if titled {
        let name = elide(&clean(side.name), Font::Words, 17.0, END - begin);
        sheet.picture.words(pos2(begin, 26.0), 17.0, theme.ink, &name);
        let facts = elide(&facts(packing), Font::Code, 12.0, END - begin);
        sheet.picture.text(pos2(begin, 50.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &facts);
    }
    let word = sheet.packed_word();
    sheet.column(RIGHT, word, "slot", TOP);
    if packing.map.is_empty() {
        sheet.no_inputs(RIGHT, TOP);
    }
    let rows = Rows::new(slots(packing), TOP);
    sheet.packed(&rows);
    let bottom = sheet.built_ins(&rows).max(rows.bottom);
    let mut picture = Picture::new(title, theme.page);
    let up = if titled { 0.0 } else { -HEADER };
    picture.append(&sheet.picture, pos2(LEFT - RIGHT, up), 1.0);
    picture.flag(side.flagged, theme.warn);
    if titled && packing.map.iter().any(|mapping| side.flagged.contains(&super::picture::mark(mapping.from))) {
        legend(&mut picture, bottom + 20.0, MOVED, theme);
    }
    picture.fit(MARGIN);
    picture.size.x = END - RIGHT + LEFT + MARGIN;
    picture
}

/// Meaning of a flag.
pub fn legend(picture: &mut Picture, y: f32, text: &str, theme: &Theme) {
    let swatch = Rect::from_min_size(pos2(MARGIN, y - 9.0), vec2(CELL.x / 3.0, 18.0));
    picture.rect(swatch, theme.panel, crate::picture::Stroke::new(1.0, theme.hairline), 3);
    picture.push(flag_in(swatch, theme.warn));
    picture.words(pos2(swatch.right() + 8.0, y), 12.0, theme.ink_soft, text);
}

/// A variable's name without its elements and members.
fn base(variable: &str) -> &str {
    variable.split(['[', '.']).next().unwrap_or(variable)
}
