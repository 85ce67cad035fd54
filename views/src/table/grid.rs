//! Small tables: all rows are drawn.

use std::hash::Hash;

use egui::{Align, Grid, Layout, PointerButton, Rangef, Rect, Response, Sense, TextWrapMode, Ui};
use lanescope_core::table::{self, Cell, Part, Row, Table};
use lanescope_inspector::command::Command;

use super::{Tokens, quiet_cell, sort_of, sorting_title, table_id, text_of, texts_of};
use crate::context::ViewCx;
use crate::menu::{Menu, links, row_menu};
use crate::theme::TokensOfVisuals as _;
use crate::type_ahead;

/// How a small table is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct GridLook {
    /// Space between columns, and between rows.
    pub spacing: [f32; 2],
    /// What a click on the name of a row does.
    pub select: &'static str,
    /// Rows are read in their order: titles do not sort.
    pub fixed: bool,
}

/// Draws a table of some hundred rows at most, all of it. A row with a key is a button in its first column; returns the
/// key of the one that was clicked. Titles sort, and each row has a context menu.
pub fn grid<'t>(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    id: impl Hash + std::fmt::Debug + Copy,
    table: &'t Table,
    look: GridLook,
    selected: impl Fn(&table::Key) -> bool,
    commands: &mut Vec<Command>,
) -> Option<&'t table::Key> {
    let tokens = Tokens::of(ui.visuals());
    let faint = ui.visuals().faint_bg_color;
    let sorting = table_id(id);
    let rows: Vec<&Row> = table
        .order(sort_of(ui.ctx(), sorting).filter(|_| !look.fixed))
        .into_iter()
        .filter_map(|at| table.rows.get(at))
        .collect();
    let marked: Vec<bool> = rows.iter().map(|row| row.key != table::Key::None && selected(&row.key)).collect();
    let heads = 1 + usize::from(table.has_notes());
    let ground = move |row: usize, _: &egui::Style| {
        let at = row.checked_sub(heads)?;
        if marked.get(at).copied().unwrap_or(false) { Some(tokens.selected) } else { (row % 2 == 1).then_some(faint) }
    };
    let buttons = table.rows.iter().any(|row| row.key != table::Key::None);
    let columns = table.shown();
    let mut clicked = None;
    let mut places: Vec<(Rangef, Vec<Rangef>)> = Vec::with_capacity(rows.len());
    Grid::new(id).with_row_color(ground).spacing(look.spacing).show(ui, |ui| {
        let all = || columns.iter().filter_map(|at| Some((*at, table.columns.get(*at)?)));
        for (at, column) in all() {
            aligned(ui, column.align, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    if at == 0 && buttons {
                        // As far in as the texts of the buttons below.
                        ui.add_space(ui.spacing().button_padding.x);
                    }
                    if look.fixed {
                        let title = ui.strong(&column.title);
                        if !column.help.is_empty() {
                            title.on_hover_text(&column.help);
                        }
                    } else if !column.title.is_empty() {
                        sorting_title(ui, sorting, at, &column.title, &column.help, TextWrapMode::Extend);
                    }
                });
            });
        }
        ui.end_row();
        if table.has_notes() {
            for (at, column) in all() {
                aligned(ui, column.align, |ui| {
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 0.0;
                        if at == 0 && buttons && column.align == table::Align::Left {
                            ui.add_space(ui.spacing().button_padding.x);
                        }
                        quiet_cell(ui, &column.note);
                    });
                });
            }
            ui.end_row();
        }
        for row in &rows {
            let mut cells = Vec::with_capacity(columns.len());
            let top = ui.cursor().top();
            for (at, column) in all() {
                let cell = row.cell(at);
                let left = ui.cursor().left();
                match cell.and_then(|cell| cell.parts.first()) {
                    Some(part) if at == 0 && row.key != table::Key::None => {
                        let name = ui.selectable_label(selected(&row.key), text_of(ui, part));
                        type_ahead::row(sorting, &name, &part.text);
                        if name.on_hover_text(look.select).clicked() {
                            clicked = Some(&row.key);
                        }
                    }
                    // As far in as the texts of buttons in other rows.
                    _ if at == 0 && buttons && column.align == table::Align::Left => {
                        ui.horizontal(|ui| {
                            ui.spacing_mut().item_spacing.x = 0.0;
                            ui.add_space(ui.spacing().button_padding.x);
                            parts(ui, cell, column.align);
                        });
                    }
                    _ => aligned(ui, column.align, |ui| parts(ui, cell, column.align)),
                }
                cells.push(Rangef::new(left, ui.cursor().left()));
            }
            ui.end_row();
            places.push((Rangef::new(top, ui.cursor().top()), cells));
        }
    });
    for (number, (row, (height, cells))) in rows.iter().zip(&places).enumerate() {
        let Some((first, last)) = cells.first().zip(cells.last()) else { continue };
        let place = Rect::from_x_y_ranges(Rangef::new(first.min, last.max), *height);
        // The buttons in the row are below it: it senses no clicks of its own.
        let response = ui.interact(place, ui.scope_id().with((sorting, number)), Sense::hover());
        if row.key != table::Key::None && double_clicked(&response) {
            clicked = Some(&row.key);
        }
        row_menu(&response, cells, |menu| {
            let texts = texts_of(row, &columns);
            menu.copy(&texts, || super::as_shown(&response.ctx, sorting, table).to_tabs(), commands);
            links_of(menu, cx, &row.key, commands);
        });
    }
    clicked
}

/// Whether a row that senses no clicks of its own was double-clicked, anywhere in it.
pub fn double_clicked(row: &Response) -> bool {
    let primary = PointerButton::Primary;
    row.contains_pointer() && row.ctx.input(|input| input.pointer.button_double_clicked(primary))
}

/// Entries that lead to what a row represents in other views.
fn links_of(menu: &mut Menu<'_>, cx: &ViewCx<'_>, key: &table::Key, commands: &mut Vec<Command>) {
    match key {
        table::Key::Varying { location, component } => {
            links::varying(menu, cx, *location, Some(*component), commands);
        }
        table::Key::Register(name) => links::register(menu, cx, name, commands),
        table::Key::Item(_) | table::Key::None => {}
    }
}

/// Fills a cell of a grid from its column's side.
pub fn aligned(ui: &mut Ui, align: table::Align, fill: impl FnOnce(&mut Ui)) {
    match align {
        table::Align::Left => fill(ui),
        table::Align::Right => {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                fill(ui);
            });
        }
    }
}

/// The parts of a cell. At the right, digits are below digits, and changes before them.
fn parts(ui: &mut Ui, cell: Option<&Cell>, align: table::Align) {
    let draw = |ui: &mut Ui, part: &Part| {
        let label = ui.label(text_of(ui, part));
        if !part.help.is_empty() {
            label.on_hover_text(&part.help);
        }
    };
    match cell {
        None => _ = ui.label(""),
        Some(Cell { parts, change, .. }) if align == table::Align::Right => {
            parts.iter().rev().chain(change).for_each(|part| draw(ui, part));
        }
        Some(Cell { parts, change: None, .. }) if parts.len() == 1 => parts.iter().for_each(|part| draw(ui, part)),
        Some(Cell { parts, change, .. }) => {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                parts.iter().chain(change).for_each(|part| draw(ui, part));
            });
        }
    }
}
