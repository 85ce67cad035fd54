//! The rewritten tab: each module before and after its passes, and what they could not carry.

use crate::tokens::space;
use egui::{Panel, RichText, ScrollArea, Ui};
use lanescope_core::packing::Place;
use lanescope_core::packing::rewrite::Map;
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::Passes;
use lanescope_inspector::source::Language;
use lanescope_inspector::tasks::{OF_REPORT, Rewriting, RewrittenModule, UnchangedStage, Work};
pub(crate) use lanescope_inspector::view::REWRITTEN as INFO;
use lanescope_inspector::view::ViewInfo;

use crate::context::{View, ViewCx};
use crate::diff::{DiffPane, Texts};
use crate::isa::{ALREADY_PACKED, are_packed_alike};
use crate::table::{Tokens, one_line};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{Draft, nothing, toolbar, underway, unopened};

/// The rewritten tab.
#[derive(Debug, Default)]
pub struct RewrittenView {
    /// Index of the module that is shown.
    shown: usize,
    /// The stage that was gone to last.
    followed: Option<StageKind>,
    /// What was requested last, so that it is requested once.
    asked: Option<(u64, Passes)>,
    notes: bool,
    pane: DiffPane,
    draft: Draft,
}

impl View for RewrittenView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if !can_rewrite(cx.report) {
            let hint = "Open a fragment shader (packed), or a compute, task or mesh shader (swizzled).";
            commands.extend(unopened(ui, "Nothing to rewrite", hint, None));
            return commands;
        }
        if cx.frozen {
            commands.extend(nothing(ui, "Nothing to rewrite", OF_REPORT, None));
            return commands;
        }
        self.ask(cx, &mut commands);
        let rewriting = cx.results.rewriting.done();
        toolbar(ui, |ui| {
            self.modules(ui, cx, rewriting, &mut commands);
            passes(ui, cx, &mut self.draft, &mut commands);
            ui.separator();
            let save = ui.add_enabled(rewriting.is_some(), egui::Button::new("Save…"));
            if save.on_hover_text("Write the rewritten modules to a folder, like `lanescope rewrite`").clicked() {
                commands.push(Command::SaveRewritten);
            }
            if cx.results.rewriting.underway && underway(ui, "rewriting") {
                commands.push(Command::Stop(Work::Rewrite));
            }
        });
        match (rewriting, cx.results.rewriting.failed()) {
            (Some(rewriting), _) => self.rewriting(ui, cx, rewriting, &mut commands),
            (None, Some(why)) => refused(ui, why),
            (None, None) if !cx.results.rewriting.underway => {
                if ui.button("Rewrite").clicked() {
                    commands.push(Command::Begin(Work::Rewrite));
                }
            }
            (None, None) => {}
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.pane.forget(program);
    }
}

impl RewrittenView {
    /// Asks for the modules, once for each change of what they are made from.
    fn ask(&mut self, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        let wanted = (cx.revision, cx.settings.run.passes);
        let answer = cx.results.rewriting.answer.as_ref();
        let fresh = answer.is_some_and(|answer| (answer.revision, answer.settings.passes) == wanted);
        if !fresh && self.asked != Some(wanted) {
            self.asked = Some(wanted);
            commands.push(Command::Begin(Work::Rewrite));
        }
    }

    fn modules(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, rewriting: Option<&Rewriting>, commands: &mut Vec<Command>) {
        let Some(rewriting) = rewriting else { return };
        if self.followed != cx.selection.stage {
            self.followed = cx.selection.stage;
            let has = |module: &RewrittenModule| self.followed.is_some_and(|stage| module.stages.contains(&stage));
            let is_shown = rewriting.modules.get(self.shown).is_some_and(has);
            self.shown = rewriting.modules.iter().position(has).filter(|_| !is_shown).unwrap_or(self.shown);
        }
        self.shown = self.shown.min(rewriting.modules.len().saturating_sub(1));
        for (index, module) in rewriting.modules.iter().enumerate() {
            let same = module.original == module.rewritten;
            let text = format!("{}{}", one_line(&module.name), if same { "" } else { " ≠" });
            let stages: Vec<_> = module.stages.iter().map(|stage| stage.name()).collect();
            let about = format!("{}: {}", stages.join(" + "), if same { "original" } else { "rewritten" });
            if ui.selectable_label(self.shown == index, text).on_hover_text(about).clicked() {
                self.shown = index;
                let stage =
                    module.stages.first().filter(|_| !module.stages.iter().any(|is| Some(*is) == self.followed));
                commands.extend(stage.map(|stage| Command::Select(cx.selection.at_stage(*stage))));
            }
        }
        ui.separator();
    }

