//! Facts and tables of a part of a file: rows by the hundred, searched, copied.

use crate::tokens;
use crate::tokens::space;
use std::sync::Arc;

use egui::{Grid, Rangef, Rect, RichText, ScrollArea, Sense, TextWrapMode, Ui};
use lanescope_core::dxil_tables::Section;
use lanescope_core::table::{Row, Table};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::menu::row_menu;
use crate::table::{Search, aligned, one_line, row_at, rows_in_order, sorting_title, table_id, texts_of};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{fact, heading};

/// Rows of one table that are drawn at once.
const PAGE: usize = 100;
/// Characters of a cell; more are shown where the pointer rests.
const LONGEST: usize = 96;
/// How sections are looked at.
#[derive(Debug, Default)]
pub struct Sheet {
    search: Search,
    /// Which section of which version of the program, and with which search: other pages begin at their first rows.
    shown: Option<(&'static str, (u64, usize), String)>,
    /// The rows of each table that match.
    rows: Vec<Vec<usize>>,
    /// The page of each table.
    pages: Vec<usize>,
}

impl Sheet {
    /// Draws a section. The key is the revision of the program, and the number of its container.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (key, section): ((u64, usize), &Section),
        commands: &mut Vec<Command>,
    ) {
        ui.horizontal_wrapped(|ui| {
            self.search.ui(ui, cx, "Search rows", 200.0);
            let copy = ui.button("Copy").on_hover_text("Copy all tables as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(section.to_tabs()));
            }
            ui.weak(section.about);
        });
        let words = self.search.words();
        let shown = (section.name, key, self.search.text.clone());
        if self.shown.as_ref() != Some(&shown) {
            let matching = |table: &Table| -> Vec<usize> {
                let met = table.rows.iter().enumerate().filter(|(_, row)| matches(row, &words));
                met.map(|(at, _)| at).collect()
            };
            self.rows = section.tables.iter().map(matching).collect();
            self.pages = vec![0; section.tables.len()];
            self.shown = Some(shown);
        }
        let theme = Theme::of(ui);
        ScrollArea::both().id_salt(section.name).auto_shrink(false).show(ui, |ui| {
            Grid::new("facts").num_columns(2).spacing(tokens::table::USUAL).show(ui, |ui| {
                for (what, value) in section.facts.iter().filter(|(_, value)| !value.is_empty()) {
                    fact(ui, what, one_line(value));
                }
            });
            let mut met = false;
            for ((table, rows), page) in section.tables.iter().zip(&self.rows).zip(&mut self.pages) {
                if rows.is_empty() {
                    continue;
                }
                met = true;
                heading(ui, &theme, &format!("{} ({})", table.title, rows.len()));
                drawn(ui, (section.name, key), table, rows, page, commands);
            }
            if !met && !words.is_empty() {
                ui.add_space(space::BLOCK);
                ui.label("Nothing matches the search.");
            }
        });
    }
}

fn matches(row: &Row, words: &[String]) -> bool {
    words.iter().all(|word| row.cells.iter().any(|cell| cell.text().to_lowercase().contains(word.as_str())))
}

/// Draws one page of a table's rows, and the way to the others.
fn drawn(
    ui: &mut Ui,
    key: (&'static str, (u64, usize)),
    table: &Table,
    rows: &[usize],
    page: &mut usize,
    commands: &mut Vec<Command>,
) {
    let id = table_id((key.0, &table.title));
    let text = |row: usize, column: usize| {
        let cells = rows.get(row).and_then(|at| table.rows.get(*at));
        cells.and_then(|row| row.cell(column)).map(|cell| cell.text().into_owned()).unwrap_or_default()
    };
    let order = rows_in_order(ui.ctx(), id, (key, rows), |sort| {
        lanescope_core::table::order(rows.len(), |_| false, text, Some(sort))
    });
    let pages = rows.len().div_ceil(PAGE);
    *page = (*page).min(pages.saturating_sub(1));
    let first = *page * PAGE;
    let end = (first + PAGE).min(rows.len());
    if pages > 1 {
        ui.horizontal(|ui| {
            let back = ui.add_enabled(*page > 0, egui::Button::new("Previous"));
            let on = ui.add_enabled(*page + 1 < pages, egui::Button::new("Next"));
            ui.weak(format!("{} to {end} of {}", first + 1, counted(rows.len(), "row")));
            if back.clicked() {
                *page = page.saturating_sub(1);
            } else if on.clicked() {
                *page += 1;
            }
        });
    }
    let mut drawn = Vec::with_capacity(PAGE);
    let columns: Vec<usize> = (0..table.columns.len()).collect();
    Grid::new(&table.title).num_columns(table.columns.len()).striped(true).spacing(tokens::table::USUAL).show(
        ui,
        |ui| {
            for (at, column) in table.columns.iter().enumerate() {
                aligned(ui, column.align, |ui| {
                    // A column without a title has nothing to sort by.
                    match column.title.is_empty() {
                        true => _ = ui.label(""),
                        false => _ = sorting_title(ui, id, at, &column.title, &column.help, TextWrapMode::Extend),
                    }
                });
            }
            ui.end_row();
            for at in first..end {
                let row = row_at(order.as_ref(), at).and_then(|at| table.rows.get(*rows.get(at)?));
                let Some(row) = row else { continue };
                let (top, mut places) = (ui.cursor().top(), Vec::with_capacity(row.cells.len()));
                for (cell, column) in row.cells.iter().zip(&table.columns) {
                    let left = ui.cursor().left();
                    aligned(ui, column.align, |ui| shortened(ui, &cell.text()));
                    places.push(Rangef::new(left, ui.cursor().left()));
                }
                ui.end_row();
                drawn.push((row, Rangef::new(top, ui.cursor().top()), places));
            }
        },
    );
    for (number, (row, height, places)) in drawn.into_iter().enumerate() {
        let Some((left, right)) = places.first().zip(places.last()) else { continue };
        let place = Rect::from_x_y_ranges(Rangef::new(left.min, right.max), height);
        let response = ui.interact(place, ui.scope_id().with((id, number)), Sense::hover());
        row_menu(&response, &places, |menu| {
            menu.copy(&texts_of(row, &columns), || as_text(table, rows, order.as_ref()), commands)
        });
    }
}

/// The rows of a table in the shown order, with tabs between columns.
fn as_text(table: &Table, rows: &[usize], order: Option<&Arc<Vec<usize>>>) -> String {
    let shown = (0..rows.len()).filter_map(|at| table.rows.get(*rows.get(row_at(order, at)?)?));
    Table { columns: table.columns.clone(), rows: shown.cloned().collect(), ..Table::default() }.to_tabs()
}

/// A cell: mangled names are long.
fn shortened(ui: &mut Ui, text: &str) {
    let text = one_line(text);
    match text.char_indices().nth(LONGEST) {
        None => ui.monospace(text),
        Some((end, _)) => {
            let short = format!("{}…", text.get(..end).unwrap_or_default());
            ui.label(RichText::new(short).monospace()).on_hover_text(RichText::new(text).monospace())
        }
    };
}
