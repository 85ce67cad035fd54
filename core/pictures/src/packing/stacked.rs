//! The slot grids one above the other, for a narrow pane.
//!
//! The cells name where each scalar goes and comes from: lines between the grids would cross what is between them.

use lanescope_core::packing::Packing;

use super::caption::title;
use super::flags::Flag;
use super::picture::{LEFT, MARGIN, Rows, Sheet, colors, slots};
use crate::picture::Picture;
use crate::theme::Theme;

/// From the last row as written to the first packed one, with the titles of the columns.
const BETWEEN: f32 = 58.0;

/// Draws a packing with the packed grid below the interface as written.
pub fn stacked_picture(packing: &Packing, flags: &[Flag], theme: &Theme) -> Picture {
    let mut sheet = Sheet::new(packing, theme, &title(packing), colors(packing));
    (sheet.flags, sheet.right) = (flags, LEFT);
    let top = sheet.header();
    let written = Rows::new(packing.interface.iter().map(|scalar| scalar.location.0), top);
    let packed = Rows::new(slots(packing), written.bottom + BETWEEN);
    sheet.columns([top, written.bottom + BETWEEN]);
    sheet.written(&written);
    sheet.packed(&packed);
    let bottom = sheet.built_ins(&packed);
    sheet.legend(bottom + 10.0);
    sheet.picture.fit(MARGIN);
    sheet.picture.size.x = sheet.picture.size.x.max(sheet.end() + MARGIN);
    sheet.picture
}

#[cfg(test)]
mod tests {
    use super::super::picture::mark;
    use super::super::{flagged_picture, stacked_picture};
    use crate::gallery;
    use crate::picture::Shape;
    use crate::theme::Theme;

    #[test]
    fn each_scalar_is_below_where_it_was_written_and_in_half_the_width() {
        for packing in [gallery::note_example(), gallery::every_case(), gallery::many_slots(64)] {
            let stacked = stacked_picture(&packing, &[], &Theme::dark());
            assert!(stacked.size.x < 0.6 * flagged_picture(&packing, &[], &Theme::dark()).size.x, "{:?}", stacked.size);
            assert!(stacked.items.iter().all(|item| item.bounds.right() <= stacked.size.x));
            for mapping in &packing.map {
                let mark = mark(mapping.from);
                let cells = stacked.items.iter().filter(|item| item.mark == Some(mark));
                let cells: Vec<_> = cells.filter(|item| matches!(item.shape, Shape::Rect { .. })).collect();
                assert_eq!(cells.len(), 2, "{mapping:?}");
                assert!(cells[1].bounds.top() > cells[0].bounds.bottom(), "{mapping:?}");
                assert!(cells.iter().all(|cell| stacked.hit(cell.bounds.center()) == Some(mark)), "{mapping:?}");
            }
        }
    }

    #[test]
    fn no_text_lies_over_another_one() {
        let mut not_packed = gallery::every_case();
        not_packed.fallback = Some(lanescope_core::packing::Fallback::DynamicIndex);
        for packing in [gallery::note_example(), not_packed] {
            let picture = stacked_picture(&packing, &[], &Theme::light());
            let texts = picture.items.iter().filter(|item| matches!(item.shape, Shape::Text(_)));
            let texts: Vec<_> = texts.map(|item| item.bounds.shrink2(emath::vec2(0.5, 1.5))).collect();
            for (at, text) in texts.iter().enumerate() {
                let over = texts[at + 1..].iter().find(|other| text.intersects(**other));
                assert!(over.is_none(), "{text:?} lies over {over:?}");
            }
        }
    }
}
