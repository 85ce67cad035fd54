//! The registers tab: one table a target, packed beside unpacked, each field with its reason.

mod rows;

use std::borrow::Cow;
use std::collections::BTreeSet;

use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableRow};
use lanescope_core::registers::{Field, Register};
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{
    Search, Tokens, call, cell, in_slot, is_selected, one_line, quiet_cell, scalar_name, tab_separated, table_of_rows,
    varying_of,
};
use rows::{Change, Filter, Key, Pair, Pairs, Row, same_field};

/// The registers tab.
#[derive(Debug, Default)]
pub struct RegistersView {
    search: Search,
    changed_only: bool,
    open: BTreeSet<Key>,
    /// Counts up when `open` changes.
    opened: u64,
    cache: Option<Cache>,
    /// The varying that was selected when the table last scrolled to it.
    scrolled_to: Option<Varying>,
}

#[derive(Debug)]
struct Cache {
    revision: u64,
    pairs: Pairs,
    filter: (String, bool, u64),
    rows: Vec<Row>,
}

impl View for RegistersView {
    fn info(&self) -> &'static ViewInfo {
        &ViewInfo {
            name: "registers",
            title: "Registers",
            about: "Register values that follow from the shader, unpacked and packed, each field with its reason",
            answers: &[Ask::Search, Ask::CopyTable],
        }
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Cache { pairs, rows, .. } = self.cached(cx);
        let (pairs, rows) = (std::mem::take(pairs), std::mem::take(rows));
        self.targets(ui, cx, &mut commands);
        self.toolbar(ui, cx, &pairs, &rows, &mut commands);
        slot_line(ui, cx, &pairs, &mut commands);
        if pairs.pairs.is_empty() {
            let target = cx.report.options.target;
            ui.add_space(12.0);
            ui.label(match target.info().register_ip {
                Some(_) => "No register values can be computed from the loaded stages.".to_owned(),
                None => format!("No register tables for {target}: choose one of the targets above."),
            });
        } else if rows.is_empty() {
            ui.add_space(12.0);
            ui.label("Nothing matches the search.");
        } else {
            let wide = ScrollArea::horizontal().id_salt("wide").auto_shrink(false);
            wide.show(ui, |ui| self.table(ui, cx, &pairs, &rows, &mut commands));
        }
        if let Some(cache) = &mut self.cache {
            (cache.pairs, cache.rows) = (pairs, rows);
        }
        commands
    }
}

impl RegistersView {
    /// The pairs of this revision and the rows under the current filter.
    fn cached(&mut self, cx: &ViewCx<'_>) -> &mut Cache {
        let old = self.cache.take().filter(|cache| cache.revision == cx.revision);
        let filter = (self.search.text.clone(), self.changed_only, self.opened);
        let fresh = old.as_ref().is_some_and(|cache| cache.filter == filter);
        let (pairs, rows) = match old {
            Some(cache) if fresh => (cache.pairs, cache.rows),
            old => {
                let pairs = old.map_or_else(|| Pairs::new(cx.report), |cache| cache.pairs);
                let words = self.search.words();
                let shown = Filter { words: &words, changed_only: self.changed_only };
                let rows = pairs.rows(cx.report, &shown, &self.open);
                (pairs, rows)
            }
        };
        self.cache.insert(Cache { revision: cx.revision, pairs, filter, rows })
    }

