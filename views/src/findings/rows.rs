//! The rows of the findings, grouped by area.

use egui::{Align, Color32, Context, FontId, Id, Label, Layout, RichText, Sense, TextStyle, Ui};
use egui_extras::{Column, TableBuilder, TableRow};
use lanescope_core::findings::{self, AREAS, Finding, Severity};
use lanescope_core::table::Row;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::destination::Destination;

use super::look;
use crate::context::ViewCx;
use crate::menu::{links, row_menu};
use crate::table::{Tokens, as_shown, cell, one_line, sort_of, table_id, texts_of, titles};
use crate::theme::TokensOfVisuals as _;

/// With more rows than this their heights are estimated: laying every message out would cost a frame.
const MEASURED_AT_MOST: usize = 200;
/// Room that the message has at least.
const MESSAGE: f32 = 160.0;

/// Findings in a table.
pub(super) struct Rows<'a, 'f> {
    /// Which.
    pub shown: &'a [&'f Finding],
    /// The finding that is explained.
    pub open: Option<&'a Finding>,
    /// Whether a finding can be explained.
    pub explains: bool,
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// The area of the findings below, by its index.
    Heading(usize),
    /// A finding, by its index.
    Finding(usize),
}

/// The findings in the shown order, with tabs between columns.
pub(super) fn as_text(ctx: &Context, shown: &[&Finding]) -> String {
    let table = findings::table(shown);
    match sort_of(ctx, id()) {
        Some(_) => as_shown(ctx, id(), &table).to_tabs(),
        None => {
            let in_order = by_area(shown).into_iter().filter_map(|line| match line {
                Line::Finding(at) => shown.get(at).copied(),
                Line::Heading(_) => None,
            });
            findings::table(&in_order.collect::<Vec<_>>()).to_tabs()
        }
    }
}

/// Draws the findings of one container, ungrouped.
pub(crate) fn shown_table(ui: &mut Ui, cx: &ViewCx<'_>, shown: &[&Finding], commands: &mut Vec<Command>) {
    Rows { shown, open: None, explains: false }.ui(ui, cx, commands);
}

/// The name of the table.
fn id() -> Id {
    table_id("findings")
}

/// The findings by area: the area with the worst finding first, then in the order of the areas.
fn by_area(shown: &[&Finding]) -> Vec<Line> {
    let areas: Vec<usize> = shown.iter().map(|finding| findings::area_of(&finding.code)).collect();
    let mut worst = vec![Severity::Note; AREAS.len() + 1];
    for (finding, area) in shown.iter().zip(&areas) {
        if let Some(worst) = worst.get_mut(*area) {
            *worst = finding.severity.min(*worst);
        }
    }
    let area = |at: usize| areas.get(at).copied().unwrap_or(AREAS.len());
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by_key(|at| (worst.get(area(*at)).copied(), area(*at)));
    let mut lines = Vec::with_capacity(shown.len() + 8);
    let mut last = None;
    for at in order {
        if last.replace(area(at)) != Some(area(at)) {
            lines.push(Line::Heading(area(at)));
        }
        lines.push(Line::Finding(at));
    }
    lines
}

/// An area's title with what is in it: `Stage interfaces and packing: 1 error, 2 notes`.
fn heading(area: usize, shown: &[&Finding]) -> String {
    let title = AREAS.get(area).map_or("Other", |area| area.title);
    let here = |severity: Severity| {
        let of = |finding: &&&Finding| finding.severity == severity && findings::area_of(&finding.code) == area;
        shown.iter().filter(of).count()
    };
    let counts = Severity::ALL.iter().map(|severity| (severity, here(*severity))).filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(severity, count)| counted(count, severity.name())).collect();
    format!("{title}: {}", counts.join(", "))
}

/// Widths of the columns before the message, and heights of the lines.
struct Measure {
    fixed: [f32; 4],
    line: f32,
    heights: Vec<f32>,
}

