//! Both sides as pictures, beside each other: slot grids or lane maps, zoomed in step.

use std::sync::Arc;

use crate::tokens::space;
use egui::{
    Align, DragValue, Grid, Label, Layout, Rect, RichText, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2, vec2,
};
use lanescope_core::compare::{LayoutPair, Part, Row, Section, Side};
use lanescope_core::options::flag;
use lanescope_core::packing::Packing;
use lanescope_core::workgroup::explain;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;

use crate::context::ViewCx;
use crate::menu::links;
use crate::picture::canvas::{Canvas, is_better};
use crate::picture::{Mark, Picture, clean};
use crate::table::{is_selected, one_line};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{beside_part, choice, fact};
use crate::workgroup::{ColorBy, MapSettings, Numbers};
use lanescope_pictures::compare::{Titles, flag_text, interfaces, lane_facts, lane_sides, packing_sides};
use lanescope_pictures::packing::packing_facts;

/// The size of a title.
const TITLE: f32 = 15.0;
/// The height of a heading: its title, and the line below.
const HEADING: f32 = 46.0;
/// The height of the line on flags.
const LEGEND: f32 = 24.0;
/// In a page that scrolls, pictures are not higher; and one above the other below this width.
const MOST: f32 = 560.0;
pub(super) const STACKED: f32 = 620.0;

/// What is drawn.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Both sides.
    pub(super) sides: [Side<'a>; 2],
    /// The section.
    pub(super) section: &'a Section,
    /// The options that differ.
    pub(super) options: &'a [Row],
}

/// What the pictures are made from: the comparison, theme, section, which pair, how lanes are drawn.
type Key = ([u64; 4], bool, Part, usize, MapSettings);

/// How the pictures are looked at. Kept between frames.
pub(super) struct Panes {
    canvases: [Canvas; 2],
    drawn: Option<(Key, [Option<Arc<Picture>>; 2])>,
    /// Which interface, which pair of layouts.
    interface: usize,
    layout: usize,
    z: u32,
    settings: MapSettings,
}

impl Default for Panes {
    fn default() -> Self {
        Panes {
            canvases: [Canvas::whole(), Canvas::whole()],
            drawn: None,
            interface: 0,
            layout: 0,
            z: 0,
            settings: MapSettings::default(),
        }
    }
}

impl Panes {
    /// Controls of how the pictures are looked at: which pair, what lanes show, the zoom.
    pub(super) fn controls(&mut self, ui: &mut Ui, sides: [Side<'_>; 2], section: &Section) {
        match section.name {
            Part::Packing => self.interfaces(ui, &interfaces(sides)),
            _ => self.layouts(ui, sides, section),
        }
        let [first, second] = &mut self.canvases;
        first.zoom_buttons(ui);
        second.follow(first);
    }

    /// Draws both sides, each below its heading: beside each other, or one above the other where the maps are larger so.
    /// In a page that scrolls each is as high as its picture.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        shown: Shown<'_>,
        scrolls: bool,
        commands: &mut Vec<Command>,
    ) {
        let Shown { sides, section, .. } = shown;
        let pairs = interfaces(sides);
        let theme = Theme::of(ui);
        let which = if section.name == Part::Packing { self.interface } else { self.layout };
        let settings = MapSettings { z: Some(self.z), ..self.settings };
        let key = (cx.comparing.key, theme.dark, section.name, which, settings);
        if self.drawn.as_ref().is_none_or(|(of, _)| *of != key) {
            let titles = Titles::elsewhere(cx.comparing.titles);
            let pictures = match section.name {
                Part::Packing => {
                    pairs.get(which).map(|pair| packing_sides(section, *pair, titles, &theme)).unwrap_or_default()
                }
                _ => {
                    let pair = section.layouts.get(which);
                    pair.map(|pair| lane_sides(pair, sides, titles, &settings, &theme)).unwrap_or_default()
                }
            };
            self.drawn = Some((key, pictures.map(|picture| picture.map(Arc::new))));
        }
        let Some((_, pictures)) = &self.drawn else { return };
        let note = flag_text(section, section.layouts.get(which), sides);
        let larger = pictures.iter().flatten().fold(Vec2::ZERO, |size, picture| size.max(picture.size));
        let (gap, legend) = (ui.spacing().item_spacing, if note.is_some() { LEGEND } else { 0.0 });
        let room = if scrolls { vec2(ui.available_width(), larger.y.min(MOST)) } else { ui.available_size() };
        let space = [0, 1].map(|at: usize| {
            let (across, down) = if at == 0 { (2.0, 1.0) } else { (1.0, 2.0) };
            let height = if scrolls { room.y } else { (room.y - legend - gap.y * (down - 1.0)) / down - HEADING };
            vec2((room.x - gap.x * (across - 1.0)) / across, height.max(0.0))
        });
        let is_stacked = if scrolls { room.x < STACKED } else { is_better(space, [larger, larger]) };
        let mut space = space[usize::from(is_stacked)];
        if scrolls {
            space.y = space.y.min(larger.y * (space.x / larger.x.max(1.0)).min(1.0)).ceil();
        }
        let facts = facts(shown, which, &pairs);
        let place = vec2(space.x, space.y + HEADING);
        let all = if is_stacked { vec2(place.x, 2.0 * place.y + gap.y) } else { vec2(room.x, place.y) };
        let (_, rect) = ui.allocate_space(all);
        let second = if is_stacked { vec2(0.0, place.y + gap.y) } else { vec2(place.x + gap.x, 0.0) };
        for (side, shift) in [Vec2::ZERO, second].into_iter().enumerate() {
            let rect = Rect::from_min_size(rect.min + shift, place);
            // A side without a picture keeps its place.
            let own = UiBuilder::new().id_salt(("side", side)).max_rect(rect).layout(Layout::top_down(Align::Min));
            self.side(&mut ui.new_child(own), cx, (shown, side), &facts, which, commands);
        }
        if let Some(text) = note {
            ui.horizontal(|ui| flag_line(ui, &text, &theme));
        }
    }