    fn targets(&self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            // One for each graphics IP, and the chosen one: chips of one IP share its registers.
            let is_first = |target: &Target| {
                Target::with_registers().find(|other| other.info().register_ip == target.info().register_ip)
                    == Some(*target)
            };
            let current = cx.report.options.target;
            for target in Target::with_registers().filter(|target| is_first(target) || *target == current) {
                let info = target.info();
                let chosen = current == target;
                let about = info.register_ip.unwrap_or_default();
                if ui.selectable_label(chosen, info.name).on_hover_text(format!("{} ({about})", info.about)).clicked()
                    && !chosen
                {
                    let mut options = cx.report.options.clone();
                    options.target = target;
                    commands.push(Command::SetOptions(Box::new(options)));
                }
            }
        });
    }

    fn toolbar(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, pairs: &Pairs, rows: &[Row], commands: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            self.search.ui(ui, cx, "Search registers", 220.0);
            if pairs.two {
                let changed = pairs.pairs.iter().filter(|pair| pair.change != Change::Same).count();
                ui.toggle_value(&mut self.changed_only, format!("≠ Changed only ({changed})"))
                    .on_hover_text("Show only registers whose value packing changed");
            } else {
                self.changed_only = false;
            }
            if ui.button("Open all").on_hover_text("Show the fields of every register").clicked() {
                self.open = pairs.pairs.iter().filter_map(|pair| pair.key(cx.report)).collect();
                self.opened += 1;
            }
            if ui.add_enabled(!self.open.is_empty(), egui::Button::new("Close all")).clicked() {
                self.open.clear();
                self.opened += 1;
            }
            let copy = ui.button("Copy").on_hover_text("Copy the table as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(as_text(cx.report, pairs, rows)));
            }
        });
    }

    fn table(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, pairs: &Pairs, rows: &[Row], commands: &mut Vec<Command>) {
        let height = ui.spacing().interact_size.y;
        let mut table = table_of_rows(ui)
            .id_salt("registers")
            .striped(true)
            .resizable(true)
            .sense(Sense::click())
            .auto_shrink(false)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::initial(240.0).at_least(120.0).clip(true))
            .column(Column::initial(64.0).at_least(48.0).clip(true));
        if pairs.entries {
            table = table.column(Column::initial(140.0).at_least(60.0).clip(true));
        }
        if pairs.two {
            table = table.column(Column::initial(104.0).at_least(60.0).clip(true));
            table = table.column(Column::exact(18.0));
        }
        table = table.column(Column::initial(104.0).at_least(60.0).clip(true));
        if pairs.driver {
            table = table.column(Column::initial(104.0).at_least(60.0).clip(true));
        }
        table = table.column(Column::remainder().at_least(260.0).clip(true));
        if self.scrolled_to != cx.selection.varying {
            self.scrolled_to = cx.selection.varying;
            let of_selected = |row: &Row| match row {
                Row::Register(index) => pairs.pairs.get(*index).is_some_and(|pair| feeds_selected(cx, pair)),
                Row::Field(..) => false,
            };
            if let Some(row) = rows.iter().position(of_selected) {
                table = table.scroll_to_row(row, None);
            }
        }
        let table = table.header(height, |mut header| {
            let mut title = |text: &str, about: &str| {
                header.col(|ui| {
                    let response = cell(ui, RichText::new(text).strong());
                    if !about.is_empty() {
                        response.on_hover_text(about);
                    }
                });
            };
            title("Register", "");
            title("Address", "Dword address; for a field, its bits");
            if pairs.entries {
                title("Entry point", "The compute shader that determines this value");
            }
            if pairs.two {
                title("Unpacked", "For the interface as written, with renumbered locations");
                title("", "");
                title("Packed", "For the packed interface");
            } else {
                title("Value", "Value that the compiler writes");
            }
            if pairs.driver {
                title("With driver", "Value including the bits that the driver adds");
            }
            title("Fields", "Fields that are not 0, or that packing changed; hover one for the reason");
        });
        table.body(|body| {
            body.rows(height, rows.len(), |mut row| {
                let Some(&this) = rows.get(row.index()) else { return };
                let index = match this {
                    Row::Register(index) | Row::Field(index, _) => index,
                };
                let Some((pair, register)) = pairs.pairs.get(index).and_then(|p| Some((p, p.register(cx.report)?)))
                else {
                    return;
                };
                match this {
                    Row::Register(_) => self.register_row(&mut row, cx, pairs, (pair, register), commands),
                    Row::Field(_, field) => {
                        if let Some(field) = register.fields.get(field) {
                            field_row(&mut row, cx, pairs, pair, field);
                        }
                    }
                }
            });
        });
    }

    fn register_row(
        &mut self,
        row: &mut TableRow<'_, '_>,
        cx: &ViewCx<'_>,
        pairs: &Pairs,
        (pair, register): (&Pair, &Register),
        commands: &mut Vec<Command>,
    ) {
        let fed = feeds_selected(cx, pair);
        let named = cx.selection.register.as_deref() == Some(&register.name);
        row.set_selected(fed || named);
        let key = (register.stage, register.entry.clone(), register.name.to_string());
        let mut clicked = false;
        row.col(|ui| {
            let open = self.open.contains(&key);
            let toggle =
                ui.add(egui::Button::new(RichText::new(if open { "▼" } else { "▶" }).monospace()).frame(false).small());
            let verb = if open { "Close" } else { "Open" };
            call(&toggle, format!("{verb} {}", register.name));
            if toggle.clicked() {
                self.opened += 1;
                if !self.open.remove(&key) {
                    self.open.insert(key);
                }
            }
            let name = RichText::new(&*register.name).monospace();
            let name = ui.add(egui::Button::new(name).frame(false).truncate());
            clicked |= name.clicked();
            if fed {
                cell(ui, RichText::new("●").monospace()).on_hover_text("Feeds the selected varying");
            }
        });
        row.col(|ui| {
            quiet_cell(ui, RichText::new(register.address.to_string()).monospace());
        });
        if pairs.entries {
            row.col(|ui| {
                cell(ui, RichText::new(one_line(register.entry.as_deref().unwrap_or_default())));
            });
        }
        let value = |ui: &mut Ui, register: Option<&Register>, strong: bool| match register {
            Some(register) => {
                let text = RichText::new(register.shown());
                if register.value.is_none() {
                    quiet_cell(ui, text.italics());
                } else {
                    cell(ui, if strong { text.monospace().strong() } else { text.monospace() });
                }
            }
            None => {
                quiet_cell(ui, RichText::new("not written").italics());
            }
        };
        if pairs.two {
            row.col(|ui| value(ui, pair.unpacked(cx.report), false));
            row.col(|ui| change_sign(ui, pair.change));
        }
        row.col(|ui| value(ui, pair.packed(cx.report), pair.change != Change::Same));
        if pairs.driver {
            row.col(|ui| {
                let Some(driver) = register.driver_value else { return };
                let about = "Value in the hardware register, after the driver has added its bits";
                let other = pair.unpacked(cx.report).and_then(|unpacked| unpacked.driver_value);
                cell(ui, RichText::new(driver.to_string()).monospace()).on_hover_text(match other {
                    Some(other) if other != driver => format!("{about} (unpacked: {other})"),
                    _ => about.to_owned(),
                });
            });
        }
        row.col(|ui| summary(ui, cx.report, pair, register));
        clicked |= row.response().clicked();
        if clicked {
            let varying = next_varying(cx, pair, named);
            let selection = Selection {
                register: Some(register.name.to_string()),
                varying: if pair.slot.is_some() { varying } else { cx.selection.varying },
                code: if pair.slot.is_some() { None } else { cx.selection.code.clone() },
                ..cx.selection.clone()
            };
            // The row that was clicked is in view already.
            self.scrolled_to = selection.varying;
            commands.push(Command::Select(selection));
        }
    }
}

