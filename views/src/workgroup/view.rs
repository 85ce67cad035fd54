//! The workgroup tab.

use std::fmt::Write as _;

use egui::{Grid, Panel, RichText, ScrollArea, Ui};
use lanescope_core::report::Report;
use lanescope_core::workgroup::{Explanation, GroupMap, Layout, Step, explain};

use super::controls::controls;
use super::facts::Facts;
use super::picture::{ColorBy, MapSettings, Numbers};
use crate::context::{PictureKind, Selection, View, ViewCommand, ViewCx, ViewInfo};
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, clean};
use crate::theme::Theme;
use crate::widgets::{Cached, Draft, at_pointer, choice, fact, heading, nothing, toolbar};

static INFO: ViewInfo = ViewInfo {
    name: "workgroup",
    title: "Workgroup",
    about: "which lane of which wave runs which invocation, and why the layout is so",
};

/// The lane map with the decision beside it; two settings side by side; the map of groups.
#[derive(Default)]
pub struct WorkgroupView {
    settings: MapSettings,
    z: u32,
    entry: usize,
    groups: bool,
    first: Side,
    second: Side,
    group_canvas: Canvas,
    group_cache: Cached<(u64, bool)>,
    /// The next drawing answers with the table as text.
    copy_wanted: bool,
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

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand> {
        let mut commands = Vec::new();
        self.entry = self.entry.min(cx.report.workgroup.len().saturating_sub(1));
        let Some(layout) = cx.report.workgroup.get(self.entry) else {
            nothing(ui, "No workgroup", "Open a compute, task or mesh shader.");
            return commands;
        };
        let theme = Theme::of(ui);
        self.z = self.z.min(layout.size[2].saturating_sub(1));
        self.groups &= cx.report.group_map.is_some();
        toolbar(ui, |ui| self.toolbar(ui, cx, layout, &mut commands));
        Panel::right(ui.scope_id().with("decision")).resizable(true).default_size(360.0).min_size(240.0).show(
            ui,
            |ui| {
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    self.side_panel(ui, cx, layout, &theme, &mut commands);
                });
            },
        );
        if self.groups {
            self.group_map(ui, cx, &theme);
        } else if let Some(other) = cx.other {
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    self.map(left, cx, cx.report, false, &theme, &mut commands);
                    self.map(right, cx, other, true, &theme, &mut commands);
                }
            });
        } else {
            self.map(ui, cx, cx.report, false, &theme, &mut commands);
        }
        commands
    }

    fn copy_table(&mut self) -> bool {
        self.copy_wanted = true;
        true
    }
}

impl WorkgroupView {
    fn toolbar(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, layout: &Layout, commands: &mut Vec<ViewCommand>) {
        let entries: Vec<_> =
            cx.report.workgroup.iter().map(|l| format!("{} ({})", clean(&l.entry), l.stage)).collect();
        if entries.len() > 1 {
            let all: Vec<_> = entries.iter().enumerate().map(|(index, name)| (index, name.as_str())).collect();
            choice(ui, "Entry", &mut self.entry, &all);
        }
        if cx.report.group_map.is_some() {
            ui.selectable_value(&mut self.groups, false, "Lanes");
            ui.selectable_value(&mut self.groups, true, "Groups");
            ui.separator();
        }
        if self.groups {
            self.group_canvas.zoom_buttons(ui);
        } else {
            let colors = [(ColorBy::Wave, "wave"), (ColorBy::Quad, "quad"), (ColorBy::Order, "order")];
            choice(ui, "Colour", &mut self.settings.color_by, &colors);
            choice(ui, "Numbers", &mut self.settings.numbers, &[(Numbers::Thread, "thread"), (Numbers::Lane, "lane")]);
            self.pages(ui, layout.size[2]);
            ui.separator();
            self.first.canvas.zoom_buttons(ui);
            self.second.canvas.follow(&self.first.canvas);
        }
        ui.separator();
        let mut compare = cx.other.is_some();
        let hint = "Show a second setting beside this one";
        if ui.toggle_value(&mut compare, "Compare").on_hover_text(hint).changed() {
            let second = compare.then(|| Box::new(cx.report.options.clone()));
            commands.push(ViewCommand::SetOther(second));
        }
        let copy = ui.button("Copy table").on_hover_text("The whole map as text, with tabs between columns").clicked();
        if copy || std::mem::take(&mut self.copy_wanted) {
            let map = cx.report.group_map.as_ref().filter(|_| self.groups);
            commands.push(ViewCommand::Copy(map.map_or_else(|| table(layout), group_table)));
        }
        if ui.button("Export picture").on_hover_text("Save this picture as SVG or PNG").clicked() {
            let kind = if self.groups { PictureKind::GroupMap } else { PictureKind::Workgroup };
            commands.push(ViewCommand::Export(kind));
        }
    }

