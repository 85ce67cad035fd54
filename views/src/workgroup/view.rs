//! The workgroup tab.

use crate::tokens;
use egui::{Grid, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};
use lanescope_core::report::Report;
use lanescope_core::table::{Cell, Column, Table};
use lanescope_core::workgroup::{Explanation, GroupMap, Layout, RuleMap, Step, explain, rule_sets_table, tiles};
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::CostQuestion;
pub(crate) use lanescope_inspector::view::WORKGROUP as INFO;
use lanescope_inspector::view::{Ask, PACKING, ViewInfo};

use super::controls::controls;
use super::costs::{self, CostPane};
use super::measured::MeasuredPane;
use super::rules::RulePane;
use crate::context::{View, ViewCx};
use crate::cost_sheet::Asked;
use crate::menu::Menu;
use crate::picture::canvas::{Canvas, is_better};
use crate::picture::{Mark, clean};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{
    Cached, Draft, actions, below, beside, beside_part, choice, fact, heading, nothing, toolbar, unopened,
};
use lanescope_pictures::workgroup::{ColorBy, Facts, Legend, MapSettings, Numbers, roomier_legend};

/// Below this width the settings are under the map.
const NARROW: f32 = 480.0;
/// What stands before the other rule set.
const OTHER_RULES: &str = "The other rule set lays this size out differently; Rule sets shows where it does";
/// Derivative instructions that are listed.
const DERIVATIVES_AT_MOST: usize = 100;

/// The lane map with the decision beside it; two settings side by side; the map of groups.
#[derive(Default)]
pub struct WorkgroupView {
    settings: MapSettings,
    z: u32,
    entry: usize,
    mode: Mode,
    measured: MeasuredPane,
    costs: CostPane,
    rules: RulePane,
    was_underway: bool,
    asked: Asked,
    first: Side,
    second: Side,
    group_canvas: Canvas,
    group_cache: Cached<(u64, bool)>,
}

/// Contents of the tab.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    /// The predicted lane map.
    #[default]
    Lanes,
    /// The map of groups.
    Groups,
    /// What a device does.
    Measured,
    /// What layouts do to memory accesses.
    Costs,
    /// Where rule sets differ.
    Rules,
}

/// One of the two settings that are compared.
#[derive(Default)]
struct Side {
    canvas: Canvas,
    cache: Cached<(u64, bool, usize, MapSettings)>,
    draft: Draft,
}

impl View for WorkgroupView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        self.entry = self.entry.min(cx.report.workgroup.len().saturating_sub(1));
        let Some(layout) = cx.report.workgroup.get(self.entry) else {
            let hint = "Open a compute, task or mesh shader.";
            let instead = cx.report.packing.is_some().then_some(&PACKING);
            commands.extend(unopened(ui, "No workgroup", hint, instead));
            return commands;
        };
        self.z = self.z.min(layout.size[2].saturating_sub(1));
        if self.mode == Mode::Groups && cx.report.group_map.is_none() {
            self.mode = Mode::Lanes;
        }
        let has_costs = CostQuestion::applies(cx.report);
        if self.asked.is_new(cx) && has_costs {
            self.mode = Mode::Costs;
        }
        if self.mode == Mode::Costs && !has_costs {
            self.mode = Mode::Lanes;
        }
        // Who begins a measurement wants to see it.
        let underway = cx.results.probe.underway;
        if underway && !std::mem::replace(&mut self.was_underway, underway) {
            self.mode = Mode::Measured;
        }
        self.was_underway = underway;
        let mut export = cx.asked(Ask::ExportPicture);
        toolbar(ui, |ui| export |= self.toolbar(ui, cx, layout, &mut commands));
        match cx.other {
            _ if self.mode == Mode::Costs => self.costs.ui(ui, cx, &mut commands),
            _ if self.mode == Mode::Rules => self.rules.ui(ui, cx, (self.entry, layout), &mut commands),
            _ if self.mode == Mode::Measured => {
                let settings = MapSettings { z: Some(self.z), ..self.settings };
                self.measured.ui(ui, cx, layout, &settings, &mut commands);
            }
            Some(other) => {
                self.two(ui, cx, [layout, other.workgroup.get(self.entry).unwrap_or(layout)], other, &mut commands)
            }
            None => self.one(ui, cx, layout, &mut commands),
        }
        if export {
            commands.extend(self.shown_picture(cx));
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.asked.forget(program);
    }
}

