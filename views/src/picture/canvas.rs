//! A picture in a tab: scrolled, zoomed, hovered, clicked, and walked with the arrow keys.

use egui::accesskit::Role;
use egui::style::ScrollStyle;
use egui::{EventFilter, Key, Rect, Response, ScrollArea, Sense, Ui, Vec2, WidgetInfo, vec2};
use lanescope_inspector::command::Command;

use super::{Emphasis, Mark, Picture, Shape, Step, paint};
use crate::menu::{Menu, context_menu, is_open};
use crate::theme::Theme;

const SMALLEST: f32 = 0.05;
const LARGEST: f32 = 4.0;
/// The smallest text that can be read, in points on the screen: a picture that fits its tab only with smaller text is
/// scrolled.
const LEGIBLE: f32 = 8.0;
/// Below this zoom, parts of a picture that are beside each other are better one above the other, where that is larger.
pub(crate) const SMALL: f32 = 0.5;
/// The smallest zoom at which all of a picture is shown unasked; where that is smaller, it scrolls.
const LEAST: f32 = 0.45;
/// Text of a picture that is no larger than this is an extra that need not be read.
const SMALL_PRINT: f32 = 9.0;

/// What the zoom follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// The tab's size, as long as text stays legible.
    Legible,
    /// The tab's size: all of the picture is in view.
    Whole,
    /// Nothing: the zoom was chosen.
    Chosen,
}

/// How a picture is looked at. Kept by a view between frames.
#[derive(Debug, Clone)]
pub struct Canvas {
    zoom: f32,
    follow: Follow,
    /// Whether all of the picture was in view when it was drawn last.
    is_whole: bool,
    offset: Option<Vec2>,
    /// The selection that was scrolled to.
    revealed: Option<Mark>,
}

/// What happened on a canvas in this frame.
pub struct CanvasReply {
    /// The whole canvas.
    pub response: Response,
    /// What the pointer is over.
    pub hovered: Option<Mark>,
    /// Its place on the screen.
    pub hovered_place: Option<Rect>,
    /// What was clicked, or walked to with the keyboard.
    pub chosen: Option<Mark>,
    /// The background was clicked, or Escape pressed.
    pub cleared: bool,
}

impl Default for Canvas {
    fn default() -> Self {
        Canvas { zoom: 1.0, follow: Follow::Legible, is_whole: true, offset: None, revealed: None }
    }
}

impl Canvas {
    /// A canvas that opens with all of its picture in view, however small.
    pub fn whole() -> Canvas {
        Canvas { follow: Follow::Whole, ..Canvas::default() }
    }

    /// Takes over another canvas's zoom.
    pub fn follow(&mut self, other: &Canvas) {
        (self.zoom, self.follow) = (other.zoom, other.follow);
    }

    /// Buttons for the zoom.
    pub fn zoom_buttons(&mut self, ui: &mut Ui) {
        let now = format!("{:.0} %", self.zoom * 100.0);
        let further = ui.button("−").on_hover_text(format!("Zoom out (it is shown at {now})"));
        if further.accessible_name("Zoom out").clicked() {
            self.set_zoom(self.zoom / 1.25);
        }
        let closer =
            ui.button("+").on_hover_text(format!("Zoom in (it is shown at {now}; Ctrl and the wheel zoom too)"));
        if closer.accessible_name("Zoom in").clicked() {
            self.set_zoom(self.zoom * 1.25);
        }
        let fits = self.follow != Follow::Chosen && self.is_whole;
        if ui.selectable_label(fits, "Fit").on_hover_text("Fit the whole picture into the tab").clicked() {
            self.follow = Follow::Whole;
        }
        let own = self.follow == Follow::Chosen && self.zoom == 1.0;
        if ui.selectable_label(own, "100%").on_hover_text("Show the picture at its own size").clicked() {
            self.set_zoom(1.0);
        }
    }

    /// Shows the picture in the space that is left. `selected` is outlined, and so is what is hovered.
    pub fn show(&mut self, ui: &mut Ui, picture: &Picture, theme: &Theme, selected: &[Mark]) -> CanvasReply {
        let space = ui.available_size();
        let fits = fits(space, picture.size);
        if self.follow != Follow::Chosen && picture.size.x > 0.0 {
            // All of it where that stays legible, else to the width, as pages are read, and at most life-size.
            let (whole, legible) = (fits.min_elem(), legible(picture));
            let is_wanted = self.follow == Follow::Whole || whole >= legible.min(LEAST);
            let zoom = if is_wanted { whole } else { fits.x.min(1.0).max(legible) };
            self.zoom = zoom.clamp(SMALLEST, LARGEST);
        }
        self.is_whole = self.zoom <= fits.min_elem() * 1.001;
        // In a low tab it takes no more than there is: items below it would be painted over.
        // What is cut has a bar that is always in sight.
        let before = std::mem::replace(&mut ui.spacing_mut().scroll, ScrollStyle::solid());
        let mut area = ScrollArea::both().id_salt("canvas").auto_shrink([false, false]).min_scrolled_height(0.0);
        if let Some(offset) = self.offset.take() {
            area = area.scroll_offset(offset);
        }
        let shown = area.show(ui, |ui| {
            let size = (picture.size * self.zoom).max(space - vec2(1.0, 1.0));
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            self.react(ui, picture, rect, response, theme, selected)
        });
        ui.spacing_mut().scroll = before;
        let reply = shown.inner;
        let zoom = ui.input(|input| input.zoom_delta());
        if reply.response.hovered() && zoom != 1.0 {
            let before = self.zoom;
            self.set_zoom(before * zoom);
            // What is under the pointer stays there.
            let pointer = ui.input(|input| input.pointer.hover_pos()).unwrap_or(shown.inner_rect.min);
            let pointer = pointer - shown.inner_rect.min;
            self.offset =
                Some(((shown.state.clamped_offset() + pointer) * (self.zoom / before) - pointer).max(Vec2::ZERO));
        }
        reply
    }

