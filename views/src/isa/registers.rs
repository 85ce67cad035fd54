//! Computed register values beside those that drivers reveal: fields that differ, and the choice that causes each
//! difference.

use egui::{Grid, RichText, ScrollArea, Ui};
use lanescope_core::driver::registers::{Choice, RegisterRow, choices, differing};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::table::{Tokens, one_line, quiet_cell, title_above_buttons};
use crate::widgets::nothing;

/// Draws the rows that do not agree, and the choices that they name.
pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, compiled: &Compiled, commands: &mut Vec<Command>) {
    let all = &compiled.sections.registers;
    if all.is_empty() {
        let hint = "Register values in AMD compiler output are compared with the computed ones, for chips with \
                    register tables. Compile for such a chip first.";
        commands.extend(nothing(ui, "No driver registers", hint, None));
        return;
    }
    let rows = differing(all);
    ui.horizontal_wrapped(|ui| {
        let copy = ui.button("Copy").on_hover_text("Copy the rows as text, with tabs between columns").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(as_text(&rows)));
        }
        let agree = all.iter().filter(|row| row.choice.is_none()).count();
        quiet_cell(ui, format!("{agree} of {} fields as computed", all.len()));
    });
    if rows.is_empty() {
        return;
    }
    let tokens = Tokens::of(ui.visuals());
    ScrollArea::both().id_salt("driver registers").auto_shrink(false).show(ui, |ui| {
        Grid::new("driver registers").striped(true).spacing([18.0, 3.0]).show(ui, |ui| {
            let [register, others @ ..] = TITLES;
            title_above_buttons(ui, register);
            others.iter().for_each(|title| _ = ui.strong(*title));
            ui.end_row();
            for (row, places) in &rows {
                let here = cx.selection.register.as_ref() == Some(&row.register);
                let name = RichText::new(one_line(&row.register)).monospace();
                if ui.selectable_label(here, name).on_hover_text("Select this register").clicked() {
                    let register = Some(row.register.clone());
                    commands.push(Command::Select(Selection { register, ..cx.selection.clone() }));
                }
                ui.monospace(one_line(&row.field));
                ui.monospace(ours(row));
                ui.monospace(row.driver.to_string());
                ui.label(one_line(&row.told));
                if let Some(choice) = row.choice {
                    let colour = if choice == Choice::BackEnd { tokens.quiet } else { tokens.changed };
                    ui.label(RichText::new(choice.name()).color(colour)).on_hover_text(choice.why());
                }
                let place = format!("{}: {}", row.stage.with_entry(row.entry.as_deref()), places.join(", "));
                ui.label(RichText::new(place).color(tokens.quiet));
                ui.end_row();
            }
        });
        ui.add_space(4.0);
        for choice in choices(all) {
            ui.horizontal(|ui| {
                ui.label(RichText::new(choice.name()).monospace().color(tokens.note));
                ui.weak(choice.why());
            });
        }
    });
}

const TITLES: [&str; 7] = ["register", "field", "ours", "driver", "from the driver", "choice", "where"];

fn ours(row: &RegisterRow) -> String {
    row.ours.map_or("?".to_owned(), |value| value.to_string())
}

/// Copy the rows as text, with tabs between columns.
fn as_text(rows: &[(&RegisterRow, Vec<String>)]) -> String {
    let mut out = TITLES.join("\t") + "\n";
    for (row, places) in rows {
        let choice = row.choice.map_or("", Choice::name);
        let (register, field, source) = (one_line(&row.register), one_line(&row.field), one_line(&row.told));
        let place = format!("{}: {}", row.stage.with_entry(row.entry.as_deref()), places.join(", "));
        let cells = [&register, &field, &ours(row), &row.driver.to_string(), &source, choice, &place];
        out.push_str(&(cells.join("\t") + "\n"));
    }
    out
}
