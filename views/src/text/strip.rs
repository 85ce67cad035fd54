//! The strip beside the vertical scroll bar: where in the text matches, bookmarks and the caret are.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;

/// Width of the strip, in points.
pub(crate) const STRIP: f32 = 9.0;

/// What a mark of the strip is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// A change of two texts.
    Change,
    /// A match of the search.
    Match,
    /// The match that was gone to.
    Here,
    Bookmark,
}

/// Takes the row of a mark.
pub(crate) type TakeMark<'a> = dyn FnMut(usize, Mark) + 'a;

/// Where marks are, in one frame.
pub(crate) struct StripMarks<'a> {
    /// Changes when the marks do.
    pub key: u64,
    /// Gives the row of each mark.
    pub each: &'a dyn Fn(&mut TakeMark<'_>),
    /// The caret's row.
    pub caret: Option<usize>,
}

/// The marks as they are drawn. Kept between frames, so that a frame does not look at every match.
#[derive(Debug, Default)]
pub(crate) struct Strip {
    key: u64,
    /// Heights, in points from the top.
    marks: Vec<(u32, Mark)>,
}

impl Strip {
    /// Draws the strip of a text with so many rows, of which so many fit into the view. Returns the row that was clicked.
    pub fn ui(&mut self, ui: &Ui, place: Rect, rows: usize, fitting: usize, marks: &StripMarks<'_>) -> Option<usize> {
        if !place.is_positive() || rows == 0 {
            return None;
        }
        let height = place.height();
        // The marks of a text that does not fill the view are beside their rows.
        let all = rows.max(fitting);
        let at = |row: usize| (row as f32 + 0.5) / all as f32 * height;
        let mut hasher = DefaultHasher::new();
        (marks.key, all, height.to_bits()).hash(&mut hasher);
        let key = hasher.finish();
        if self.key != key {
            (self.key, self.marks) = (key, Vec::new());
            (marks.each)(&mut |row, mark| {
                let here = (at(row) as u32, mark);
                if self.marks.last() != Some(&here) {
                    self.marks.push(here);
                }
            });
            self.marks.sort_unstable_by_key(|(y, mark)| (*mark, *y));
            self.marks.dedup();
        }
        let (visuals, tokens) = (ui.visuals(), Tokens::of(ui.visuals()));
        let painter = ui.painter();
        painter.rect_filled(place, 0.0, visuals.faint_bg_color);
        let left = place.left() + 1.0;
        for (y, mark) in &self.marks {
            let y = (place.top() + *y as f32).min(place.bottom() - 2.0);
            match mark {
                Mark::Change => painter.rect_filled(line(left + 5.0, y, 2.0, 2.0), 0.0, tokens.quiet),
                Mark::Match => painter.rect_filled(line(left, y, STRIP - 2.0, 2.0), 0.0, tokens.note),
                Mark::Here => painter.rect_filled(line(left, y - 1.0, STRIP - 2.0, 4.0), 0.0, tokens.warning),
                Mark::Bookmark => painter.rect_filled(line(left, y - 2.0, 5.0, 5.0), 2.0, visuals.hyperlink_color),
            };
        }
        if let Some(row) = marks.caret {
            let y = place.top() + at(row);
            painter.hline(place.x_range(), y, egui::Stroke::new(1.0, visuals.strong_text_color()));
        }
        let response = ui.interact(place, ui.scope_id().with("strip"), Sense::CLICK);
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, true, "Marks of the text"));
        let clicked = response.interact_pointer_pos().filter(|_| response.clicked())?;
        let row = (clicked.y - place.top()) / height * all as f32;
        Some((row.max(0.0) as usize).min(rows - 1))
    }
}

fn line(left: f32, y: f32, width: f32, height: f32) -> Rect {
    Rect::from_min_size(pos2(left, y), vec2(width, height))
}