impl WorkgroupView {
    /// Whether the picture is to be exported.
    fn toolbar(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, layout: &Layout, commands: &mut Vec<Command>) -> bool {
        let entries: Vec<_> =
            cx.report.workgroup.iter().map(|l| format!("{} ({})", clean(&l.entry), l.stage)).collect();
        if entries.len() > 1 {
            let all: Vec<_> = entries.iter().enumerate().map(|(index, name)| (index, name.as_str())).collect();
            choice(ui, "Entry", &mut self.entry, &all);
        }
        let hint = "Lanes computed by the compiler";
        ui.selectable_value(&mut self.mode, Mode::Lanes, "Predicted").on_hover_text(hint);
        if cx.report.group_map.is_some() {
            ui.selectable_value(&mut self.mode, Mode::Groups, "Groups").on_hover_text("Launch order of workgroups");
        }
        let hint = "Lanes measured on a device";
        ui.selectable_value(&mut self.mode, Mode::Measured, "Measured").on_hover_text(hint);
        if CostQuestion::applies(cx.report) {
            let hint = "Cache lines and LDS passes of each layout";
            ui.selectable_value(&mut self.mode, Mode::Costs, "Costs").on_hover_text(hint);
        }
        let hint = "Workgroup sizes for which LLPC's code and its design note differ";
        ui.selectable_value(&mut self.mode, Mode::Rules, "Rule sets").on_hover_text(hint);
        ui.separator();
        if self.mode == Mode::Measured {
            self.measured.controls(ui, cx, self.entry, commands);
            ui.separator();
        }
        if self.mode == Mode::Groups {
            self.group_canvas.zoom_buttons(ui);
        } else if self.mode == Mode::Rules {
            self.rules.canvas.zoom_buttons(ui);
        } else if self.mode == Mode::Costs {
            self.costs.controls(ui, cx, commands);
            ui.separator();
            self.costs.canvas.zoom_buttons(ui);
        } else {
            let colors = [(ColorBy::Wave, "wave"), (ColorBy::Quad, "quad"), (ColorBy::Order, "order")];
            choice(ui, "Color", &mut self.settings.color_by, &colors);
            choice(ui, "Numbers", &mut self.settings.numbers, &[(Numbers::Thread, "thread"), (Numbers::Lane, "lane")]);
            self.pages(ui, layout.size[2]);
            ui.separator();
            if self.mode == Mode::Measured {
                self.measured.canvas.zoom_buttons(ui);
            } else {
                self.first.canvas.zoom_buttons(ui);
                self.second.canvas.follow(&self.first.canvas);
            }
        }
        if !matches!(self.mode, Mode::Measured | Mode::Costs | Mode::Rules) {
            let mut compare = cx.other.is_some();
            let hint = "Show a second setting beside this one";
            if ui.toggle_value(&mut compare, "Compare").on_hover_text(hint).changed() {
                let second = compare.then(|| Box::new(cx.report.options.clone()));
                commands.push(Command::SetOther(second));
            }
        }
        let copy = ("Copy table", "Copy the map as text, with tabs between columns");
        let chosen = actions(ui, &[copy, ("Export picture", "Save this picture as SVG or PNG")], 0.0);
        if chosen == Some(0) || cx.asked(Ask::CopyTable) {
            let map = cx.report.group_map.as_ref().filter(|_| self.mode == Mode::Groups);
            let probe = cx.results.probe.done().filter(|_| self.mode == Mode::Measured);
            let measured = probe.map(super::measured::table);
            let counted = cx.results.costs.done().filter(|_| self.mode == Mode::Costs).map(costs::as_text);
            let predicted = || map.map_or_else(|| table(layout), group_table).to_tabs();
            let rules = (self.mode == Mode::Rules)
                .then(|| rule_sets_table(&RuleMap::all(&layout.facts(&cx.report.options))).to_tabs());
            let text = measured.or(counted).or(rules).unwrap_or_else(predicted);
            commands.push(Command::Copy(text));
        }
        chosen == Some(1)
    }

    /// Turns over the slices of a group that has depth.
    fn pages(&mut self, ui: &mut Ui, depth: u32) {
        if depth <= 1 {
            return;
        }
        let z = &mut self.z;
        let before = ui.add_enabled(*z > 0, egui::Button::new("<")).on_hover_text("Previous z");
        if before.accessible_name("Previous z").clicked() {
            *z -= 1;
        }
        let label = ui.label("z").id;
        ui.add(egui::DragValue::new(z).speed(1.0).range(0..=depth - 1).suffix(format!(" of 0..{}", depth - 1)))
            .labelled_by(label);
        let after = ui.add_enabled(*z + 1 < depth, egui::Button::new(">")).on_hover_text("Next z");
        if after.accessible_name("Next z").clicked() {
            *z += 1;
        }
    }