/// Whether the register feeds a slot that holds the selected varying.
fn feeds_selected(cx: &ViewCx<'_>, pair: &Pair) -> bool {
    let Some(slot) = pair.slot else { return false };
    in_slot(cx.report.packing.as_ref(), slot)
        .any(|m| is_selected(cx.selection.varying, m.from.location.0, Some(m.from.component.0)))
}

/// The varying that a click on a register selects: the whole location where the slot holds only that, otherwise one
/// scalar of the slot after the other.
fn next_varying(cx: &ViewCx<'_>, pair: &Pair, again: bool) -> Option<Varying> {
    let held: Vec<_> = in_slot(cx.report.packing.as_ref(), pair.slot?).map(varying_of).collect();
    let first = held.first()?;
    if held.iter().all(|varying| varying.location == first.location) {
        return Some(Varying { location: first.location, component: None });
    }
    let now = held.iter().position(|varying| again && cx.selection.varying == Some(*varying));
    now.and_then(|now| held.get(now + 1)).or(Some(first)).copied()
}

/// Contents of the slot of the selected register: each scalar can be selected.
fn slot_line(ui: &mut Ui, cx: &ViewCx<'_>, pairs: &Pairs, commands: &mut Vec<Command>) {
    let Some(packing) = &cx.report.packing else { return };
    ui.horizontal_wrapped(|ui| {
        let named = pairs.pairs.iter().find(|pair| {
            let name = pair.register(cx.report).map(|register| register.name.as_ref());
            pair.slot.is_some() && name.is_some() && name == cx.selection.register.as_deref()
        });
        let fed = || pairs.pairs.iter().find(|pair| feeds_selected(cx, pair));
        let Some(slot) = named.or_else(fed).and_then(|pair| pair.slot) else {
            quiet_cell(ui, "Click an SPI_PS_INPUT_CNTL row to select the varyings in its slot.");
            return;
        };
        ui.label(format!("Slot {slot} contains"));
        let mut any = false;
        for mapping in in_slot(Some(packing), slot) {
            any = true;
            let varying = varying_of(mapping);
            let chosen = is_selected(cx.selection.varying, varying.location, varying.component);
            let about = format!(
                "written at location {}, component {}; {} bits, {}, {}",
                mapping.from.location, mapping.from.component, mapping.bits, mapping.interpolation, mapping.at
            );
            if ui.selectable_label(chosen, scalar_name(mapping)).on_hover_text(about).clicked() {
                let selection = Selection { varying: Some(varying), code: None, ..cx.selection.clone() };
                commands.push(Command::Select(selection));
            }
        }
        for builtin in packing.builtins.iter().filter(|builtin| builtin.location.0 == slot) {
            any = true;
            ui.label(builtin.built_in.name());
        }
        if !any {
            quiet_cell(ui, "no inputs that are read");
        }
    });
}

