//! The start page: open files, recent files, samples as pictures.

use lanescope_views::tokens;
use lanescope_views::tokens::space;
use std::collections::BTreeMap;
use std::path::PathBuf;

use egui::text::LayoutJob;
use egui::{
    Color32, FontId, Key, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextFormat, Ui, Vec2, pos2, vec2,
};
use lanescope_core::report::Report;
use lanescope_inspector::command::Command;
use lanescope_views::draw::{self, PictureKind};
use lanescope_views::names::elided;
use lanescope_views::picture::{Emphasis, Item, Picture, Shape, paint};
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::type_ahead;

use crate::keys::key_text;
use lanescope_host::samples::Sample;
use lanescope_host::session::Session;
use lanescope_workbench::commands::row_of;
use lanescope_workbench::state::State;
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::program::{session_title, title};
use lanescope_workbench::state::samples::{Card, CardState, Samples};

const CARD: Vec2 = vec2(270.0, 258.0);
const PICTURE_HEIGHT: f32 = 180.0;
const GAP: f32 = 14.0;
/// A name is not wider, in points.
const NAME_WIDTH: f32 = 640.0;

/// Files to open, with their options.
const OPENS: &str = "Or drop files here: GLSL, HLSL, WGSL, Slang, SPIR-V, DXIL, .pipe, .shader_test and .foz, reports as JSON, saved \
                     runs. Files opened together make one pipeline. Or start with a sample:";

/// Pictures of the samples.
#[derive(Default)]
pub struct Gallery {
    /// By the index of the sample.
    thumbnails: BTreeMap<usize, Option<Thumbnail>>,
}

/// A sample's picture.
struct Thumbnail {
    /// Drawn for a dark window.
    dark: bool,
    picture: Picture,
    /// The shown part.
    shown: Rect,
}

impl Gallery {
    /// Draws the page. Returns what was clicked.
    pub fn ui(&mut self, state: &State, ui: &mut Ui) -> Option<Command> {
        let mut command = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            egui::Frame::new().inner_margin(16).show(ui, |ui| {
                ui.label(
                    RichText::new("See what a driver does to your shader's layout").size(tokens::text::TITLE).strong(),
                );
                ui.add_space(space::HAIR);
                ui.weak("Attribute slots of varyings, lanes of invocations, and the register values that follow.");
                ui.add_space(space::BLOCK);
                ui.horizontal_wrapped(|ui| {
                    if let Some(program) = state.program() {
                        let most = (ui.max_rect().width() - 120.0).min(NAME_WIDTH);
                        let name = elided(ui, &program.title(), most);
                        let back = ui.button(format!("Back to {name}")).on_hover_text("Esc");
                        if back.clicked() {
                            command = Some(Command::ShowProgram(state.active));
                        }
                    }
                    for (open, label) in [
                        (Command::Open, "Open a shader…"),
                        (Command::Palette, "All commands"),
                        (Command::Help, "Manual"),
                        (Command::Keys, "Keys"),
                    ] {
                        let key = row_of(&open).and_then(|row| row.keys.first());
                        let key = key.map(|key| key_text(ui.ctx(), key)).unwrap_or_default();
                        if ui.button(format!("{label}  {key}")).clicked() {
                            command = Some(open);
                        }
                    }
                });
                ui.add_space(space::SNUG);
                ui.label(OPENS);
                command = sessions(ui, state).or(command.take());
                command = recent(ui, &state.session).or(command.take());
                ui.add_space(space::BLOCK);
                if let Some(why) = &state.samples.missing {
                    ui.label(RichText::new("Samples").size(tokens::text::HEADING).strong());
                    ui.label(why);
                }
                command = self.grid(&state.samples, ui).map(Command::OpenFiles).or(command.take());
            });
        });
        let leaves = state.program().is_some() && matches!(state.overlay, Overlay::None) && !state.failure_covers();
        if leaves && ui.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ui.ctx()) {
            command = Some(Command::ShowProgram(state.active));
        }
        command
    }

    fn grid(&mut self, samples: &Samples, ui: &mut Ui) -> Option<Vec<PathBuf>> {
        let mut clicked = None;
        let width = ui.available_width();
        let columns = (((width + GAP) / (CARD.x + GAP)).floor() as usize).clamp(1, 8);
        let size = vec2(((width + GAP) / columns as f32 - GAP).min(CARD.x * 1.4), CARD.y);
        ui.spacing_mut().item_spacing = Vec2::splat(GAP);
        let mut first = 0;
        for heading in &samples.groups {
            let cards: Vec<(usize, &Card)> = samples.cards.iter().enumerate().skip(first).take(heading.cards).collect();
            first += cards.len();
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.add_space(space::ROW);
                ui.label(RichText::new(&heading.title).size(tokens::text::HEADING).strong());
                if !heading.about.is_empty() {
                    ui.weak(heading.about);
                }
            });
            for row in cards.chunks(columns) {
                ui.horizontal(|ui| {
                    for (index, card) in row {
                        let thumbnail = self.thumbnails.entry(*index).or_default();
                        if draw_card(card, thumbnail, ui, size) {
                            clicked = Some(card.sample.paths.clone());
                        }
                    }
                });
            }
        }
        clicked
    }
}