    fn map(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, report: &Report, second: bool, commands: &mut Vec<Command>) {
        let theme = &Theme::of(ui);
        let Some(layout) = report.workgroup.get(self.entry) else {
            nothing(ui, "No workgroup under this setting", "", None);
            return;
        };
        let (entry, settings) = (self.entry, self.settings);
        let side = if second { &mut self.second } else { &mut self.first };
        // Side by side, the space goes to the maps.
        let legend = if cx.other.is_some() { Legend::None } else { roomier_legend(layout, ui.available_size()) };
        let settings = MapSettings { legend, z: Some(self.z), ..settings };
        let key = (cx.revision, theme.dark, entry, settings);
        let picture = side.cache.get(key, || super::picture(layout, &settings, theme));
        let selected: Vec<_> = cx.selection.invocation.map(Mark::Invocation).into_iter().collect();
        let reply = ui.push_id(second, |ui| side.canvas.show(ui, picture, theme, &selected)).inner;
        if let Some(Mark::Invocation(id)) = reply.hovered {
            beside_part(&reply, |ui| describe(ui, layout, id));
        }
        side.canvas.menu(&reply, selected.first().copied(), commands, lane_menu);
        let select = |invocation| Command::Select(Selection { invocation, ..cx.selection.clone() });
        match reply.chosen {
            Some(Mark::Invocation(id)) => commands.push(select(Some(id))),
            None if reply.cleared && cx.selection.invocation.is_some() => commands.push(select(None)),
            _ => {}
        }
    }

    fn group_map(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        let Some(map) = &cx.report.group_map else { return };
        let theme = &Theme::of(ui);
        let picture = self.group_cache.get((cx.revision, theme.dark), || super::group_map_picture(map, theme));
        let reply = self.group_canvas.show(ui, picture, theme, &[]);
        self.group_canvas.menu(&reply, None, commands, lane_menu);
        if let Some(Mark::Group(id)) = reply.hovered {
            beside_part(&reply, |ui| {
                ui.strong(format!("Workgroup ({}, {})", id[0], id[1]));
                if let Some(order) = map.ids.iter().position(|other| *other == id) {
                    ui.label(format!("number {order} in launch order of each z slice"));
                }
            });
        }
    }

    /// What was chosen for the setting, and the decision that follows.
    fn setting(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, layout: &Layout, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        // What the panel of options has stands once on the screen.
        if !cx.options_shown {
            heading(ui, &theme, "Setting");
            let mut options = self.first.draft.options(ui, &cx.report.options, cx.revision);
            if ui.push_id("Setting", |ui| controls(ui, &mut options, layout)).inner {
                self.first.draft.send(&options, cx.revision);
                commands.push(Command::SetOptions(Box::new(options)));
            }
        }
        decision(ui, layout, layout, &theme);
        derivatives(ui, layout, &theme);
    }