impl<'f> Rows<'_, 'f> {
    /// Draws them. A click on a row goes to the place of its finding. Returns the finding that is to be explained.
    pub fn ui(&self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) -> Option<&'f Finding> {
        let contents = findings::table(self.shown);
        let lines = match (self.explains, sort_of(ui.ctx(), id())) {
            (true, None) => by_area(self.shown),
            (_, sort) => contents.order(sort).into_iter().map(Line::Finding).collect(),
        };
        let Measure { fixed: [severity, code, stage, place], line, heights } = self.measure(ui, &lines);
        let mut explained = None;
        crate::table::across(ui, "findings across", |ui| {
            let pane = ui.clip_rect().x_range();
            TableBuilder::new(ui)
                .id_salt("findings")
                .striped(true)
                .sense(Sense::click())
                .auto_shrink(false)
                .min_scrolled_height(0.0)
                .cell_layout(Layout::left_to_right(Align::Min))
                .column(Column::exact(severity))
                .column(Column::exact(code))
                .column(Column::exact(stage))
                .column(Column::exact(place).clip(true))
                .column(Column::remainder().at_least(MESSAGE).clip(true))
                .header(line + 6.0, |header| titles(header, id(), &contents, &contents.shown()))
                .body(|body| {
                    body.heterogeneous_rows(heights.into_iter(), |mut row| match lines.get(row.index()) {
                        Some(Line::Heading(area)) => area_row(&mut row, &heading(*area, self.shown), pane),
                        Some(Line::Finding(at)) => {
                            let found = self.shown.get(*at).copied().zip(contents.rows.get(*at));
                            let Some((finding, cells)) = found else { return };
                            if self.row(&mut row, cx, finding, cells, commands) {
                                explained = Some(finding);
                            }
                        }
                        None => {}
                    });
                });
        });
        explained
    }

    fn measure(&self, ui: &Ui, lines: &[Line]) -> Measure {
        // Codes of files' own rules are words: `foz.truncated-tail`.
        let longest = self.shown.iter().map(|finding| finding.code.chars().count()).max().unwrap_or(0);
        let mono = TextStyle::Monospace.resolve(ui.style());
        let code = ui.fonts_mut(|fonts| fonts.glyph_width(&mono, '0')) * longest as f32 + 4.0;
        let fixed = [84.0, code.clamp(52.0, 220.0), 96.0, 150.0];
        let spacing = ui.spacing().item_spacing.x;
        let room = (ui.available_width() - fixed.iter().sum::<f32>() - 5.0 * spacing - 12.0).max(MESSAGE);
        let font = TextStyle::Body.resolve(ui.style());
        let (line, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, 'n')));
        let exact = self.shown.len() <= MEASURED_AT_MOST;
        let tall = |text: &str, room: f32| match exact {
            true => ui.painter().layout(one_line(text), font.clone(), Color32::PLACEHOLDER, room).size().y,
            false => (text.chars().count() as f32 * glyph / room).ceil() * line,
        };
        let height = |of: &Line| match of {
            Line::Heading(_) => line + 10.0,
            Line::Finding(at) => {
                let Some(finding) = self.shown.get(*at) else { return line };
                let place = finding.place.as_ref().map_or(0.0, |place| tall(&place.to_string(), fixed[3]));
                tall(&finding.message, room).max(place).clamp(line, 12.0 * line) + 6.0
            }
        };
        Measure { fixed, line, heights: lines.iter().map(height).collect() }
    }

    /// Draws a finding. Returns whether it is to be explained.
    fn row(
        &self,
        row: &mut TableRow<'_, '_>,
        cx: &ViewCx<'_>,
        finding: &Finding,
        cells: &Row,
        commands: &mut Vec<Command>,
    ) -> bool {
        row.set_selected(self.open == Some(finding));
        let destination = Destination::of(finding, cx.report, cx.texts);
        let rule = findings::rule(&finding.code);
        let (mut explain, mut go) = (false, false);
        let mut places = Vec::with_capacity(5);
        let cell_of = row.col(|ui| {
            let (icon, colour) = look(ui, finding.severity);
            cell(ui, RichText::new(icon).monospace().color(colour));
            cell(ui, RichText::new(finding.severity.name()).color(colour).strong());
        });
        places.push(cell_of.1.rect.x_range());
        let cell_of = row.col(|ui| {
            let code = RichText::new(&finding.code).monospace();
            let response = if self.explains && rule.is_some() {
                // The pointer's shape and the hint show that it can be clicked.
                let code = code.color(ui.visuals().text_color());
                let link = ui.add(Label::new(code).selectable(false).truncate().sense(Sense::click()));
                link.on_hover_cursor(egui::CursorIcon::PointingHand)
            } else {
                cell(ui, code)
            };
            explain = response.clicked();
            if let Some(rule) = rule {
                let hint = if self.explains { ": click to explain" } else { "" };
                response.on_hover_text(format!("{}{hint}", rule.about));
            }
        });
        places.push(cell_of.1.rect.x_range());
        let cell_of = row.col(|ui| {
            cell(ui, finding.stage.map(|stage| stage.name()).unwrap_or_default());
        });
        places.push(cell_of.1.rect.x_range());
        let cell_of = row.col(|ui| {
            let text = one_line(&finding.place_text());
            let is_exact = destination.as_ref().filter(|to| !matches!(to, Destination::View(_)));
            let Some(to) = is_exact.filter(|_| !text.is_empty()) else {
                ui.add(Label::new(text).selectable(false).wrap());
                return;
            };
            let text = RichText::new(text).color(ui.visuals().hyperlink_color);
            let link = ui.add(Label::new(text).selectable(false).wrap().sense(Sense::click()));
            let link = link.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(to.label());
            go = link.clicked();
        });
        places.push(cell_of.1.rect.x_range());
        let cell_of = row.col(|ui| {
            ui.add(Label::new(one_line(&finding.message)).selectable(false).wrap());
        });
        places.push(cell_of.1.rect.x_range());
        let response = row.response();
        go |= response.clicked() && !explain;
        row_menu(&response, &places, |menu| {
            let columns: Vec<usize> = (0..cells.cells.len()).collect();
            menu.copy(&texts_of(cells, &columns), || as_text(&response.ctx, self.shown), commands);
            menu.separator();
            if let Some(to) = &destination {
                go |= menu.item(to.label());
                if let Destination::Varying(varying) = to {
                    links::varying(menu, cx, varying.location, varying.component, commands);
                }
            }
            if self.explains && rule.is_some() {
                explain |= menu.item("Explain");
            }
            if self.explains && menu.item("Reduce while it is found…") {
                commands.push(Command::Reduce(format!("finding {}", finding.code)));
            }
        });
        match destination.filter(|_| go) {
            Some(to) => commands.extend(to.commands(cx.selection)),
            None => explain |= go && self.explains,
        }
        explain
    }
}

