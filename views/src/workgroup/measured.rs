//! The measured lane map of a device beside the predicted one, with disagreements marked.

use crate::tokens::space;
use std::collections::BTreeSet;

use egui::{Grid, RichText, ScrollArea, Ui, UiBuilder};
use egui_extras::Column;
use lanescope_core::run::{Disagreement, Measured, Probe, disagreement_table, lane_table};
use lanescope_core::text_format::counted;
use lanescope_core::workgroup::{Layout, Macro, Micro};
use lanescope_inspector::command::Command;
use lanescope_inspector::devices::NO_LANE_MAPS;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::Work;

use crate::context::ViewCx;
use crate::device;
use crate::menu::{links, row_menu};
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, Picture};
use crate::table::{Tokens, as_shown, long_cell, one_line, sort_of, table_id, table_of_rows, texts_of, titles};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{Cached, below, beside, beside_part, fact, heading, work_button};
use lanescope_pictures::workgroup::{Caption, Legend, MapSettings, captioned};

/// More lanes than a group may have are not laid out: what was measured is not to be trusted then.
const LANES_AT_MOST: u64 = 1 << 16;
/// Placeholder for a lane without an invocation: outside every group.
const NOBODY: [u32; 3] = [u32::MAX; 3];

/// How a measurement is looked at.
#[derive(Default)]
pub(super) struct MeasuredPane {
    pub(super) canvas: Canvas,
    other: Canvas,
    maps: [Cached<Key>; 2],
}

/// What a map is made from: revision and number of the measurement, theme, look.
type Key = (u64, u64, bool, MapSettings);

impl MeasuredPane {
    /// The device, and the button that measures.
    pub(super) fn controls(&self, ui: &mut Ui, cx: &ViewCx<'_>, entry: usize, commands: &mut Vec<Command>) {
        device::choose(ui, cx, Some(NO_LANE_MAPS), commands);
        let measuring = cx.results.probe.underway;
        let hint = "Run a small shader of this size that records where each invocation runs (Shift+F9)";
        if work_button(ui, measuring.then_some("measuring"), "Measure", hint) {
            let work = Work::Measure(entry);
            commands.push(if measuring { Command::Stop(work) } else { Command::Begin(work) });
        }
    }

    /// Draws the measurement, or why there is none.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        layout: &Layout,
        settings: &MapSettings,
        commands: &mut Vec<Command>,
    ) {
        let tokens = Tokens::of(ui.visuals());
        let Some(answer) = &cx.results.probe.answer else {
            ui.add_space(space::BLOCK);
            let [x, y, z] = layout.size;
            ui.label(format!(
                "Measure runs a small shader of {x}×{y}×{z} invocations and shows the subgroup, lane and quad of \
                 each, beside the prediction for the device's subgroup size."
            ));
            ui.weak("It runs in its own process. The predicted maps of wave32 and wave64 are not changed.");
            return;
        };
        let probe = match &answer.result {
            Ok(probe) => probe,
            Err(why) => {
                ui.add_space(space::ROW);
                ui.label(RichText::new("× Not measured").color(tokens.error).strong());
                ui.add(egui::Label::new(RichText::new(why).monospace()).wrap());
                return;
            }
        };
        let [x, y, z] = probe.size;
        let other_device = answer.settings.real_device() != cx.settings.run.real_device();
        let other_group = (probe.size, probe.wanted_derivatives) != (layout.size, layout.derivatives);
        if other_group || other_device {
            let on = if other_device { " on another device" } else { "" };
            let derivatives = match probe.wanted_derivatives == layout.derivatives {
                true => String::new(),
                false => format!(" and derivatives {}", probe.wanted_derivatives),
            };
            let text = format!("! Measured{on} for a group of {x}×{y}×{z}{derivatives}.");
            ui.colored_label(tokens.warning, text);
        }
        let room = ui.available_size();
        let panel =
            if room.x < 760.0 { below(ui, "measured under", room.y * 0.42) } else { beside(ui, "measured", 330.0) };
        panel.show(ui, |ui| told_apart(ui, cx, probe, commands));
        let rest = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
        let theme = Theme::of(ui);
        self.other.follow(&self.canvas);
        ui.scope_builder(rest, |ui| {
            ui.columns(2, |columns| {
                for (side, ui) in columns.iter_mut().enumerate() {
                    let key = (answer.revision, answer.number, theme.dark, *settings);
                    let Some(cached) = self.maps.get_mut(side) else { continue };
                    let picture = cached.get(key, || map(probe, layout, side == 0, settings, &theme));
                    let canvas = if side == 0 { &mut self.canvas } else { &mut self.other };
                    let selected: Vec<_> = cx.selection.invocation.map(Mark::Invocation).into_iter().collect();
                    let reply = ui.push_id(side, |ui| canvas.show(ui, picture, &theme, &selected)).inner;
                    if let Some(Mark::Invocation(id)) = reply.hovered {
                        beside_part(&reply, |ui| describe(ui, probe, id));
                    }
                    canvas.menu(&reply, selected.first().copied(), commands, super::view::lane_menu);
                    let select = |invocation| Command::Select(Selection { invocation, ..cx.selection.clone() });
                    match reply.chosen {
                        Some(Mark::Invocation(id)) => commands.push(select(Some(id))),
                        None if reply.cleared && cx.selection.invocation.is_some() => commands.push(select(None)),
                        _ => {}
                    }
                }
            });
        });
    }

    /// Both maps beside each other, as they were drawn last.
    pub(super) fn picture(&self) -> Option<Picture> {
        let [measured, predicted] = &self.maps;
        Some(measured.last()?.clone().beside(predicted.last()?))
    }
}

