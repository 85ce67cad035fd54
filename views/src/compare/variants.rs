//! The variants of a program: a row for each, and what each macro changes.

use crate::tokens::space;
use egui::{Frame, Margin, RichText, ScrollArea, Ui};
use lanescope_core::table::Key;
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::tasks::{ComparedVariants, Task, Work};

use super::chooser;
use crate::context::ViewCx;
use crate::table::{GridLook, Tokens, grid, one_line, quiet_cell};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{toolbar, work_button};

/// Space between columns, and between rows.
const SPACING: [f32; 2] = [16.0, 4.0];

pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let task = &cx.results.variants;
    toolbar(ui, |ui| {
        chooser(ui, &cx.comparing, cx.frozen, commands);
        let doing = task.underway.then_some("compiling variants");
        if work_button(ui, doing, "Compile again", "Compile all variants of the file as it is now") {
            commands.push(if task.underway { Command::Stop(Work::Variants) } else { Command::Begin(Work::Variants) });
        }
        if let Some(done) = task.done().filter(|_| !task.underway) {
            quiet_cell(ui, &done.summary);
        }
    });
    if let Some(why) = task.failed().filter(|_| !task.underway) {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::ROW);
            ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", one_line(why)));
        });
    }
    let Some(done) = task.done() else { return };
    say_old(ui, cx);
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| tables(ui, cx, done, commands));
    });
}

/// Says so where the variants are of another state of the program.
pub(super) fn say_old(ui: &mut Ui, cx: &ViewCx<'_>) {
    if cx.results.variants.is_old(cx.revision) {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::ROW);
            ui.colored_label(Tokens::of(ui.visuals()).warning, format!("! {}", Task::<ComparedVariants>::OLD));
        });
    }
}

fn tables(ui: &mut Ui, cx: &ViewCx<'_>, done: &ComparedVariants, commands: &mut Vec<Command>) {
    let look = GridLook { spacing: SPACING, select: "Show what differs from the first variant", ..GridLook::default() };
    if done.rows.rows.iter().any(|row| row.key != Key::None) {
        quiet_cell(ui, "A number shows what differs from the first variant.");
        ui.add_space(space::SNUG);
    }
    if let Some(Key::Item(number)) = grid(ui, cx, "variants", &done.rows, look, |_| false, commands) {
        commands.push(Command::CompareWith(Some(Partner::Variant(*number))));
    }
    ui.add_space(space::SNUG);
    for (numbers, text) in &done.failures {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {numbers}"));
            ui.label(one_line(text));
        });
    }
    if done.macros.rows.is_empty() {
        return;
    }
    ui.add_space(space::GROUP);
    ui.label(RichText::new("What each macro changes, where it alone differs").strong());
    ui.add_space(space::SNUG);
    let look = GridLook { spacing: SPACING, ..GridLook::default() };
    grid(ui, cx, "macros", &done.macros, look, |_| false, commands);
}
