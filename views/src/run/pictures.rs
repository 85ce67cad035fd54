//! What two runs drew: both pictures and their difference, scrolled and zoomed together, and the values of one pixel.

use crate::tokens;
use std::borrow::Cow;

use egui::{
    Align2, Color32, ColorImage, CursorIcon, EventFilter, FontId, Grid, Key, Rect, RichText, Role, ScrollArea, Sense,
    Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use lanescope_core::run::{self, AttachmentRun, Execution, ImageRun, Pixels, Ran, Surface};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{DebugCommand, DrawTarget};
use lanescope_inspector::view::ViewId;

use super::Id;
use crate::table::{Tokens, quiet_cell, tab_separated};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{below, beside, choice};

/// Screen pixels of a picture's pixel at most.
const LARGEST: f32 = 64.0;
/// The name above a picture.
const TITLE: f32 = 18.0;
const GAP: f32 = 8.0;
/// Texels by which a picture is shifted.
const TIE: f32 = 1.0 / 512.0;

/// How pictures are looked at.
#[derive(Default)]
pub(super) struct Pictures {
    /// Points of a pixel; as large as fits where absent.
    zoom: Option<f32>,
    /// The pixel in the middle, where a zoom was chosen.
    middle: Vec2,
    sample: Option<u32>,
    /// Slice or layer of an image.
    pub(super) plane: u32,
    pixel: [u32; 2],
    /// The output whose first difference the pixel was set to.
    of: Option<Id>,
    textures: Option<Textures>,
}

/// Pictures with their titles, and what they were made from.
struct Textures {
    of: Id,
    sample: Option<u32>,
    plane: u32,
    all: Vec<(&'static str, TextureHandle)>,
}

/// What the controls above the pictures ask for.
struct Asked {
    /// The probe's table is to be copied.
    copy: bool,
    /// The pixel that is to be debugged.
    debug: Option<[u32; 2]>,
}

impl Pictures {
    /// Draws the pictures and the probe; returns commands: to copy the probe's table, to debug a pixel. `copy` asks for the
    /// first, `can_debug` allows the second.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        ran: &Ran,
        name: &str,
        id: &Id,
        copy: bool,
        can_debug: bool,
    ) -> Vec<Command> {
        let run = &ran.execution.run;
        let image = run.images.iter().find(|image| image.name == name);
        if self.of.as_ref() != Some(id) {
            // What differs is looked at first.
            let compare = run.compare.as_ref();
            let output = compare.and_then(|compare| compare.outputs.iter().find(|output| output.name == name));
            self.plane = 0;
            if let Some([x, y, plane]) = output.and_then(|output| output.first.as_ref()?.pixel) {
                let side = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
                (self.pixel, self.plane) = ([side(x), side(y)], side(plane));
            }
            self.of = Some(id.clone());
        }
        self.plane = self.plane.min(image.map_or(0, |image| image.planes().saturating_sub(1)));
        let Some(surface) = run.surface(name, self.plane) else { return Vec::new() };
        let [width, height] = surface.size;
        self.pixel = [self.pixel[0].min(width.saturating_sub(1)), self.pixel[1].min(height.saturating_sub(1))];
        self.sample = self.sample.filter(|sample| *sample < surface.samples);
        let asked = ui.horizontal_wrapped(|ui| self.controls(ui, &surface, image, can_debug)).inner;
        let room = ui.available_size();
        let rows = probe_rows(ran, &surfaces(ran, surface), self.pixel, self.sample);
        let panel = if room.x > 2.0 * room.y {
            beside(ui, "probe", (room.x * 0.45).min(600.0))
        } else {
            below(ui, "probe under", (room.y * 0.35).min(190.0))
        };
        panel.show(ui, |ui| {
            ScrollArea::both().auto_shrink(false).show(ui, |ui| probe(ui, self.pixel, &rows));
        });
        // Taken anew: its layer may have been chosen just now.
        if let Some(surface) = run.surface(name, self.plane) {
            self.pictures(ui, ran, &surface, id);
        }
        let copied = (copy || asked.copy).then(|| Command::Copy(as_text(self.pixel, &rows)));
        let debug = asked.debug.into_iter().flat_map(|pixel| {
            [Command::Show(ViewId::Debug), Command::Debug(DebugCommand::Target(DrawTarget::Pixel(Some(pixel))))]
        });
        copied.into_iter().chain(debug).collect()
    }

    fn controls(&mut self, ui: &mut Ui, surface: &Surface<'_>, image: Option<&ImageRun>, can_debug: bool) -> Asked {
        let [width, height] = surface.size;
        quiet_cell(ui, image.map_or_else(|| format!("{width}×{height}"), facts));
        if let Some(image) = image.filter(|image| image.planes() > 1) {
            let noun = if image.plane_noun() == "slice" { "Slice" } else { "Layer" };
            let label = ui.label(noun).id;
            ui.add(egui::DragValue::new(&mut self.plane).range(0..=image.planes() - 1).speed(1.0)).labelled_by(label);
        }
        if surface.samples > 1 {
            let names: Vec<_> = (0..surface.samples).map(|sample| format!("sample {sample}")).collect();
            let each = (0..).zip(&names).map(|(sample, name)| (Some(sample), name.as_str()));
            let all: Vec<_> = std::iter::once((None, "mean of all")).chain(each).collect();
            choice(ui, "Samples", &mut self.sample, &all);
        }
        let label = ui.label("Pixel").id;
        for (value, most, name) in [(0, width, "x "), (1, height, "y ")].map(|(axis, most, name)| (axis, most, name)) {
            if let Some(side) = self.pixel.get_mut(value) {
                let range = 0..=most.saturating_sub(1);
                ui.add(egui::DragValue::new(side).range(range).speed(1.0).prefix(name)).labelled_by(label);
            }
        }
        ui.separator();
        if ui.selectable_label(self.zoom.is_none(), "Fit").on_hover_text("Fit (0)").clicked() {
            self.zoom = None;
        }
        // An attachment: the program draws it.
        let debug = can_debug
            && image.is_none()
            && ui
                .button("Debug")
                .on_hover_text("Step the last fragment that covers the pixel in the interpreter")
                .clicked();
        let copy = ui
            .button("Copy values")
            .on_hover_text("Copy the values of the pixel as text, with tabs between columns")
            .clicked();
        Asked { copy, debug: debug.then_some(self.pixel) }
    }

    fn pictures(&mut self, ui: &mut Ui, ran: &Ran, surface: &Surface<'_>, id: &Id) {
        let theme = Theme::of(ui);
        let (sample, plane) = (self.sample, surface.plane);
        if self.textures.as_ref().is_none_or(|made| (&made.of, made.sample, made.plane) != (id, sample, plane)) {
            let all = textures(ui, ran, surface, sample);
            self.textures = Some(Textures { of: id.clone(), sample, plane, all });
        }
        let count = self.textures.as_ref().map_or(1, |made| made.all.len()).max(1);
        let room = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(room, Sense::click_and_drag());
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Image,
                true,
                format!("{}: original, rewritten and their difference", surface.name),
            )
        });
        // Beside each other, or below each other in a high tab.
        let beside = room.width() >= room.height() * 0.9;
        let step = if beside {
            vec2((room.width() + GAP) / count as f32, 0.0)
        } else {
            vec2(0.0, (room.height() + GAP) / count as f32)
        };
        let place = if beside { vec2(step.x - GAP, room.height()) } else { vec2(room.width(), step.y - GAP) };
        let view = (place - vec2(0.0, TITLE)).max(vec2(8.0, 8.0));
        let size = vec2(surface.size[0].max(1) as f32, surface.size[1].max(1) as f32);
        let fit = (view / size).min_elem().clamp(0.01, LARGEST);
        let windows: Vec<_> = (0..count)
            .map(|index| Rect::from_min_size(room.min + step * index as f32 + vec2(0.0, TITLE), view))
            .collect();
        self.react(ui, &response, &windows, size, fit);
        let zoom = self.zoom.unwrap_or(fit);
        let middle = if self.zoom.is_some() { self.middle } else { size / 2.0 };
        let Some(Textures { all, .. }) = &self.textures else { return };
        for (window, (title, texture)) in windows.iter().zip(all) {
            let at = pos2(window.left(), window.top() - TITLE / 2.0);
            let painter = ui.painter().with_clip_rect(room.intersect(ui.clip_rect()));
            painter.text(at, Align2::LEFT_CENTER, *title, FontId::proportional(12.5), theme.ink_soft);
            let painter = ui.painter().with_clip_rect(window.intersect(ui.clip_rect()));
            painter.rect_filled(*window, 0.0, theme.panel);
            let corner = window.center() - middle * zoom;
            // The border of two texels may be in the middle of a pixel: this shift decides for one, on every device.
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)).translate(vec2(TIE, TIE) / size);
            painter.image(texture.id(), Rect::from_min_size(corner, size * zoom), uv, Color32::WHITE);
            let pixel = vec2(self.pixel[0] as f32, self.pixel[1] as f32);
            let mark = Rect::from_min_size(corner + pixel * zoom, Vec2::splat(zoom)).expand(1.0);
            // A light line in a dark one is seen on every picture.
            painter.rect_stroke(mark, 0.0, Stroke::new(3.0, Color32::BLACK), StrokeKind::Outside);
            painter.rect_stroke(mark, 0.0, Stroke::new(1.5, Color32::WHITE), StrokeKind::Outside);
        }
        if response.has_focus() {
            ui.painter().rect_stroke(room, 0.0, Stroke::new(1.0, theme.accent), StrokeKind::Inside);
        }
    }

    /// Zooms, pans and picks a pixel, in the picture under the pointer.
    fn react(&mut self, ui: &Ui, response: &egui::Response, windows: &[Rect], size: Vec2, fit: f32) {
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let under =
            pointer.and_then(|at| windows.iter().find(|window| window.contains(at)).map(|window| (at, *window)));
        let zoom = self.zoom.unwrap_or(fit);
        let middle = if self.zoom.is_some() { self.middle } else { size / 2.0 };
        if let Some((at, window)) = under {
            let there = middle + (at - window.center()) / zoom;
            let turned = ui.input(|input| input.zoom_delta() * (input.smooth_scroll_delta().y / 200.0).exp());
            if response.hovered() && turned != 1.0 {
                let to = (zoom * turned).clamp(fit.min(1.0), LARGEST);
                // What is under the pointer stays there.
                (self.zoom, self.middle) = (Some(to), there - (at - window.center()) / to);
            }
            if response.clicked() {
                response.request_focus();
                if there.x >= 0.0 && there.y >= 0.0 && there.x < size.x && there.y < size.y {
                    self.pixel = [there.x as u32, there.y as u32];
                }
            }
        }
        if response.dragged() && response.drag_delta() != Vec2::ZERO {
            (self.zoom, self.middle) = (Some(zoom), middle - response.drag_delta() / zoom);
        }
        if response.double_clicked() {
            self.zoom = None;
        }
        self.middle = self.middle.clamp(Vec2::ZERO, size);
        if response.has_focus() {
            let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            let pressed = |key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
            let [x, y] = &mut self.pixel;
            let (right, below) = (size.x as u32 - 1, size.y as u32 - 1);
            *x = x.saturating_sub(u32::from(pressed(Key::ArrowLeft)));
            *x = x.saturating_add(u32::from(pressed(Key::ArrowRight))).min(right);
            *y = y.saturating_sub(u32::from(pressed(Key::ArrowUp)));
            *y = y.saturating_add(u32::from(pressed(Key::ArrowDown))).min(below);
            if pressed(Key::Num0) {
                self.zoom = None;
            }
        }
        if response.hovered() && under.is_some() {
            ui.ctx().set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Crosshair });
        }
    }
}

