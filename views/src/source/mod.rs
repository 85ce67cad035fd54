//! The source tab: the texts of the program, highlighted, searched, with the selected varying's lines marked.

mod choice;
pub(crate) mod pane;

use crate::tokens::space;
use egui::{ComboBox, Ui};
use lanescope_core::program::StageKind;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Gone;
use lanescope_inspector::selection::{Code, Listed, Varying};
use lanescope_inspector::source::{SourceText, TextForm, TextRole};
use lanescope_inspector::view::{self, ViewInfo};

use crate::combo::pick;
use crate::context::{View, ViewCx};
use crate::table::{call, one_line};
use crate::text::reader::row;
use crate::widgets::width_of;
use choice::Choice;
use pane::TextPane;
pub(crate) use pane::{code_bar, is_marked, next};

/// More texts than this are chosen from a list.
const TABS_AT_MOST: usize = 6;

/// The source tab.
#[derive(Debug, Default)]
pub struct SourceView {
    /// The text that is shown.
    choice: Choice,
    pane: TextPane,
    /// The line of a listing that was gone to last.
    gone: Gone,
    /// The instructions that were gone to last.
    code: Option<Code>,
    /// The stage that was gone to last.
    stage: Option<StageKind>,
}

impl View for SourceView {
    fn info(&self) -> &'static ViewInfo {
        &view::SOURCE
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        self.choice.follow(cx.program, cx.texts, &cx.settings.texts);
        if self.gone != cx.selection.gone() {
            self.gone = cx.selection.gone();
            self.choice.show(listing(cx.texts, cx.selection.listed));
        }
        if self.stage != cx.selection.stage {
            self.stage = cx.selection.stage;
            self.choice.show(self.stage.and_then(|stage| text_of_stage(cx, stage, self.choice.shown())));
        }
        if self.code != cx.selection.code {
            self.code = cx.selection.code.clone();
            self.choice.show(text_of(cx.texts, self.code.as_ref(), self.choice.chosen()));
        }
        if let Some(form) = self.tabs(ui, cx.texts) {
            let settings = cx.settings.texts.with(TextForm::all_of(cx.texts), form);
            commands.push(Command::SetTextSettings(settings));
            // Tabs that show one stage at a time follow.
            let stages = cx.texts.get(self.choice.shown()).map(|text| text.stages(cx.report)).unwrap_or_default();
            if let Some(first) = stages.first().filter(|_| !stages.iter().any(|is| cx.selection.stage == Some(*is))) {
                commands.push(Command::Select(cx.selection.at_stage(*first)));
            }
        }
        if cx.texts.is_empty() {
            ui.add_space(space::GROUP);
            ui.label("No text to show.");
            return commands;
        }
        self.pane.ui(ui, cx, self.choice.shown(), &mut commands);
        // What was selected here is in view: no other text is gone to for it.
        if let Some(Command::Select(selection)) = commands.last() {
            self.code = selection.code.clone();
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.choice.forget(program);
        self.pane.forget(program);
    }
}

/// The text that a line is of.
fn listing(texts: &[SourceText], listed: Option<Listed>) -> Option<usize> {
    let listed = listed?;
    texts.iter().position(|text| text.role == TextRole::Listing && text.input == listed.input)
}

/// The text to show for a stage: one of the form that is shown, else its source, else any; none where the shown one is
/// of that stage.
fn text_of_stage(cx: &ViewCx<'_>, stage: StageKind, shown: usize) -> Option<usize> {
    let has_stage = |index: &usize| cx.texts.get(*index).is_some_and(|text| text.stages(cx.report).contains(&stage));
    if has_stage(&shown) {
        return None;
    }
    let form = cx.texts.get(shown).map(TextForm::of);
    let of_form = |form| {
        let is = |index: &usize| cx.texts.get(*index).map(TextForm::of) == form;
        (0..cx.texts.len()).filter(has_stage).find(is)
    };
    of_form(form).or_else(|| of_form(Some(TextForm::Source))).or_else(|| (0..cx.texts.len()).find(has_stage))
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
    /// The names of the texts, in one row: as tabs where they fit, else as a list. Returns the form that was chosen.
    fn tabs(&mut self, ui: &mut Ui, texts: &[SourceText]) -> Option<TextForm> {
        let titles: Vec<String> = texts.iter().map(|text| one_line(&text.title)).collect();
        let spacing = ui.spacing().item_spacing.x + 2.0 * ui.spacing().button_padding.x;
        let width: f32 = titles.iter().map(|title| width_of(ui, title) + spacing).sum();
        let mut shown = self.choice.shown();
        if titles.len() > TABS_AT_MOST || width > ui.available_width() {
            row(ui, |ui| {
                let title = titles.get(shown).cloned().unwrap_or_default();
                let width = (ui.available_width() - 16.0).clamp(60.0, 280.0);
                let combo = ComboBox::from_id_salt("texts").selected_text(title).width(width).truncate();
                let combo = combo.show_ui(ui, |ui| {
                    for (number, title) in titles.iter().enumerate() {
                        pick(ui, &mut shown, number, title);
                    }
                });
                call(&combo.response, "Text");
            });
        } else if !titles.is_empty() {
            row(ui, |ui| {
                for (number, title) in titles.iter().enumerate() {
                    ui.selectable_value(&mut shown, number, title);
                }
            });
        }
        self.choice.choose(texts, shown)
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
