//! The ops that a program calls, by table, with their calls.

use std::borrow::Cow;

use egui::{Align, Label, Layout, RichText, Sense, TextWrapMode, Ui};
use egui_extras::Column;
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::ops::{OpUse, Site, TableKind, database};
use lanescope_core::table;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Listed;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::menu::row_menu;
use crate::table::{
    Search, Tokens, across, cell, one_line, quiet_cell, row_at, rows_in_order, sorting_title, tab_separated, table_id,
    table_of_rows,
};
use crate::widgets::below;

/// Calls that are listed; the report has all.
const SITES_AT_MOST: usize = 2_000;

/// The columns of the ops, and of their calls.
const TITLES: [&str; 7] = ["Table", "Op", "Opcode", "Hex", "Class", "Since", "Calls"];
const SITE_TITLES: [&str; 4] = ["Function", "Line", "Overload", "Operands"];

/// What is looked at in the list of ops.
#[derive(Debug, Default)]
pub struct OpsTable {
    search: Search,
    /// The op whose calls are listed: its index in the report.
    open: Option<usize>,
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
                commands.push(Command::Copy(as_text(&summary.ops)));
            }
            let source = &database().source;
            let text = format!("op tables of {} at {}", source.project, source.short());
            ui.add(Label::new(RichText::new(&text).weak()).truncate());
        });
        let words = self.search.words();
        let shown: Vec<usize> = (0..summary.ops.len())
            .filter(|index| summary.ops.get(*index).is_some_and(|op| matches(op, &words)))
            .collect();
        if let Some(op) = self.open.and_then(|index| summary.ops.get(index)) {
            below(ui, "sites", 190.0).show(ui, |ui| sites(ui, cx, summary, op, commands));
        }
        if shown.is_empty() {
            ui.add_space(12.0);
            ui.label(if summary.ops.is_empty() { "The program calls no ops." } else { "Nothing matches the search." });
            return;
        }
        // What does not fit beside the other tabs is reached by scrolling.
        across(ui, "wide", |ui| self.table(ui, cx, summary, &shown, commands));
    }

    fn table(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, shown: &[usize], commands: &mut Vec<Command>) {
        let height = ui.spacing().interact_size.y;
        let id = table_id("ops");
        let text = |row: usize, column: usize| {
            let op = shown.get(row).and_then(|index| summary.ops.get(*index));
            op.and_then(|op| texts(op).into_iter().nth(column)).unwrap_or_default()
        };
        let key = (cx.revision, summary.input, &self.search.text);
        let order = rows_in_order(ui.ctx(), id, key, |sort| table::order(shown.len(), |_| false, text, Some(sort)));
        let as_tabs = || {
            let rows = (0..shown.len()).filter_map(|at| summary.ops.get(*shown.get(row_at(order.as_ref(), at)?)?));
            let rows = rows.map(|op| texts(op).map(Cow::Owned).to_vec());
            tab_separated(std::iter::once(TITLES.map(Cow::Borrowed).to_vec()).chain(rows))
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
            .header(height, |mut header| {
                for (column, title) in TITLES.into_iter().enumerate() {
                    header.col(|ui| _ = sorting_title(ui, id, column, title, "", TextWrapMode::Truncate));
                }
            })
            .body(|body| {
                body.rows(height, shown.len(), |mut row| {
                    let at = row_at(order.as_ref(), row.index()).and_then(|at| shown.get(at));
                    let Some((index, op)) = at.and_then(|i| Some((*i, summary.ops.get(*i)?))) else { return };
                    let mut places = Vec::with_capacity(TITLES.len());
                    row.set_selected(self.open == Some(index));
                    let mut name = None;
                    let place = row.col(|ui| {
                        let tokens = Tokens::of(ui.visuals());
                        match op.table {
                            Some(TableKind::Stable) => quiet_cell(ui, RichText::new("  stable").monospace()),
                            Some(TableKind::Experimental) => {
                                cell(ui, RichText::new("▲ experimental").monospace().color(tokens.changed).strong())
                            }
                            None => cell(ui, RichText::new("✖ unknown table").monospace().color(tokens.error).strong()),
                        };
                    });
                    places.push(place.1.rect.x_range());
                    let place = row.col(|ui| {
                        let text = op.name.as_deref().unwrap_or("no op has this opcode");
                        let text = RichText::new(one_line(text)).monospace();
                        name = Some(ui.add(egui::Button::new(text).frame(false).truncate()).clicked());
                    });
                    places.push(place.1.rect.x_range());
                    for text in texts(op).into_iter().skip(2) {
                        let place = row.col(|ui| {
                            quiet_cell(ui, RichText::new(text).monospace());
                        });
                        places.push(place.1.rect.x_range());
                    }
                    row_menu(&row.response(), &places, |menu| {
                        menu.copy(&texts(op), as_tabs, commands);
                        menu.separator();
                        let label = if self.open == Some(index) { "Hide calls" } else { "Show calls" };
                        if menu.item(label) {
                            self.open = (self.open != Some(index)).then_some(index);
                        }
                    });
                    if row.response().clicked() || name == Some(true) {
                        self.open = (self.open != Some(index)).then_some(index);
                    }
                });
            });
    }
}