    /// Turns over the slices of a group that has depth.
    fn pages(&mut self, ui: &mut Ui, depth: u32) {
        if depth <= 1 {
            return;
        }
        let z = &mut self.z;
        if ui.add_enabled(*z > 0, egui::Button::new("<")).on_hover_text("Previous z").clicked() {
            *z -= 1;
        }
        let label = ui.label("z").id;
        ui.add(egui::DragValue::new(z).speed(1.0).range(0..=depth - 1).suffix(format!(" of 0..{}", depth - 1)))
            .labelled_by(label);
        if ui.add_enabled(*z + 1 < depth, egui::Button::new(">")).on_hover_text("Next z").clicked() {
            *z += 1;
        }
    }

    fn map(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        report: &Report,
        second: bool,
        theme: &Theme,
        commands: &mut Vec<ViewCommand>,
    ) {
        let Some(layout) = report.workgroup.get(self.entry) else {
            nothing(ui, "No workgroup under this setting", "");
            return;
        };
        let (entry, settings) = (self.entry, self.settings);
        let side = if second { &mut self.second } else { &mut self.first };
        // Side by side, the room goes to the maps.
        let settings = MapSettings { legend: cx.other.is_none(), z: Some(self.z), ..settings };
        let key = (cx.revision, theme.dark, entry, settings);
        let picture = side.cache.get(key, || super::picture(layout, &settings, theme));
        let selected: Vec<_> = cx.selection.invocation.map(Mark::Invocation).into_iter().collect();
        let reply = ui.push_id(second, |ui| side.canvas.show(ui, picture, theme, &selected)).inner;
        if let Some(Mark::Invocation(id)) = reply.hovered {
            at_pointer(&reply.response, |ui| describe(ui, layout, id));
        }
        let select = |invocation| ViewCommand::Select(Selection { invocation, ..cx.selection.clone() });
        match reply.chosen {
            Some(Mark::Invocation(id)) => commands.push(select(Some(id))),
            None if reply.cleared && cx.selection.invocation.is_some() => commands.push(select(None)),
            _ => {}
        }
    }

    fn group_map(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, theme: &Theme) {
        let Some(map) = &cx.report.group_map else { return };
        let picture = self.group_cache.get((cx.revision, theme.dark), || super::group_map_picture(map, theme));
        let reply = self.group_canvas.show(ui, picture, theme, &[]);
        if let Some(Mark::Group(id)) = reply.hovered {
            at_pointer(&reply.response, |ui| {
                ui.strong(format!("Workgroup ({}, {})", id[0], id[1]));
                if let Some(order) = map.ids.iter().position(|other| *other == id) {
                    ui.label(format!("launched as number {order} of each z slice"));
                }
            });
        }
    }

