//! The registers tab: one table a target, packed beside unpacked, each field with its reason.

use crate::tokens::space;
use std::collections::BTreeSet;

use egui::{Align, EventFilter, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableRow};
use lanescope_core::codeobject::Predicted;
use lanescope_core::object_prediction::{NotCompared, predicted};
use lanescope_core::options::Options;
use lanescope_core::registers::ValueColumn;
use lanescope_core::registers::pairs::{Change, Filter, Key, Pair, Pairs, Row};
use lanescope_core::table::{Cell, Table, Width};
use lanescope_core::target::Target;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::{self, Ask, ViewInfo};

use crate::context::{View, ViewCx};
use crate::menu::{links, row_menu};
use crate::table::{
    Search, across, as_shown, call, cell, in_slot, is_selected, long_cell, quiet_cell, row_at, rows_in_order,
    scalar_name, table_id, table_of_rows, texts_of, titles, varying_of,
};
use crate::type_ahead;

/// The name of the table.
const TABLE: &str = "registers";

/// The registers tab.
#[derive(Debug, Default)]
pub struct RegistersView {
    search: Search,
    changed_only: bool,
    /// Only registers that differ from those of the object.
    differing_only: bool,
    open: BTreeSet<Key>,
    /// Counts up when `open` changes.
    opened: u64,
    /// The register that was opened last, until the table has scrolled to its fields.
    opening: Option<Key>,
    cache: Option<Cache>,
    /// The varying that was selected when the table last scrolled to it.
    scrolled_to: Option<Varying>,
    /// The row that an arrow key goes to, by its place in the shown order.
    going_to: Option<usize>,
}

#[derive(Debug)]
struct Cache {
    key: (u64, [u64; 4]),
    pairs: Pairs,
    /// The values of the object that the program is compared with.
    object: Option<Beside>,
    filter: (String, bool, bool, u64),
    shown: Shown,
}

/// The values of an object beside those that were computed, or why there are none.
type Beside = Result<(Predicted, ValueColumn), NotCompared>;

/// The rows under a filter.
#[derive(Debug, Default)]
struct Shown {
    rows: Vec<Row>,
    /// The same rows, drawn and copied.
    table: Table,
}

impl View for RegistersView {
    fn info(&self) -> &'static ViewInfo {
        &view::REGISTERS
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Cache { pairs, object, shown, .. } = self.cached(cx);
        let (pairs, object, shown) = (std::mem::take(pairs), object.take(), std::mem::take(shown));
        ui.horizontal_wrapped(|ui| {
            self.targets(ui, cx, &mut commands);
            self.toolbar(ui, cx, &pairs, &shown.table, &mut commands);
        });
        if let Some(object) = &object {
            self.beside(ui, cx, object, &mut commands);
        } else {
            self.differing_only = false;
        }
        slot_line(ui, cx, &pairs, &mut commands);
        if pairs.pairs.is_empty() {
            let target = cx.report.options.target;
            ui.add_space(space::GROUP);
            ui.label(match target.info().register_ip {
                Some(_) => "No register values can be computed from the loaded stages.".to_owned(),
                None => format!("No register tables for {target}: choose one of the targets above."),
            });
        } else if shown.rows.is_empty() {
            ui.add_space(space::GROUP);
            ui.label(match self.differing_only && self.search.text.is_empty() {
                true => "No register differs from the object's.",
                false => "Nothing matches the search.",
            });
        } else {
            across(ui, "wide", |ui| self.table(ui, cx, &pairs, &shown, &mut commands));
        }
        if let Some(cache) = &mut self.cache {
            (cache.pairs, cache.object, cache.shown) = (pairs, object, shown);
        }
        commands
    }
}

impl RegistersView {
    /// The pairs of this revision and the rows under the current filter.
    fn cached(&mut self, cx: &ViewCx<'_>) -> &mut Cache {
        let key = (cx.revision, cx.comparing.object.map_or([0; 4], |_| cx.comparing.key));
        let old = self.cache.take().filter(|cache| cache.key == key);
        let filter = (self.search.text.clone(), self.changed_only, self.differing_only, self.opened);
        let fresh = old.as_ref().is_some_and(|cache| cache.filter == filter);
        let (pairs, object, shown) = match old {
            Some(cache) if fresh => (cache.pairs, cache.object, cache.shown),
            old => {
                let (pairs, object) = match old {
                    Some(cache) => (cache.pairs, cache.object),
                    None => (Pairs::new(&cx.report.registers), beside(cx)),
                };
                let column = object.as_ref().and_then(|object| object.as_ref().ok()).map(|(_, column)| column);
                let words = self.search.words();
                let filter = Filter { words: &words, changed_only: self.changed_only };
                let mut rows = pairs.rows(&cx.report.registers, &filter, &self.open);
                if let Some(column) = column.filter(|_| self.differing_only) {
                    let differs = |index: &usize| {
                        let register = pairs.pairs.get(*index).and_then(|pair| pair.register(&cx.report.registers));
                        register.is_some_and(|register| column.differs(&register.name))
                    };
                    rows.retain(|(Row::Register(index) | Row::Field(index, _))| differs(index));
                }
                let table = pairs.table_beside(&cx.report.registers, &rows, column);
                (pairs, object, Shown { rows, table })
            }
        };
        self.cache.insert(Cache { key, pairs, object, filter, shown })
    }

