//! The rows of a section as a table: both values, the change, the reason.

use std::borrow::Cow;

use egui::{Align, Button, Layout, RichText, Sense, TextWrapMode, Ui};
use egui_extras::Column;
use lanescope_core::compare::{Kind, Part, Row, Section, Side};
use lanescope_core::table::{Sort, order};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::menu::{links, row_menu};
use crate::table::{
    Tokens, across, call, cell, is_selected, one_line, quiet_cell, sort_of, sorting_title, tab_separated, table_id,
    table_of_rows, varying_of,
};

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// What the rows below belong to: that of the row of this index.
    Heading(usize),
    /// A row, by its index.
    Row(usize),
    /// A part of a row, by both indices.
    Part(usize, usize),
}

/// The lines under a search: each word must be found in a row or in what it belongs to.
pub(super) fn shown(section: &Section, changed_only: bool, words: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut of = "";
    for (index, row) in section.rows.iter().enumerate() {
        if (changed_only && row.kind == Kind::Same) || !found(row, words) {
            continue;
        }
        if !row.of.is_empty() && row.of != of {
            of = &row.of;
            lines.push(Line::Heading(index));
        }
        lines.push(Line::Row(index));
        lines.extend((0..row.rows.len()).map(|part| Line::Part(index, part)));
    }
    lines
}