/// The measured map, or the one that is predicted for the measured subgroup size.
pub fn map(probe: &Probe, of: &Layout, measured: bool, settings: &MapSettings, theme: &Theme) -> Picture {
    let lanes = if measured { measured_lanes(probe) } else { probe.predicted.clone() };
    let layout = Layout {
        size: probe.size,
        declared_size: probe.size,
        derivatives: probe.derivatives,
        micro: if probe.quads && probe.derivatives == lanescope_core::options::Derivatives::Quads {
            Micro::Quads
        } else {
            Micro::None
        },
        macro_tile: Macro::None,
        lanes: Some(lanes),
        interleave: None,
        wave: probe.subgroup_size,
        ..of.clone()
    };
    let [x, y, z] = probe.size;
    let wrong: BTreeSet<_> = probe.disagreements.iter().map(|found| found.id).collect();
    let (title, facts) = if measured {
        ("Measured", format!("{x}×{y}×{z} · {} of {}", counted(probe.subgroups, "subgroup"), probe.subgroup_size))
    } else {
        ("Predicted", format!("predicted for subgroups of {}", probe.subgroup_size))
    };
    let settings = MapSettings { legend: Legend::None, ..*settings };
    captioned(&layout, &settings, theme, &Caption { title, facts: &facts, wrong: &wrong })
}

/// Which invocation each thread ran, a thread being a subgroup's lane.
fn measured_lanes(probe: &Probe) -> Vec<[u32; 3]> {
    let mut lanes = Vec::new();
    for lane in &probe.lanes {
        let thread =
            u64::from(lane.subgroup).saturating_mul(probe.subgroup_size.into()).saturating_add(lane.lane.into());
        let Some(thread) = usize::try_from(thread).ok().filter(|_| thread < LANES_AT_MOST) else { continue };
        if lanes.len() <= thread {
            lanes.resize(thread + 1, NOBODY);
        }
        if let Some(slot) = lanes.get_mut(thread) {
            *slot = lane.id;
        }
    }
    lanes
}

