//! The tab of an AMD code object: its parts as tables.

use egui::Ui;
use lanescope_core::dxil_tables::Section;
use lanescope_core::object_tables;
use lanescope_inspector::command::Command;
pub(crate) use lanescope_inspector::view::CODE_OBJECT as INFO;
use lanescope_inspector::view::ViewInfo;

use crate::context::{View, ViewCx};
use crate::sheet::Sheet;
use crate::widgets::{toolbar, unopened};

/// One part of an object at a time.
#[derive(Default)]
pub struct CodeObjectView {
    /// The part that is shown, by name.
    shown: &'static str,
    sheet: Sheet,
    /// The parts, with the program and the revision that they are of.
    parts: Option<((u64, u64), Vec<Section>)>,
}

impl View for CodeObjectView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(object) = cx.object else {
            let hint = "Open an ELF file of amdllpc, AMDVLK, RGA or LLVM.";
            commands.extend(unopened(ui, "Not an AMD code object", hint, None));
            return commands;
        };
        let key = (cx.program, cx.revision);
        let parts = self.parts.take().filter(|(of, _)| *of == key).map(|(_, parts)| parts);
        let parts = parts.unwrap_or_else(|| object_tables::sections(object));
        if let Some(shown) = parts.iter().find(|part| part.name == self.shown).or(parts.first()) {
            self.shown = shown.name;
            toolbar(ui, |ui| {
                for part in &parts {
                    ui.selectable_value(&mut self.shown, part.name, part.name);
                }
            });
            self.sheet.ui(ui, cx, ((cx.revision, 0), shown), &mut commands);
        }
        self.parts = Some((key, parts));
        commands
    }
}
