//! A buffer as a typed table: every row of both runs, those that differ marked.

use crate::tokens::space;
use std::ops::ControlFlow;

use std::sync::Arc;

use egui::{TextStyle, Ui};
use egui_extras::{Column, TableRow};
use lanescope_core::run::{BufferRun, Ran, Rows, buffer_cells, buffer_table};
use lanescope_core::table::Cell;
use lanescope_inspector::command::Command;

use super::Id;
use crate::menu::row_menu;
use crate::table::{long_cell, quiet_cell, row_at, rows_in_order, table_id, table_of_rows, titles, unsorted_titles};

/// Rows that are looked through for differences: a frame waits for it.
const LOOKED_THROUGH: u64 = 4 << 20;
/// Rows that are copied.
const COPIED: u64 = 100_000;
/// More rows than this are not sorted: a frame would wait for it.
const SORTED: u64 = 100_000;

/// The name of the table.
const TABLE: &str = "buffer of a run";

/// How a buffer is looked at.
#[derive(Debug, Default)]
pub(super) struct BufferTable {
    differences_only: bool,
    known: Option<Known>,
}

/// Known facts about a buffer.
#[derive(Debug)]
struct Known {
    id: Id,
    rows: Rows,
    /// Numbers of the rows that differ.
    differing: Vec<u64>,
    /// Whether all rows were looked through.
    all: bool,
}

impl BufferTable {
    /// Draws the table; returns the rows as text where they are wanted.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        ran: &Ran,
        buffer: &BufferRun,
        id: &Id,
        copy: bool,
        commands: &mut Vec<Command>,
    ) {
        let known = self.known.take().filter(|known| known.id == *id).unwrap_or_else(|| Known::of(ran, buffer, id));
        let two = ran.against.is_some();
        let mut copy = copy;
        ui.horizontal_wrapped(|ui| {
            let name = buffer.shape.name();
            let shown: String = name.chars().take(90).collect();
            ui.monospace(if shown.len() < name.len() { format!("{shown}…") } else { shown }).on_hover_text(name);
            quiet_cell(ui, format!("{} bytes, {} rows", buffer.bytes, known.rows.len()));
            if two {
                let more = if known.all { "" } else { "+" };
                let text = format!("Differences only ({}{more})", known.differing.len());
                ui.toggle_value(&mut self.differences_only, text);
            }
            copy |= ui.button("Copy").on_hover_text("Copy the shown rows as text, with tabs between columns").clicked();
        });
        let filtered = self.differences_only && two;
        let count = if filtered { known.differing.len() as u64 } else { known.rows.len() };
        let number = |at: u64| {
            if filtered { known.differing.get(usize::try_from(at).ok()?).copied() } else { Some(at) }
        };
        let order = if count <= SORTED { order(ui, ran, buffer, &known, (filtered, count), &number) } else { None };
        let number =
            |at: u64| number(row_at(order.as_ref(), usize::try_from(at).ok()?).and_then(|at| u64::try_from(at).ok())?);
        if count == 0 {
            ui.add_space(space::BLOCK);
            ui.label(if filtered { "No row differs." } else { "The buffer is empty." });
        } else {
            table(ui, ran, buffer, &known, count, &number, commands);
        }
        if copy {
            commands.push(Command::Copy(as_text(ran, buffer, &known, count, &number)));
        }
        self.known = Some(known);
    }
}

