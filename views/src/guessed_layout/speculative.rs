//! Speculative compiles from the tab: controls, progress, and a result line.

use crate::tokens::space;
use egui::{DragValue, RichText, Ui};
use lanescope_core::driver::speculative::SpeculativeCompile;
use lanescope_core::guessed_layout::GuessedStage;
use lanescope_core::text_format::{counted, milliseconds};
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::{CompileSettings, SpeculativeSettings};
use lanescope_inspector::tasks::{SpeculativelyCompiled, Work};
use lanescope_pictures::guessed_layout::cache;

use crate::compiling::places;
use crate::context::ViewCx;
use crate::table::{Tokens, one_line, quiet_cell};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{choice, toolbar, work_button};

/// Which driver's answer is shown, where several were asked.
#[derive(Debug, Default)]
pub(super) struct SpeculativePanel {
    place: usize,
    /// What was asked again because it had changed: each change asks once.
    followed: Option<Followed>,
}

/// What a compile was asked for.
#[derive(Debug, PartialEq)]
struct Followed {
    revision: u64,
    compile: CompileSettings,
    speculative: SpeculativeSettings,
}

impl SpeculativePanel {
    /// Draws the controls and, where it is `told`, what came of them. Returns the stage as it was compiled
    /// speculatively, where it was.
    pub fn ui<'a>(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'a>,
        stage: &'a GuessedStage,
        told: bool,
        commands: &mut Vec<Command>,
    ) -> Option<&'a GuessedStage> {
        if cx.frozen {
            if let Some(ahead) = &stage.ahead {
                toolbar(ui, |ui| {
                    quiet_cell(ui, "Results saved in the report.");
                });
                outcome(ui, ahead);
            }
            return stage.ahead.as_ref().map(|_| stage);
        }
        let asked = &cx.results.speculative;
        let rows: Vec<&GuessedStage> = asked.done().map(|done| of_stage(done, stage)).unwrap_or_default();
        self.place = self.place.min(rows.len().saturating_sub(1));
        toolbar(ui, |ui| {
            controls(ui, cx, stage, commands);
            if rows.len() > 1 {
                let names: Vec<String> = rows.iter().filter_map(|row| row.ahead.as_deref()).map(place).collect();
                let all: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
                choice(ui, "Shown", &mut self.place, &all);
            }
            if let Some(done) = asked.done().filter(|_| !asked.underway) {
                quiet_cell(ui, format!("in {}", milliseconds(done.milliseconds)));
            }
        });
        if let Some(why) = asked.failed().filter(|_| !asked.underway) {
            fault(ui, why);
        }
        if !is_fresh(cx) {
            self.follow(cx, commands);
            if !asked.underway && told {
                let text = "! The program or the settings have changed since the compile.";
                ui.horizontal_wrapped(|ui| {
                    ui.add_space(space::ROW);
                    ui.colored_label(Tokens::of(ui.visuals()).warning, text);
                });
            }
            // What it was compiled with is not the layout that is shown now.
            return None;
        }
        let shown = rows.get(self.place).copied();
        if told {
            for why in asked.done().iter().flat_map(|done| &done.failures) {
                fault(ui, why);
            }
            if let Some(ahead) = shown.and_then(|shown| shown.ahead.as_ref()) {
                outcome(ui, ahead);
            }
        }
        shown
    }

    /// Compiles again after a change, if automatic compiles are on.
    fn follow(&mut self, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        if !cx.settings.compile.automatic || cx.results.speculative.underway {
            return;
        }
        let (compile, speculative) = (cx.settings.compile.clone(), cx.settings.speculative.clone());
        let now = Followed { revision: cx.revision, compile, speculative };
        if self.followed.as_ref() != Some(&now) {
            self.followed = Some(now);
            commands.push(Command::Begin(Work::SpeculativeCompile));
        }
    }

    /// Which one is shown, for whoever keeps a picture of it.
    pub fn shown(&self) -> usize {
        self.place
    }
}

/// The rows of one stage: one a driver.
fn of_stage<'a>(done: &'a SpeculativelyCompiled, stage: &GuessedStage) -> Vec<&'a GuessedStage> {
    done.stages.iter().filter(|row| (row.stage, &row.entry) == (stage.stage, &stage.entry)).collect()
}

/// The chip, or the device.
fn place(ahead: &SpeculativeCompile) -> String {
    ahead.chip.map_or_else(|| one_line(&ahead.device), |chip| chip.to_string())
}

