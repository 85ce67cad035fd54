//! The ops that a program calls, by table, with their calls.

use crate::tokens::space;
use egui::{Align, Label, Layout, RichText, Sense, Ui};
use egui_extras::Column;
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::ops::database;
use lanescope_core::dxil::uses::OpUse;
use lanescope_core::dxil_tables::{op_calls_table, op_use_table, site_table};
use lanescope_core::table::{self, Cell, Meaning, Part, Row, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Listed;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::menu::row_menu;
use crate::table::{
    Search, across, cell, one_line, quiet_cell, row_at, rows_in_order, table_id, table_of_rows, text_of, texts_of,
    titles,
};
use crate::widgets::below;

/// Calls that are listed; the report has all.
const SITES_AT_MOST: usize = 2_000;

/// The columns that have room beside other tabs: the calls are listed below.
const COLUMNS: [&str; 7] = ["Table", "Op", "Hex", "Opcode", "Class", "Since", "Calls"];

/// What is looked at in the list of ops.
#[derive(Debug, Default)]
pub struct OpsTable {
    search: Search,
    /// The op whose calls are listed: its index in the report.
    open: Option<usize>,
    /// The tables of a version of a container.
    tables: Option<Tables>,
}

/// The tables that are drawn, kept from frame to frame.
#[derive(Debug)]
struct Tables {
    /// The version of the program, the container, and the op whose calls are listed.
    key: (u64, usize, Option<usize>),
    ops: Table,
    sites: Table,
}

impl OpsTable {
    /// Closes the list of calls: another container's ops are others. What is searched for stays.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// Draws the table, and below it the calls of the op that was chosen.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            self.search.ui(ui, cx, "Search ops", 200.0);
            let copy = ui.button("Copy").on_hover_text("Copy all calls as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(op_calls_table(&summary.ops).to_tabs()));
            }
            let source = &database().source;
            let text = match &summary.op_table {
                Some(given) => format!("op tables of {}", given.file),
                None => format!("op tables of {} at {}", source.project, source.short()),
            };
            ui.add(Label::new(RichText::new(&text).weak()).truncate());
        });
        let open = self.open.and_then(|index| summary.ops.get(index));
        let key = (cx.revision, summary.input, self.open);
        let tables = self.tables.take().filter(|tables| tables.key == key).unwrap_or_else(|| Tables {
            key,
            ops: op_use_table(&summary.ops).only(&COLUMNS),
            sites: open.map(|op| site_table(op, SITES_AT_MOST)).unwrap_or_default(),
        });
        let words = self.search.words();
        let met = |row: &&Row| {
            let text = texts_of(row, &[0, 1, 2, 3, 4]).join(" ").to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        let shown: Vec<&Row> = tables.ops.rows.iter().filter(met).collect();
        if let Some(op) = open {
            below(ui, "sites", 190.0).show(ui, |ui| sites(ui, cx, summary, op, &tables.sites, commands));
        }
        if shown.is_empty() {
            ui.add_space(space::GROUP);
            ui.label(if summary.ops.is_empty() { "The program calls no ops." } else { "Nothing matches the search." });
        } else {
            // What does not fit beside the other tabs is reached by scrolling.
            across(ui, "wide", |ui| self.table(ui, cx, summary.input, &tables.ops, &shown, commands));
        }
        self.tables = Some(tables);
    }

    fn table(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        input: usize,
        table: &Table,
        shown: &[&Row],
        commands: &mut Vec<Command>,
    ) {
        let height = ui.spacing().interact_size.y;
        let id = table_id("ops");
        let columns: Vec<usize> = (0..table.columns.len()).collect();
        let text = |row: usize, column: usize| shown.get(row).map(|row| text_at(row, column)).unwrap_or_default();
        let key = (cx.revision, input, &self.search.text);
        let order = rows_in_order(ui.ctx(), id, key, |sort| table::order(shown.len(), |_| false, text, Some(sort)));
        let as_tabs = || {
            let rows = (0..shown.len()).filter_map(|at| shown.get(row_at(order.as_ref(), at)?).copied().cloned());
            Table { columns: table.columns.clone(), rows: rows.collect(), ..Table::default() }.to_tabs()
        };
        table_of_rows(ui)
            .id_salt("ops")
            .striped(true)
            .sense(Sense::click())
            .auto_shrink(false)
            .min_scrolled_height(0.0)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::exact(124.0))
            .column(Column::initial(270.0).at_least(120.0).clip(true))
            .column(Column::exact(96.0))
            .column(Column::exact(92.0))
            .column(Column::initial(190.0).at_least(80.0).clip(true))
            .column(Column::exact(52.0))
            .column(Column::remainder().at_least(48.0))
            .header(height, |header| titles(header, id, table, &columns))
            .body(|body| {
                body.rows(height, shown.len(), |mut row| {
                    let Some(of) = row_at(order.as_ref(), row.index()).and_then(|at| shown.get(at)) else { return };
                    let table::Key::Item(index) = of.key else { return };
                    let mut places = Vec::with_capacity(columns.len());
                    row.set_selected(self.open == Some(index));
                    let mut name = false;
                    for &column in &columns {
                        let place = row.col(|ui| match column {
                            0 => kind(ui, of.cell(0)),
                            1 => {
                                let text = RichText::new(one_line(&text_at(of, 1))).monospace();
                                name = ui.add(egui::Button::new(text).frame(false).truncate()).clicked();
                            }
                            _ => _ = quiet_cell(ui, RichText::new(one_line(&text_at(of, column))).monospace()),
                        });
                        places.push(place.1.rect.x_range());
                    }
                    row_menu(&row.response(), &places, |menu| {
                        menu.copy(&texts_of(of, &columns), as_tabs, commands);
                        menu.separator();
                        let label = if self.open == Some(index) { "Hide calls" } else { "Show calls" };
                        if menu.item(label) {
                            self.open = (self.open != Some(index)).then_some(index);
                        }
                    });
                    if row.response().clicked() || name {
                        self.open = (self.open != Some(index)).then_some(index);
                    }
                });
            });
    }
}