    /// One side: its heading, and its picture in the rest of the place.
    fn side(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (shown, side): (Shown<'_>, usize),
        facts: &[String; 2],
        which: usize,
        commands: &mut Vec<Command>,
    ) {
        let theme = Theme::of(ui);
        let Shown { sides, section, .. } = shown;
        let title = one_line(cx.comparing.titles.get(side).copied().unwrap_or_default());
        let (letter, facts) = (if side == 0 { "A" } else { "B" }, facts.get(side).map_or("", String::as_str));
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.add_space(space::SNUG);
        ui.add(Label::new(RichText::new(format!("{letter}  {title}")).size(TITLE).strong()).truncate());
        // The font for words has no arrow.
        ui.add(Label::new(RichText::new(facts).monospace().weak()).truncate());
        ui.add_space(space::SNUG);
        let Some(picture) = self.drawn.as_ref().and_then(|(_, pictures)| pictures.get(side)?.as_ref().map(Arc::clone))
        else {
            ui.weak(match section.name {
                Part::Packing => "No packed inputs on this side.",
                _ => "No workgroup on this side.",
            });
            return;
        };
        let selected: Vec<_> = match section.name {
            Part::Packing => cx.selection.varying.map(Mark::Varying).into_iter().collect(),
            _ => cx.selection.invocation.map(Mark::Invocation).into_iter().collect(),
        };
        let Some(canvas) = self.canvases.get_mut(side) else { return };
        let reply = ui.push_id(side, |ui| canvas.show(ui, &picture, &theme, &selected)).inner;
        if let Some(mark) = reply.hovered {
            beside_part(&reply, |ui| match section.name {
                Part::Packing => describe_scalar(ui, section, interfaces(sides).get(which), side, mark),
                _ => describe_invocation(ui, sides, section.layouts.get(which), mark),
            });
        }
        canvas.menu(&reply, selected.first().copied(), commands, |menu, mark, commands| match mark {
            Some(Mark::Varying(varying)) => {
                links::varying(menu, cx, varying.location, varying.component, commands);
                menu.separator();
            }
            Some(Mark::Invocation(id)) => {
                links::invocation(menu, cx, id, commands);
                menu.separator();
            }
            _ => {}
        });
        let now: &Selection = cx.selection;
        let selection = match reply.chosen {
            Some(Mark::Varying(varying)) => Selection { varying: Some(varying), code: None, ..now.clone() },
            Some(Mark::Invocation(id)) => Selection { invocation: Some(id), ..now.clone() },
            None if reply.cleared && section.name == Part::Packing => {
                Selection { varying: None, code: None, ..now.clone() }
            }
            None if reply.cleared => Selection { invocation: None, ..now.clone() },
            _ => return,
        };
        if selection != *now {
            commands.push(Command::Select(selection));
        }
    }

    fn interfaces(&mut self, ui: &mut Ui, pairs: &[[Option<&Packing>; 2]]) {
        let name = |pair: &[Option<&Packing>; 2]| {
            pair.iter().flatten().next().map_or(String::new(), |packing| format!("{} inputs", packing.reader()))
        };
        let names: Vec<_> = pairs.iter().map(name).collect();
        self.interface = self.interface.min(names.len().saturating_sub(1));
        if names.len() > 1 {
            let all: Vec<_> = names.iter().map(String::as_str).enumerate().collect();
            choice(ui, "Interface", &mut self.interface, &all);
        }
    }

    fn layouts(&mut self, ui: &mut Ui, sides: [Side<'_>; 2], section: &Section) {
        let names: Vec<_> = section.layouts.iter().map(|pair| clean(&pair.name)).collect();
        self.layout = self.layout.min(names.len().saturating_sub(1));
        if names.len() > 1 {
            let all: Vec<_> = names.iter().map(String::as_str).enumerate().collect();
            choice(ui, "Entry", &mut self.layout, &all);
        }
        let colors = [(ColorBy::Wave, "wave"), (ColorBy::Quad, "quad"), (ColorBy::Order, "order")];
        choice(ui, "Color", &mut self.settings.color_by, &colors);
        choice(ui, "Numbers", &mut self.settings.numbers, &[(Numbers::Thread, "thread"), (Numbers::Lane, "lane")]);
        let pair = section.layouts.get(self.layout);
        let depth = pair.map_or(1, |pair| {
            let deep = sides.iter().zip(pair.source).filter_map(|(side, index)| side.report.workgroup.get(index?));
            deep.map(|layout| layout.size[2]).max().unwrap_or(1)
        });
        self.z = self.z.min(depth.saturating_sub(1));
        if depth > 1 {
            let label = ui.label("z").id;
            let drag = DragValue::new(&mut self.z).speed(1.0).range(0..=depth - 1);
            ui.add(drag.suffix(format!(" of 0..{}", depth - 1))).labelled_by(label);
        }
    }
}

/// The lines below both titles: what each picture shows, then the options that differ as that side has them.
fn facts(shown: Shown<'_>, which: usize, pairs: &[[Option<&Packing>; 2]]) -> [String; 2] {
    [0, 1].map(|side: usize| {
        let own = match shown.section.name {
            Part::Packing => pairs.get(which).and_then(|pair| *pair.get(side)?).map(packing_facts),
            _ => {
                let index = shown.section.layouts.get(which).and_then(|pair| *pair.source.get(side)?);
                index.and_then(|index| shown.sides.get(side)?.report.workgroup.get(index)).map(lane_facts)
            }
        };
        let value = |row: &Row| if side == 0 { row.left.clone() } else { row.right.clone() };
        let options = shown.options.iter().map(|row| format!("{} {}", flag(&row.name), value(row).unwrap_or_default()));
        one_line(&own.into_iter().chain(options).collect::<Vec<_>>().join(" · "))
    })
}

/// What a flag in the pictures says, after the flag.
fn flag_line(ui: &mut Ui, text: &str, theme: &Theme) {
    let (_, place) = ui.allocate_space(vec2(16.0, 14.0));
    let corner = place.right_top();
    ui.painter().rect(place, 2.0, theme.panel, Stroke::new(1.0, theme.hairline), StrokeKind::Inside);
    let points = vec![corner, corner - vec2(8.0, 0.0), corner + vec2(0.0, 8.0)];
    ui.painter().add(Shape::convex_polygon(points, theme.warn, Stroke::NONE));
    ui.add(Label::new(text).truncate());
}

/// What both sides say of a scalar.
fn describe_scalar(ui: &mut Ui, section: &Section, pair: Option<&[Option<&Packing>; 2]>, side: usize, mark: Mark) {
    let (Mark::Varying(varying), Some(packing)) = (mark, pair.and_then(|pair| pair.get(side).copied().flatten()))
    else {
        return;
    };
    let of = format!("{} inputs", packing.reader());
    let is = |index: usize| {
        let mapping = packing.map.get(index);
        mapping.is_some_and(|m| is_selected(Some(varying), m.from.location.0, Some(m.from.component.0)))
    };
    let rows = section.rows.iter().filter(|row| row.of == of);
    for row in rows.filter(|row| row.source.get(side).copied().flatten().is_some_and(is)) {
        // The font for words has no arrow, and a name that changed has one.
        ui.label(RichText::new(format!("{} {}", row.kind.sign(), clean(&row.name))).monospace().strong());
        Grid::new(&row.name).num_columns(2).show(ui, |ui| {
            for (name, value) in [("A", &row.left), ("B", &row.right)] {
                fact(ui, name, value.as_deref().map_or("absent".to_owned(), clean));
            }
        });
    }
}

/// Where both sides run an invocation.
fn describe_invocation(ui: &mut Ui, sides: [Side<'_>; 2], pair: Option<&LayoutPair>, mark: Mark) {
    let (Mark::Invocation(id), Some(pair)) = (mark, pair) else { return };
    let moved = pair.moved.binary_search(&id).is_ok();
    ui.strong(format!("{} Invocation ({}, {}, {})", if moved { "≠" } else { "=" }, id[0], id[1], id[2]));
    Grid::new("compared invocation").num_columns(2).show(ui, |ui| {
        for ((name, side), index) in ["A", "B"].iter().zip(sides).zip(pair.source) {
            let layout = index.and_then(|index| side.report.workgroup.get(index));
            let found = layout.and_then(|layout| explain(layout, id));
            let text = found.map_or("hardware thread unknown".to_owned(), |found| {
                format!("thread {}, wave {}, lane {}, quad {}", found.thread, found.wave, found.lane, found.quad)
            });
            fact(ui, name, text);
        }
    });
}