/// The row above the findings of an area. Its text goes over all columns.
fn area_row(row: &mut TableRow<'_, '_>, text: &str, pane: egui::Rangef) {
    let left = row.col(|_| {}).1.rect.left();
    for _ in 0..3 {
        row.col(|_| {});
    }
    // Drawn last, over the ground of all cells.
    row.col(|ui| {
        let cell = ui.max_rect();
        let rect = egui::Rect::from_x_y_ranges(egui::Rangef::new(left, pane.max), cell.y_range());
        let font = FontId::proportional(TextStyle::Body.resolve(ui.style()).size);
        let colour = Tokens::of(ui.visuals()).quiet;
        let clip = egui::Rect::from_x_y_ranges(pane, ui.clip_rect().y_range());
        let at = rect.left_bottom() - egui::vec2(0.0, 3.0);
        let mut painter = ui.painter().clone();
        painter.set_clip_rect(clip);
        painter.text(at, egui::Align2::LEFT_BOTTOM, text, font, colour);
        let response = ui.interact(rect, ui.scope_id().with("area"), Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Heading, true, text));
    });
}

#[cfg(test)]
mod tests {
    use lanescope_core::findings::{ALIASED_INPUT, INPUT_NOT_WRITTEN, NEEDS_BACK_END, UNKNOWN_FORMAT};

    use super::*;

    #[test]
    fn areas_with_the_worst_finding_come_first() {
        let all =
            [UNKNOWN_FORMAT, INPUT_NOT_WRITTEN, ALIASED_INPUT, NEEDS_BACK_END].map(|rule| rule.at(None, None, ""));
        let shown: Vec<&Finding> = all.iter().collect();
        let [registers, packing] = ["R003", "P002"].map(findings::area_of);
        let [found, above] = [Line::Finding, Line::Heading];
        assert_eq!(by_area(&shown), [above(registers), found(0), found(3), above(packing), found(1), found(2)]);
        assert_eq!(heading(registers, &shown), "Register values: 1 error, 1 note");
    }
}