/// Sessions to open again, each in one line.
fn sessions(ui: &mut Ui, state: &State) -> Option<Command> {
    let last = state.previous.programs.as_slice();
    let others = state.earlier.iter().take(3).map(|earlier| earlier.programs.as_slice());
    let all = std::iter::once((Command::Reopen, last))
        .chain(others.enumerate().map(|(index, programs)| (Command::ReopenEarlier(index), programs)))
        .filter(|(_, programs)| !programs.is_empty());
    let mut command = None;
    for (index, (reopen, programs)) in all.enumerate() {
        if index == 0 {
            ui.add_space(space::GROUP);
            ui.label(RichText::new("Sessions").size(tokens::text::HEADING).strong());
            ui.add_space(space::SNUG);
        }
        if long_link(ui, &session_title(programs)) {
            command = Some(reopen);
        }
    }
    command
}

fn recent(ui: &mut Ui, session: &Session) -> Option<Command> {
    if session.recent.is_empty() {
        return None;
    }
    let mut command = None;
    ui.add_space(space::GROUP);
    ui.label(RichText::new("Recent").size(tokens::text::HEADING).strong());
    ui.add_space(space::SNUG);
    for program in session.recent.iter().take(6) {
        ui.horizontal(|ui| {
            let folder = program.paths.first().and_then(|path| path.parent());
            if long_link(ui, &title(&program.paths)) {
                command = Some(Command::OpenFiles(program.paths.clone()));
            }
            if let Some(folder) = folder {
                let name = elided(ui, &folder.to_string_lossy(), ui.available_width());
                ui.add(egui::Label::new(RichText::new(name).weak()).truncate());
            }
        });
    }
    command
}

/// A link of a long name, which is cut in the middle. True where it was clicked.
fn long_link(ui: &mut Ui, name: &str) -> bool {
    let shown = elided(ui, name, (ui.available_width() * 0.6).min(NAME_WIDTH));
    let is_cut = shown != name;
    let link = ui.link(shown);
    let link = if is_cut { link.on_hover_text(name).accessible_name(name) } else { link };
    type_ahead::row(egui::Id::unique("samples"), &link, name);
    link.clicked()
}

/// Draws the card; true where it was clicked.
fn draw_card(card: &Card, thumbnail: &mut Option<Thumbnail>, ui: &mut Ui, size: Vec2) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let name = card.sample.name.clone();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.clone()));
    type_ahead::row(egui::Id::unique("samples"), &response, &name);
    let mut cut = false;
    if ui.is_rect_visible(rect) {
        let lit = response.hovered() || response.has_focus();
        let stroke = if lit { Stroke::new(2.0, theme.accent) } else { Stroke::new(1.0, theme.hairline) };
        ui.painter().rect(rect, 6.0, theme.panel, stroke, StrokeKind::Inside);
        let picture = Rect::from_min_max(rect.min, pos2(rect.right(), rect.top() + PICTURE_HEIGHT)).shrink(8.0);
        ui.painter().rect_filled(picture, 3.0, theme.page);
        draw_picture(card, thumbnail, ui, picture, &theme);
        let text = Rect::from_min_max(pos2(rect.left() + 10.0, picture.bottom() + 6.0), rect.max - vec2(10.0, 8.0));
        cut = draw_text(&card.sample, ui, text, &theme);
    }
    let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
    if cut { response.on_hover_text(card.sample.about.as_str()) } else { response }.clicked()
}

