//! The packing tab.

use crate::tokens;
use egui::{Grid, ScrollArea, Ui};
use lanescope_core::driver::layout::LayoutTable;
use lanescope_core::dxil::linkage::OutputLinkage;
use lanescope_core::dxil_tables::linkage_table;
use lanescope_core::options::{PackingOrder, ProducerChoice};
use lanescope_core::packing::{PRODUCERS, Packing, Stored};
use lanescope_core::program::StageKind;
use lanescope_core::table::Table;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::selection::{Selection, Varying};
pub(crate) use lanescope_inspector::view::PACKING as INFO;
use lanescope_inspector::view::{Ask, ViewInfo, WORKGROUP};

use super::costs::CostPane;
use super::table;
use crate::compiling::compiled;
use crate::context::{View, ViewCx};
use crate::cost_sheet::Asked;
use crate::menu::links;
use crate::picture::canvas::{Canvas, SMALL, fits, is_better};
use crate::picture::{Mark, clean};
use crate::table::{GridLook, as_shown, grid, table_id};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{Cached, Draft, actions, below, beside_part, choice, fact, nothing, switches, toolbar, unopened};
use lanescope_pictures::packing::{
    Described, Flag, assigned, describe as scalar, describe_built_in, flagged_picture, flags, stacked_picture,
};

const ORDERS: [(PackingOrder, &str); 3] = [
    (PackingOrder::Llpc, "LLPC"),
    (PackingOrder::DesignNote, "design note"),
    (PackingOrder::NoteUnion, "design note, literal union"),
];

/// The slot grids, with switches for the order and for packing at all, and the producer's exports.
#[derive(Default)]
pub struct PackingView {
    canvas: Canvas,
    cached: Cached<(u64, bool, usize, Option<u64>)>,
    /// The packed slots below the original ones.
    stacked: Cached<(u64, bool, usize)>,
    draft: Draft,
    /// The compilers' slots are shown beside the program's and ours.
    compilers: bool,
    exports: bool,
    stored: bool,
    linkage: bool,
    /// What the interface costs is shown.
    costs: bool,
    cost_pane: CostPane,
    asked: Asked,
    /// Which interface is shown: the fragment shader's first, then the report's inner ones.
    interface: usize,
}

impl View for PackingView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if self.asked.is_new(cx) {
            // They are those of the fragment shader's interface, which is the first.
            (self.costs, self.interface) = (true, 0);
        }
        let interfaces: Vec<&Packing> = cx.report.packing.iter().chain(&cx.report.inner_packing).collect();
        let Some(packing) = interfaces.get(self.interface).or(interfaces.first()).copied() else {
            let hint = match cx.report.stages.first() {
                Some(stage) if cx.report.workgroup.is_empty() && stage.stage.is_graphics() => format!(
                    "Packing applies to the inputs of a fragment shader. Open one together with this {} shader.",
                    stage.stage
                ),
                Some(stage) => {
                    format!("Packing applies to the inputs of a fragment shader; a {} shader has none.", stage.stage)
                }
                None => "Open a fragment shader, best with the stage that precedes it.".to_owned(),
            };
            let instead = (!cx.report.workgroup.is_empty()).then_some(&WORKGROUP);
            commands.extend(unopened(ui, "No inputs to pack", &hint, instead));
            return commands;
        };
        let theme = Theme::of(ui);
        let mut export = cx.asked(Ask::ExportPicture);
        toolbar(ui, |ui| {
            if interfaces.len() > 1 {
                let name =
                    |p: &Packing| format!("{} to {}", p.producer.map_or("none", |stage| stage.name()), p.reader());
                let names: Vec<String> = interfaces.iter().map(|packing| name(packing)).collect();
                let all: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
                self.interface = self.interface.min(all.len() - 1);
                choice(ui, "Interface", &mut self.interface, &all);
            }
            export |= self.toolbar(ui, cx, packing, &mut commands);
        });
        if self.exports && !packing.exports.is_empty() {
            below(ui, "exports", 160.0).show(ui, |ui| {
                exports(ui, cx, packing, &mut commands);
            });
        }
        if let Some(stored) = packing.stored.as_ref().filter(|_| self.stored) {
            below(ui, "stored", 160.0).show(ui, |ui| {
                stored_map(ui, cx, stored, &mut commands);
            });
        }
        if let Some(linkage) = packing.output_linkage.as_ref().filter(|_| self.linkage) {
            below(ui, "linkage", 160.0).show(ui, |ui| {
                output_linkage(ui, cx, linkage, &mut commands);
            });
        }
        let is_attribute = packing.consumer == StageKind::Fragment;
        if self.costs && is_attribute {
            self.cost_pane.ui(ui, cx, &mut commands);
        }
        let layouts = match self.compilers && is_attribute {
            true => match layouts(ui, cx, &mut commands) {
                Some(layouts) => Some(layouts),
                None => return commands,
            },
            false => None,
        };
        let key = (cx.revision, theme.dark, self.interface, layouts.map(|(number, _)| number));
        let found = flags(cx.report, packing);
        let mut picture = self.cached.get(key, || match layouts {
            Some((_, layouts)) => assigned(packing, layouts, &theme),
            None => flagged_picture(packing, &found, &theme),
        });
        let space = ui.available_size();
        if layouts.is_none() && fits(space, picture.size).min_elem() < SMALL {
            let key = (cx.revision, theme.dark, self.interface);
            let stacked = self.stacked.get(key, || stacked_picture(packing, &found, &theme));
            if is_better([space, space], [picture.size, stacked.size]) {
                picture = stacked;
            }
        }
        let selected: Vec<_> = cx.selection.varying.map(Mark::Varying).into_iter().collect();
        if export {
            let name = if layouts.is_some() { "varyings" } else { "packing" };
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name });
        }
        let reply = self.canvas.show(ui, picture, &theme, &selected);
        if let Some(mark) = reply.hovered {
            beside_part(&reply, |ui| describe(ui, packing, &found, mark));
        }
        self.canvas.menu(&reply, selected.first().copied(), &mut commands, |menu, mark, commands| {
            if let Some(Mark::Varying(varying)) = mark {
                let name = packing.interface.iter().find(|scalar| {
                    scalar.location.0 == varying.location
                        && varying.component.is_none_or(|own| own == scalar.component.0)
                });
                if let Some(scalar) = name {
                    menu.command("Copy name", || Command::Copy(clean(&scalar.variable)), commands);
                }
                links::varying(menu, cx, varying.location, varying.component, commands);
                menu.separator();
            }
            menu.command("Copy table", || Command::CopyTable, commands);
        });
        match reply.chosen {
            Some(Mark::Varying(varying)) => commands.push(select(cx, Some(varying))),
            None if reply.cleared && cx.selection.varying.is_some() => commands.push(select(cx, None)),
            _ => {}
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.asked.forget(program);
    }
}

