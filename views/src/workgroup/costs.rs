//! What each layout does to memory accesses: lane maps in the colors of the lines that an access touches, and the tables.

use crate::tokens;
use crate::tokens::space;
use egui::{Grid, RichText, ScrollArea, Ui};
use lanescope_core::cost::{
    AccessSite, Cost, accesses_table, layouts_table, measured_on, measured_orders_table, measured_table, orders_table,
    sources_table,
};
use lanescope_core::table::{Key, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::devices::NO_TIMES;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::CostSettings;
use lanescope_inspector::tasks::{CostQuestion, CountedCosts, OF_REPORT, Work};

use super::view::lane_menu;
use crate::context::ViewCx;
use crate::cost_sheet::{panel, tiling};
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, Picture, clean};
use crate::table::{GridLook, Tokens, grid};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{Cached, beside_part, choice, heading, number, work_button};
use lanescope_pictures::cost::picture;

/// The share of a low tab that the tables take.
const SHARE: f32 = 0.45;

/// How counted accesses are looked at.
#[derive(Default)]
pub(super) struct CostPane {
    pub(super) canvas: Canvas,
    cached: Cached<Shown>,
    /// What was requested last, so that it is requested once.
    asked: Option<(u64, CostQuestion)>,
    /// The access that was chosen: a program, and the number of its instruction.
    access: Option<(u64, u32)>,
}

/// What the picture is made from: program, revision and number of the answer, theme, access.
type Shown = (u64, u64, u64, bool, usize);

impl CostPane {
    /// The access, how texels lie, and the button that counts.
    pub(super) fn controls(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        if let Some(counted) = cx.results.costs.done() {
            let mut access = self.access_of(cx, &counted.cost);
            let names: Vec<(usize, String)> = counted.cost.accesses.iter().enumerate().map(name).collect();
            let names: Vec<(usize, &str)> = names.iter().map(|(at, name)| (*at, name.as_str())).collect();
            if !names.is_empty() && choice(ui, "Access", &mut access, &names) {
                self.choose(cx, &counted.cost, access);
            }
        }
        let mut settings = cx.settings.costs.clone();
        tiling(ui, &mut settings);
        ui.menu_button("Workgroups", |ui| {
            number(ui, "Counted at most", &mut settings.sample, 1..=CostSettings::MOST);
            number(ui, "Window of orders", &mut settings.window, 1..=CostSettings::MOST);
        });
        if settings != cx.settings.costs {
            commands.push(Command::SetCostSettings(settings));
        }
        let counting = cx.results.costs.underway;
        let hint = "Run the shader in the interpreter and count its accesses (Ctrl+Shift+F9)";
        if work_button(ui, counting.then_some("counting"), "Count", hint) {
            commands.push(if counting { Command::Stop(Work::Costs) } else { Command::Begin(Work::Costs) });
        }
        let timing = cx.results.times.underway;
        let hint = match cx.settings.run.is_interpreter() {
            true => format!("Run the shader in each layout, many times (Alt+F9). {NO_TIMES}"),
            false => "Run the shader in each layout on the device that Run uses, many times (Alt+F9)".to_owned(),
        };
        if work_button(ui, timing.then_some("timing"), "Time", &hint) {
            commands.push(if timing { Command::Stop(Work::Times) } else { Command::Begin(Work::Times) });
        }
    }

