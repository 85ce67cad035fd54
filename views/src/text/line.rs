//! One line of a text as egui lays it out: the colours of its classes, the grounds of what is marked in it.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Visuals};

use super::highlight::Class;
use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;

/// The job of a line. Of marks that overlap the last one is seen.
pub(crate) fn job(
    visuals: &Visuals,
    font: &FontId,
    line: &str,
    spans: &[(Range<usize>, Class)],
    marks: &[(Range<usize>, Color32)],
    is_cut: bool,
) -> LayoutJob {
    let tokens = Tokens::of(visuals);
    let format = |class: Class| TextFormat {
        font_id: font.clone(),
        color: match class {
            Class::Text => visuals.text_color(),
            Class::Comment => tokens.comment,
            Class::Keyword => tokens.keyword,
            Class::Kind => tokens.kind,
            Class::Number => tokens.number,
            Class::String => tokens.string,
            Class::Function | Class::Attribute => tokens.function,
            Class::Id => tokens.id,
            Class::Directive => tokens.directive,
        },
        italics: class == Class::Comment,
        ..TextFormat::default()
    };
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    for (range, class) in spans {
        let mut at = range.start;
        while at < range.end {
            let edges = marks.iter().flat_map(|(mark, _)| [mark.start, mark.end]).filter(|edge| *edge > at);
            let end = edges.min().unwrap_or(range.end).min(range.end);
            let mut format = format(*class);
            if let Some((_, ground)) = marks.iter().rev().find(|(mark, _)| mark.contains(&at)) {
                format.background = *ground;
                format.color = visuals.strong_text_color();
            }
            job.append(line.get(at..end).unwrap_or(""), 0.0, format);
            at = end;
        }
    }
    if is_cut {
        job.append(" … cut here", 0.0, TextFormat { color: tokens.warning, ..format(Class::Text) });
    }
    job
}

#[cfg(test)]
mod tests {
    use egui::epaint::text::ByteRangeExt as _;

    use super::*;

    #[test]
    fn the_last_mark_wins_and_no_text_is_lost() {
        let (line, visuals) = ("abcdefgh", Visuals::dark());
        let spans = [(0..3, Class::Keyword), (3..8, Class::Text)];
        let marks = [(1..6, Color32::RED), (4..5, Color32::BLUE), (7..99, Color32::GREEN)];
        let job = job(&visuals, &FontId::monospace(12.0), line, &spans, &marks, true);
        let pieces: Vec<_> = job
            .sections
            .iter()
            .map(|section| (job.text[section.byte_range.as_usize()].to_owned(), section.format.background))
            .collect();
        let (none, red, blue) = (Color32::TRANSPARENT, Color32::RED, Color32::BLUE);
        let expected = [
            ("a", none),
            ("bcd", red),
            ("e", blue),
            ("f", red),
            ("g", none),
            ("h", Color32::GREEN),
            (" … cut here", none),
        ];
        assert_eq!(pieces, expected.map(|(text, ground)| (text.to_owned(), ground)));
    }
}