impl PackingView {
    /// Whether the picture is to be exported.
    fn toolbar(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, packing: &Packing, commands: &mut Vec<Command>) -> bool {
        let mut options = self.draft.options(ui, &cx.report.options, cx.revision);
        let of_report = || PRODUCERS.into_iter().find(|stage| cx.report.stages.iter().any(|row| row.stage == *stage));
        let loaded = packing.producer.or_else(of_report);
        // What the panel of options has stands once on the screen.
        let changed = !cx.options_shown
            && switches(ui, cx, |ui| {
                let mut changed = choice(ui, "Order", &mut options.order, &ORDERS);
                let mut pack = !options.no_pack;
                let hint = "When off, locations are renumbered and components stay";
                changed |= ui.checkbox(&mut pack, "Pack").on_hover_text(hint).changed();
                options.no_pack = !pack;
                if let Some(loaded) = loaded {
                    let loaded = format!("{loaded} shader");
                    let all = [
                        (ProducerChoice::Auto, loaded.as_str()),
                        (ProducerChoice::None, "none"),
                        (ProducerChoice::Geometry, "geometry shader, not loaded"),
                    ];
                    changed |= choice(ui, "Producer", &mut options.producer, &all);
                }
                changed
            });
        if changed {
            self.draft.send(&options, cx.revision);
            commands.push(Command::SetOptions(Box::new(options)));
        }
        if !cx.options_shown {
            ui.separator();
        }
        self.canvas.zoom_buttons(ui);
        ui.separator();
        if packing.consumer == StageKind::Fragment {
            let hint = "Slots of each compiler, beside the original and the packed ones";
            ui.toggle_value(&mut self.compilers, "Compilers").on_hover_text(hint);
            let hint = "Exports, LDS, waves and interpolation of the interface before and after packing, each figure with its \
                        source (Ctrl+Shift+F9)";
            ui.toggle_value(&mut self.costs, "Costs").on_hover_text(hint);
        }
        if !packing.exports.is_empty() {
            let hint = "What the previous stage exports, slot by slot";
            ui.toggle_value(&mut self.exports, "Exports").on_hover_text(hint);
        }
        if packing.stored.is_some() {
            let hint = "What the fragment half of the part-pipeline stores for the stages before";
            ui.toggle_value(&mut self.stored, "Stored").on_hover_text(hint);
        }
        if packing.output_linkage.is_some() {
            let hint = "What describes the inputs to Direct3D 12 where the two stages are compiled apart";
            ui.toggle_value(&mut self.linkage, "Linkage").on_hover_text(hint);
        }
        let copy = ("Copy table", "Copy all scalars as text, with tabs between columns");
        let chosen = actions(ui, &[copy, ("Export picture", "Save this picture as SVG or PNG")], 0.0);
        if chosen == Some(0) || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(table::scalars(packing).to_tabs()));
        }
        if loaded.is_none() {
            ui.separator();
            ui.label(format!("{} alone: no previous stage is loaded", packing.consumer));
        }
        chosen == Some(1)
    }
}