    /// What the object that the program is compared with has, or why nothing is compared.
    fn beside(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, object: &Beside, commands: &mut Vec<Command>) {
        let name = cx.comparing.names[1 - cx.comparing.shown.min(1)];
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("Code object {name}:"));
            match object {
                Ok((predicted, column)) => {
                    ui.label(predicted.counts_text());
                    let label = format!("≠ Differing only ({})", column.differing());
                    ui.toggle_value(&mut self.differing_only, label)
                        .on_hover_text("Show only registers of which a value differs from the object's");
                }
                Err(why) => {
                    ui.label(why.to_string());
                    if let NotCompared::OtherTarget { object, .. } = why
                        && !cx.frozen
                        && ui.button(format!("Set target {object}")).clicked()
                    {
                        let options = Options { target: *object, ..cx.report.options.clone() };
                        commands.push(Command::SetOptions(Box::new(options)));
                    }
                }
            }
            if ui.button("Stop comparing").on_hover_text("Remove the column of the object").clicked() {
                commands.push(Command::CompareWith(None));
            }
        });
        if let Ok((predicted, _)) = object {
            only_in_object(ui, predicted);
        }
    }

    fn targets(&self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
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
                let options = Options { target, ..cx.report.options.clone() };
                commands.push(Command::SetOptions(Box::new(options)));
            }
        }
    }

    fn toolbar(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, pairs: &Pairs, table: &Table, commands: &mut Vec<Command>) {
        self.search.ui(ui, cx, "Search registers", 150.0);
        if pairs.two {
            let changed = pairs.pairs.iter().filter(|pair| pair.change != Change::Same).count();
            ui.toggle_value(&mut self.changed_only, format!("≠ Changed only ({changed})"))
                .on_hover_text("Show only registers whose value packing changed");
        } else {
            self.changed_only = false;
        }
        if ui.button("Open all").on_hover_text("Show the fields of every register").clicked() {
            self.open = pairs.pairs.iter().filter_map(|pair| pair.key(&cx.report.registers)).collect();
            self.opened += 1;
        }
        if ui.add_enabled(!self.open.is_empty(), egui::Button::new("Close all")).clicked() {
            self.open.clear();
            self.opened += 1;
        }
        let copy = ui.button("Copy").on_hover_text("Copy the table as text, with tabs between columns").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(as_shown(ui.ctx(), table_id(TABLE), table).to_tabs()));
        }
    }

    fn table(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, pairs: &Pairs, shown: &Shown, commands: &mut Vec<Command>) {
        let Shown { rows, table: contents } = shown;
        let (columns, id) = (contents.shown(), table_id(TABLE));
        let key = (cx.revision, self.opened, &self.search.text, (self.changed_only, self.differing_only));
        let order = rows_in_order(ui.ctx(), id, key, |sort| contents.order(Some(sort)));
        // Rows without space between them: a low pane has eight.
        ui.spacing_mut().item_spacing.y = 0.0;
        let (height, spacing) = (ui.spacing().interact_size.y, ui.spacing().item_spacing.y);
        let room = ui.available_height() - 2.0 * height;
        let mut table = table_of_rows(ui)
            .id_salt("registers")
            .striped(true)
            .resizable(true)
            .sense(Sense::click())
            .auto_shrink(false)
            .cell_layout(Layout::left_to_right(Align::Center));
        for column in columns.iter().filter_map(|at| contents.columns.get(*at)) {
            table = table.column(match column.title.as_str() {
                "Register" => Column::initial(240.0).at_least(120.0).clip(true),
                "Address" => Column::initial(64.0).at_least(48.0).clip(true),
                "Entry point" | "Object" => Column::initial(140.0).at_least(60.0).clip(true),
                "Fields" => Column::remainder().at_least(260.0).clip(true),
                _ if column.width == Width::Sign => Column::exact(18.0),
                _ => Column::initial(104.0).at_least(60.0).clip(true),
            });
        }
        if self.scrolled_to != cx.selection.varying {
            self.scrolled_to = cx.selection.varying;
            let of_selected = |row: &Row| match row {
                Row::Register(index) => pairs.pairs.get(*index).is_some_and(|pair| feeds_selected(cx, pair)),
                Row::Field(..) => false,
            };
            let shown = (0..rows.len()).filter_map(|at| rows.get(row_at(order.as_ref(), at)?));
            if let Some(row) = shown.into_iter().position(of_selected) {
                table = table.scroll_to_row(row, None);
            }
        }
        let of_opening = |index: &usize| {
            self.opening.is_some()
                && pairs.pairs.get(*index).and_then(|pair| pair.key(&cx.report.registers)) == self.opening
        };
        let is_opening = |row: &Row| matches!(row, Row::Register(index) | Row::Field(index, _) if of_opening(index));
        let mut opening = (0..rows.len())
            .filter(|at| row_at(order.as_ref(), *at).and_then(|at| rows.get(at)).is_some_and(is_opening));
        // The rows are those of the last frame while the register is being opened.
        if let Some((first, last)) = opening.next().zip(opening.next_back()) {
            self.opening = None;
            let needed = (last - first + 1) as f32 * (height + spacing);
            table = match needed > room {
                true => table.scroll_to_row(first, Some(Align::TOP)),
                false => table.scroll_to_row(last, None),
            };
        }
        let going_to = self.going_to.take();
        if let Some(row) = going_to {
            table = table.scroll_to_row(row, None);
        }
        let (mut from, mut here) = (None, None);
        table.header(height, |header| titles(header, id, contents, &columns)).body(|body| {
            body.rows(height, rows.len(), |mut row| {
                let Some(at) = row_at(order.as_ref(), row.index()) else { return };
                let (Some(this), Some(cells)) = (rows.get(at), contents.rows.get(at)) else { return };
                let mut places = Vec::with_capacity(columns.len());
                let (Row::Register(index) | Row::Field(index, _)) = this;
                let Some(pair) = pairs.pairs.get(*index) else { return };
                let is_wanted = going_to == Some(row.index());
                let clicked = match this {
                    Row::Register(_) => {
                        let (clicked, keyed) = self.register(&mut row, cx, pair, is_wanted, &mut places);
                        from = keyed.and_then(|step| Some((row.index(), step?))).or(from);
                        here = keyed.map(|_| row.index()).or(here);
                        clicked
                    }
                    Row::Field(..) => {
                        let cell = row.col(|ui| {
                            ui.add_space(space::PAGE);
                            long_cell(ui, cells.cell(0));
                        });
                        places.push(cell.1.rect.x_range());
                        false
                    }
                };
                for at in columns.iter().skip(1) {
                    let cell = row.col(|ui| long_cell(ui, cells.cell(*at)));
                    places.push(cell.1.rect.x_range());
                }
                let response = row.response();
                row_menu(&response, &places, |menu| {
                    let texts = texts_of(cells, &columns);
                    menu.copy(&texts, || as_shown(&response.ctx, id, contents).to_tabs(), commands);
                    if let Some(varying) = next_varying(cx, pair, false) {
                        links::varying(menu, cx, varying.location, varying.component, commands);
                    }
                });
                if matches!(this, Row::Register(_)) && (clicked || row.response().clicked()) {
                    // Arrow keys go on from here.
                    self.going_to = Some(row.index());
                    self.select(cx, pair, commands);
                }
            });
        });
        let pair_at = |place: usize| match rows.get(row_at(order.as_ref(), place)?)? {
            Row::Register(index) => pairs.pairs.get(*index),
            Row::Field(..) => None,
        };
        if let Some(typed) = here.and_then(|_| type_ahead::typed(ui.ctx(), id)) {
            let name = |place: usize| {
                let register = pair_at(place).and_then(|pair| pair.register(&cx.report.registers));
                register.map_or("".into(), |register| register.name.to_string().into())
            };
            let found = type_ahead::find(&typed, here, rows.len(), name);
            if let Some((place, pair)) = found.and_then(|place| Some((place, pair_at(place)?))) {
                self.going_to = Some(place);
                self.select(cx, pair, commands);
                ui.ctx().request_repaint();
            }
            return;
        }
        let Some((at, step)) = from else { return };
        let next = (1..=rows.len()).map_while(|by| at.checked_add_signed(step * by as isize));
        let next = next.take_while(|place| *place < rows.len()).find_map(|place| Some((place, pair_at(place)?)));
        if let Some((place, pair)) = next {
            self.going_to = Some(place);
            self.select(cx, pair, commands);
            ui.ctx().request_repaint();
        }
    }

    /// The first cell of a register's row: it opens and closes the fields. Returns whether the name was clicked, and to
    /// which row an arrow key goes from it.
    fn register(
        &mut self,
        row: &mut TableRow<'_, '_>,
        cx: &ViewCx<'_>,
        pair: &Pair,
        is_wanted: bool,
        places: &mut Vec<egui::Rangef>,
    ) -> (bool, Option<Option<isize>>) {
        let Some((key, register)) = pair.key(&cx.report.registers).zip(pair.register(&cx.report.registers)) else {
            return (false, None);
        };
        let fed = feeds_selected(cx, pair);
        row.set_selected(fed || cx.selection.register.as_deref() == Some(&register.name));
        let (mut clicked, mut keyed) = (false, None);
        let place = row.col(|ui| {
            let open = self.open.contains(&key);
            let toggle =
                ui.add(egui::Button::new(RichText::new(if open { "▼" } else { "▶" }).monospace()).frame(false).small());
            let verb = if open { "Close" } else { "Open" };
            call(&toggle, format!("{verb} {}", register.name));
            if toggle.clicked() {
                self.opened += 1;
                self.opening = (!open).then(|| key.clone());
                if !self.open.remove(&key) {
                    self.open.insert(key);
                }
            }
            let name = RichText::new(&*register.name).monospace();
            let name = ui.add(egui::Button::new(name).frame(false).truncate());
            clicked = name.clicked();
            if is_wanted {
                name.request_focus();
            }
            if name.has_focus() {
                let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(name.id, filter));
                let pressed = |key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
                let keys = [(egui::Key::ArrowDown, 1), (egui::Key::ArrowUp, -1)];
                keyed = Some(keys.into_iter().find(|(key, _)| pressed(*key)).map(|(_, step)| step));
            }
            if fed {
                cell(ui, RichText::new("●").monospace()).on_hover_text("Feeds the selected varying");
            }
        });
        places.push(place.1.rect.x_range());
        (clicked, keyed)
    }

    /// Selects a register, and the varyings that it feeds.
    fn select(&mut self, cx: &ViewCx<'_>, pair: &Pair, commands: &mut Vec<Command>) {
        let Some(register) = pair.register(&cx.report.registers) else { return };
        let named = cx.selection.register.as_deref() == Some(&register.name);
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

/// The object that the program is compared with, beside the registers.
fn beside(cx: &ViewCx<'_>) -> Option<Beside> {
    let found = predicted(cx.report, cx.comparing.object?);
    Some(found.map(|found| {
        let column = found.column();
        (found, column)
    }))
}

/// The registers that only the object has, on request.
fn only_in_object(ui: &mut Ui, predicted: &Predicted) {
    let table = predicted.only_in_object();
    if table.rows.is_empty() {
        return;
    }
    let title = format!("Only in the object: {}", counted(table.rows.len(), "register"));
    egui::CollapsingHeader::new(title).id_salt("only in object").show(ui, |ui| {
        egui::ScrollArea::vertical().id_salt("only in object").max_height(160.0).show(ui, |ui| {
            for row in &table.rows {
                let texts: Vec<_> = row.cells.iter().map(Cell::text).collect();
                ui.label(RichText::new(texts.join("  ")).monospace());
            }
        });
    });
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
        // As high with buttons as with a hint.
        ui.set_min_height(ui.spacing().interact_size.y);
        let named = pairs.pairs.iter().find(|pair| {
            let name = pair.register(&cx.report.registers).map(|register| register.name.as_ref());
            pair.slot.is_some() && name.is_some() && name == cx.selection.register.as_deref()
        });
        let fed = || pairs.pairs.iter().find(|pair| feeds_selected(cx, pair));
        let Some(slot) = named.or_else(fed).and_then(|pair| pair.slot) else {
            quiet_cell(ui, "Click an SPI_PS_INPUT_CNTL row to select the varyings in its attribute slot.");
            return;
        };
        ui.label(format!("Attribute slot {slot} contains"));
        let mut any = false;
        for mapping in in_slot(Some(packing), slot) {
            any = true;
            let varying = varying_of(mapping);
            let chosen = is_selected(cx.selection.varying, varying.location, varying.component);
            let about = format!(
                "original location {}, component {}; {} bits, {}, {}",
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
