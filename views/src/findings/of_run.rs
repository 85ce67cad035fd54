//! What the interpreter found in a run: a short list, each finding leading to its source line.

use egui::{Label, RichText, Ui};
use lanescope_core::findings::{Finding, rule};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::destination::Destination;

use super::look;
use crate::context::ViewCx;
use crate::table::one_line;

/// Findings that are listed.
const LISTED: usize = 20;

/// The findings in the order in which they appeared. A click on a place goes there.
pub(crate) fn of_run(ui: &mut Ui, cx: &ViewCx<'_>, all: &[Finding], commands: &mut Vec<Command>) {
    all.iter().take(LISTED).for_each(|finding| found(ui, cx, finding, commands));
    if let Some(more) = all.len().checked_sub(LISTED).filter(|more| *more > 0) {
        ui.weak(format!("and {} more", counted(more, "finding")));
    }
}

fn found(ui: &mut Ui, cx: &ViewCx<'_>, finding: &Finding, commands: &mut Vec<Command>) {
    let (icon, colour) = look(ui, finding.severity);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("{icon} {}", finding.severity.name())).color(colour).strong());
        let code = ui.monospace(&*finding.code);
        if let Some(rule) = rule(&finding.code) {
            code.on_hover_text(rule.about);
        }
        if let Some(place) = &finding.place
            && ui.link(one_line(&place.to_string())).clicked()
        {
            commands.extend(to_place(cx, finding));
        }
    });
    ui.add(Label::new(one_line(&finding.message)).wrap());
}

/// Goes to the place of a finding.
pub(crate) fn to_place(cx: &ViewCx<'_>, finding: &Finding) -> Vec<Command> {
    Destination::of(finding, cx.report, cx.texts).map(|to| to.commands(cx.selection)).unwrap_or_default()
}
