//! The rows of a section as a table: both values, the change, the reason.

use crate::tokens::space;
use egui::{Align, Button, Layout, RichText, Sense, Ui};
use egui_extras::Column;
use lanescope_core::compare::{Kind, Part, Row, Section, Side};
use lanescope_core::table::{self, Key, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::menu::{links, row_menu};
use crate::table::{
    across, call, cell, is_selected, long_cell, one_line, sort_of, table_id, table_of_rows, texts_of, titles,
    varying_of,
};

/// One line of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// What the rows below belong to, above the row of this index in the table.
    Heading(usize),
    /// A row, by its index in the table.
    Row(usize),
}

/// The lines of a table: a heading wherever rows belong to something else than those above.
fn lines(table: &Table) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut of = None;
    for (index, row) in table.rows.iter().enumerate() {
        let this = row.cell(OF);
        if this.is_some() && this != of {
            of = this;
            lines.push(Line::Heading(index));
        }
        lines.push(Line::Row(index));
    }
    lines
}

/// The table with its rows in the order of the sorted column: they stay below what they belong to, and parts below their
/// row.
pub(super) fn in_order(ctx: &egui::Context, section: &Section, table: &Table) -> Table {
    let sort = sort_of(ctx, id(section));
    let groups = table.rows.chunk_by(|a, b| a.cell(OF) == b.cell(OF));
    let head = Table { columns: table.columns.clone(), ..Table::default() };
    let sorted = groups.flat_map(|rows| Table { rows: rows.to_vec(), ..head.clone() }.sorted(sort).rows);
    Table { rows: sorted.collect(), words: table.words, ..head.clone() }
}

/// The name of the table of a section.
fn id(section: &Section) -> egui::Id {
    table_id(("compared", section.name))
}

/// The column of what a row belongs to.
const OF: usize = 1;
/// The column of names.
const NAME: usize = 2;

/// The row of the section that a row of the table shows, if it is not a part of one.
fn whole(row: &table::Row) -> Option<usize> {
    match row.key {
        Key::Item(index) if row.level == 0 => Some(index),
        _ => None,
    }
}

/// How the rows are looked at. Kept between frames.
#[derive(Debug, Default)]
pub(super) struct RowsPane {
    /// The row that was gone to last, by its section and index.
    at: Option<(Part, usize)>,
    /// The table scrolls there in the next frame.
    wanted: bool,
}