    fn rewriting(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, rewriting: &Rewriting, commands: &mut Vec<Command>) {
        self.summary(ui, rewriting);
        if cx.results.compiled.done().is_some_and(|compiled| are_packed_alike(compiled.sections.stages.iter())) {
            ui.weak(ALREADY_PACKED);
        }
        if self.notes {
            let most = (ui.available_height() * 0.4).max(60.0);
            let panel = Panel::top(ui.scope_id().with("notes")).resizable(true).default_size(most.min(140.0));
            panel.size_range(most.min(40.0)..=most).show(ui, |ui| {
                ScrollArea::both().auto_shrink(false).show(ui, |ui| notes(ui, rewriting));
            });
        }
        let Some(RewrittenModule { original, rewritten, .. }) = rewriting.modules.get(self.shown) else { return };
        let passes = cx.results.rewriting.answer.as_ref().map_or(Passes::NONE, |answer| answer.settings.passes);
        let key = usize::from(passes.pack) << 1 | usize::from(passes.swizzle);
        let revision = cx.results.rewriting.answer.as_ref().map_or(0, |answer| answer.revision);
        let texts = Texts {
            key: (revision, self.shown << 2 | key),
            titles: ["original", "rewritten"],
            texts: [original, rewritten],
            language: Language::Spvasm,
        };
        self.pane.ui(ui, cx, &texts, commands);
    }

    /// The changes in one line; the full list on demand.
    fn summary(&mut self, ui: &mut Ui, rewriting: &Rewriting) {
        let tokens = Tokens::of(ui.visuals());
        ui.horizontal_wrapped(|ui| {
            let mut parts = Vec::new();
            let two = rewriting.packing.len() > 1;
            for map in &rewriting.packing {
                let slots = map.slots;
                let of = if two { format!("{}: ", map.consumer) } else { String::new() };
                let becomes = if slots.before == 1 { "becomes" } else { "become" };
                let mut text = format!("{of}{} {becomes} {}", counted(slots.before, "slot"), slots.after);
                if slots.hardware != slots.after {
                    text.push_str(&format!(" ({} in hardware)", slots.hardware));
                }
                parts.push(text);
            }
            let changed = rewriting.workgroup.iter().filter(|row| row.changed).count();
            if !rewriting.workgroup.is_empty() {
                parts.push(if changed > 0 {
                    "ids computed from the layout".to_owned()
                } else {
                    "ids unchanged".to_owned()
                });
            }
            if parts.is_empty() {
                parts.push("no pass ran".to_owned());
            }
            ui.label(parts.join(", "));
            let lost = rewriting.packing.iter().map(|map| map.not_carried.len()).sum();
            let label = match lost {
                0 => RichText::new("Changes"),
                1 => RichText::new("! 1 scalar is not at the hardware's place").color(tokens.warning),
                _ => RichText::new(format!("! {lost} scalars are not at the hardware's place")).color(tokens.warning),
            };
            ui.toggle_value(&mut self.notes, label).on_hover_text("What each pass changed, and what it could not");
        });
    }
}

/// Whether a pass has anything to rewrite.
pub(crate) fn can_rewrite(report: &Report) -> bool {
    report.stages.iter().any(|stage| stage.stage == StageKind::Fragment || stage.stage.has_workgroup())
}