/// Facts, verdict and list of a measurement.
fn told_apart(ui: &mut Ui, cx: &ViewCx<'_>, probe: &Probe, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.visuals());
    let theme = Theme::of(ui);
    let list = probe.disagreements.len();
    ScrollArea::vertical()
        .id_salt("facts")
        .min_scrolled_height(16.0)
        .auto_shrink([false, true])
        .max_height(ui.available_height() * 0.62)
        .show(ui, |ui| {
            ui.set_max_width(ui.clip_rect().width());
            heading(ui, &theme, &one_line(&probe.device));
            for what in &probe.contradictions {
                ui.label(RichText::new(format!("≠ {what}")).color(tokens.error));
            }
            if list == 0 && !probe.contradictions.is_empty() {
                ui.colored_label(tokens.note, "= The lanes agree with the prediction.");
            } else if list == 0 {
                ui.colored_label(tokens.note, "= The device agrees with the prediction.");
            } else {
                let ids: BTreeSet<_> = probe.disagreements.iter().map(|found| found.id).collect();
                let list = counted(list, "disagreement");
                let text = format!("≠ {list} in {} of {}", ids.len(), counted(probe.lanes.len(), "invocation"));
                ui.label(RichText::new(text).color(tokens.error).strong());
            }
            let [least, most] = probe.subgroup_range;
            let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
            Grid::new("measured facts").num_columns(2).show(ui, |ui| {
                fact(ui, "subgroup sizes offered", range);
                fact(ui, "subgroup size chosen", probe.subgroup_size.to_string());
                fact(ui, "subgroups", probe.subgroups_run().to_string());
                fact(ui, "derivative group", probe.derivatives.to_string());
                if probe.coarse_is_fine() {
                    fact(ui, "coarse derivatives", "computed as fine ones, as SPIR-V allows".to_owned());
                }
            });
            for what in &probe.not_measured {
                ui.colored_label(tokens.warning, format!("! not measured: {what}"));
            }
            derivatives(ui, probe, &theme);
            if let Some(lane) = cx.selection.invocation.and_then(|id| probe.lanes.iter().find(|lane| lane.id == id)) {
                heading(ui, &theme, "Selected");
                lane_facts(ui, lane);
            }
        });
    if list > 0 {
        disagreements(ui, cx, &probe.disagreements, commands);
    }
}

/// How the derivatives of a known function came out.
fn derivatives(ui: &mut Ui, probe: &Probe, theme: &Theme) {
    let taken = probe.lanes.iter().filter(|lane| lane.slopes.is_some()).count();
    if taken == 0 {
        return;
    }
    let tokens = Tokens::of(ui.visuals());
    heading(ui, theme, "Derivatives of index²");
    for what in ["dFdxFine", "dFdyFine", "dFdxCoarse", "dFdyCoarse"] {
        let wrong = probe.disagreements.iter().filter(|found| found.what == what).count();
        let (sign, colour) = if wrong == 0 { ("=", tokens.note) } else { ("≠", tokens.error) };
        let text = format!("{sign} {what}: {} of {taken} as predicted", taken.saturating_sub(wrong));
        ui.label(RichText::new(text).monospace().color(colour));
    }
}

fn describe(ui: &mut Ui, probe: &Probe, id: [u32; 3]) {
    if let Some(lane) = probe.lanes.iter().find(|lane| lane.id == id) {
        lane_facts(ui, lane);
    }
    for found in probe.disagreements.iter().filter(|found| found.id == id) {
        let colour = Tokens::of(ui.visuals()).error;
        ui.colored_label(
            colour,
            format!("≠ {}: {} predicted, {} measured", found.what, found.predicted, found.measured),
        );
    }
}

fn lane_facts(ui: &mut Ui, lane: &Measured) {
    let [x, y, z] = lane.id;
    ui.strong(format!("Invocation ({x}, {y}, {z})"));
    Grid::new("lane").num_columns(2).show(ui, |ui| {
        fact(ui, "subgroup, lane", format!("{}, {}", lane.subgroup, lane.lane));
        fact(ui, "index", lane.index.to_string());
        fact(ui, "counter value", lane.order.to_string());
        if let Some(quad) = lane.quad {
            fact(ui, "quad, by index", format!("{quad:?}"));
        }
        if let Some(slopes) = lane.slopes {
            fact(ui, "dFdx fine, coarse", format!("{}, {}", slopes.fine_x, slopes.coarse_x));
            fact(ui, "dFdy fine, coarse", format!("{}, {}", slopes.fine_y, slopes.coarse_y));
        }
    });
}

