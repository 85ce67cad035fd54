//! The disassembly of a container's program, beside the converted SPIR-V.

use crate::tokens::space;
use egui::{CentralPanel, Ui};
use lanescope_core::dxil::Summary;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Listed;
use lanescope_inspector::source::{SourceText, TextRole};

use crate::context::ViewCx;
use crate::source::pane::TextPane;
use crate::table::one_line;
use crate::widgets::{beside, choice};

/// Below this width one text is shown at a time.
const NARROW: f32 = 720.0;
/// Entry points that were not converted, and why, that are listed at once.
const REFUSED_AT_MOST: usize = 16;

/// How both texts are looked at.
#[derive(Debug, Default)]
pub(super) struct Code {
    listing: TextPane,
    module: TextPane,
    /// Which of the modules, in the order of the entry points.
    chosen: usize,
    /// Where there is no space for both: whether the module is shown.
    second: bool,
    /// The module had the keyboard last.
    module_has_keys: bool,
}

impl Code {
    /// Draws them. `go` says that a line of the listing is gone to.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, go: bool, commands: &mut Vec<Command>) {
        let of = |text: &SourceText, listing: bool| {
            text.input == summary.input
                && if listing { text.role == TextRole::Listing } else { matches!(text.role, TextRole::Module(_)) }
        };
        let find = |listing: bool| (0..cx.texts.len()).filter(move |index| of(&cx.texts[*index], listing));
        let listing = find(true).next();
        let modules: Vec<usize> = find(false).collect();
        self.chosen = self.chosen.min(modules.len().saturating_sub(1));
        if ui.available_width() < NARROW {
            if go {
                self.second = false;
            }
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.second, false, "DXIL");
                ui.selectable_value(&mut self.second, true, "SPIR-V");
            });
            ui.push_id(self.second, |ui| match self.second {
                true => self.module(ui, cx, summary, &modules, false, commands),
                false => self.listing(ui, cx, listing, commands),
            });
            return;
        }
        let half = (ui.available_width() / 2.0).floor();
        let right = beside(ui, "module", half);
        self.module_has_keys = match (self.module.has_keys(ui), self.listing.has_keys(ui)) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => self.module_has_keys,
        };
        // Requests are for one of them: the one that had the keyboard last.
        let without = ViewCx { ask: None, ..*cx };
        let [of_module, of_listing] = if self.module_has_keys { [cx, &without] } else { [&without, cx] };
        right
            .size_range(240.0..=f32::INFINITY)
            .show(ui, |ui| self.module(ui, of_module, summary, &modules, true, commands));
        CentralPanel::no_frame().show(ui, |ui| self.listing(ui, of_listing, listing, commands));
    }

    /// Forgets the texts of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.listing.forget(program);
        self.module.forget(program);
    }

    fn listing(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, listing: Option<usize>, commands: &mut Vec<Command>) {
        match listing {
            Some(number) => self.listing.ui(ui, cx, number, commands),
            None => {
                ui.add_space(space::BLOCK);
                ui.label(
                    "No DXIL to disassemble: the container's program is shader model 5 or earlier, or cannot be read.",
                );
            }
        }
    }

    fn module(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        summary: &Summary,
        modules: &[usize],
        beside: bool,
        commands: &mut Vec<Command>,
    ) {
        if modules.len() > 1 {
            let title = |index: &usize| cx.texts.get(*index).map(|text| one_line(&text.title)).unwrap_or_default();
            let titles: Vec<String> = modules.iter().map(title).collect();
            let choices: Vec<(usize, &str)> = titles.iter().map(String::as_str).enumerate().collect();
            let changed = ui.horizontal(|ui| choice(ui, "Entry point", &mut self.chosen, &choices)).inner;
            // Beside it the listing goes to the same entry point.
            let text = modules.get(self.chosen).and_then(|index| cx.texts.get(*index)).filter(|_| changed && beside);
            let line = text.and_then(|text| line_of_entry(cx, summary, text));
            commands.extend(line.map(|line| Command::Select(cx.selection.at_line(line))));
        }
        let refused = summary.conversions.iter().filter_map(|entry| Some((&entry.name, entry.why.as_deref()?)));
        let refused = refused.map(|(name, why)| format!("{}: {}", one_line(name), one_line(why)));
        match modules.get(self.chosen) {
            Some(number) => {
                let refused: Vec<String> = refused.collect();
                if !refused.is_empty() {
                    let text = format!("{} not converted", counted(refused.len(), "entry point"));
                    ui.weak(text).on_hover_text(refused.get(..REFUSED_AT_MOST).unwrap_or(&refused).join("\n"));
                }
                self.module.ui(ui, cx, *number, commands);
            }
            None => {
                ui.add_space(space::BLOCK);
                ui.label("No entry point was converted to SPIR-V.");
                refused.take(REFUSED_AT_MOST).for_each(|text| drop(ui.weak(text)));
            }
        }
    }
}

/// The line of the listing where the entry point begins that became a module.
fn line_of_entry(cx: &ViewCx<'_>, summary: &Summary, module: &SourceText) -> Option<Listed> {
    let TextRole::Module(number) = module.role else { return None };
    let index = summary.conversions.iter().position(|entry| entry.module == Some(number))?;
    let head = format!("; entry point {} (", summary.entry_points.get(index)?.name);
    let is_listing = |text: &&SourceText| text.role == TextRole::Listing && text.input == summary.input;
    let at = cx.texts.iter().find(is_listing)?.text.lines().position(|line| line.starts_with(&head))?;
    Some(Listed { input: summary.input, line: u32::try_from(at).ok()?.saturating_add(1) })
}