/// Switches for the passes that fit the program. The tabs that rewrite share them.
pub(crate) fn passes(ui: &mut Ui, cx: &ViewCx<'_>, draft: &mut Draft, commands: &mut Vec<Command>) {
    let has = |what: fn(StageKind) -> bool| cx.report.stages.iter().any(|stage| what(stage.stage));
    let mut settings = cx.settings.run.clone();
    let before = settings.passes;
    if has(|stage| stage == StageKind::Fragment) {
        let hint = "Pack the fragment shader's inputs, and the outputs of the previous stage";
        ui.toggle_value(&mut settings.passes.pack, "Packing").on_hover_text(hint);
        let mut options = draft.options(ui, &cx.report.options, cx.revision);
        let hint = "Carry 8- and 16-bit varyings as 32-bit ones, converted at both ends";
        let widen = ui.add_enabled(settings.passes.pack, egui::Button::selectable(options.widen, "Widen"));
        if widen.on_hover_text(hint).clicked() {
            options.widen = !options.widen;
            draft.send(&options, cx.revision);
            commands.push(Command::SetOptions(Box::new(options)));
        }
    }
    if has(StageKind::has_workgroup) {
        let hint = "Compute invocation ids according to the workgroup layout";
        ui.toggle_value(&mut settings.passes.swizzle, "Swizzle").on_hover_text(hint);
    }
    if settings.passes != before {
        commands.push(Command::SetRunSettings(settings));
    }
}

/// Why a program cannot be rewritten.
fn refused(ui: &mut Ui, why: &str) {
    let colour = Tokens::of(ui.visuals()).warning;
    ui.add_space(space::GROUP);
    ui.label(RichText::new("! This program cannot be rewritten").color(colour).strong());
    ui.add_space(space::SNUG);
    ui.label(why);
    ui.add_space(space::SNUG);
    ui.weak("The original program can still run.");
}

/// What each pass changed, and what it could not.
fn notes(ui: &mut Ui, rewriting: &Rewriting) {
    for map in &rewriting.packing {
        if rewriting.packing.len() > 1 {
            ui.strong(format!("Inputs of the {} shader", map.consumer));
        }
        packing(ui, map);
    }
    for UnchangedStage { stage, entry, why } in &rewriting.unchanged {
        ui.label(format!("{stage} {}: unchanged, {why}", one_line(entry)));
    }
    for row in rewriting.workgroup.iter().filter(|row| row.changed) {
        ui.label(format!("{} {}: {}", row.stage, one_line(&row.entry), row.why));
        if !row.built_ins.is_empty() {
            ui.weak(format!("computed: {}", row.built_ins.join(", ")));
        }
    }
}

fn packing(ui: &mut Ui, map: &Map) {
    let tokens = Tokens::of(ui.visuals());
    let all = map.carried.len() + map.not_carried.len();
    if all > 0 {
        ui.label(format!("{} of {all} scalars are at the hardware's place.", map.carried.len()));
    }
    for row in &map.not_carried {
        let text = format!(
            "≠ {}: {} in hardware, {} here ({})",
            one_line(&row.variable),
            place(row.hardware),
            place(row.rewritten),
            row.why
        );
        ui.label(RichText::new(text).color(tokens.warning));
    }
    for kept in &map.kept {
        ui.label(format!(
            "= {}: location {} becomes {}, captured unchanged",
            one_line(&kept.variable),
            kept.from,
            kept.to
        ));
    }
    if !map.dropped.is_empty() {
        let (are, what) = if map.dropped.len() == 1 { ("is", "it") } else { ("are", "them") };
        ui.label(format!("− {} {are} removed: nothing reads {what}.", counted(map.dropped.len(), "output")));
    }
    if !map.missing.is_empty() {
        let are = if map.missing.len() == 1 { "is" } else { "are" };
        let inputs = counted(map.missing.len(), "input");
        ui.label(format!("! {inputs} {are} not written: undefined in both programs."));
    }
}

fn place(place: Place) -> String {
    format!("{}.{}{}", place.location, place.component, if place.half { " high" } else { "" })
}