fn change_sign(ui: &mut Ui, change: Change) {
    let colour = Tokens::of(ui.visuals()).changed;
    let (sign, about) = match change {
        Change::Same => return,
        Change::Differs => ("≠", "Packing changes this value"),
        Change::Added => ("+", "Written only for the packed interface"),
        Change::Gone => ("−", "No longer written: the packed interface does not have this slot"),
    };
    cell(ui, RichText::new(sign).color(colour).strong()).on_hover_text(about);
}

/// The telling fields of a register, each with its reason on hover.
fn summary(ui: &mut Ui, report: &Report, pair: &Pair, register: &Register) {
    let colour = Tokens::of(ui.visuals()).changed;
    ui.spacing_mut().item_spacing.x = 10.0;
    let unpacked = pair.packed.and(pair.unpacked(report));
    let mut shown = 0;
    for field in &register.fields {
        let before = same_field(unpacked, field);
        let changed = before.is_some_and(|before| before.value != field.value);
        if !changed && (field.value == Some(0) || register.value.is_none() && field.value.is_none()) {
            continue;
        }
        shown += 1;
        let text = match before.filter(|_| changed) {
            Some(before) => {
                let text = format!("≠ {} {}→{}", field.name, before.shown(), field.shown());
                RichText::new(text).monospace().color(colour)
            }
            None => RichText::new(format!("{} {}", field.name, field.shown())).monospace(),
        };
        let label = egui::Label::new(text).selectable(false).extend();
        ui.add(label).on_hover_ui(|ui| reason(ui, before, field));
    }
    if shown == 0 && register.value.is_some() {
        quiet_cell(ui, "all 0");
    }
}

/// A field's reason, and the other interface's where that is another one.
fn reason(ui: &mut Ui, before: Option<&Field>, field: &Field) {
    ui.strong(format!("{} {} = {}", field.name, field.bits(), field.shown()));
    match before.filter(|before| before.value != field.value || before.why != field.why) {
        Some(before) => {
            ui.label(format!("packed, {}: {}", field.shown(), field.why));
            ui.label(format!("unpacked, {}: {}", before.shown(), before.why));
        }
        None => {
            ui.label(field.why.to_string());
        }
    }
}