    /// One map, with its setting beside it.
    fn one(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, layout: &Layout, commands: &mut Vec<Command>) {
        let room = ui.available_size();
        let settings =
            if room.x < NARROW { below(ui, "decision under", room.y * 0.4) } else { beside(ui, "decision", 308.0) };
        settings.show(ui, |ui| {
            ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
                // Text wraps at the panel's edge; only controls may reach further.
                ui.set_max_width(ui.clip_rect().width());
                let theme = Theme::of(ui);
                selected(ui, cx, layout, &theme);
                self.setting(ui, cx, layout, commands);
            });
        });
        if self.mode == Mode::Groups {
            self.group_map(ui, cx, commands);
        } else {
            self.map(ui, cx, cx.report, false, commands);
        }
    }

    /// Two maps beside each other, each below the name of its setting, with the decisions under them. Both settings are
    /// changed in the options panel.
    fn two(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        [layout, compared]: [&Layout; 2],
        other: &Report,
        commands: &mut Vec<Command>,
    ) {
        let theme = Theme::of(ui);
        let high = ui.available_height();
        below(ui, "decisions", high * 0.33).show(ui, |ui| {
            ui.columns(2, |columns| {
                for (index, ui) in columns.iter_mut().enumerate() {
                    ScrollArea::both().id_salt(index).auto_shrink([false, false]).show(ui, |ui| {
                        ui.set_max_width(ui.clip_rect().width());
                        let (own, beside) = if index == 0 { (layout, compared) } else { (compared, layout) };
                        if index == 0 && !cx.options_shown {
                            let hint = "Show the options, of the first or the second setting";
                            // As wide as its text, not as the column.
                            if ui.horizontal(|ui| ui.button("Options").on_hover_text(hint).clicked()).inner {
                                commands.push(Command::Options);
                            }
                        }
                        selected(ui, cx, own, &theme);
                        decision(ui, own, beside, &theme);
                        derivatives(ui, own, &theme);
                    });
                }
            });
        });
        if self.mode == Mode::Groups {
            self.group_map(ui, cx, commands);
            return;
        }
        let (rest, gap) = (ui.available_rect_before_wrap(), ui.spacing().item_spacing);
        let columns = vec2((rest.width() - gap.x) / 2.0, rest.height());
        let rows = vec2(rest.width(), (rest.height() - gap.y) / 2.0);
        let settings = MapSettings { legend: Legend::None, z: Some(self.z), ..self.settings };
        let key = (cx.revision, theme.dark, self.entry, settings);
        let first = self.first.cache.get(key, || super::picture(layout, &settings, &theme)).size;
        let second = self.second.cache.get(key, || super::picture(compared, &settings, &theme)).size;
        let larger = first.max(second);
        let size = if is_better([columns, rows], [larger, larger]) { rows } else { columns };
        let end = Rect::from_min_size(rest.max - size, size);
        let first = UiBuilder::new().max_rect(Rect::from_min_size(rest.min, size));
        ui.scope_builder(first, |ui| {
            ui.add(egui::Label::new(RichText::new("First setting").strong()).truncate());
            self.map(ui, cx, cx.report, false, commands);
        });
        ui.scope_builder(UiBuilder::new().max_rect(end), |ui| {
            ui.add(egui::Label::new(RichText::new("Second setting").strong()).truncate());
            self.map(ui, cx, other, true, commands);
        });
    }

    /// The picture that was drawn last, as it is: one map, two beside each other, or the map of groups.
    fn shown_picture(&self, cx: &ViewCx<'_>) -> Option<Command> {
        let (picture, name) = match (self.mode, cx.other) {
            (Mode::Measured, _) => (self.measured.picture()?, "measured"),
            (Mode::Costs, _) => (self.costs.picture()?, "costs"),
            (Mode::Rules, _) => (self.rules.picture()?, "rules"),
            (Mode::Groups, _) => (self.group_cache.last()?.clone(), "groups"),
            (Mode::Lanes, None) => (self.first.cache.last()?.clone(), "workgroup"),
            (Mode::Lanes, Some(_)) => (self.first.cache.last()?.clone().beside(self.second.cache.last()?), "workgroup"),
        };
        Some(Command::SavePicture { picture: PictureFile::new(picture), name })
    }
}

/// The invocation that is selected, where one is.
fn selected(ui: &mut Ui, cx: &ViewCx<'_>, layout: &Layout, theme: &Theme) {
    heading(ui, theme, "Selected");
    if let Some(found) = cx.selection.invocation.and_then(|id| explain(layout, id)) {
        ui.scope(|ui| show(ui, layout, &found));
    } else if let Some(any) = explain(layout, [0, 0, 0]) {
        // Room for a selection: what is below stays in place.
        let place = ui.scope(|ui| {
            ui.set_invisible();
            show(ui, layout, &any);
        });
        let hint = egui::Label::new(RichText::new("Click a lane to see where it runs.").weak());
        ui.put(Rect::from_min_size(place.response.rect.min, vec2(ui.available_width(), 20.0)), hint);
    } else {
        ui.weak("Click a lane to see where it runs.");
    }
}

/// The rules in the order in which they were asked, and the numbers that answered. Those that are answered otherwise in
/// the layout that is compared are marked.
fn decision(ui: &mut Ui, layout: &Layout, compared: &Layout, theme: &Theme) {
    heading(ui, theme, &format!("Decision: {}", tiles(layout.micro, layout.macro_tile)));
    for rule in &layout.rules {
        let same = compared.rules.iter().any(|other| other.rule == rule.rule && other.held == rule.held);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            if !same {
                let hint = "Differs in the other setting";
                ui.label(RichText::new("≠").monospace().strong().color(theme.warn)).on_hover_text(hint);
            }
            let (answer, color) = if rule.held { ("✔", theme.accent) } else { ("·", theme.ink_soft) };
            ui.label(RichText::new(answer).monospace().color(color));
            ui.label(RichText::new(clean(&rule.rule)).monospace().color(theme.ink));
            ui.label(RichText::new(clean(&rule.reason())).color(theme.ink_soft));
        });
    }
    if let Some(other) = &layout.other_rules {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new("≠").monospace().strong().color(theme.ink)).on_hover_text(OTHER_RULES);
            ui.label(RichText::new(other.sentence()).color(theme.ink));
        });
    }
}

