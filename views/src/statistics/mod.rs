//! The statistics tab: what compilers count of each stage, chips and versions side by side.

use crate::tokens;
use crate::tokens::space;
use std::collections::BTreeSet;

use egui::{Align, RichText, ScrollArea, Ui};
use lanescope_core::driver::origin::line_costs::{costliest, line_cost_table};
use lanescope_core::driver::{
    Cell, Column, DriverStage, Row, StatisticsTable, Titles, common_tables, is_hash, statistics_markdown,
    statistics_values, tables,
};
use lanescope_core::table::Table;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::StatisticsSettings;
pub(crate) use lanescope_inspector::view::STATISTICS as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::compiling::compiled;
use crate::context::{View, ViewCx};
use crate::isa::{ALREADY_PACKED, are_packed_alike};
use crate::table::{GridLook, grid, sort_of, table_id};
use crate::text::reader::link;
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::heading;

/// The statistics tab.
#[derive(Debug, Default)]
pub struct StatisticsView {
    known: Option<Known>,
}

/// Known facts about the compilers' answer.
#[derive(Debug)]
struct Known {
    /// The program's revision, the answer's number, and how it is looked at.
    of: (u64, u64, StatisticsSettings),
    /// Every column that there is, in the order of the report.
    columns: Vec<Column>,
    /// The shown contents.
    tables: Vec<StatisticsTable>,
    /// What source lines cost, one table for each assembly.
    lines: Vec<Table>,
    /// The costliest of them, as text.
    costliest: Option<String>,
}

impl View for StatisticsView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(compiled) = compiled(ui, cx, &mut commands) else { return commands };
        let (revision, number) = cx.results.compiled.answer.as_ref().map_or((0, 0), |a| (a.revision, a.number));
        let of = (revision, number, cx.settings.statistics.clone());
        let known = match self.known.take() {
            Some(known) if known.of == of => known,
            _ => {
                let all = tables(&compiled.sections.stages, &compiled.sections.failures);
                let stages = &compiled.sections.stages;
                let (lines, costliest) = (lines(stages), costliest(stages));
                Known { columns: columns(&all), tables: shown(all, &of.2), lines, costliest, of }
            }
        };
        toolbar(ui, cx, &known, &mut commands);
        let goes_to_lines = known.costliest.as_ref().is_some_and(|text| {
            link(ui, RichText::new(text).color(ui.visuals().hyperlink_color), "Go to the costs of all source lines")
        });
        if known.tables.is_empty() {
            ui.add_space(space::BLOCK);
            ui.label("Every column is hidden.");
        }
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            for (index, table) in common_tables(&compiled.sections.stages).iter().enumerate() {
                heading(ui, &Theme::of(ui), &table.title);
                let look = GridLook { spacing: tokens::table::USUAL, ..GridLook::default() };
                grid(ui, cx, ("common statistics", index), table, look, |_| false, &mut commands);
            }
            for (index, table) in known.tables.iter().enumerate() {
                let alike = packed_alike(&compiled.sections.stages, table);
                show(ui, cx, index, table, alike, &mut commands);
            }
            for (index, table) in known.lines.iter().enumerate() {
                if goes_to_lines && index == 0 {
                    ui.scroll_to_cursor(Some(Align::TOP));
                }
                heading(ui, &Theme::of(ui), &format!("Source lines: {}", table.title));
                let look = GridLook { spacing: tokens::table::USUAL, ..GridLook::default() };
                grid(ui, cx, ("source lines", index), table, look, |_| false, &mut commands);
            }
        });
        self.known = Some(known);
        commands
    }
}

fn toolbar(ui: &mut Ui, cx: &ViewCx<'_>, known: &Known, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let mut settings = cx.settings.statistics.clone();
        let hint = "Show only statistics that differ between columns, except hashes";
        ui.toggle_value(&mut settings.differences_only, "Differences only").on_hover_text(hint);
        choose_columns(ui, known, &mut settings);
        if settings != cx.settings.statistics {
            commands.push(Command::SetStatisticsSettings(settings));
        }
        let copy = ui.button("Copy").on_hover_text("Copy the tables as Markdown").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(statistics_markdown(&as_shown(ui, &known.tables))));
        }
        ui.menu_button("Save", |ui| {
            for (label, name, text) in [
                ("CSV, one value per row…", "statistics.csv", csv as fn(&[StatisticsTable]) -> String),
                ("JSON…", "statistics.json", json),
                ("Markdown…", "statistics.md", statistics_markdown),
            ] {
                if ui.button(label).clicked() {
                    let text = text(&as_shown(ui, &known.tables));
                    commands.push(Command::SaveText { text, name: name.to_owned() });
                    ui.close();
                }
            }
        });
    });
}

