//! The explanation of a finding: what its code means, an example, what to do, and the full output of a tool.

use crate::tokens::space;
use egui::{CollapsingHeader, Key, Label, RichText, ScrollArea, Ui};
use lanescope_core::findings::{self, Finding, Rule};

use crate::table::one_line;

/// Draws the explanation. Returns whether it is to be closed.
pub fn ui(ui: &mut Ui, finding: &Finding) -> bool {
    let rule = findings::rule(&finding.code);
    let mut close = ui.input(|input| input.modifiers.is_none() && input.key_pressed(Key::Escape));
    ui.horizontal_wrapped(|ui| {
        close |= ui.button("Close").on_hover_text("Close the explanation (Esc)").clicked();
        ui.strong(format!("{}: {}", finding.code, rule.map_or("unknown code", |rule| rule.about)));
    });
    ScrollArea::vertical().id_salt("explanation").auto_shrink(false).show(ui, |ui| {
        ui.add(Label::new(one_line(&finding.message)).wrap());
        if let Some(details) = &finding.details {
            CollapsingHeader::new("Details").id_salt("details").show(ui, |ui| {
                let lines = details.lines().map(one_line).collect::<Vec<_>>().join("\n");
                ui.add(Label::new(RichText::new(lines).monospace()).wrap());
            });
        }
        if let Some(rule) = rule {
            sections(ui, rule);
        }
    });
    close
}

/// Draws what a code means, an example, and what to do.
pub fn sections(ui: &mut Ui, rule: &Rule) {
    section(ui, "Meaning");
    ui.add(Label::new(rule.meaning).wrap());
    section(ui, "Example");
    ui.add(Label::new(RichText::new(rule.example.text()).monospace()).wrap());
    section(ui, "What to do");
    ui.add(Label::new(rule.remedy).wrap());
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(space::ROW);
    ui.strong(title);
}