/// The disagreements; a click selects the invocation.
fn disagreements(ui: &mut Ui, cx: &ViewCx<'_>, all: &[Disagreement], commands: &mut Vec<Command>) {
    ui.add_space(space::SNUG);
    let contents = disagreement_table(all);
    let (shown, id) = (contents.shown(), table_id("disagreements"));
    let order = contents.order(sort_of(ui.ctx(), id));
    let columns = [Column::initial(84.0), Column::initial(90.0), Column::initial(70.0)];
    let mut table =
        table_of_rows(ui).striped(true).auto_shrink(false).min_scrolled_height(0.0).sense(egui::Sense::click());
    for column in columns {
        table = table.column(column.at_least(40.0).clip(true));
    }
    let table = table.column(Column::remainder().at_least(40.0).clip(true));
    table.header(18.0, |header| titles(header, id, &contents, &shown)).body(|body| {
        body.rows(18.0, all.len(), |mut row| {
            let Some(at) = order.get(row.index()) else { return };
            let Some((found, cells)) = all.get(*at).zip(contents.rows.get(*at)) else { return };
            row.set_selected(cx.selection.invocation == Some(found.id));
            let mut places = Vec::with_capacity(shown.len());
            for at in &shown {
                let cell = row.col(|ui| long_cell(ui, cells.cell(*at)));
                places.push(cell.1.rect.x_range());
            }
            let response = row.response();
            row_menu(&response, &places, |menu| {
                menu.copy(&texts_of(cells, &shown), || as_shown(&response.ctx, id, &contents).to_tabs(), commands);
                links::invocation(menu, cx, found.id, commands);
            });
            if row.response().clicked() {
                let selection = Selection { invocation: Some(found.id), ..cx.selection.clone() };
                commands.push(Command::Select(selection));
            }
        });
    });
}

/// The measurement as text: one invocation a line, with tabs between columns.
pub(super) fn table(probe: &Probe) -> String {
    lane_table(probe).to_tabs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;
    use crate::picture::svg;

    #[test]
    fn marks_disagreements_in_both_maps_only() {
        for (obedient, marks) in [(true, 0), (false, 2)] {
            let probe = gallery::probe(obedient);
            for measured in [true, false] {
                let layout = gallery::quads_8x8();
                let picture = map(&probe, &layout, measured, &MapSettings::default(), &Theme::light());
                let title = if measured { "Measured" } else { "Predicted" };
                assert!(picture.title.starts_with(title), "{}", picture.title);
                assert_eq!(svg(&picture).matches("≠").count(), marks, "{title}");
            }
        }
    }

    #[test]
    fn ignores_impossible_measurements() {
        let mut probe = gallery::probe(true);
        for (lane, thread) in probe.lanes.iter_mut().zip([u32::MAX, 70_000, 0, 1]) {
            (lane.subgroup, lane.lane) = (thread, thread);
        }
        let lanes = measured_lanes(&probe);
        assert_eq!((lanes.len(), lanes[0]), (64, [2, 0, 0]));
        let wide = Probe { size: [u32::MAX; 3], subgroup_size: 0, ..probe };
        let picture = map(&wide, &gallery::quads_8x8(), true, &MapSettings::default(), &Theme::dark());
        assert!(picture.size.max_elem() < 150_000.0);
    }

    #[test]
    fn the_table_has_a_line_for_each_invocation() {
        let text = table(&gallery::probe(false));
        assert_eq!(text.lines().count(), 65);
        let expected = "0\t2\t0\t16\t2\t1\t16\t[16, 17, 18, 19]\tlane 1, expected 0; dFdxFine -33, expected 33";
        assert_eq!(text.lines().nth(17), Some(expected));
    }
}