    fn react(
        &mut self,
        ui: &Ui,
        picture: &Picture,
        rect: Rect,
        response: Response,
        theme: &Theme,
        selected: &[Mark],
    ) -> CanvasReply {
        response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &picture.title));
        let zoom = self.zoom;
        let under = |at: egui::Pos2| picture.hit(((at - rect.min) / zoom).to_pos2());
        let under_pointer = response.hover_pos().and_then(|at| picture.hit_place(((at - rect.min) / zoom).to_pos2()));
        let (hovered, place) = under_pointer.unzip();
        let on_screen = |place: Rect| Rect::from_min_size(rect.min + place.min.to_vec2() * zoom, place.size() * zoom);
        let hovered_place = place.map(|place| on_screen(place).intersect(ui.clip_rect()));
        let mut reply = CanvasReply { hovered, hovered_place, chosen: None, cleared: false, response };
        if reply.response.clicked() {
            reply.response.request_focus();
            reply.chosen = reply.response.interact_pointer_pos().and_then(under);
            reply.cleared = reply.chosen.is_none();
        }
        if reply.response.has_focus() {
            let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(reply.response.id, filter));
            let keys = [
                (Key::ArrowLeft, Step::Left),
                (Key::ArrowRight, Step::Right),
                (Key::ArrowUp, Step::Up),
                (Key::ArrowDown, Step::Down),
            ];
            for (key, step) in keys {
                if ui.input(|input| input.modifiers.is_none() && input.key_pressed(key)) {
                    reply.chosen = picture.step(selected.first().copied(), step);
                }
            }
            reply.cleared |= ui.input(|input| input.key_pressed(Key::Escape));
        }
        // What is selected elsewhere comes into view too.
        let selection = reply.chosen.or(selected.first().copied());
        if std::mem::replace(&mut self.revealed, selection) != selection
            && let Some(place) = selection.and_then(|mark| picture.place(mark))
        {
            ui.scroll_to_rect(on_screen(place).expand(8.0), None);
        }
        let emphasis = Emphasis { selected, hovered, accent: theme.accent };
        paint(&ui.painter_at(rect.intersect(ui.clip_rect())), picture, rect.min, zoom, emphasis);
        if reply.response.has_focus() {
            let edge = egui::Stroke::new(1.0, theme.accent);
            ui.painter().rect_stroke(rect.intersect(ui.clip_rect()), 0, edge, egui::StrokeKind::Inside);
        }
        reply
    }

    /// The context menu of what was clicked, or of what is selected where a key opened it.
    pub fn menu(
        &mut self,
        reply: &CanvasReply,
        selected: Option<Mark>,
        commands: &mut Vec<Command>,
        fill: impl FnOnce(&mut Menu<'_>, Option<Mark>, &mut Vec<Command>),
    ) {
        let id = reply.response.id.with("menu of");
        let ctx = &reply.response.ctx;
        if reply.response.secondary_clicked() {
            ctx.data_mut(|data| data.insert_temp(id, reply.hovered));
        } else if !is_open(&reply.response) {
            ctx.data_mut(|data| data.insert_temp(id, selected));
        }
        let mark = ctx.data(|data| data.get_temp::<Option<Mark>>(id)).flatten();
        context_menu(&reply.response, |menu| {
            fill(menu, mark, commands);
            menu.command("Export picture…", || Command::ExportPicture, commands);
            menu.separator();
            if menu.item("Zoom in") {
                self.set_zoom(self.zoom * 1.25);
            }
            if menu.item("Zoom out") {
                self.set_zoom(self.zoom / 1.25);
            }
            if menu.item("Fit") {
                self.follow = Follow::Whole;
            }
            if menu.item("100%") {
                self.set_zoom(1.0);
            }
        });
    }

    fn set_zoom(&mut self, zoom: f32) {
        self.follow = Follow::Chosen;
        // Steps of a twentieth: every text size takes space in the glyph atlas.
        self.zoom = ((zoom * 20.0).round() / 20.0).clamp(SMALLEST, LARGEST);
    }
}

/// The zooms at which a picture of this size is as wide and as high as a space.
pub(crate) fn fits(space: Vec2, size: Vec2) -> Vec2 {
    space / size.max(Vec2::splat(1.0))
}

/// Whether a picture that would have to be small to be whole in its space is larger in another arrangement, of another
/// size in another space.
pub(crate) fn is_better([space, other_space]: [Vec2; 2], [size, other_size]: [Vec2; 2]) -> bool {
    let [whole, other] = [fits(space, size), fits(other_space, other_size)].map(|fits| fits.min_elem());
    whole < SMALL && other > whole
}

/// The smallest zoom at which the picture's small print can be read, at most life-size.
fn legible(picture: &Picture) -> f32 {
    let size = |shape: &Shape| match shape {
        Shape::Text(text) => Some(text.size),
        _ => None,
    };
    let sizes = picture.items.iter().filter_map(|item| size(&item.shape)).filter(|size| *size > SMALL_PRINT);
    let smallest = sizes.fold(f32::INFINITY, f32::min);
    if smallest.is_finite() { (LEGIBLE / smallest.max(1.0)).min(1.0) } else { SMALLEST }
}