/// The instructions that take derivatives, and what each subtracts.
fn derivatives(ui: &mut Ui, layout: &Layout, theme: &Theme) {
    if layout.derivative_uses.is_empty() {
        return;
    }
    heading(ui, theme, &format!("Derivatives: {}", layout.derivatives));
    for row in layout.derivative_uses.iter().take(DERIVATIVES_AT_MOST) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(format!("#{}", row.instruction)).monospace().color(theme.ink_soft));
            ui.label(RichText::new(clean(&row.opcode)).monospace().color(theme.ink));
            ui.label(RichText::new(clean(&row.quad_rule)).color(theme.ink_soft));
        });
    }
    let more = layout.derivative_uses.len().saturating_sub(DERIVATIVES_AT_MOST);
    if more > 0 {
        ui.label(RichText::new(format!("… and {more} more")).color(theme.ink_soft));
    }
}

/// The entries of the context menu of a map: what was clicked, and the table.
pub(super) fn lane_menu(menu: &mut Menu<'_>, mark: Option<Mark>, commands: &mut Vec<Command>) {
    let id = match mark {
        Some(Mark::Invocation([x, y, z])) => Some(format!("({x}, {y}, {z})")),
        Some(Mark::Group([x, y])) => Some(format!("({x}, {y})")),
        _ => None,
    };
    if let Some(id) = id {
        menu.command("Copy id", || Command::Copy(id), commands);
    }
    menu.command("Copy table", || Command::CopyTable, commands);
}

fn describe(ui: &mut Ui, layout: &Layout, id: [u32; 3]) {
    match explain(layout, id) {
        Some(found) => show(ui, layout, &found),
        None => {
            ui.label("The lane of this invocation is unknown.");
        }
    }
}

fn show(ui: &mut Ui, layout: &Layout, found: &Explanation) {
    let [x, y, z] = found.invocation;
    ui.strong(format!("Invocation ({x}, {y}, {z})"));
    // Two settings may be beside each other: each has its own widths of columns, or the window never comes to rest.
    Grid::new(ui.unique_id().with("facts")).num_columns(2).show(ui, |ui| {
        found.facts(layout.wave).into_iter().for_each(|(name, value)| fact(ui, name, value));
    });
    ui.spacing_mut().item_spacing.y = 2.0;
    for step in &found.steps {
        let Step { what, formula, numbers, value } = step;
        let text = |text: String| RichText::new(text).monospace().size(tokens::text::SMALL);
        // One line where it fits the panel.
        if what.len() + formula.len() + numbers.len() < 31 {
            ui.label(text(step.to_string()));
        } else {
            ui.label(text(format!("{what} = {formula}")));
            ui.label(text(format!("  = {numbers} = {value}")));
        }
    }
}

/// The layout, one thread a row.
fn table(layout: &Layout) -> Table {
    let mut out = Table::new(["thread", "wave", "lane", "quad", "x", "y", "z"].map(Column::right));
    for (thread, id) in layout.lanes.iter().flatten().enumerate() {
        let Ok(thread) = u32::try_from(thread) else { break };
        let Facts { thread, wave, lane, quad, id: [x, y, z] } = Facts::new(layout, thread, *id);
        out.row([thread, wave, lane, quad, x, y, z].map(Cell::code));
    }
    out
}

/// The launch order, one group of a z slice a row.
fn group_table(map: &GroupMap) -> Table {
    let mut out = Table::new(["launch", "x", "y"].map(Column::right));
    for (order, [x, y]) in map.ids.iter().enumerate() {
        out.row([Cell::code(order), Cell::code(x), Cell::code(y)]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn the_table_has_one_line_for_each_thread() {
        let text = table(&gallery::quads_8x8()).to_tabs();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 65);
        assert_eq!(lines[1 + 34], "34\t1\t2\t8\t0\t5\t0");
        assert_eq!(group_table(&gallery::group_map()).to_tabs().lines().nth(3), Some("2\t0\t1"));
    }
}
