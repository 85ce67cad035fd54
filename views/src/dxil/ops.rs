//! The ops that a program calls, by table, with their calls.

use std::borrow::Cow;

use egui::{Align, Label, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::ops::{OpUse, Site, TableKind, database};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Listed;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::table::{Search, Tokens, across, cell, one_line, quiet_cell, tab_separated, table_of_rows};
use crate::widgets::below;

/// Calls that are listed; the report has all.
const SITES_AT_MOST: usize = 2_000;

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
        across(ui, "wide", |ui| self.table(ui, summary, &shown));
    }

    fn table(&mut self, ui: &mut Ui, summary: &Summary, shown: &[usize]) {
        let height = ui.spacing().interact_size.y;
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
                for title in ["Table", "Op", "Opcode", "Hex", "Class", "Since", "Calls"] {
                    header.col(|ui| {
                        cell(ui, RichText::new(title).strong());
                    });
                }
            })
            .body(|body| {
                body.rows(height, shown.len(), |mut row| {
                    let Some((index, op)) = shown.get(row.index()).and_then(|i| Some((*i, summary.ops.get(*i)?)))
                    else {
                        return;
                    };
                    row.set_selected(self.open == Some(index));
                    let mut name = None;
                    row.col(|ui| {
                        let tokens = Tokens::of(ui.visuals());
                        match op.table {
                            Some(TableKind::Stable) => quiet_cell(ui, RichText::new("  stable").monospace()),
                            Some(TableKind::Experimental) => {
                                cell(ui, RichText::new("▲ experimental").monospace().color(tokens.changed).strong())
                            }
                            None => cell(ui, RichText::new("✖ unknown table").monospace().color(tokens.error).strong()),
                        };
                    });
                    row.col(|ui| {
                        let text = op.name.as_deref().unwrap_or("no op has this opcode");
                        let text = RichText::new(one_line(text)).monospace();
                        name = Some(ui.add(egui::Button::new(text).frame(false).truncate()).clicked());
                    });
                    for text in [
                        op.opcode.map(|opcode| opcode.to_string()),
                        op.hex.clone(),
                        op.class.clone(),
                        op.since.map(|since| since.to_string()),
                        Some(op.count.to_string()),
                    ] {
                        row.col(|ui| {
                            quiet_cell(ui, RichText::new(text.unwrap_or_default()).monospace());
                        });
                    }
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
    TableBuilder::new(ui)
        .id_salt("calls")
        .striped(true)
        .auto_shrink(false)
        .min_scrolled_height(0.0)
        .column(Column::initial(150.0).clip(true))
        .column(Column::exact(64.0))
        .column(Column::exact(90.0))
        .column(Column::remainder().clip(true))
        .header(20.0, |mut header| {
            for title in ["Function", "Line", "Overload", "Operands"] {
                header.col(|ui| {
                    cell(ui, RichText::new(title).strong());
                });
            }
        })
        .body(|body| {
            body.rows(20.0, shown, |mut row| {
                let Some(site) = op.sites.get(row.index()) else { return };
                let text = |ui: &mut Ui, text: String| {
                    cell(ui, RichText::new(text).monospace());
                };
                row.col(|ui| text(ui, one_line(&site.function)));
                row.col(|ui| {
                    let Some(line) = site.line else { return };
                    // A table's own colour would hide that it is one.
                    let colour = ui.visuals().hyperlink_color;
                    let link = ui.link(RichText::new(line.to_string()).monospace().color(colour));
                    if link.on_hover_text("Show this line of the disassembly").clicked() {
                        let at = cx.selection.at_line(Listed { input: summary.input, line });
                        commands.push(Command::Select(at));
                    }
                });
                row.col(|ui| text(ui, site.overload.clone().unwrap_or_default()));
                row.col(|ui| text(ui, operands(site)));
            });
        });
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
