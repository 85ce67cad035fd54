//! The statistics tab: what compilers count of each stage, chips and versions side by side.

mod export;

use egui::{Grid, RichText, ScrollArea, Ui};
use lanescope_core::driver::{Cell, Row, StatisticsTable, is_hash, tables};

use crate::compiling::{Compiling, place_and_version};
use crate::context::{Ask, View, ViewCommand, ViewCx, ViewInfo};
use crate::table::{Tokens, one_line};
use crate::theme::Theme;
use crate::widgets::heading;

pub use export::{csv, markdown};

pub(crate) static INFO: ViewInfo = ViewInfo {
    name: "statistics",
    title: "Statistics",
    about: "Registers, code size and the other numbers of drivers' compilers, chips and versions side by side",
    answers: &[Ask::CopyTable],
};

/// The statistics tab.
#[derive(Debug, Default)]
pub struct StatisticsView {
    compiling: Compiling,
    differences_only: bool,
    /// The tables, and what they were made from: the program's revision, the answer's number.
    known: Option<((u64, u64), Vec<StatisticsTable>)>,
}

impl View for StatisticsView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand> {
        let mut commands = Vec::new();
        let Some(compiled) = self.compiling.ui(ui, cx, &mut commands) else { return commands };
        let number = cx.made.compiled.answer.as_ref().map_or((0, 0), |answer| (answer.revision, answer.number));
        if self.known.as_ref().is_none_or(|(of, _)| *of != number) {
            self.known = Some((number, tables(&compiled.stages)));
        }
        let all = self.known.as_ref().map(|(_, tables)| tables.as_slice()).unwrap_or_default();
        let differences_only = &mut self.differences_only;
        ui.horizontal_wrapped(|ui| {
            let hint = "Only the statistics that are not the same in every column; hashes aside";
            ui.toggle_value(differences_only, "Differences only").on_hover_text(hint);
            let only = *differences_only;
            let copy = ui.button("Copy").on_hover_text("The tables as Markdown").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(ViewCommand::Copy(markdown(all, only)));
            }
            ui.menu_button("Save", |ui| {
                for (label, name, text) in [
                    ("CSV, a value a row…", "statistics.csv", csv as fn(&[StatisticsTable], bool) -> String),
                    ("Markdown…", "statistics.md", markdown),
                ] {
                    if ui.button(label).clicked() {
                        commands.push(ViewCommand::SaveText { text: text(all, only), name: name.to_owned() });
                        ui.close();
                    }
                }
            });
        });
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            for (index, table) in all.iter().enumerate() {
                show(ui, index, table, *differences_only);
            }
        });
        commands
    }
}

fn show(ui: &mut Ui, index: usize, table: &StatisticsTable, differences_only: bool) {
    let tokens = Tokens::of(ui.visuals());
    heading(ui, &Theme::of(ui), &title(table));
    if table.rows.is_empty() {
        ui.weak("This driver tells no statistics.");
        return;
    }
    let rows: Vec<_> = rows(table, differences_only).collect();
    if rows.is_empty() {
        ui.weak("Every statistic is the same in every column.");
        return;
    }
    Grid::new(("statistics", index)).striped(true).spacing([20.0, 4.0]).show(ui, |ui| {
        ui.label("");
        for column in &table.columns {
            ui.strong(place_and_version(&column.place, column.of));
        }
        ui.end_row();
        for row in rows {
            ui.label(one_line(&row.name)).on_hover_text(one_line(&row.description));
            for cell in &row.cells {
                let Some(cell) = cell else {
                    ui.label(RichText::new("–").color(tokens.quiet));
                    continue;
                };
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    ui.monospace(cell.value.to_string());
                    if let Some(change) = change(cell) {
                        ui.label(RichText::new(change).monospace().color(tokens.changed));
                    }
                });
            }
            ui.end_row();
        }
    });
}

/// What a table is of: the stage, with the driver's own name for it.
fn title(table: &StatisticsTable) -> String {
    format!("{}: {}", table.stage, one_line(&table.name))
}

/// A change with its direction as a sign: `▼ -4 (-25%)`.
fn change(cell: &Cell) -> Option<String> {
    let change = cell.change?;
    Some(format!("{} {change}", if change.by > 0.0 { "▲" } else { "▼" }))
}

/// The rows that are shown.
fn rows(table: &StatisticsTable, differences_only: bool) -> impl Iterator<Item = &Row> {
    table.rows.iter().filter(move |row| {
        let value = |cell: &Option<Cell>| cell.map(|cell| cell.value);
        let first = row.cells.first().and_then(value);
        // A hash differs wherever anything does, and says nothing else.
        !differences_only || (!is_hash(&row.name) && row.cells.iter().any(|cell| value(cell) != first))
    })
}
