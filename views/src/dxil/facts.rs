//! What a container is, in a few lines.

use crate::tokens;
use crate::tokens::space;
use egui::{Grid, RichText, Ui};
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::container::DigestState;
use lanescope_core::findings::{Finding, Severity};

use super::view::Page;
use crate::table::{Tokens, one_line};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{fact, heading};

/// Entry points that are named; the reflection has all.
const ENTRIES_AT_MOST: usize = 4;
/// Characters of a name.
const LONGEST_NAME: usize = 64;

/// The row of the digest.
fn digest(ui: &mut Ui, theme: &Theme, summary: &Summary) {
    ui.weak("digest");
    ui.horizontal(|ui| {
        let tokens = Tokens::of(ui.visuals());
        let state = summary.container.digest;
        let colour = match state {
            DigestState::Valid | DigestState::Debug => theme.ink,
            DigestState::Preview => tokens.changed,
            _ => tokens.warning,
        };
        ui.label(RichText::new(state.name()).color(colour).strong());
        ui.monospace(&summary.container.hash);
    });
    ui.end_row();
    if !summary.container.runtime.is_empty() {
        fact(ui, "runtime", summary.container.runtime.clone());
    }
}

/// What the container is, in a few lines. Returns the page that is requested.
pub fn facts(ui: &mut Ui, summary: &Summary, findings: &[&Finding]) -> Option<Page> {
    let theme = Theme::of(ui);
    heading(ui, &theme, "Container");
    Grid::new("facts").num_columns(2).spacing(tokens::table::USUAL).show(ui, |ui| {
        let kind = summary.kind.as_deref().unwrap_or("none that is readable");
        fact(ui, "shader", format!("{kind}, model {}", summary.shader_model.as_deref().unwrap_or("unknown")));
        let versions = [("DXIL", &summary.dxil_version), ("validator", &summary.validator_version)];
        let versions: Vec<_> =
            versions.iter().filter_map(|(name, v)| Some(format!("{name} {}", v.as_ref()?))).collect();
        if !versions.is_empty() {
            fact(ui, "versions", versions.join(", "));
        }
        if let Some(compiler) = &summary.compiler {
            fact(ui, "compiler", one_line(compiler));
        }
        if summary.bare_bitcode {
            fact(ui, "container", "none: bare LLVM bitcode, without signatures, PSV0 and digest".to_owned());
        } else {
            digest(ui, &theme, summary);
        }
        let named = summary.entry_points.iter().enumerate().take(ENTRIES_AT_MOST);
        let mut entries: Vec<_> = named
            .map(|(index, entry)| {
                // What was converted has its name as the source has it.
                let name = summary.conversions.get(index).map_or(&entry.name, |converted| &converted.name);
                let short: String = one_line(name).chars().take(LONGEST_NAME).collect();
                format!("{short} ({})", entry.kind)
            })
            .collect();
        match summary.entry_points.len().saturating_sub(ENTRIES_AT_MOST) {
            0 => {}
            more => entries.push(format!("and {more} more")),
        }
        if !entries.is_empty() {
            fact(ui, "entry points", entries.join(", "));
        }
        if let Some(module) = &summary.module {
            let counts = format!(
                "functions {}, instructions {}, types {}, bytes of bitcode {}",
                module.functions, module.instructions, module.types, module.bytes
            );
            fact(ui, "program", counts);
        }
    });
    ui.add_space(space::SNUG);
    let mut page = None;
    ui.horizontal_wrapped(|ui| {
        let count = |severity: Severity| findings.iter().filter(|f| f.severity == severity).count();
        let text = Severity::ALL.iter().filter(|severity| count(**severity) > 0).map(|severity| {
            let (count, many) = (count(*severity), if count(*severity) == 1 { "" } else { "s" });
            format!("{count} {severity}{many}")
        });
        let text: Vec<String> = text.collect();
        ui.label(if text.is_empty() { "no findings".to_owned() } else { text.join(", ") });
        if !findings.is_empty() && ui.button("Show findings").clicked() {
            page = Some(Page::Findings);
        }
        if ui.button("Show code").on_hover_text("Show the disassembly beside the converted SPIR-V").clicked() {
            page = Some(Page::Code);
        }
    });
    page
}