/// Draws the picture of a card, or what is known of it.
fn draw_picture(card: &Card, thumbnail: &mut Option<Thumbnail>, ui: &Ui, rect: Rect, theme: &Theme) {
    let note = |text: &str, color: Color32| {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let galley = painter.layout(text.to_owned(), FontId::proportional(12.0), color, rect.width() - 12.0);
        painter.galley(rect.center() - galley.size() / 2.0, galley, color);
    };
    match &card.state {
        CardState::Waiting => note("…", theme.ink_soft),
        CardState::Failed(why) => note(why.lines().next().unwrap_or_default(), theme.warn),
        CardState::Read(report) => {
            if thumbnail.as_ref().is_none_or(|drawn| drawn.dark != theme.dark) {
                *thumbnail = Thumbnail::of(report, theme);
            }
            match thumbnail {
                Some(drawn) => drawn.show(ui, rect, theme),
                None => note("nothing to draw", theme.ink_soft),
            }
        }
    }
}

/// Writes name and line; true where the line is cut.
fn draw_text(sample: &Sample, ui: &Ui, rect: Rect, theme: &Theme) -> bool {
    let format = |size, color| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    job.append(&sample.name, 0.0, format(14.0, theme.ink));
    job.append("\n", 0.0, format(14.0, theme.ink));
    job.append(&sample.about, 0.0, format(12.0, theme.ink_soft));
    job.wrap.max_width = rect.width();
    job.wrap.max_rows = 4;
    let galley = ui.painter().layout_job(job);
    let cut = galley.elided;
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).galley(rect.min, galley, theme.ink);
    cut
}

impl Thumbnail {
    /// The picture that says most about a report, without the small print around its cells.
    fn of(report: &Report, theme: &Theme) -> Option<Thumbnail> {
        let kinds = [
            PictureKind::Graph,
            PictureKind::Packing,
            PictureKind::Workgroup,
            PictureKind::GroupMap,
            PictureKind::DxilSignatures,
            PictureKind::DxilParts,
        ];
        let (kind, mut picture) =
            kinds.into_iter().find_map(|kind| Some((kind, draw::picture(kind, report, theme)?)))?;
        let cells: Vec<Rect> =
            picture.items.iter().filter(|item| item.mark.is_some()).map(|item| item.bounds).collect();
        let in_a_cell = |item: &Item| cells.iter().any(|cell| cell.expand(1.0).contains(item.bounds.center()));
        let is_text = |item: &Item| matches!(item.shape, Shape::Text(_));
        picture.items.retain(|item| !is_text(item) || cells.is_empty() || in_a_cell(item));
        let all = |bounds: &mut dyn Iterator<Item = Rect>| bounds.fold(Rect::NOTHING, |all, one| all.union(one));
        // Edges and arrays' stacks reach out of a graph's cells.
        let about = match kind {
            PictureKind::Graph => all(&mut picture.items.iter().map(|item| item.bounds)),
            _ => all(&mut cells.into_iter()),
        };
        let shown = if about.is_positive() { about.expand(4.0) } else { Rect::from_min_size(Pos2::ZERO, picture.size) };
        Some(Thumbnail { dark: theme.dark, picture, shown })
    }

    /// Paints what the picture is about as large as the place allows.
    fn show(&self, ui: &Ui, rect: Rect, theme: &Theme) {
        let fit = (rect.size() / self.shown.size().max(Vec2::splat(1.0))).min_elem();
        let zoom = fit.clamp(0.05, 1.0);
        let origin = rect.center() - self.shown.center().to_vec2() * zoom;
        let clip = Rect::from_center_size(rect.center(), self.shown.size() * zoom).intersect(rect);
        let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
        let emphasis = Emphasis { selected: &[], hovered: None, accent: theme.accent };
        paint(&painter, &self.picture, origin, zoom, emphasis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_the_whole_graph() {
        for number in [1, 2, 7] {
            let report = lanescope_views::gallery::work_graph(number);
            let drawn = Thumbnail::of(&report, &Theme::light()).expect("a graph");
            for item in &drawn.picture.items {
                assert!(drawn.shown.contains_rect(item.bounds), "{number}: {:?} in {:?}", item.bounds, drawn.shown);
            }
        }
    }
}