/// Description of an image in one line.
pub(super) fn facts(image: &ImageRun) -> String {
    let [x, y, z] = image.size;
    let size = if z > 1 { format!("{x}×{y}×{z}") } else { format!("{x}×{y}") };
    format!("{size} texels, {}, {}", counted(image.layers, "layer"), image.format)
}

/// What is looked at together at a pixel: all that was drawn, or the image that is shown.
fn surfaces<'r>(ran: &'r Ran, surface: Surface<'r>) -> Vec<Surface<'r>> {
    let drawn: Vec<_> = ran.execution.run.attachments.iter().map(AttachmentRun::surface).collect();
    if drawn.contains(&surface) { drawn } else { vec![surface] }
}

/// The pictures with their titles.
fn textures(ui: &Ui, ran: &Ran, surface: &Surface<'_>, sample: Option<u32>) -> Vec<(&'static str, TextureHandle)> {
    let load = |name: &'static str, pixels: &Pixels| {
        let size = pixels.size.map(|side| side as usize);
        let image = ColorImage::from_rgba_unmultiplied(size, &pixels.rgba);
        (name, ui.ctx().load_texture(name, image, TextureOptions::NEAREST))
    };
    let mut out = vec![load("Original", &run::picture(&ran.execution, surface, sample))];
    if let Some(against) = &ran.against {
        if let Some(rewritten) = against.run.surface(surface.name, surface.plane) {
            out.push(load("Rewritten", &run::picture(against, &rewritten, sample)));
        }
        if let Some(pixels) = run::difference(&ran.execution, against, surface, sample) {
            out.push(load("Difference × 16", &pixels));
        }
    }
    out
}