/// Whether what is shown was made from the program and the settings as they are.
fn is_fresh(cx: &ViewCx<'_>) -> bool {
    let Some(answer) = &cx.results.speculative.answer else { return true };
    let same = |done: &SpeculativelyCompiled| {
        let (then, now) = (&done.compile, &cx.settings.compile);
        (&then.chips, &then.devices) == (&now.chips, &now.devices) && done.settings == cx.settings.speculative
    };
    answer.revision == cx.revision && answer.result.as_ref().map_or(true, same)
}

fn controls(ui: &mut Ui, cx: &ViewCx<'_>, stage: &GuessedStage, commands: &mut Vec<Command>) {
    let hint = format!(
        "Compile the {} shader with the guessed layout at module creation, and measure the time that pipeline \
         creation saves (Shift+F7)",
        stage.stage
    );
    let compiling = cx.results.speculative.underway;
    if work_button(ui, compiling.then_some("compiling speculatively"), "Compile speculatively", &hint) {
        let command = if compiling { Command::Stop } else { Command::Begin };
        commands.push(command(Work::SpeculativeCompile));
    }
    let mut compile = cx.settings.compile.clone();
    places(ui, cx, &mut compile, commands);
    if compile != cx.settings.compile {
        commands.push(Command::SetCompileSettings(compile));
    }
    let mut settings = cx.settings.speculative.clone();
    let menu =
        ui.menu_button(format!("Measured {}", times(settings.repeats)), |ui| measurement_settings(ui, &mut settings));
    menu.response.on_hover_text("Repeats, time until pipeline creation, disk cache");
    if settings != cx.settings.speculative {
        commands.push(Command::SetSpeculativeSettings(settings));
    }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn measurement_settings(ui: &mut Ui, settings: &mut SpeculativeSettings) {
    ui.horizontal(|ui| {
        let label = ui.label("Repetitions").on_hover_text("Number of measurements; the median is shown").id;
        ui.add(DragValue::new(&mut settings.repeats).range(1..=100).speed(1.0)).labelled_by(label);
    });
    let mut waits = settings.gap.is_none();
    let hint = "The application waits with pipeline creation until the worker is done";
    if ui.checkbox(&mut waits, "Wait until the worker is done").on_hover_text(hint).changed() {
        settings.gap = (!waits).then_some(0);
    }
    if let Some(gap) = &mut settings.gap {
        ui.horizontal(|ui| {
            let hint = "Time between module creation and pipeline creation";
            let label = ui.label("Between module and pipeline").on_hover_text(hint).id;
            ui.add(DragValue::new(gap).range(0..=10_000).speed(1.0).suffix(" ms")).labelled_by(label);
        });
    }
    let hint = "Look in the disk cache first, as a restarted application would";
    ui.checkbox(&mut settings.keep, "Disk cache").on_hover_text(hint);
}

/// Failures.
fn fault(ui: &mut Ui, why: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(space::ROW);
        ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", one_line(why)));
    });
}

/// Hit or miss and why, what the application waits, what the cache holds.
fn outcome(ui: &mut Ui, ahead: &SpeculativeCompile) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.add_space(space::ROW);
        let (text, ink) = match (ahead.hit, ahead.usable()) {
            (true, true) => ("✔ hit", theme.ink),
            (true, false) => ("! hit, not usable by the design note", theme.warn),
            (false, _) => ("✖ miss", theme.warn),
        };
        ui.label(RichText::new(text).color(ink).strong());
        ui.label(format!("the application waits {}", ahead.waits()));
        quiet_cell(ui, cache(ahead));
        if !ahead.notes.is_empty() {
            let text = RichText::new(format!("· {}", counted(ahead.notes.len(), "note")));
            ui.label(text.color(Tokens::of(ui.visuals()).note)).on_hover_text(ahead.notes.join("\n"));
        }
    });
    for (what, text) in ahead.alternatives() {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::SECTION);
            quiet_cell(ui, format!("{what}: {text}"));
        });
    }
    let reasons: Vec<String> = ahead.why.iter().chain(&ahead.gaps).cloned().collect();
    if let Some((why, others)) = reasons.split_first() {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::SECTION);
            let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
            ui.colored_label(theme.warn, format!("{}{more}", one_line(why))).on_hover_text(reasons.join("\n"));
        });
    }
}
