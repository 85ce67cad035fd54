//! Facts, resources and features of a container.

use egui::{Grid, RichText, Ui};
use lanescope_core::dxil::container::DigestState;
use lanescope_core::dxil::{Name, Summary};
use lanescope_core::findings::Severity;
use lanescope_core::report::Report;
use lanescope_core::words::counted;

use crate::context::ViewCommand;
use crate::table::{Tokens, one_line};
use crate::theme::Theme;
use crate::widgets::{fact, heading};

/// What the container is, in a few lines. Answers whether its code is to be shown.
pub fn facts(ui: &mut Ui, report: &Report, summary: &Summary, commands: &mut Vec<ViewCommand>) -> bool {
    let theme = Theme::of(ui);
    heading(ui, &theme, "Container");
    Grid::new("facts").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
        let kind = summary.kind.as_deref().unwrap_or("none that can be read");
        fact(ui, "shader", format!("{kind}, model {}", summary.shader_model.as_deref().unwrap_or("unknown")));
        let versions = [("DXIL", &summary.dxil_version), ("validator", &summary.validator_version)];
        let versions: Vec<_> =
            versions.iter().filter_map(|(name, v)| Some(format!("{name} {}", v.as_ref()?))).collect();
        fact(ui, "versions", versions.join(", "));
        if let Some(compiler) = &summary.compiler {
            fact(ui, "compiler", one_line(compiler));
        }
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
        let entries: Vec<_> =
            summary.entry_points.iter().map(|e| format!("{} ({})", one_line(&e.name), e.kind)).collect();
        fact(ui, "entry points", entries.join(", "));
        if let Some(module) = &summary.module {
            let counts = format!(
                "functions {}, instructions {}, types {}, bytes of bitcode {}",
                module.functions, module.instructions, module.types, module.bytes
            );
            fact(ui, "program", counts);
        }
    });
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let of = |code: &str| matches!(code.chars().next(), Some('C' | 'D' | 'X'));
        let count =
            |severity: Severity| report.findings.iter().filter(|f| of(&f.code) && f.severity == severity).count();
        let text = Severity::ALL.iter().filter(|severity| count(**severity) > 0).map(|severity| {
            let (count, many) = (count(*severity), if count(*severity) == 1 { "" } else { "s" });
            format!("{count} {severity}{many}")
        });
        let text: Vec<String> = text.collect();
        let text = if text.is_empty() { "no findings".to_owned() } else { text.join(", ") };
        ui.label(format!("DXIL: {text}"));
        if ui.button("Show findings").clicked() {
            commands.push(ViewCommand::Show("findings"));
        }
        ui.button("Show code").on_hover_text("The disassembly, beside the converted SPIR-V").clicked()
    })
    .inner
}

/// Resources, and what the program needs.
pub fn resources(ui: &mut Ui, summary: &Summary) {
    let theme = Theme::of(ui);
    heading(ui, &theme, "Resources");
    if summary.resources.is_empty() {
        ui.weak("The program uses none.");
    }
    Grid::new("resources").num_columns(8).striped(true).spacing([18.0, 4.0]).show(ui, |ui| {
        for title in ["Register", "Space", "Class", "Kind", "Name", "Count", "Descriptor", "Details"] {
            ui.strong(title);
        }
        ui.end_row();
        for resource in &summary.resources {
            let mut details = Vec::new();
            details.extend(resource.element_type.as_ref().map(|of| format!("of {of}")));
            details.extend(resource.stride.map(|stride| format!("stride {stride}")));
            details.extend(resource.bytes.map(|bytes| counted(bytes, "byte")));
            details.extend(resource.samples.map(|samples| counted(samples, "sample")));
            details.extend(resource.sampler.as_ref().map(|kind| kind.to_string()));
            details.extend(resource.flags.iter().map(|flag| flag.to_string()));
            let count = resource.count.map_or_else(|| "no end".to_owned(), |count| count.to_string());
            let binding = summary.bindings.iter().find(|row| {
                let same = (row.space, row.lower) == (resource.space, resource.lower);
                same && row.class == resource.class && !row.counter
            });
            for text in [
                resource.register.clone(),
                resource.space.to_string(),
                resource.class.to_string(),
                resource.kind.to_string(),
                one_line(&resource.name),
                count,
                binding.map(|binding| binding.place()).unwrap_or_default(),
                details.join(", "),
            ] {
                ui.monospace(text);
            }
            ui.end_row();
        }
    });
    heading(ui, &theme, "Features that the program needs");
    list(ui, &summary.features);
    heading(ui, &theme, "Shader flags");
    list(ui, &summary.flags);
}

fn list(ui: &mut Ui, names: &[Name]) {
    if names.is_empty() {
        ui.weak("none");
    } else {
        ui.label(names.join(", "));
    }
}
