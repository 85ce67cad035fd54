//! Both sides as pictures, beside each other: slot grids or lane maps, zoomed in step.

use egui::{DragValue, Grid, RichText, Ui, UiBuilder};
use lanescope_core::compare::{LayoutPair, Part, Section, Side};
use lanescope_core::packing::Packing;
use lanescope_core::workgroup::explain;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;

use crate::context::ViewCx;
use crate::menu::links;
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, Picture, clean};
use crate::table::is_selected;
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{at_pointer, choice, fact};
use crate::workgroup::{ColorBy, MapSettings, Numbers};
use lanescope_pictures::compare::{interfaces, lane_sides, packing_sides};

/// What the pictures are made from: the comparison, theme, section, which pair, how lanes are drawn.
type Key = ([u64; 4], bool, Part, usize, MapSettings);

/// How the pictures are looked at. Kept between frames.
#[derive(Default)]
pub(super) struct Panes {
    canvases: [Canvas; 2],
    drawn: Option<(Key, [Option<Picture>; 2])>,
    /// Which interface, which pair of layouts.
    interface: usize,
    layout: usize,
    z: u32,
    settings: MapSettings,
}

impl Panes {
    /// Draws both sides in the space that is left.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        sides: [Side<'_>; 2],
        section: &Section,
        commands: &mut Vec<Command>,
    ) {
        let pairs = interfaces(sides);
        ui.horizontal_wrapped(|ui| {
            match section.name {
                Part::Packing => self.interfaces(ui, &pairs),
                _ => self.layouts(ui, sides, section),
            }
            let [first, second] = &mut self.canvases;
            first.zoom_buttons(ui);
            second.follow(first);
        });
        let theme = Theme::of(ui);
        let which = if section.name == Part::Packing { self.interface } else { self.layout };
        let settings = MapSettings { z: Some(self.z), ..self.settings };
        let key = (cx.comparing.key, theme.dark, section.name, which, settings);
        if self.drawn.as_ref().is_none_or(|(of, _)| *of != key) {
            let names = cx.comparing.names;
            let pictures = match section.name {
                Part::Packing => {
                    pairs.get(which).map(|pair| packing_sides(section, *pair, names, &theme)).unwrap_or_default()
                }
                _ => {
                    let pair = section.layouts.get(which);
                    pair.map(|pair| lane_sides(pair, sides, names, &settings, &theme)).unwrap_or_default()
                }
            };
            self.drawn = Some((key, pictures));
        }
        let Some((_, pictures)) = &self.drawn else { return };
        let selected: Vec<_> = match section.name {
            Part::Packing => cx.selection.varying.map(Mark::Varying).into_iter().collect(),
            _ => cx.selection.invocation.map(Mark::Invocation).into_iter().collect(),
        };
        // Columns reach to the end of their parent: it ends where the rows begin.
        let rest = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
        ui.scope_builder(rest, |ui| {
            ui.columns(2, |columns| {
                for (side, ui) in columns.iter_mut().enumerate() {
                    let (Some(canvas), Some(picture)) = (self.canvases.get_mut(side), pictures.get(side)) else {
                        continue;
                    };
                    let Some(picture) = picture else {
                        ui.add_space(8.0);
                        ui.weak(format!("{} has no picture.", if side == 0 { "A" } else { "B" }));
                        continue;
                    };
                    let reply = ui.push_id(side, |ui| canvas.show(ui, picture, &theme, &selected)).inner;
                    if let Some(mark) = reply.hovered {
                        at_pointer(&reply.response, |ui| match section.name {
                            Part::Packing => describe_scalar(ui, section, pairs.get(which), side, mark),
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
                        _ => continue,
                    };
                    if selection != *now {
                        commands.push(Command::Select(selection));
                    }
                }
            });
        });
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