impl Known {
    fn of(ran: &Ran, buffer: &BufferRun, id: &Id) -> Known {
        let rows = Rows::of(&buffer.shape, buffer.bytes);
        let (mut differing, mut number) = (Vec::new(), 0);
        let ours = ran.execution.contents(&buffer.name);
        let theirs = ran.against.as_ref().map(|against| against.contents(&buffer.name));
        if let Some(theirs) = theirs.filter(|theirs| *theirs != ours) {
            let part = |bytes: &[u8], at: u64, size: u64| -> Vec<u8> {
                let range = usize::try_from(at).ok().zip(usize::try_from(at.saturating_add(size)).ok());
                range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or(&[]).to_vec()
            };
            buffer.shape.visit(buffer.bytes, |_, leaf| {
                let size = leaf.scalar.bytes();
                if leaf.offsets().any(|at| part(ours, at, size) != part(theirs, at, size)) {
                    differing.push(number);
                }
                number += 1;
                if number < LOOKED_THROUGH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        Known { id: id.clone(), rows, differing, all: number < LOOKED_THROUGH }
    }

    fn differs(&self, number: u64) -> bool {
        self.differing.binary_search(&number).is_ok()
    }
}

/// The cells of a row, of both runs where there are two.
fn cells(ran: &Ran, buffer: &BufferRun, known: &Known, number: u64) -> Option<Vec<Cell>> {
    let row = known.rows.row(ran.execution.contents(&buffer.name), number)?;
    let Some(against) = &ran.against else { return Some(buffer_cells(&row, None)) };
    let other = known.rows.row(against.contents(&buffer.name), number);
    Some(buffer_cells(&row, Some((other.as_ref(), known.differs(number)))))
}

/// The rows in the order of a sorted column.
fn order(
    ui: &Ui,
    ran: &Ran,
    buffer: &BufferRun,
    known: &Known,
    rows: (bool, u64),
    number: &impl Fn(u64) -> Option<u64>,
) -> Option<Arc<Vec<usize>>> {
    let id = &known.id;
    rows_in_order(ui.ctx(), table_id(TABLE), (id, rows), |sort| {
        let text = |row: usize, column: usize| {
            let cells = number(row as u64).and_then(|number| cells(ran, buffer, known, number));
            cells.and_then(|cells| Some(cells.get(column)?.text().into_owned())).unwrap_or_default()
        };
        let count = usize::try_from(rows.1).unwrap_or(usize::MAX);
        lanescope_core::table::order(count, |_| false, text, Some(sort))
    })
}

fn table(
    ui: &mut Ui,
    ran: &Ran,
    buffer: &BufferRun,
    known: &Known,
    count: u64,
    number: &impl Fn(u64) -> Option<u64>,
    commands: &mut Vec<Command>,
) {
    let two = ran.against.is_some();
    let height = ui.text_style_height(&TextStyle::Monospace) + 3.0;
    let value = ((ui.available_width() - 320.0) / 2.0).max(80.0);
    let mut table = table_of_rows(ui)
        .sense(egui::Sense::click())
        .striped(true)
        .id_salt(&buffer.name)
        .auto_shrink(false)
        .resizable(true);
    table = table.column(Column::initial(76.0).at_least(40.0)).column(Column::initial(180.0).at_least(60.0).clip(true));
    if two {
        table = table.column(Column::initial(value).at_least(60.0).clip(true)).column(Column::exact(18.0));
    }
    let table = table.column(Column::remainder().at_least(60.0).clip(true));
    let contents = buffer_table(two);
    let shown: Vec<usize> = (0..contents.columns.len()).collect();
    let head = |header: TableRow<'_, '_>| match count <= SORTED {
        true => titles(header, table_id(TABLE), &contents, &shown),
        false => unsorted_titles(header, &contents, &shown),
    };
    table.header(height, head).body(|body| {
        let rows = usize::try_from(count).unwrap_or(usize::MAX);
        body.rows(height, rows, |mut row| {
            let Some(cells) = number(row.index() as u64).and_then(|at| cells(ran, buffer, known, at)) else { return };
            let places: Vec<_> =
                cells.iter().map(|cell| row.col(|ui| long_cell(ui, Some(cell))).1.rect.x_range()).collect();
            row_menu(&row.response(), &places, |menu| {
                let texts: Vec<String> = cells.iter().map(|cell| cell.text().into_owned()).collect();
                menu.copy(&texts, || as_text(ran, buffer, known, count, number), commands);
            });
        });
    });
}

fn as_text(ran: &Ran, buffer: &BufferRun, known: &Known, count: u64, number: &impl Fn(u64) -> Option<u64>) -> String {
    let mut table = buffer_table(ran.against.is_some());
    let rows = (0..count.min(COPIED)).filter_map(number);
    rows.filter_map(|number| cells(ran, buffer, known, number)).for_each(|cells| table.row(cells));
    table.to_tabs()
}
