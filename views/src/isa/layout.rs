//! Driver places of varyings beside the computed ones: rows are scalars, columns compilations.

use crate::tokens;
use crate::tokens::space;
use egui::{ScrollArea, Ui};
use lanescope_core::driver::layout::{LayoutRule, LayoutTable, agreeing};
use lanescope_core::table::{Key, Part, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::table::{GridLook, as_shown, grid, is_selected, one_line, quiet_cell, table_id, text_of};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{heading, nothing};

/// Draws the tables, once for the devices that agree, and the rules that they name.
pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, compiled: &Compiled, commands: &mut Vec<Command>) {
    let groups = agreeing(&compiled.sections.layouts);
    if groups.is_empty() {
        let hint = "The table is read of what compilers return for a fragment shader and the previous stage. \
                    Compile such a program first.";
        commands.extend(nothing(ui, "No driver layout", hint, None));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let copy = ui.button("Copy").on_hover_text("Copy the tables as text, with tabs between columns").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(as_text(&groups, |index, table| {
                as_shown(ui.ctx(), table_id(name(index)), &table)
            })));
        }
        quiet_cell(ui, "slot and channel of each scalar, with the rule that moved it if the driver's place differs");
    });
    ScrollArea::both().id_salt("driver layouts").auto_shrink(false).show(ui, |ui| {
        for (index, (places, table)) in groups.iter().enumerate() {
            let places: Vec<_> = places.iter().map(|place| one_line(place)).collect();
            heading(ui, &Theme::of(ui), &places.join(", "));
            let look = GridLook { spacing: tokens::table::USUAL, select: "Select this varying", ..GridLook::default() };
            let here =
                |key: &Key| varying(key).is_some_and(|v| is_selected(cx.selection.varying, v.location, v.component));
            if let Some(varying) = grid(ui, cx, name(index), &table.table(), look, here, commands).map(varying) {
                commands.push(Command::Select(Selection { varying, code: None, ..cx.selection.clone() }));
            }
            ui.add_space(space::SNUG);
            for rule in table.rules() {
                ui.horizontal(|ui| {
                    ui.label(text_of(ui, &Part { meaning: rule.meaning(), ..Part::code(rule.name()) }));
                    ui.weak(rule.why());
                });
            }
            for reason in table.reasons() {
                ui.horizontal(|ui| {
                    let text = Part::code(format!("unattributed, {reason}"));
                    ui.label(text_of(ui, &Part { meaning: LayoutRule::Unattributed.meaning(), ..text }));
                    ui.weak(reason.why());
                });
            }
        }
    });
}

/// The varying that a row selects.
fn varying(key: &Key) -> Option<Varying> {
    match key {
        Key::Varying { location, component } => Some(Varying { location: *location, component: Some(*component) }),
        _ => None,
    }
}

/// The name of a table, by its number.
fn name(index: usize) -> (&'static str, usize) {
    ("driver layout", index)
}

/// The tables as text, with tabs between columns, each in the order that it is shown in.
fn as_text(groups: &[(Vec<String>, &LayoutTable)], ordered: impl Fn(usize, Table) -> Table) -> String {
    let mut out = String::new();
    for (index, (places, table)) in groups.iter().enumerate() {
        let places: Vec<_> = places.iter().map(|place| one_line(place)).collect();
        out.push_str(&format!("{}\n", places.join(", ")));
        out.push_str(&ordered(index, table.table()).to_tabs());
        for rule in table.rules() {
            out.push_str(&format!("{rule}: {}\n", rule.why()));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn copies_tables_once_for_devices_that_agree() {
        insta::assert_snapshot!(as_text(&agreeing(&gallery::compiled().sections.layouts), |_, table| table));
    }
}
