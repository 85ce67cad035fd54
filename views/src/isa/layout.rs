//! Driver places of varyings beside the computed ones: rows are scalars, columns compilations.

use egui::{Grid, RichText, ScrollArea, Ui};
use lanescope_core::driver::layout::{LayoutColumn, LayoutRow, LayoutRule, LayoutTable, agreeing};
use lanescope_core::driver::{Link, Version};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::table::{Tokens, is_selected, one_line, quiet_cell, title_above_buttons};
use crate::theme::Theme;
use crate::widgets::{heading, nothing};

/// Draws the tables, once for the devices that agree, and the rules that they name.
pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, compiled: &Compiled, commands: &mut Vec<Command>) {
    let groups = agreeing(&compiled.sections.layouts);
    if groups.is_empty() {
        let hint = "The table is computed from AMD compiler output for a fragment shader and the previous stage. \
                    Compile such a program first.";
        commands.extend(nothing(ui, "No driver layout", hint, None));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let copy = ui.button("Copy").on_hover_text("Copy the tables as text, with tabs between columns").clicked();
        if copy || cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(as_text(&groups)));
        }
        quiet_cell(ui, "slot and channel of each scalar, with the rule that moved it if the driver's place differs");
    });
    ScrollArea::both().id_salt("driver layouts").auto_shrink(false).show(ui, |ui| {
        for (index, (places, table)) in groups.iter().enumerate() {
            let places: Vec<_> = places.iter().map(|place| one_line(place)).collect();
            heading(ui, &Theme::of(ui), &places.join(", "));
            grid(ui, cx, index, table, commands);
            ui.add_space(4.0);
            for rule in table.rules() {
                ui.horizontal(|ui| {
                    ui.label(RichText::new(rule.name()).monospace().color(colour(ui, rule)));
                    ui.weak(rule.why());
                });
            }
            for reason in table.reasons() {
                ui.horizontal(|ui| {
                    let text = RichText::new(format!("unattributed, {reason}")).monospace();
                    ui.label(text.color(colour(ui, LayoutRule::Unattributed)));
                    ui.weak(reason.why());
                });
            }
        }
    });
}

/// The title of the names.
const VARYING: &str = "varying";

fn grid(ui: &mut Ui, cx: &ViewCx<'_>, index: usize, table: &LayoutTable, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.visuals());
    let selected: Vec<bool> = table.rows.iter().map(|row| is_here(cx.selection, row)).collect();
    let faint = ui.visuals().faint_bg_color;
    let ground = move |row: usize, _: &egui::Style| {
        // Two rows of titles are above the scalars.
        let at = row.checked_sub(2)?;
        if selected.get(at).copied().unwrap_or(false) { Some(tokens.selected) } else { (at % 2 == 1).then_some(faint) }
    };
    Grid::new(("driver layout", index)).with_row_color(ground).spacing([18.0, 3.0]).show(ui, |ui| {
        for (title, about) in [
            (VARYING, "name in the fragment shader"),
            ("authored", "location and component as written"),
            ("packed", "slot and channel in the computed packing"),
        ] {
            let title = if title == VARYING { title_above_buttons(ui, title) } else { ui.strong(title) };
            title.on_hover_text(about);
        }
        for column in &table.columns {
            ui.strong(format!("{}, {}", column.of, link(column.link))).on_hover_text(about(column));
        }
        ui.end_row();
        (0..3).for_each(|_| _ = ui.label(""));
        for column in &table.columns {
            quiet_cell(ui, counted(column.attributes, "slot"));
        }
        ui.end_row();
        for row in &table.rows {
            let name = RichText::new(name(row)).monospace();
            let here = is_here(cx.selection, row);
            if ui.selectable_label(here, name).on_hover_text("Select this varying").clicked() {
                let varying = Some(Varying { location: row.from.location.0, component: Some(row.from.component.0) });
                commands.push(Command::Select(Selection { varying, code: None, ..cx.selection.clone() }));
            }
            ui.monospace(row.from.to_string());
            ui.monospace(row.packed.to_string());
            for place in &row.driver {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    ui.monospace(place.to_string());
                    if let Some(rule) = place.rule {
                        let text = RichText::new(rule.name()).color(colour(ui, rule));
                        ui.label(text).on_hover_text(rule.why());
                    }
                });
            }
            ui.end_row();
        }
    });
}

/// What a column is of, in a sentence.
fn about(column: &LayoutColumn) -> String {
    let of = match column.of {
        Version::Original => "Original program",
        Version::Packed => "Program with packed inputs",
        Version::Swizzled => "Program with swizzled ids",
    };
    let how = match column.link {
        Link::Apart => "pre-rasterization and fragment stages compiled apart",
        Link::Whole => "all stages compiled together, relinked by the driver",
    };
    let reads = format!("the fragment shader reads {}", counted(column.attributes, "slot"));
    let writes = column.slots.map(|slots| format!(", the previous stage exports {}", counted(slots, "slot")));
    format!("{of}, {how}; {reads}{}.", writes.unwrap_or_default())
}

fn link(link: Link) -> &'static str {
    if link == Link::Apart { "apart" } else { "together" }
}

fn colour(ui: &Ui, rule: LayoutRule) -> egui::Color32 {
    let tokens = Tokens::of(ui.visuals());
    if rule == LayoutRule::Unattributed { tokens.error } else { tokens.note }
}

fn is_here(selection: &Selection, row: &LayoutRow) -> bool {
    is_selected(selection.varying, row.from.location.0, Some(row.from.component.0))
}

fn name(row: &LayoutRow) -> String {
    format!("{}.{}", one_line(&row.variable), row.part())
}

/// Copy the tables as text, with tabs between columns.
fn as_text(groups: &[(Vec<String>, &LayoutTable)]) -> String {
    let mut out = String::new();
    for (places, table) in groups {
        let places: Vec<_> = places.iter().map(|place| one_line(place)).collect();
        out.push_str(&format!("{}\n", places.join(", ")));
        let columns = table.columns.iter().map(|column| format!("{}, {}", column.of, link(column.link)));
        let titles: Vec<_> = [VARYING, "authored", "packed"].map(str::to_owned).into_iter().chain(columns).collect();
        out.push_str(&(titles.join("\t") + "\n"));
        for row in &table.rows {
            let places = row.driver.iter().map(|place| {
                let rule = place.rule.map(|rule| format!(" {rule}")).unwrap_or_default();
                format!("{place}{rule}")
            });
            let cells: Vec<_> =
                [name(row), row.from.to_string(), row.packed.to_string()].into_iter().chain(places).collect();
            out.push_str(&(cells.join("\t") + "\n"));
        }
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
        insta::assert_snapshot!(as_text(&agreeing(&gallery::compiled().sections.layouts)));
    }
}
