//! The source tab: the texts of the program, highlighted, searched, with the selected varying's lines marked.

pub(crate) mod find;
pub(crate) mod highlight;
pub(crate) mod index;
pub(crate) mod line;
pub(crate) mod pane;
pub(crate) mod searching;

use egui::{ComboBox, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Gone;
use lanescope_inspector::selection::{Code, Listed, Varying};
use lanescope_inspector::source::{SourceText, TextRole};
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{call, one_line};
use pane::TextPane;
pub(crate) use pane::{code_bar, is_marked, next};

/// More texts than this are chosen from a list.
const TABS_AT_MOST: usize = 6;

/// The source tab.
#[derive(Debug, Default)]
pub struct SourceView {
    /// Index of the text that is shown.
    shown: usize,
    pane: TextPane,
    /// The line of a listing that was gone to last.
    gone: Gone,
    /// The instructions that were gone to last.
    code: Option<Code>,
    /// The text was chosen manually.
    chosen: bool,
}

impl View for SourceView {
    fn info(&self) -> &'static ViewInfo {
        &ViewInfo {
            name: "source",
            title: "Source",
            about: "Source text and SPIR-V, with the lines of the selected varying marked",
            answers: &[Ask::Search, Ask::CopyTable],
        }
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        self.shown = self.shown.min(cx.texts.len().saturating_sub(1));
        if self.gone != cx.selection.gone() {
            self.gone = cx.selection.gone();
            self.shown = listing(cx.texts, cx.selection.listed).unwrap_or(self.shown);
        }
        if self.code != cx.selection.code {
            self.code = cx.selection.code.clone();
            let now = Some(self.shown).filter(|_| self.chosen);
            self.shown = text_of(cx.texts, self.code.as_ref(), now).unwrap_or(self.shown);
        }
        let before = self.shown;
        self.tabs(ui, cx.texts);
        self.chosen |= self.shown != before;
        if cx.texts.is_empty() {
            ui.add_space(12.0);
            ui.label("No text to show.");
            return commands;
        }
        self.pane.ui(ui, cx, self.shown, &mut commands);
        // What was selected here is in view: no other text is gone to for it.
        if let Some(Command::Select(selection)) = commands.last() {
            self.code = selection.code.clone();
        }
        commands
    }
}

/// The text that a line is of.
fn listing(texts: &[SourceText], listed: Option<Listed>) -> Option<usize> {
    let listed = listed?;
    texts.iter().position(|text| text.role == TextRole::Listing && text.input == listed.input)
}

/// The text that shows instructions: the one that was chosen, where it does; else their source, else their listing.
fn text_of(texts: &[SourceText], code: Option<&Code>, chosen: Option<usize>) -> Option<usize> {
    let code = code?;
    let shows = |index: &usize| {
        let instructions = texts.get(*index).and_then(|text| text.instructions.as_ref());
        instructions.is_some_and(|instructions| instructions.first_line(code).is_some())
    };
    let of = |source: bool| {
        let is = |index: &usize| texts.get(*index).is_some_and(|text| (text.role == TextRole::Source) == source);
        (0..texts.len()).filter(is).find(shows)
    };
    chosen.filter(shows).or_else(|| of(true)).or_else(|| of(false))
}

impl SourceView {
    fn tabs(&mut self, ui: &mut Ui, texts: &[SourceText]) {
        if texts.len() > TABS_AT_MOST {
            let title = texts.get(self.shown).map(|text| one_line(&text.title)).unwrap_or_default();
            let combo = ComboBox::from_id_salt("texts").selected_text(title).width(280.0).show_ui(ui, |ui| {
                for (number, text) in texts.iter().enumerate() {
                    ui.selectable_value(&mut self.shown, number, one_line(&text.title));
                }
            });
            call(&combo.response, "Text");
        } else if !texts.is_empty() {
            ui.horizontal_wrapped(|ui| {
                for (number, text) in texts.iter().enumerate() {
                    ui.selectable_value(&mut self.shown, number, one_line(&text.title));
                }
            });
        }
    }
}

/// Name of a varying: `uv at location 1, component 0`.
pub(crate) fn name_and_place(cx: &ViewCx<'_>, mark: &Varying) -> String {
    let name = name_of(cx, mark).map(|name| format!("{name} at ")).unwrap_or_default();
    match mark.component {
        Some(component) => format!("{name}location {}, component {component}", mark.location),
        None => format!("{name}location {}", mark.location),
    }
}

/// The name that the report has for a varying.
fn name_of(cx: &ViewCx<'_>, varying: &Varying) -> Option<String> {
    let scalars = &cx.report.packing.as_ref()?.interface;
    let of_varying = scalars.iter().find(|scalar| {
        scalar.location.0 == varying.location && varying.component.is_none_or(|c| c == scalar.component.0)
    });
    of_varying.map(|scalar| one_line(&scalar.variable))
}