    /// Draws what was counted, or why nothing was.
    pub(super) fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        if cx.frozen {
            ui.label(OF_REPORT);
            return;
        }
        let question = CostQuestion::of(cx.revision, cx.settings, cx.inputs, cx.typed);
        self.ask(cx, &question, commands);
        let tokens = Tokens::of(ui.visuals());
        let task = &cx.results.costs;
        if let Some(why) = task.failed().filter(|_| !task.underway) {
            ui.add_space(space::ROW);
            ui.label(RichText::new("× Not counted").color(tokens.error).strong());
            ui.add(egui::Label::new(RichText::new(why).monospace()).wrap());
            times(ui, cx, commands);
            return;
        }
        let (Some(counted), Some(answer)) = (task.done(), &task.answer) else {
            times(ui, cx, commands);
            return;
        };
        if counted.question != question && !task.underway {
            ui.colored_label(tokens.warning, "! Counted with other settings, options or inputs.");
        }
        let CountedCosts { cost, .. } = counted;
        panel(ui, SHARE).show(ui, |ui| {
            ScrollArea::both().auto_shrink(false).show(ui, |ui| self.tables(ui, cx, cost, commands));
        });
        let theme = Theme::of(ui);
        let access = self.access_of(cx, cost);
        let key = (cx.program, answer.revision, answer.number, theme.dark, access);
        let empty = || Picture::new("No accesses".to_owned(), theme.page);
        let picture = self.cached.get(key, || picture(cost, access, &theme).unwrap_or_else(empty));
        let selected: Vec<_> = cx.selection.invocation.map(Mark::Invocation).into_iter().collect();
        let reply = self.canvas.show(ui, picture, &theme, &selected);
        if let Some(Mark::Invocation(id)) = reply.hovered {
            beside_part(&reply, |ui| describe(ui, cost, access, id));
        }
        self.canvas.menu(&reply, selected.first().copied(), commands, lane_menu);
        let select = |invocation| Command::Select(Selection { invocation, ..cx.selection.clone() });
        match reply.chosen {
            Some(Mark::Invocation(id)) => commands.push(select(Some(id))),
            None if reply.cleared && cx.selection.invocation.is_some() => commands.push(select(None)),
            _ => {}
        }
    }

    /// The picture as it was drawn last.
    pub(super) fn picture(&self) -> Option<Picture> {
        self.cached.last().cloned()
    }

    /// Counts, once for each change of what is asked.
    fn ask(&mut self, cx: &ViewCx<'_>, question: &CostQuestion, commands: &mut Vec<Command>) {
        let is_answered = cx.results.costs.done().is_some_and(|counted| counted.question == *question);
        let wanted = (cx.program, question.clone());
        if !is_answered && self.asked.as_ref() != Some(&wanted) {
            self.asked = Some(wanted);
            commands.push(Command::Begin(Work::Costs));
        }
    }

    /// The shown access, by index: the chosen one, else the one that differs most between layouts.
    fn access_of(&self, cx: &ViewCx<'_>, cost: &Cost) -> usize {
        let chosen = self.access.filter(|(program, _)| *program == cx.program);
        let found = chosen.and_then(|(_, number)| cost.accesses.iter().position(|site| site.instruction == number));
        found.or_else(|| cost.telling_access()).unwrap_or(0)
    }

    fn choose(&mut self, cx: &ViewCx<'_>, cost: &Cost, access: usize) {
        self.access = cost.accesses.get(access).map(|site| (cx.program, site.instruction));
    }

    fn tables(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, cost: &Cost, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        let wrapped = |ui: &mut Ui, text: &str| {
            ui.set_max_width(ui.clip_rect().width() - 8.0);
            ui.add(egui::Label::new(clean(text)).wrap());
        };
        ui.scope(|ui| {
            ui.add_space(space::SNUG);
            ui.set_max_width(ui.clip_rect().width() - 8.0);
            ui.add(egui::Label::new(RichText::new(clean(&cost.advice.sentence())).strong()).wrap());
            wrapped(ui, &cost.dispatch());
        });
        let look =
            GridLook { spacing: tokens::table::USUAL, select: "Show the lines of this access", ..GridLook::default() };
        heading(ui, &theme, "Layouts");
        grid(ui, cx, "cost layouts", &layouts_table(cost), look, |_| false, commands);
        times(ui, cx, commands);
        heading(ui, &theme, "Accesses");
        let (accesses, shown) = (accesses_table(cost), self.access_of(cx, cost));
        let is_shown = |key: &Key| *key == Key::Item(shown);
        if let Some(Key::Item(at)) = grid(ui, cx, "cost accesses", &accesses, look, is_shown, commands) {
            self.choose(cx, cost, *at);
        }
        if let Some((orders, table)) = cost.told_orders().zip(orders_table(cost)) {
            heading(ui, &theme, &format!("Orders of workgroups, windows of {}", orders.window));
            grid(ui, cx, "cost orders", &table, look, |_| false, commands);
            ui.scope(|ui| wrapped(ui, &orders.advice.sentence()));
        }
        let notes: Vec<String> =
            cost.depends.iter().map(|one| one.sentence(&cost.contents)).chain(cost.notes.iter().cloned()).collect();
        if !notes.is_empty() {
            heading(ui, &theme, "Notes");
            ui.scope(|ui| notes.iter().for_each(|note| wrapped(ui, &format!("· {note}"))));
        }
        heading(ui, &theme, "Sources (D documented, S read in source, C computed, G a guess)");
        grid(ui, cx, "cost sources", &sources_table(cost), look, |_| false, commands);
    }
}