impl RowsPane {
    /// Buttons that go from one row that differs to the next.
    pub(super) fn steps(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, section: &Section) {
        let rows = section.rows.iter().enumerate().filter(|(_, row)| row.kind != Kind::Same);
        let differing: Vec<usize> = rows.map(|(index, _)| index).collect();
        let mut button = |sign: &str, name: &'static str, keys: &str| {
            let response = ui.add_enabled(!differing.is_empty(), Button::new(RichText::new(sign).monospace()));
            call(&response, name);
            response.on_hover_text(format!("{name} ({keys})")).clicked()
        };
        let back = button("▲", "Previous change", "Shift+F8") || cx.asked(Ask::PreviousChange);
        let on = button("▼", "Next change", "F8") || cx.asked(Ask::NextChange);
        if !on && !back {
            return;
        }
        let here = self.at.filter(|(part, _)| *part == section.name).map(|(_, index)| index);
        let next = match here {
            Some(here) if on => differing.iter().find(|index| **index > here).or(differing.first()),
            Some(here) => differing.iter().rev().find(|index| **index < here).or(differing.last()),
            None if on => differing.first(),
            None => differing.last(),
        };
        self.at = next.map(|index| (section.name, *index));
        self.wanted = true;
    }

    /// Draws the table in the space that is left.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        sides: [Side<'_>; 2],
        section: &Section,
        table: &Table,
        commands: &mut Vec<Command>,
    ) {
        if table.rows.is_empty() {
            ui.add_space(space::BLOCK);
            let nothing = section.rows.iter().all(|row| row.kind == Kind::Same);
            ui.label(if nothing { "= Nothing differs." } else { "Nothing matches the search." });
            return;
        }
        let id = id(section);
        let table = &in_order(ui.ctx(), section, table);
        let lines = lines(table);
        let is_here =
            |row: &table::Row| self.at.is_some_and(|at| whole(row).is_some_and(|index| at == (section.name, index)));
        let here = table.rows.iter().position(is_here);
        let scroll = here.filter(|_| std::mem::take(&mut self.wanted));
        let scroll = scroll.and_then(|row| lines.iter().position(|line| *line == Line::Row(row)));
        let height = ui.spacing().interact_size.y;
        let mut columns = table.shown();
        columns.retain(|at| *at != OF);
        let has = |column: usize| columns.contains(&column);
        across(ui, ("wide", section.name), |ui| {
            let mut drawn = table_of_rows(ui)
                .id_salt(("compared", section.name))
                .striped(true)
                .resizable(true)
                .sense(Sense::click())
                .auto_shrink(false)
                .cell_layout(Layout::left_to_right(Align::Center))
                .column(Column::exact(16.0))
                .column(Column::initial(names_of(section.name)).at_least(110.0).clip(true))
                .columns(
                    Column::initial(match section.name {
                        Part::Packing | Part::Lanes => 210.0,
                        _ => 130.0,
                    })
                    .at_least(60.0)
                    .clip(true),
                    2,
                );
            if has(CHANGE) {
                drawn = drawn.column(Column::initial(150.0).at_least(60.0).clip(true));
            }
            // Reasons fill the rest of the pane.
            if has(WHY) {
                drawn = drawn.column(Column::remainder().at_least(200.0).clip(true));
            }
            if let Some(row) = scroll {
                drawn = drawn.scroll_to_row(row, Some(Align::Center));
            }
            drawn.header(height, |header| titles(header, id, table, &columns)).body(|body| {
                body.rows(height, lines.len(), |mut drawn| match lines.get(drawn.index()) {
                    Some(Line::Heading(index)) => heading(&mut drawn, table, &columns, *index),
                    Some(Line::Row(index)) => {
                        let Some(row) = table.rows.get(*index) else { return };
                        let data = whole(row).and_then(|index| section.rows.get(index));
                        let varying = data.filter(|_| section.name == Part::Packing);
                        let varying = varying.and_then(|data| varying_of_row(cx, sides, data));
                        let register = data.filter(|_| section.name == Part::Registers).map(|data| &data.name);
                        let marked =
                            varying.is_some_and(|v| is_selected(cx.selection.varying, v.location, v.component));
                        let named = register.is_some() && cx.selection.register.as_ref() == register;
                        drawn.set_selected(marked || named || here == Some(*index));
                        let places = draw(&mut drawn, row, &columns);
                        row_menu(&drawn.response(), &places, |menu| {
                            menu.copy(&texts_of(row, &columns), || table.to_tabs(), commands);
                            if let Some(varying) = varying {
                                links::varying(menu, cx, varying.location, varying.component, commands);
                            } else if let Some(name) = register {
                                links::register(menu, cx, name, commands);
                            }
                        });
                        if drawn.response().clicked() {
                            let selection = cx.selection.clone();
                            let selection = match (varying, register) {
                                (Some(varying), _) => Selection { varying: Some(varying), code: None, ..selection },
                                (_, Some(name)) => Selection { register: Some(name.clone()), ..selection },
                                _ => return,
                            };
                            commands.push(Command::Select(selection));
                        }
                    }
                    None => {}
                });
            });
        });
    }
}

/// The column of the difference of two numbers.
const CHANGE: usize = 5;
/// The column of reasons.
const WHY: usize = 6;

/// Points that the names of a section's rows have at first.
fn names_of(part: Part) -> f32 {
    if part == Part::Statistics { 180.0 } else { 230.0 }
}

/// What the rows below belong to, in the column of names.
fn heading(drawn: &mut egui_extras::TableRow<'_, '_>, table: &Table, columns: &[usize], index: usize) {
    let of = table.rows.get(index).and_then(|row| row.cell(OF));
    for column in columns {
        drawn.col(|ui| {
            if let Some(of) = of.filter(|_| *column == NAME) {
                cell(ui, RichText::new(one_line(&of.text())).strong());
            }
        });
    }
}

/// Draws a row. Returns the places of its cells.
fn draw(drawn: &mut egui_extras::TableRow<'_, '_>, row: &table::Row, columns: &[usize]) -> Vec<egui::Rangef> {
    let place = |column: &usize| {
        let cell = drawn.col(|ui| {
            if *column == NAME && row.level > 0 {
                ui.add_space(space::SECTION);
            }
            long_cell(ui, row.cell(*column));
        });
        cell.1.rect.x_range()
    };
    columns.iter().map(place).collect()
}

/// The varying of a scalar's row, as the program that is shown names it.
fn varying_of_row(cx: &ViewCx<'_>, sides: [Side<'_>; 2], row: &Row) -> Option<Varying> {
    let side = cx.comparing.shown;
    let index = row.source.get(side).copied().flatten()?;
    let mut interfaces = sides.get(side)?.interfaces().into_iter();
    let packing = interfaces.find(|packing| row.of == format!("{} inputs", packing.reader()))?;
    packing.map.get(index).map(varying_of)
}
