//! The findings tab: violations, the worst first, and the explanation of the one that is open.

mod explanation;

use egui::{Align, Color32, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use lanescope_core::findings::{self, Finding, Severity};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Listed;
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{Search, Tokens, cell, one_line, quiet_cell, titles};
use crate::widgets::below;

/// Rows that are drawn: more than anyone reads. Copying takes all.
const ROWS_AT_MOST: usize = 1_000;
/// With more rows than this their heights are estimated: laying every message out would cost a frame.
const MEASURED_AT_MOST: usize = 200;

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
    /// The report's revision, the number of what compilers answered, and how many findings there are.
    of: (u64, u64, usize),
    search: String,
    hidden: Vec<Severity>,
    /// Indices of the findings, the worst first.
    rows: Vec<usize>,
}

impl View for FindingsView {
    fn info(&self) -> &'static ViewInfo {
        &ViewInfo {
            name: "findings",
            title: "Findings",
            about: "Violated rules and facts worth knowing; Enter on a row explains the finding",
            answers: &[Ask::Search, Ask::CopyTable],
        }
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let of_compilers = cx.results.compiled.findings(cx.revision, &cx.settings.compile);
        let all: Vec<&Finding> = cx.report.findings.iter().chain(&of_compilers).collect();
        if all.is_empty() {
            ui.add_space(12.0);
            ui.heading("No findings");
            ui.label("No checked rule is violated.");
            return commands;
        }
        let shown = ui.horizontal_wrapped(|ui| {
            self.filters(ui, cx, &all);
            let shown = self.filtered(cx, &all);
            let copy = ui.button("Copy").on_hover_text("Copy the list as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(findings::table(&shown).to_tabs()));
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
            match explained_table(ui, listed, self.open.as_ref()) {
                Some(Chosen::Line(line)) => {
                    commands.push(Command::Select(cx.selection.at_line(line)));
                    commands.push(Command::Show("dxil"));
                }
                Some(Chosen::Finding(finding)) => {
                    self.open = if self.open.as_ref() == Some(finding) { None } else { Some(finding.clone()) };
                }
                None => {}
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
        let compiled = cx.results.compiled.answer.as_ref().map_or(0, |answer| answer.number);
        let of = (cx.revision, compiled, all.len());
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
    let place = finding.place.as_deref().unwrap_or_default();
    let text = format!("{} {} {stage} {place} {}", finding.code, finding.severity, finding.message).to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// What was chosen in the table.
enum Chosen<'f> {
    /// A line of a listing.
    Line(Listed),
    /// A row.
    Finding(&'f Finding),
}

/// Draws the table without explanations. Returns the line of a listing that was clicked.
pub(crate) fn shown_table(ui: &mut Ui, shown: &[&Finding]) -> Option<Listed> {
    match table(ui, shown, None, false) {
        Some(Chosen::Line(line)) => Some(line),
        Some(Chosen::Finding(_)) | None => None,
    }
}

/// Draws the table, whose rows can be chosen. `open` is the finding that is explained.
fn explained_table<'f>(ui: &mut Ui, shown: &[&'f Finding], open: Option<&Finding>) -> Option<Chosen<'f>> {
    table(ui, shown, open, true)
}

fn table<'f>(ui: &mut Ui, shown: &[&'f Finding], open: Option<&Finding>, explains: bool) -> Option<Chosen<'f>> {
    let mut chosen = None;
    // Codes of files' own rules are words: `foz.truncated-tail`.
    let longest = shown.iter().map(|finding| finding.code.chars().count()).max().unwrap_or(0);
    let mono = egui::TextStyle::Monospace.resolve(ui.style());
    let code = ui.fonts_mut(|fonts| fonts.glyph_width(&mono, '0')) * longest as f32 + 4.0;
    let fixed = [84.0, code.clamp(52.0, 220.0), 96.0, 150.0];
    let spacing = ui.spacing().item_spacing.x;
    let room = (ui.available_width() - fixed.iter().sum::<f32>() - 5.0 * spacing - 12.0).max(160.0);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let (line, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, 'n')));
    let exact = shown.len() <= MEASURED_AT_MOST;
    let tall = |text: &str, room: f32| {
        if exact {
            ui.painter().layout(one_line(text), font.clone(), Color32::PLACEHOLDER, room).size().y
        } else {
            (text.chars().count() as f32 * glyph / room).ceil() * line
        }
    };
    let height = |finding: &&Finding| {
        let place = finding.place.as_deref().map_or(0.0, |place| tall(place, fixed[3]));
        tall(&finding.message, room).max(place).clamp(line, 12.0 * line) + 6.0
    };
    let heights: Vec<_> = shown.iter().map(height).collect();
    let [severity, code, stage, place] = fixed;
    let contents = findings::table(&[]);
    TableBuilder::new(ui)
        .id_salt("findings")
        .striped(true)
        .sense(if explains { Sense::click() } else { Sense::hover() })
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Min))
        .column(Column::exact(severity))
        .column(Column::exact(code))
        .column(Column::exact(stage))
        .column(Column::exact(place).clip(true))
        .column(Column::remainder().at_least(160.0).clip(true))
        .header(line + 6.0, |header| titles(header, &contents, &contents.shown()))
        .body(|body| {
            body.heterogeneous_rows(heights.into_iter(), |mut row| {
                let Some(finding) = shown.get(row.index()).copied() else { return };
                row.set_selected(open == Some(finding));
                let mut explain = false;
                row.col(|ui| {
                    let (icon, colour) = look(ui, finding.severity);
                    cell(ui, RichText::new(icon).monospace().color(colour));
                    cell(ui, RichText::new(finding.severity.name()).color(colour).strong());
                });
                row.col(|ui| {
                    let rule = findings::rule(&finding.code);
                    let code = RichText::new(&finding.code).monospace();
                    let response = if explains && rule.is_some() {
                        // The pointer's shape and the hint show that it can be clicked.
                        let code = code.color(ui.visuals().text_color());
                        let link = ui.add(egui::Label::new(code).selectable(false).truncate().sense(Sense::click()));
                        link.on_hover_cursor(egui::CursorIcon::PointingHand)
                    } else {
                        cell(ui, code)
                    };
                    explain = response.clicked();
                    if let Some(rule) = rule {
                        response.on_hover_text(if explains {
                            format!("{}: click to explain", rule.about)
                        } else {
                            rule.about.to_owned()
                        });
                    }
                });
                row.col(|ui| {
                    cell(ui, finding.stage.map(|stage| stage.name()).unwrap_or_default());
                });
                row.col(|ui| {
                    let place = one_line(finding.place.as_deref().unwrap_or_default());
                    if finding.line.is_none() {
                        ui.add(egui::Label::new(place).wrap());
                        return;
                    }
                    let text = RichText::new(place).color(ui.visuals().hyperlink_color);
                    let link = ui.add(egui::Label::new(text).wrap().sense(Sense::click()));
                    let link = link.on_hover_cursor(egui::CursorIcon::PointingHand);
                    if link.on_hover_text("Show this line of the disassembly").clicked() {
                        chosen = finding.line.map(Chosen::Line);
                    }
                });
                row.col(|ui| {
                    ui.add(egui::Label::new(one_line(&finding.message)).wrap());
                });
                explain |= explains && row.response().clicked();
                if explain && chosen.is_none() {
                    chosen = Some(Chosen::Finding(finding));
                }
            });
        });
    chosen
}