/// What the source lines of each assembly cost, where they are known.
fn lines(stages: &[DriverStage]) -> Vec<Table> {
    let costs = stages.iter().map(|row| (row, row.line_costs())).filter(|(_, costs)| !costs.is_empty());
    costs.map(|(row, costs)| line_cost_table(row, &costs)).collect()
}

/// A menu of the columns, each with a tick where it is shown.
fn choose_columns(ui: &mut Ui, known: &Known, settings: &mut StatisticsSettings) {
    let all = known.columns.len();
    let on = known.columns.iter().filter(|column| !settings.hidden.contains(column)).count();
    let label = if on == all { "Columns".to_owned() } else { format!("Columns: {on} of {all}") };
    let menu = ui.menu_button(label, |ui| {
        for column in &known.columns {
            let mut shown = !settings.hidden.contains(column);
            if ui.checkbox(&mut shown, column.title(&known.columns)).changed() {
                settings.hidden.retain(|other| other != column);
                settings.hidden.extend((!shown).then(|| column.clone()));
            }
        }
        ui.separator();
        if ui.add_enabled(on < all, egui::Button::new("Show all")).clicked() {
            // Those of other programs stay as they are.
            settings.hidden.retain(|column| !known.columns.contains(column));
        }
    });
    menu.response.on_hover_text("Chips and versions to show, copy and save");
}

fn csv(tables: &[StatisticsTable]) -> String {
    statistics_values(tables).to_csv()
}

/// The tables as they are in the report's own terms.
fn json(tables: &[StatisticsTable]) -> String {
    // Plain data with text keys: nothing in it cannot be written.
    serde_json::to_string_pretty(tables).unwrap_or_default() + "\n"
}

/// The name of a table, by its number.
fn name(index: usize) -> (&'static str, usize) {
    ("statistics", index)
}

/// The tables with their rows in the shown order.
fn as_shown(ui: &Ui, tables: &[StatisticsTable]) -> Vec<StatisticsTable> {
    let in_order = |(index, table): (usize, &StatisticsTable)| {
        let order = table.table(Titles::Full).order(sort_of(ui.ctx(), table_id(name(index))));
        let rows = order.into_iter().filter_map(|row| table.rows.get(row).cloned()).collect();
        StatisticsTable { rows, ..table.clone() }
    };
    tables.iter().enumerate().map(in_order).collect()
}

/// Whether every compiler made the same code of both versions of the stage of a table.
fn packed_alike(all: &[DriverStage], table: &StatisticsTable) -> bool {
    let here = |row: &&DriverStage| row.stage == table.stage && row.entry == table.entry && row.name == table.name;
    are_packed_alike(all.iter().filter(here))
}

fn show(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    index: usize,
    statistics: &StatisticsTable,
    alike: bool,
    commands: &mut Vec<Command>,
) {
    let table = statistics.table(Titles::Full);
    heading(ui, &Theme::of(ui), &table.title);
    if alike {
        ui.label(ALREADY_PACKED);
    }
    if table.rows.is_empty() {
        if !alike {
            ui.weak("No statistics differ.");
        }
        return;
    }
    let look = GridLook { spacing: tokens::table::USUAL, ..GridLook::default() };
    grid(ui, cx, name(index), &table, look, |_| false, commands);
}

/// Every column of the tables once, in order.
fn columns(tables: &[StatisticsTable]) -> Vec<Column> {
    let mut seen = BTreeSet::new();
    let all = tables.iter().flat_map(|table| &table.columns);
    all.filter(|column| seen.insert(*column)).cloned().collect()
}