fn field_row(row: &mut TableRow<'_, '_>, cx: &ViewCx<'_>, pairs: &Pairs, pair: &Pair, field: &Field) {
    let (unpacked, packed) = (same_field(pair.unpacked(cx.report), field), same_field(pair.packed(cx.report), field));
    let changed = pairs.two
        && pair.packed.is_some()
        && pair.unpacked.is_some()
        && unpacked.map(|field| field.value) != packed.map(|field| field.value);
    row.col(|ui| {
        ui.add_space(26.0);
        cell(ui, RichText::new(field.name.as_ref()).monospace());
    });
    row.col(|ui| {
        quiet_cell(ui, RichText::new(field.bits()).monospace());
    });
    if pairs.entries {
        row.col(|_| {});
    }
    let value = |ui: &mut Ui, field: Option<&Field>| {
        let Some(field) = field else { return };
        let text = RichText::new(field.shown()).monospace();
        if field.value == Some(0) && !changed {
            quiet_cell(ui, text);
        } else {
            cell(ui, text);
        }
    };
    if pairs.two {
        row.col(|ui| value(ui, unpacked));
        row.col(|ui| change_sign(ui, if changed { Change::Differs } else { Change::Same }));
    }
    row.col(|ui| value(ui, packed));
    if pairs.driver {
        row.col(|_| {});
    }
    row.col(|ui| {
        cell(ui, RichText::new(field.why.to_string())).on_hover_ui(|ui| reason(ui, unpacked, field));
    });
}

/// The rows that are shown, as text with tabs.
fn as_text(report: &Report, pairs: &Pairs, rows: &[Row]) -> String {
    let mut lines: Vec<Vec<Cow<'_, str>>> = Vec::new();
    let values: &[&str] = if pairs.two { &["Unpacked", "Changed", "Packed"] } else { &["Value"] };
    let entry: &[&str] = if pairs.entries { &["Entry point"] } else { &[] };
    let titles = ["Register", "Address"].iter().chain(entry).chain(values).chain(&["With driver", "Fields"]);
    lines.push(titles.map(|title| Cow::Borrowed(*title)).collect());
    for row in rows {
        let (Row::Register(index) | Row::Field(index, _)) = row;
        let Some((pair, register)) = pairs.pairs.get(*index).and_then(|p| Some((p, p.register(report)?))) else {
            continue;
        };
        let sides = [pair.unpacked(report), pair.packed(report)];
        let (name, place, [before, after], driver, rest) = match row {
            Row::Register(_) => {
                let fields = register.fields.iter().filter(|field| field.value.is_some_and(|value| value != 0));
                let fields: Vec<_> = fields.map(|f| format!("{} {}", f.name, f.shown())).collect();
                let driver = register.driver_value.map(|value| value.to_string()).unwrap_or_default();
                let text = sides.map(|register| register.map_or("not written".to_owned(), Register::shown));
                (register.name.to_string(), register.address.to_string(), text, driver, fields.join(", "))
            }
            Row::Field(_, field) => {
                let Some(field) = register.fields.get(*field) else { continue };
                let text = sides.map(|register| {
                    same_field(register, field).map(|field| field.shown().into_owned()).unwrap_or_default()
                });
                (format!("  {}", field.name), field.bits(), text, String::new(), field.why.to_string())
            }
        };
        let sign = if before != after { "≠" } else { "" };
        let values = if pairs.two { vec![before, sign.to_owned(), after] } else { vec![after] };
        let entry = pairs.entries.then(|| one_line(register.entry.as_deref().unwrap_or_default()));
        let cells = [name, place].into_iter().chain(entry).chain(values).chain([driver, rest]);
        lines.push(cells.map(Cow::Owned).collect());
    }
    tab_separated(lines)
}
