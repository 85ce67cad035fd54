//! Computed register values beside those that drivers reveal: fields that differ, and the choice that causes each
//! difference.

use crate::tokens;
use crate::tokens::space;
use egui::{RichText, ScrollArea, Ui};
use lanescope_core::driver::registers::{choices, table};
use lanescope_core::table::Key;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::table::{GridLook, Tokens, as_shown, grid, quiet_cell, table_id};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::nothing;

/// The name of the table.
const TABLE: &str = "driver registers";

/// Draws the rows that do not agree, and the choices that they name.
pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, compiled: &Compiled, commands: &mut Vec<Command>) {
    let all = &compiled.sections.registers;
    if all.is_empty() {
        let hint = "Register values in AMD compiler output are compared with the computed ones, for chips with \
                    register tables. Compile for such a chip first.";
        commands.extend(nothing(ui, "No driver registers", hint, None));
        return;
    }
    let rows = table(all);
    ui.horizontal_wrapped(|ui| {
        let copy = ui.button("Copy").on_hover_text("Copy the rows as text, with tabs between columns").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(as_shown(ui.ctx(), table_id(TABLE), &rows).to_tabs()));
        }
        let agree = all.iter().filter(|row| row.choice.is_none()).count();
        quiet_cell(ui, format!("{agree} of {} fields as computed", all.len()));
    });
    if rows.rows.is_empty() {
        return;
    }
    let tokens = Tokens::of(ui.visuals());
    ScrollArea::both().id_salt("driver registers").auto_shrink(false).show(ui, |ui| {
        let look = GridLook { spacing: tokens::table::USUAL, select: "Select this register", ..GridLook::default() };
        let named = |key: &Key| matches!(key, Key::Register(name) if cx.selection.register.as_ref() == Some(name));
        if let Some(Key::Register(name)) = grid(ui, cx, TABLE, &rows, look, named, commands) {
            commands.push(Command::Select(Selection { register: Some(name.clone()), ..cx.selection.clone() }));
        }
        ui.add_space(space::SNUG);
        for choice in choices(all) {
            ui.horizontal(|ui| {
                ui.label(RichText::new(choice.name()).monospace().color(tokens.note));
                ui.weak(choice.why());
            });
        }
    });
}