/// The tables without the columns that are hidden, and without the rows that are left out. Changes stay those against
/// the first version of their chip, whether that is shown or not.
fn shown(tables: Vec<StatisticsTable>, settings: &StatisticsSettings) -> Vec<StatisticsTable> {
    let keep = |column: &Column| !settings.hidden.contains(column);
    let table = |table: StatisticsTable| {
        let kept: Vec<bool> = table.columns.iter().map(keep).collect();
        let of_kept = |index: usize| kept.get(index).copied().unwrap_or(false);
        let row = |row: Row| {
            let cells = row.cells.into_iter().enumerate().filter(|(index, _)| of_kept(*index)).map(|(_, cell)| cell);
            Row { cells: cells.collect(), ..row }
        };
        let rows = table.rows.into_iter().map(row);
        let rows = rows.filter(|row| row.cells.iter().any(Option::is_some));
        let rows = rows.filter(|row| !settings.differences_only || differs(row)).collect();
        let columns = table.columns.into_iter().filter(keep).collect();
        StatisticsTable { columns, rows, ..table }
    };
    tables.into_iter().map(table).filter(|table| !table.columns.is_empty()).collect()
}

/// Whether a statistic is not the same in every column. A hash differs whenever anything does, and contains no other
/// information.
fn differs(row: &Row) -> bool {
    let value = |cell: &Option<Cell>| cell.map(|cell| cell.value);
    let first = row.cells.first().and_then(value);
    !is_hash(&row.name) && row.cells.iter().any(|cell| value(cell) != first)
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::{Change, Link, Value, Version};
    use lanescope_core::program::StageKind;

    use super::*;

    fn table() -> StatisticsTable {
        let column = |of| Column { place: "gfx1030".to_owned(), driver: None, of, link: Link::Whole, failed: None };
        let row = |name: &str, old: u64, new: Option<u64>| {
            let value = |value, change| Some(Cell { value: Value::Uint(value), change });
            let other = new.and_then(|new| value(new, Change::between(Value::Uint(old), Value::Uint(new))));
            Row { name: name.to_owned(), description: String::new(), cells: vec![value(old, None), other] }
        };
        StatisticsTable {
            stage: StageKind::Fragment,
            entry: None,
            name: "Fragment".to_owned(),
            columns: vec![column(Version::Original), column(Version::Packed)],
            rows: vec![row("VGPRs", 16, Some(12)), row("SGPRs", 8, Some(8)), row("Spills", 0, None)],
        }
    }

    #[test]
    fn json_is_the_tables_themselves() {
        let text = json(&[table()]);
        assert_eq!(serde_json::from_str::<Vec<StatisticsTable>>(&text).expect("reads back"), [table()]);
    }

    #[test]
    fn omits_hidden_columns_and_equal_rows() {
        let all = table();
        let only = |hidden: &[usize], differences_only| {
            let hidden = hidden.iter().map(|index| all.columns[*index].clone()).collect();
            let mut shown = shown(vec![all.clone()], &StatisticsSettings { hidden, differences_only });
            shown.pop().map(|table| {
                let names: Vec<_> = table.rows.iter().map(|row| row.name.clone()).collect();
                (table.columns.len(), names.join(" "))
            })
        };
        assert_eq!(only(&[], false), Some((2, "VGPRs SGPRs Spills".to_owned())));
        assert_eq!(only(&[], true), Some((2, "VGPRs Spills".to_owned())));
        assert_eq!(only(&[0], false), Some((1, "VGPRs SGPRs".to_owned())), "what only a hidden column tells is gone");
        assert_eq!(only(&[0], true), Some((1, String::new())));
        assert_eq!(only(&[0, 1], false), None);
        assert_eq!(columns(&[all.clone(), all.clone()]), all.columns);
    }

    #[test]
    fn changes_are_relative_to_the_first_version() {
        let all = table();
        let settings = StatisticsSettings { hidden: vec![all.columns[0].clone()], differences_only: false };
        let shown = shown(vec![all], &settings);
        let change = shown[0].rows[0].cells[0].and_then(|cell| cell.change).map(Change::with_sign);
        assert_eq!(change.as_deref(), Some("▼ -4 (-25%)"));
    }
}
