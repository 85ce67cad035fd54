//! A line of code as it is drawn: highlighted, with what is marked, selected and found in it.

use std::ops::Range;

use egui::{Color32, FontId, Ui};
use lanescope_inspector::source::Language;

use super::area::{At, LineLook};
use super::document::Document;
use super::find::Find;
use super::highlight::{self, Class, Highlighter};
use super::line;
use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;

/// What lines of code are drawn from, in one frame.
pub(crate) struct Code<'a> {
    /// The text.
    pub document: Document<'a>,
    pub language: Language,
    /// Its classes.
    pub highlighter: &'a mut Highlighter,
    /// The search.
    pub find: &'a Find,
    pub font: FontId,
}

impl Code<'_> {
    /// The look of a line with these marks, on no ground.
    pub fn line(&mut self, ui: &Ui, at: &At, mut marks: Vec<(Range<usize>, Color32)>) -> LineLook {
        let tokens = Tokens::of(ui.visuals());
        let code = self.document.line(at.line);
        let cut = highlight::cut(code);
        let open = self.document.begins_open(at.line);
        let spans = self.highlighter.spans(self.language, at.line, cut, open);
        let whole = spans.is_some();
        let plain = [(0..cut.len(), Class::Text)];
        let spans = spans.map_or(&plain[..], Vec::as_slice);
        // The match that was gone to is selected too: it is seen as a match.
        let (here, found): (Vec<_>, Vec<_>) =
            self.find.marks(at.line, tokens).into_iter().partition(|(_, ground)| *ground == tokens.found_here);
        marks.extend(found);
        marks.extend(at.selected.clone().map(|range| (range, tokens.text_selection)));
        marks.extend(here);
        let job = line::job(ui.visuals(), &self.font, cut, spans, &marks, cut.len() < code.len());
        LineLook { job, shown: cut.len(), ground: None, whole }
    }
}