fn found(row: &Row, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let parts = row.rows.iter().map(|part| part.name.as_str());
    let values = row.left.iter().chain(&row.right).map(String::as_str);
    let all: Vec<_> = [row.of.as_str(), row.name.as_str()].into_iter().chain(values).chain(parts).collect();
    let text = all.join(" ").to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// The lines in the order of a sorted column. Rows stay below their heading, and parts below their row.
pub(super) fn in_order(section: &Section, lines: &[Line], sort: Option<Sort>) -> Vec<Line> {
    let mut out = Vec::with_capacity(lines.len());
    for group in lines.chunk_by(|_, next| !matches!(next, Line::Heading(_))) {
        let (heading, rows) = match group {
            [heading @ Line::Heading(_), rows @ ..] => (Some(*heading), rows),
            rows => (None, rows),
        };
        let text = |at: usize, column: usize| {
            let row = rows.get(at).and_then(|line| row_of(section, *line));
            row.and_then(|row| texts(row).into_iter().nth(column)).unwrap_or_default()
        };
        let is_part = |at: usize| matches!(rows.get(at), Some(Line::Part(..)));
        let order = order(rows.len(), is_part, text, sort);
        out.extend(heading.into_iter().chain(order.into_iter().filter_map(|at| rows.get(at).copied())));
    }
    out
}

/// The cells of a row.
fn texts(row: &Row) -> [String; 6] {
    let change = row.change.map(|change| change.to_string()).unwrap_or_default();
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    [row.kind.sign().to_owned(), row.name.clone(), value(&row.left), value(&row.right), change, row.why.clone()]
}

/// The name of the table of a section.
pub(super) fn id(section: &Section) -> egui::Id {
    table_id(("compared", section.name))
}

fn row_of(section: &Section, line: Line) -> Option<&Row> {
    match line {
        Line::Heading(index) | Line::Row(index) => section.rows.get(index),
        Line::Part(index, part) => section.rows.get(index)?.rows.get(part),
    }
}

/// The lines as text: tabs between columns.
pub(super) fn as_text(section: &Section, lines: &[Line], names: [&str; 2]) -> String {
    let head = ["", "belongs to", "name", names[0], names[1], "change", "why"];
    let mut all: Vec<Vec<Cow<'_, str>>> = vec![head.map(Cow::from).to_vec()];
    for line in lines.iter().filter(|line| !matches!(line, Line::Heading(_))) {
        let Some(row) = row_of(section, *line) else { continue };
        let change = row.change.map(|change| change.to_string()).unwrap_or_default();
        let texts = [row.kind.sign(), &row.of, &row.name, value(&row.left), value(&row.right), &change, &row.why];
        all.push(texts.map(|text| Cow::from(text.to_owned())).to_vec());
    }
    tab_separated(all)
}

fn value(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("–")
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
        lines: &[Line],
        commands: &mut Vec<Command>,
    ) {
        if lines.is_empty() {
            ui.add_space(8.0);
            let nothing = section.rows.iter().all(|row| row.kind == Kind::Same);
            ui.label(if nothing { "= Nothing differs." } else { "Nothing matches the search." });
            return;
        }
        let id = id(section);
        let lines = &*in_order(section, lines, sort_of(ui.ctx(), id));
        let here = self.at.filter(|(part, _)| *part == section.name).map(|(_, index)| Line::Row(index));
        let scroll = here.filter(|_| std::mem::take(&mut self.wanted));
        let scroll = scroll.and_then(|line| lines.iter().position(|other| *other == line));
        let height = ui.spacing().interact_size.y;
        let any = |has: fn(&Row) -> bool| lines.iter().any(|line| row_of(section, *line).is_some_and(has));
        let more = More { changes: any(|row| row.change.is_some()), whys: any(|row| !row.why.is_empty()) };
        across(ui, ("wide", section.name), |ui| {
            let mut table = table_of_rows(ui)
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
            if more.changes {
                table = table.column(Column::initial(150.0).at_least(60.0).clip(true));
            }
            table = table.column(Column::remainder().at_least(if more.whys { 200.0 } else { 0.0 }).clip(true));
            if let Some(row) = scroll {
                table = table.scroll_to_row(row, Some(Align::Center));
            }
            let [a, b] = cx.comparing.names.map(one_line);
            let table = table.header(height, |mut header| {
                header.col(|_| {});
                let mut title = |column: usize, text: &str| {
                    header.col(|ui| {
                        if !text.is_empty() {
                            sorting_title(ui, id, column, text, text, TextWrapMode::Truncate);
                        }
                    });
                };
                title(1, head(section.name));
                title(2, &format!("A  {a}"));
                title(3, &format!("B  {b}"));
                if more.changes {
                    title(4, "Change");
                }
                let about = if section.name == Part::Statistics { "Meaning" } else { "Why" };
                title(5, if more.whys { about } else { "" });
            });
            table.body(|body| {
                body.rows(height, lines.len(), |mut row| {
                    let Some(line) = lines.get(row.index()).copied() else { return };
                    let Some(data) = row_of(section, line) else { return };
                    let varying = match (line, section.name) {
                        (Line::Row(_), Part::Packing) => varying(cx, sides, data),
                        _ => None,
                    };
                    let marked = varying.is_some_and(|v| is_selected(cx.selection.varying, v.location, v.component));
                    let register = section.name == Part::Registers && matches!(line, Line::Row(_));
                    let named = register && cx.selection.register.as_deref() == Some(data.name.as_str());
                    row.set_selected(marked || named || (here == Some(line)));
                    let places = draw(&mut row, line, data, &more);
                    row_menu(&row.response(), &places, |menu| {
                        let columns = [0, 1, 2, 3].into_iter().chain(more.changes.then_some(4)).chain([5]);
                        let all = texts(data);
                        let cells: Vec<String> = columns.filter_map(|at| all.get(at).cloned()).collect();
                        menu.copy(&cells, || as_text(section, lines, cx.comparing.names), commands);
                        if let Some(varying) = varying {
                            links::varying(menu, cx, varying.location, varying.component, commands);
                        } else if register {
                            links::register(menu, cx, &data.name, commands);
                        }
                    });
                    if row.response().clicked() {
                        if let Some(varying) = varying {
                            let selection = Selection { varying: Some(varying), code: None, ..cx.selection.clone() };
                            commands.push(Command::Select(selection));
                        } else if register {
                            let selection = Selection { register: Some(data.name.clone()), ..cx.selection.clone() };
                            commands.push(Command::Select(selection));
                        }
                    }
                });
            });
        });
    }
}

/// Points that the names of a section's rows have at first.
fn names_of(part: Part) -> f32 {
    if part == Part::Statistics { 180.0 } else { 230.0 }
}

fn head(part: Part) -> &'static str {
    match part {
        Part::Packing => "Scalar",
        Part::Lanes => "Fact",
        Part::Registers => "Register",
        Part::Statistics => "Statistic",
        Part::Isa => "Text",
    }
}

/// Which columns there are besides those of both sides.
struct More {
    changes: bool,
    whys: bool,
}