fn text_at(row: &Row, column: usize) -> String {
    row.cell(column).map(|cell| cell.text().into_owned()).unwrap_or_default()
}

/// The table that an op is of, with a sign beside its colour.
fn kind(ui: &mut Ui, cell: Option<&Cell>) {
    let Some(part) = cell.and_then(|cell| cell.parts.first()) else { return };
    let sign = match part.meaning {
        Meaning::Changed => "▲",
        Meaning::Severity(_) => "✖",
        _ => " ",
    };
    let part = Part { text: format!("{sign} {}", part.text), code: true, ..part.clone() };
    ui.add(Label::new(text_of(ui, &part)).selectable(false).truncate());
}

fn sites(ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, op: &OpUse, table: &Table, commands: &mut Vec<Command>) {
    let name = op.name.as_deref().unwrap_or("unknown op");
    ui.strong(format!("Calls of {name}"));
    let id = table_id("calls");
    let columns: Vec<usize> = (0..table.columns.len()).collect();
    let text = |row: usize, column: usize| table.rows.get(row).map(|row| text_at(row, column)).unwrap_or_default();
    let key = (cx.revision, summary.input, name, op.opcode);
    let order = rows_in_order(ui.ctx(), id, key, |sort| table::order(table.rows.len(), |_| false, text, Some(sort)));
    let as_tabs = || {
        let rows = (0..table.rows.len()).filter_map(|at| table.rows.get(row_at(order.as_ref(), at)?).cloned());
        Table { columns: table.columns.clone(), rows: rows.collect(), ..Table::default() }.to_tabs()
    };
    table_of_rows(ui)
        .id_salt("calls")
        .striped(true)
        .sense(Sense::click())
        .auto_shrink(false)
        .column(Column::initial(150.0).clip(true))
        .column(Column::exact(64.0))
        .column(Column::exact(90.0))
        .column(Column::remainder().clip(true))
        .header(20.0, |header| titles(header, id, table, &columns))
        .body(|body| {
            body.rows(20.0, table.rows.len(), |mut row| {
                let Some(of) = row_at(order.as_ref(), row.index()).and_then(|at| table.rows.get(at)) else { return };
                let table::Key::Item(index) = of.key else { return };
                let line = op.sites.get(index).and_then(|site| site.line);
                let mut places = Vec::with_capacity(columns.len());
                let go = |line| Command::Select(cx.selection.at_line(Listed { input: summary.input, line }));
                for &column in &columns {
                    let text = one_line(&text_at(of, column));
                    let place = row.col(|ui| match line.filter(|_| column == 1) {
                        Some(line) => {
                            // A table's own colour would hide that it is one.
                            let colour = ui.visuals().hyperlink_color;
                            let link = ui.link(RichText::new(text).monospace().color(colour));
                            if link.on_hover_text("Show this line of the disassembly").clicked() {
                                commands.push(go(line));
                            }
                        }
                        None => _ = cell(ui, RichText::new(text).monospace()),
                    });
                    places.push(place.1.rect.x_range());
                }
                row_menu(&row.response(), &places, |menu| {
                    menu.copy(&texts_of(of, &columns), as_tabs, commands);
                    if let Some(line) = line {
                        menu.separator();
                        menu.command("Go to line", || go(line), commands);
                    }
                });
            });
        });
}
