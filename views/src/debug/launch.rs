//! The launch of a work graph's record: its input, and what it wrote beside what the device wrote.

use crate::tokens;
use crate::tokens::space;
use egui::{Label, RichText, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{LaunchStop, LaunchVerdict, written_table};

use crate::context::ViewCx;
use crate::table::{GridLook, Tokens, grid, one_line, quiet_cell};
use crate::theme::{Theme, TokensOfVisuals as _};
use crate::widgets::heading;

/// The launch, above the variables.
pub(super) fn launch(ui: &mut Ui, cx: &ViewCx<'_>, launch: &LaunchStop, theme: &Theme, commands: &mut Vec<Command>) {
    heading(ui, theme, "Launch");
    ui.label(one_line(&launch.title));
    if !launch.input.is_empty() {
        quiet_cell(ui, format!("input: {}", one_line(&launch.input)));
    }
    let tokens = Tokens::of(ui.visuals());
    let text = RichText::new(one_line(&launch.verdict_text()));
    let text = match (launch.is_wrong(), &launch.verdict) {
        (true, _) => text.color(tokens.error).strong(),
        (_, LaunchVerdict::Same) => text.strong(),
        _ => text.weak(),
    };
    ui.add(Label::new(text).wrap());
    let table = written_table(launch);
    if table.rows.is_empty() {
        ui.weak("No records.");
    } else {
        let look = GridLook { spacing: tokens::table::DENSE, select: "Select", ..GridLook::default() };
        grid(ui, cx, "written records", &table, look, |_| false, commands);
    }
    if launch.more > 0 {
        ui.weak(format!("and {} more", launch.more));
    }
    ui.add_space(space::ROW);
}