    fn side_panel(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        layout: &Layout,
        theme: &Theme,
        commands: &mut Vec<ViewCommand>,
    ) {
        if let Some(found) = cx.selection.invocation.and_then(|id| explain(layout, id)) {
            heading(ui, theme, "Selected");
            ui.scope(|ui| show(ui, layout, &found));
        }
        heading(ui, theme, if cx.other.is_some() { "First setting" } else { "Setting" });
        let mut options = self.first.draft.options(ui, &cx.report.options, cx.revision);
        if ui.push_id("first", |ui| controls(ui, &mut options, layout)).inner {
            self.first.draft.send(&options, cx.revision);
            commands.push(ViewCommand::SetOptions(Box::new(options)));
        }
        decision(ui, layout, theme);
        let Some(other) = cx.other else { return };
        ui.separator();
        heading(ui, theme, "Second setting");
        let other_layout = other.workgroup.get(self.entry).unwrap_or(layout);
        let mut options = self.second.draft.options(ui, &other.options, cx.revision);
        if ui.push_id("second", |ui| controls(ui, &mut options, other_layout)).inner {
            self.second.draft.send(&options, cx.revision);
            commands.push(ViewCommand::SetOther(Some(Box::new(options))));
        }
        decision(ui, other_layout, theme);
    }
}

/// The rules in the order in which they were asked, and the numbers that answered.
fn decision(ui: &mut Ui, layout: &Layout, theme: &Theme) {
    heading(ui, theme, &format!("Decision: {}", super::picture::tiles(layout)));
    for rule in &layout.rules {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (answer, color) = if rule.held { ("yes", theme.accent) } else { ("no ", theme.ink_soft) };
            ui.label(RichText::new(answer).monospace().color(color));
            ui.label(RichText::new(clean(&rule.rule)).monospace().color(theme.ink));
            ui.label(RichText::new(clean(&rule.why)).color(theme.ink_soft));
        });
    }
}

fn describe(ui: &mut Ui, layout: &Layout, id: [u32; 3]) {
    match explain(layout, id) {
        Some(found) => show(ui, layout, &found),
        None => {
            ui.label("No lane is named for this invocation.");
        }
    }
}

fn show(ui: &mut Ui, layout: &Layout, found: &Explanation) {
    let [x, y, z] = found.invocation;
    ui.strong(format!("Invocation ({x}, {y}, {z})"));
    let wave_size = layout.wave;
    Grid::new("facts").num_columns(2).show(ui, |ui| {
        fact(ui, "hardware thread h", found.thread.to_string());
        fact(ui, "wave = h div wave size", format!("{} div {wave_size} = {}", found.thread, found.wave));
        fact(ui, "lane = h mod wave size", format!("{} mod {wave_size} = {}", found.thread, found.lane));
        fact(ui, "quad = h div 4", format!("{}, place {} of 4", found.quad, found.quad_place));
    });
    ui.spacing_mut().item_spacing.y = 2.0;
    for step in &found.steps {
        let Step { what, formula, numbers, value } = step;
        let text = |text: String| RichText::new(text).monospace().size(11.5);
        // One line where it fits the panel.
        if what.len() + formula.len() + numbers.len() < 31 {
            ui.label(text(step.to_string()));
        } else {
            ui.label(text(format!("{what} = {formula}")));
            ui.label(text(format!("  = {numbers} = {value}")));
        }
    }
}

/// The layout as text: one thread a line, with tabs between columns.
fn table(layout: &Layout) -> String {
    let mut out = "thread\twave\tlane\tquad\tx\ty\tz\n".to_owned();
    for (thread, id) in layout.lanes.iter().flatten().enumerate() {
        let Ok(thread) = u32::try_from(thread) else { break };
        let Facts { thread, wave, lane, quad, id: [x, y, z] } = Facts::new(layout, thread, *id);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{thread}\t{wave}\t{lane}\t{quad}\t{x}\t{y}\t{z}");
    }
    out
}

/// The launch order as text: one group of a z slice a line, with tabs between columns.
fn group_table(map: &GroupMap) -> String {
    let mut out = "launch\tx\ty\n".to_owned();
    for (order, [x, y]) in map.ids.iter().enumerate() {
        let _ = writeln!(out, "{order}\t{x}\t{y}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn the_table_has_one_line_for_each_thread() {
        let text = table(&gallery::quads_8x8());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 65);
        assert_eq!(lines[1 + 34], "34\t1\t2\t8\t0\t5\t0");
        assert_eq!(group_table(&gallery::group_map()).lines().nth(3), Some("2\t0\t1"));
    }
}