/// The compilers' places of varyings, with the number of the answer that they are from; none where there is nothing to
/// draw of them, with the reason on the screen.
fn layouts<'a>(ui: &mut Ui, cx: &ViewCx<'a>, commands: &mut Vec<Command>) -> Option<(u64, &'a [LayoutTable])> {
    let compiled = compiled(ui, cx, commands)?;
    if compiled.sections.layouts.is_empty() {
        let hint = "The slots are read from what compilers return of a fragment shader. None of these says where its \
                    varyings are.";
        commands.extend(nothing(ui, "No compiler's slots", hint, None));
        return None;
    }
    let number = cx.results.compiled.answer.as_ref().map_or(0, |answer| answer.number);
    Some((number, &compiled.sections.layouts))
}

fn select(cx: &ViewCx<'_>, varying: Option<Varying>) -> Command {
    Command::Select(Selection { varying, code: None, ..cx.selection.clone() })
}

fn exports(ui: &mut Ui, cx: &ViewCx<'_>, packing: &Packing, commands: &mut Vec<Command>) {
    let title = format!("Exports of the {} shader", packing.producer.map_or("previous", |stage| stage.name()));
    pane(ui, cx, &title, "Copy exports", "exports", &table::exports(packing), commands);
}

/// The integers of a stored map, with the places that they represent.
fn stored_map(ui: &mut Ui, cx: &ViewCx<'_>, stored: &Stored, commands: &mut Vec<Command>) {
    pane(ui, cx, "Stored for the stages before", "Copy stored", "stored", &table::stored(stored), commands);
}

/// The elements of Direct3D 12's output linkage.
fn output_linkage(ui: &mut Ui, cx: &ViewCx<'_>, linkage: &OutputLinkage, commands: &mut Vec<Command>) {
    let registers = counted(linkage.registers, "register");
    ui.horizontal(|ui| {
        ui.weak(registers);
        if ui.button("Copy as C++").clicked() {
            commands.push(Command::Copy(linkage.cpp()));
        }
    });
    pane(ui, cx, "Output linkage", "Copy linkage", "output linkage", &linkage_table(linkage), commands);
}

/// A table below the picture, with its title and the label of the button that copies it.
fn pane(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    title: &str,
    copy: &str,
    name: &'static str,
    contents: &Table,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.strong(title);
        if ui.button(copy).clicked() {
            commands.push(Command::Copy(as_shown(ui.ctx(), table_id(name), contents).to_tabs()));
        }
    });
    ScrollArea::both().id_salt(name).auto_shrink(false).show(ui, |ui| {
        let look = GridLook { spacing: tokens::table::WIDE, ..GridLook::default() };
        grid(ui, cx, name, contents, look, |_| false, commands);
    });
}

/// All that is known about what a mark represents.
fn describe(ui: &mut Ui, packing: &Packing, found: &[Flag], mark: Mark) {
    match mark {
        Mark::Varying(varying) => {
            paragraphs(ui, &scalar(packing, varying));
            for flag in found.iter().filter(|flag| flag.is_at(varying.location, varying.component.unwrap_or(0))) {
                let (sign, colour) = crate::findings::look(ui, flag.severity);
                let text = egui::RichText::new(format!("{sign} {}", clean(&flag.text))).color(colour);
                ui.add(egui::Label::new(text));
            }
        }
        Mark::BuiltIn(slot) => paragraphs(ui, &describe_built_in(packing, slot)),
        Mark::Invocation(_)
        | Mark::Group(_)
        | Mark::Size(_)
        | Mark::Part(_)
        | Mark::Element(_)
        | Mark::Node(_)
        | Mark::Link(_)
        | Mark::Binding(_)
        | Mark::Lane(_) => {}
    }
}

/// Draws the paragraphs of an explanation.
fn paragraphs(ui: &mut Ui, described: &[Described]) {
    for (index, Described { name, facts, warning, notes }) in described.iter().enumerate() {
        if let Some(name) = name {
            ui.strong(name);
        }
        if !facts.is_empty() {
            Grid::new(("facts", index)).num_columns(2).show(ui, |ui| {
                facts.iter().for_each(|(name, value)| fact(ui, name, value.clone()));
            });
        }
        if let Some(warning) = warning {
            ui.colored_label(ui.visuals().warn_fg_color, *warning);
        }
        notes.iter().for_each(|note| drop(ui.label(note)));
    }
}