/// Draws a line. Returns the places of its cells.
fn draw(row: &mut egui_extras::TableRow<'_, '_>, line: Line, data: &Row, more: &More) -> Vec<egui::Rangef> {
    let mut places = Vec::with_capacity(6);
    let mut col = |row: &mut egui_extras::TableRow<'_, '_>, fill: &mut dyn FnMut(&mut Ui)| {
        places.push(row.col(fill).1.rect.x_range());
    };
    if matches!(line, Line::Heading(_)) {
        row.col(|_| {});
        row.col(|ui| {
            cell(ui, RichText::new(one_line(&data.of)).strong());
        });
        for _ in 0..if more.changes { 4 } else { 3 } {
            row.col(|_| {});
        }
        return places;
    }
    let same = data.kind == Kind::Same;
    col(row, &mut |ui| {
        let colour = if same { Tokens::of(ui.visuals()).quiet } else { Tokens::of(ui.visuals()).changed };
        cell(ui, RichText::new(data.kind.sign()).monospace().color(colour)).on_hover_text(data.kind.name());
    });
    col(row, &mut |ui| {
        if matches!(line, Line::Part(..)) {
            ui.add_space(16.0);
        }
        let name = one_line(&data.name);
        cell(ui, RichText::new(&name).monospace()).on_hover_text(name);
    });
    for (side, value) in [&data.left, &data.right].into_iter().enumerate() {
        col(row, &mut |ui| match value {
            Some(value) => {
                let text = RichText::new(one_line(value)).monospace();
                let text = if side == 1 && !same { text.strong() } else { text };
                cell(ui, text).on_hover_text(one_line(value));
            }
            None => {
                quiet_cell(ui, "–");
            }
        });
    }
    if more.changes {
        col(row, &mut |ui| {
            if let Some(change) = data.change {
                let colour = Tokens::of(ui.visuals()).changed;
                cell(ui, RichText::new(change.with_sign()).monospace().color(colour));
            }
        });
    }
    col(row, &mut |ui| {
        if !data.why.is_empty() {
            let why = one_line(&data.why);
            quiet_cell(ui, &why).on_hover_text(&why);
        }
    });
    places
}

/// The varying of a scalar's row, as the program that is shown names it.
fn varying(cx: &ViewCx<'_>, sides: [Side<'_>; 2], row: &Row) -> Option<Varying> {
    let side = cx.comparing.shown;
    let index = row.source.get(side).copied().flatten()?;
    let mut interfaces = sides.get(side)?.interfaces().into_iter();
    let packing = interfaces.find(|packing| row.of == format!("{} inputs", packing.reader()))?;
    packing.map.get(index).map(varying_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section() -> Section {
        let row = |of: &str, name: &str, kind, parts: &[&str]| Row {
            of: of.to_owned(),
            name: name.to_owned(),
            kind,
            left: Some("1".to_owned()),
            right: Some("2".to_owned()),
            rows: parts.iter().map(|name| Row { name: (*name).to_owned(), ..Row::default() }).collect(),
            ..Row::default()
        };
        Section {
            name: Part::Registers,
            equal: false,
            present: [true, true],
            rows: vec![
                row("fragment", "SPI_A", Kind::Same, &[]),
                row("fragment", "SPI_B", Kind::Changed, &["OFFSET [4:0]"]),
                row("vertex", "SPI_C", Kind::Added, &[]),
            ],
            layouts: Vec::new(),
            texts: Vec::new(),
        }
    }

    #[test]
    fn hides_equal_rows_with_their_parts() {
        let section = section();
        use Line::{Heading, Part, Row};
        assert_eq!(shown(&section, false, &[]), [Heading(0), Row(0), Row(1), Part(1, 0), Heading(2), Row(2)]);
        assert_eq!(shown(&section, true, &[]), [Heading(1), Row(1), Part(1, 0), Heading(2), Row(2)]);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(shown(&section, true, &words("offset")), [Heading(1), Row(1), Part(1, 0)]);
        assert_eq!(shown(&section, false, &words("vertex spi")), [Heading(2), Row(2)]);
        assert_eq!(shown(&section, false, &words("nowhere")), []);
    }

    #[test]
    fn rows_are_copied_with_their_sign() {
        let section = section();
        let text = as_text(&section, &shown(&section, true, &[]), ["old", "new"]);
        assert_eq!(
            text,
            "\tbelongs to\tname\told\tnew\tchange\twhy\n≠\tfragment\tSPI_B\t1\t2\t\t\n=\t\tOFFSET [4:0]\t–\t–\t\t\n\
             +\tvertex\tSPI_C\t1\t2\t\t\n"
        );
    }
}