/// The times of the layouts on a device, or why there are none; nothing where none were asked for.
fn times(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let (task, tokens, theme) = (&cx.results.times, Tokens::of(ui.visuals()), Theme::of(ui));
    let Some(answer) = &task.answer else { return };
    let wrapped = |ui: &mut Ui, text: RichText| {
        ui.scope(|ui| {
            ui.set_max_width(ui.clip_rect().width() - 8.0);
            ui.add(egui::Label::new(text).wrap());
        });
    };
    match &answer.result {
        Ok(timed) => {
            let measured = &timed.measured;
            heading(ui, &theme, &format!("Measured: {}", clean(&measured_on(measured))));
            let question = CostQuestion::of(cx.revision, cx.settings, cx.inputs, cx.typed);
            let other_device = answer.settings.real_device() != cx.settings.run.real_device();
            if timed.question != question || other_device {
                let text = "! Timed on another device, or with other settings, options or inputs.";
                wrapped(ui, RichText::new(text).color(tokens.warning));
            }
            let look = GridLook { spacing: tokens::table::USUAL, ..GridLook::default() };
            grid(ui, cx, "cost times", &measured_table(measured), look, |_| false, commands);
            wrapped(ui, RichText::new(clean(&measured.sentence())));
            if let Some((table, orders)) = measured_orders_table(measured).zip(measured.orders.as_ref()) {
                grid(ui, cx, "cost order times", &table, look, |_| false, commands);
                wrapped(ui, RichText::new(clean(&orders.sentence())));
            }
            measured.notes.iter().for_each(|note| wrapped(ui, RichText::new(clean(&format!("· {note}")))));
        }
        Err(_) if task.underway => {}
        Err(why) => {
            heading(ui, &theme, "Measured");
            wrapped(ui, RichText::new("× Not timed").color(tokens.error).strong());
            wrapped(ui, RichText::new(clean(why)).monospace());
        }
    }
}

/// The layouts and the accesses, as text with tabs between columns.
pub(super) fn as_text(counted: &CountedCosts) -> String {
    let tables: [Table; 2] = [layouts_table(&counted.cost), accesses_table(&counted.cost)];
    tables.map(|table| table.to_tabs()).join("\n")
}

/// An access in one line: `#58 OpImageRead source`.
fn name((at, site): (usize, &AccessSite)) -> (usize, String) {
    (at, format!("#{} {} {}", site.instruction, site.name, clean(&site.resource)))
}

/// The wave of an invocation in each layout, with what it touches.
fn describe(ui: &mut Ui, cost: &Cost, access: usize, id: [u32; 3]) {
    let ([x, y, z], thing) = (id, cost.touched_thing(access));
    ui.strong(format!("Invocation ({x}, {y}, {z})"));
    ui.label(match cost.touched(access, id) {
        Some(touched) => format!("touches {thing} {touched} first"),
        None => "does not run this access".to_owned(),
    });
    Grid::new("waves").num_columns(4).striped(true).show(ui, |ui| {
        for title in ["layout", "wave", "lane", &format!("{thing}s of its wave")] {
            ui.weak(title);
        }
        ui.end_row();
        for wave in cost.waves_of(access, id) {
            let layout = cost.layouts.get(wave.layout).map(|one| one.layout.as_str()).unwrap_or_default();
            ui.label(layout);
            ui.monospace(wave.wave.to_string());
            ui.monospace(wave.lane.to_string());
            ui.monospace(wave.words());
            ui.end_row();
        }
    });
}
