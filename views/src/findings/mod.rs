//! The findings tab: violations by area, the worst first, each leading to its place; and the explanation of the one that
//! is open.

pub mod explanation;
pub(crate) mod of_run;
mod rows;

use crate::tokens::space;
use egui::{Color32, Ui};
use lanescope_core::findings::{self, Finding, Severity};
use lanescope_inspector::command::Command;
use lanescope_inspector::view::{self, Ask, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{Search, Tokens, quiet_cell};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::below;
use rows::{Rows, as_text};

pub(crate) use rows::shown_table;

/// Rows that are drawn: more than anyone reads. Copying takes all.
const ROWS_AT_MOST: usize = 1_000;

/// The findings tab.
#[derive(Debug, Default)]
pub struct FindingsView {
    search: Search,
    /// Severities that are left out.
    hidden: Vec<Severity>,
    /// The finding that is explained below the table.
    open: Option<Finding>,
    /// What was shown last, and under what.
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// What it was made from, and how many findings there are.
    of: ([u64; 6], usize),
    search: String,
    hidden: Vec<Severity>,
    /// Indices of the findings, the worst first.
    rows: Vec<usize>,
}

impl View for FindingsView {
    fn info(&self) -> &'static ViewInfo {
        &view::FINDINGS
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let beside = cx.found().beside();
        let all = findings::distinct(cx.report.findings.iter().chain(&beside));
        if all.is_empty() {
            ui.add_space(space::GROUP);
            ui.heading("No findings");
            ui.label("No checked rule is violated.");
            return commands;
        }
        let shown = ui.horizontal_wrapped(|ui| {
            self.filters(ui, cx, &all);
            let shown = self.filtered(cx, &all);
            let copy = ui.button("Copy").on_hover_text("Copy the list as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(as_text(ui.ctx(), &shown)));
            }
            if shown.len() > ROWS_AT_MOST {
                quiet_cell(ui, format!("The first {ROWS_AT_MOST} of {} are shown; Copy takes all.", shown.len()));
            }
            shown
        });
        let shown = shown.inner;
        // Another report does not have it any more.
        self.open.take_if(|open| !all.contains(&&*open));
        if let Some(open) = &self.open
            && below(ui, "explanation", 220.0).show(ui, |ui| explanation::ui(ui, open)).inner
        {
            self.open = None;
        }
        if shown.is_empty() {
            ui.label("No match.");
        } else {
            let listed = &shown[..shown.len().min(ROWS_AT_MOST)];
            let rows = Rows { shown: listed, open: self.open.as_ref(), explains: true };
            if let Some(finding) = rows.ui(ui, cx, &mut commands) {
                self.open = if self.open.as_ref() == Some(finding) { None } else { Some(finding.clone()) };
            }
        }
        commands
    }
}

impl FindingsView {
    fn filters(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, all: &[&Finding]) {
        self.search.ui(ui, cx, "Search findings", 220.0);
        for severity in Severity::ALL {
            let count = all.iter().filter(|finding| finding.severity == *severity).count();
            if count == 0 {
                continue;
            }
            let (icon, _) = look(ui, *severity);
            let mut on = !self.hidden.contains(severity);
            let plural = if count == 1 { "" } else { "s" };
            let text = icon_and_text(ui, icon, &format!("{count} {severity}{plural}"));
            if ui.toggle_value(&mut on, text).on_hover_text("Show or hide").changed() {
                self.hidden.retain(|hidden| hidden != severity);
                if !on {
                    self.hidden.push(*severity);
                }
            }
        }
    }

    /// What is shown, the worst first.
    fn filtered<'a>(&mut self, cx: &ViewCx<'_>, all: &[&'a Finding]) -> Vec<&'a Finding> {
        // What compilers say follows later, and goes with a change of the settings.
        let of = (cx.found().answers(), all.len());
        let same = |shown: &Shown| shown.of == of && shown.search == self.search.text && shown.hidden == self.hidden;
        let shown = self.shown.take().filter(same).unwrap_or_else(|| {
            let words = self.search.words();
            let wanted = |finding: &&Finding| !self.hidden.contains(&finding.severity) && matches(finding, &words);
            let mut rows: Vec<_> = (0..all.len()).filter(|row| all.get(*row).is_some_and(wanted)).collect();
            rows.sort_by_key(|row| all.get(*row).map(|finding| finding.severity));
            Shown { of, search: self.search.text.clone(), hidden: self.hidden.clone(), rows }
        });
        self.shown.insert(shown).rows.iter().filter_map(|row| all.get(*row).copied()).collect()
    }
}

/// A severity's sign and colour.
pub(crate) fn look(ui: &Ui, severity: Severity) -> (&'static str, Color32) {
    let tokens = Tokens::of(ui.visuals());
    match severity {
        Severity::Error => ("×", tokens.error),
        Severity::Warning => ("▲", tokens.warning),
        Severity::Note => ("●", tokens.note),
    }
}

/// A sign from the monospace font, which has more of them, before a text in the body's.
fn icon_and_text(ui: &Ui, icon: &str, text: &str) -> egui::text::LayoutJob {
    let style = ui.style();
    let format = |font| egui::TextFormat { font_id: font, color: Color32::PLACEHOLDER, ..egui::TextFormat::default() };
    let mut job = egui::text::LayoutJob::default();
    job.append(icon, 0.0, format(egui::TextStyle::Monospace.resolve(style)));
    job.append(text, 6.0, format(egui::TextStyle::Button.resolve(style)));
    job
}

fn matches(finding: &Finding, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let stage = finding.stage.map(|stage| stage.name()).unwrap_or_default();
    let place = finding.place_text();
    let text = format!("{} {} {stage} {place} {}", finding.code, finding.severity, finding.message).to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}