fn sites(ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, op: &OpUse, commands: &mut Vec<Command>) {
    let name = op.name.as_deref().unwrap_or("unknown op");
    ui.strong(format!("Calls of {name}"));
    let shown = op.sites.len().min(SITES_AT_MOST);
    let id = table_id("calls");
    let text = |row: usize, column: usize| {
        let site = op.sites.get(row).filter(|_| row < shown);
        site.and_then(|site| site_texts(site).into_iter().nth(column)).unwrap_or_default()
    };
    let key = (cx.revision, summary.input, name, op.opcode);
    let order = rows_in_order(ui.ctx(), id, key, |sort| table::order(shown, |_| false, text, Some(sort)));
    let as_tabs = || {
        let rows = (0..shown).filter_map(|at| op.sites.get(row_at(order.as_ref(), at)?));
        let rows = rows.map(|site| site_texts(site).map(Cow::Owned).to_vec());
        tab_separated(std::iter::once(SITE_TITLES.map(Cow::Borrowed).to_vec()).chain(rows))
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
        .header(20.0, |mut header| {
            for (column, title) in SITE_TITLES.into_iter().enumerate() {
                header.col(|ui| _ = sorting_title(ui, id, column, title, "", TextWrapMode::Truncate));
            }
        })
        .body(|body| {
            body.rows(20.0, shown, |mut row| {
                let Some(site) = row_at(order.as_ref(), row.index()).and_then(|at| op.sites.get(at)) else { return };
                let mut places = Vec::with_capacity(SITE_TITLES.len());
                let go = |line| Command::Select(cx.selection.at_line(Listed { input: summary.input, line }));
                for (column, text) in site_texts(site).into_iter().enumerate() {
                    let place = row.col(|ui| match site.line.filter(|_| column == 1) {
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
                    menu.copy(&site_texts(site), as_tabs, commands);
                    if let Some(line) = site.line {
                        menu.separator();
                        menu.command("Go to line", || go(line), commands);
                    }
                });
            });
        });
}

/// The cells of an op.
fn texts(op: &OpUse) -> [String; 7] {
    [
        op.table.map_or("unknown table", TableKind::name).to_owned(),
        one_line(op.name.as_deref().unwrap_or_default()),
        op.opcode.map(|opcode| opcode.to_string()).unwrap_or_default(),
        op.hex.clone().unwrap_or_default(),
        op.class.clone().unwrap_or_default(),
        op.since.map(|since| since.to_string()).unwrap_or_default(),
        op.count.to_string(),
    ]
}

/// The cells of a call.
fn site_texts(site: &Site) -> [String; 4] {
    let line = site.line.map(|line| line.to_string()).unwrap_or_default();
    [one_line(&site.function), line, site.overload.clone().unwrap_or_default(), operands(site)]
}

fn operands(site: &Site) -> String {
    let one = |operand: &lanescope_core::dxil::ops::SiteOperand| match &operand.name {
        Some(name) => format!("{name} {}", operand.meaning.as_ref().unwrap_or(&operand.value)),
        None => operand.value.clone(),
    };
    one_line(&site.operands.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn matches(op: &OpUse, words: &[String]) -> bool {
    let table = op.table.map_or("unknown table", TableKind::name);
    let opcode = op.opcode.map(|opcode| opcode.to_string()).unwrap_or_default();
    let texts = [op.name.as_deref(), op.class.as_deref(), op.hex.as_deref(), Some(table), Some(opcode.as_str())];
    let text = texts.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

fn as_text(ops: &[OpUse]) -> String {
    let titles = ["Table", "Op", "Opcode", "Hex", "Class", "Since", "Function", "Line", "Overload", "Operands"];
    let rows = ops.iter().flat_map(|op| {
        op.sites.iter().map(move |site| -> Vec<Cow<'_, str>> {
            let text = |text: &Option<String>| Cow::Owned(text.clone().unwrap_or_default());
            vec![
                op.table.map_or("", TableKind::name).into(),
                text(&op.name),
                op.opcode.map(|opcode| opcode.to_string()).unwrap_or_default().into(),
                text(&op.hex),
                text(&op.class),
                op.since.map(|since| since.to_string()).unwrap_or_default().into(),
                site.function.as_str().into(),
                site.line.map(|line| line.to_string()).unwrap_or_default().into(),
                text(&site.overload),
                operands(site).into(),
            ]
        })
    });
    tab_separated(std::iter::once(titles.map(Cow::Borrowed).to_vec()).chain(rows))
}