/// One sample of one output in both runs.
struct ProbeRow {
    output: String,
    sample: u32,
    original: String,
    rewritten: Option<String>,
}

impl ProbeRow {
    fn differs(&self) -> bool {
        self.rewritten.as_ref().is_some_and(|rewritten| *rewritten != self.original)
    }
}

/// These outputs at a pixel, in one sample or in all.
fn probe_rows(ran: &Ran, surfaces: &[Surface<'_>], pixel: [u32; 2], sample: Option<u32>) -> Vec<ProbeRow> {
    let mut rows = Vec::new();
    for surface in surfaces {
        for at in (0..surface.samples).filter(|at| sample.is_none_or(|sample| sample == *at)) {
            let text = |execution: &Execution| {
                let surface = execution.run.surface(surface.name, surface.plane)?;
                let values = run::values(execution, &surface, pixel, at)?;
                let values: Vec<_> = values.iter().map(|value| value.to_string().replace('"', "")).collect();
                Some(values.join("  "))
            };
            let Some(original) = text(&ran.execution) else { continue };
            let rewritten = ran.against.as_ref().map(|against| text(against).unwrap_or_else(|| "nothing".to_owned()));
            rows.push(ProbeRow { output: surface.name.to_owned(), sample: at, original, rewritten });
        }
    }
    rows
}

fn probe(ui: &mut Ui, [x, y]: [u32; 2], rows: &[ProbeRow]) {
    let tokens = Tokens::of(ui.visuals());
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
    ui.strong(format!("Pixel ({x}, {y})"));
    Grid::new("pixel").striped(true).spacing(tokens::table::DENSE).show(ui, |ui| {
        for title in ["Output", "Sample", "Original", "", "Rewritten"] {
            ui.weak(title);
        }
        ui.end_row();
        for row in rows {
            let text = |text: &str| {
                let text = RichText::new(text).monospace();
                if row.differs() { text.color(tokens.changed).strong() } else { text }
            };
            ui.label(&row.output);
            ui.monospace(row.sample.to_string());
            ui.label(text(&row.original));
            ui.label(text(if row.differs() { "≠" } else { "" }));
            ui.label(text(row.rewritten.as_deref().unwrap_or("")));
            ui.end_row();
        }
    });
}

fn as_text([x, y]: [u32; 2], rows: &[ProbeRow]) -> String {
    let head = ["x", "y", "output", "sample", "original", "differs", "rewritten"];
    let head = std::iter::once(head.map(Cow::Borrowed).to_vec());
    tab_separated(head.chain(rows.iter().map(|row| {
        let sign = if row.differs() { "≠" } else { "" };
        let rewritten = row.rewritten.as_deref().unwrap_or("");
        vec![
            x.to_string().into(),
            y.to_string().into(),
            row.output.as_str().into(),
            row.sample.to_string().into(),
            row.original.as_str().into(),
            sign.into(),
            rewritten.into(),
        ]
    })))
}
