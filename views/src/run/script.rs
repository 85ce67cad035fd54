//! The run of an Amber script: what became of its checks, one row each.

use crate::tokens;
use egui::{RichText, TextStyle, Ui};
use egui_extras::Column;
use lanescope_core::script::{RunFinding, expectation_table};
use lanescope_core::table::Table;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::tasks::ScriptRan;

use crate::menu::row_menu;
use crate::table::{Tokens, TokensOfVisuals as _, long_cell, one_line, table_id, table_of_rows, texts_of, titles};
use crate::table::{row_at, rows_in_order};

/// The name of the table.
const TABLE: &str = "checks of a script";
/// Findings that are listed.
const FINDINGS: usize = 8;

/// The checks of the last run as a table, with the run that they are of.
#[derive(Default)]
pub(super) struct ScriptTable(Option<((u64, u64), Table)>);

impl ScriptTable {
    /// Draws what came of a script; `id` is the program's revision and the run's number.
    pub(super) fn ui(&mut self, ui: &mut Ui, ran: &ScriptRan, id: (u64, u64), copy: bool, commands: &mut Vec<Command>) {
        let (_, table) = match self.0.take().filter(|(of, _)| *of == id) {
            Some(known) => self.0.insert(known),
            None => self.0.insert((id, expectation_table(&ran.run))),
        };
        verdict(ui, ran);
        findings(ui, ran);
        let mut copy = copy;
        if table.rows.is_empty() {
            return;
        }
        ui.horizontal(|ui| {
            copy |= ui.button("Copy").on_hover_text("Copy the checks as text, with tabs between columns").clicked();
            let more = ran.run.checks.saturating_sub(table.rows.len() as u64);
            if more > 0 {
                ui.weak(format!("the first {}; {more} more were made", table.rows.len()));
            }
        });
        rows(ui, table, id, commands);
        if copy {
            commands.push(Command::Copy(table.to_tabs()));
        }
    }
}

/// Whether all checks passed, and what was done.
fn verdict(ui: &mut Ui, ran: &ScriptRan) {
    let tokens = Tokens::of(ui.visuals());
    let run = &ran.run;
    let checks = counted(run.checks, "check");
    let (text, color) = match (run.checks, run.failures.len()) {
        (0, _) => ("· The script checks nothing".to_owned(), ui.visuals().text_color()),
        (_, 0) => (format!("✓ All passed: {checks}"), tokens.note),
        (_, failed) => (format!("× {failed} of {checks} failed"), tokens.error),
    };
    ui.add(egui::Label::new(RichText::new(text).size(tokens::text::LEAD).color(color).strong()).wrap());
    ui.weak(format!("{}, {}", counted(run.commands, "command"), counted(run.runs, "run")));
    if !ran.unchecked.is_empty() {
        let text = format!("! requirements that were not checked: {}", one_line(&ran.unchecked.join(", ")));
        ui.colored_label(tokens.warning, text);
    }
}

/// What runs found: results are then not determined.
fn findings(ui: &mut Ui, ran: &ScriptRan) {
    let all = &ran.run.findings;
    for RunFinding { line, finding } in all.iter().take(FINDINGS) {
        let (icon, color) = crate::findings::look(ui, finding.severity);
        let text = format!("{icon} line {line}: {} {}: {}", finding.severity, finding.code, one_line(&finding.message));
        ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    }
    if let Some(more) = all.len().checked_sub(FINDINGS).filter(|more| *more > 0) {
        ui.weak(format!("and {} more", counted(more, "finding")));
    }
}

fn rows(ui: &mut Ui, table: &Table, id: (u64, u64), commands: &mut Vec<Command>) {
    let height = ui.text_style_height(&TextStyle::Monospace) + 3.0;
    let order = rows_in_order(ui.ctx(), table_id(TABLE), id, |sort| table.order(Some(sort)));
    let shown: Vec<usize> = (0..table.columns.len()).collect();
    let wide = ((ui.available_width() - 110.0) / 4.0).max(90.0);
    let text = || Column::initial(wide).at_least(60.0).clip(true);
    let drawn = table_of_rows(ui).sense(egui::Sense::click()).striped(true).id_salt(TABLE).auto_shrink(false);
    let drawn = drawn.resizable(true).column(Column::exact(18.0)).column(Column::initial(52.0).at_least(36.0));
    let drawn =
        drawn.column(text()).column(text()).column(text()).column(Column::remainder().at_least(60.0).clip(true));
    let head = |header: egui_extras::TableRow<'_, '_>| titles(header, table_id(TABLE), table, &shown);
    drawn.header(height, head).body(|body| {
        body.rows(height, table.rows.len(), |mut row| {
            let at = row_at(order.as_ref(), row.index());
            let Some(of) = at.and_then(|at| table.rows.get(at)) else { return };
            let cell = |at: &usize| row.col(|ui| long_cell(ui, of.cell(*at))).1.rect.x_range();
            let places: Vec<_> = shown.iter().map(cell).collect();
            row_menu(&row.response(), &places, |menu| {
                menu.copy(&texts_of(of, &shown), || table.to_tabs(), commands);
            });
        });
    });
}
