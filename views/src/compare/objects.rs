//! Two AMD code objects: values part by part, and their code.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::Ui;
use lanescope_core::codeobject;
use lanescope_core::dxil_tables::Section;
use lanescope_core::object_assembly::instructions;
use lanescope_core::object_tables::compared_sections;
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::ObjectSide;
use lanescope_inspector::source::Language;

use crate::context::ViewCx;
use crate::diff::{DiffPane, Texts};
use crate::sheet::Sheet;
use crate::table::one_line;

/// The name of the tab of the code.
const ASSEMBLY: &str = "Assembly";

/// How two objects are looked at.
pub(super) struct ObjectsPane {
    changed_only: bool,
    /// The part that is shown, by name; the first one that differs where absent.
    shown: Option<&'static str>,
    sheet: Sheet,
    diff: DiffPane,
    known: Option<Known>,
}

/// What was made of two objects.
struct Known {
    key: [u64; 4],
    changed_only: bool,
    parts: Vec<(codeobject::ComparedSection, Section)>,
    /// The instructions of both, or why one of them is not known.
    code: Result<[String; 2], String>,
}

impl Default for ObjectsPane {
    fn default() -> Self {
        ObjectsPane { changed_only: true, shown: None, sheet: Sheet::default(), diff: DiffPane::default(), known: None }
    }
}

impl Known {
    fn of(key: [u64; 4], changed_only: bool, [a, b]: [ObjectSide<'_>; 2]) -> Known {
        let mut found = codeobject::compare(a.object, b.object);
        if changed_only {
            found.keep_changes();
        }
        let sections = compared_sections(&found);
        let code = match (a.listing, b.listing) {
            (Ok(a), Ok(b)) => Ok([a, b].map(instructions)),
            (Err(why), _) | (_, Err(why)) => Err(why.to_owned()),
        };
        Known { key, changed_only, parts: found.sections.into_iter().zip(sections).collect(), code }
    }

    /// `= Header`, `≠ Registers (27)`; `·` where there is nothing to compare.
    fn title(part: &codeobject::ComparedSection, section: &Section) -> String {
        match part.differences() {
            0 if part.values == 0 => format!("· {}", section.name),
            0 => format!("= {}", section.name),
            count => format!("≠ {} ({count})", section.name),
        }
    }

    fn code_title(&self) -> String {
        let sign = match &self.code {
            Err(_) => "·",
            Ok([a, b]) if a.is_empty() && b.is_empty() => "·",
            Ok([a, b]) if a == b => "=",
            Ok(_) => "≠",
        };
        format!("{sign} {ASSEMBLY}")
    }
}

impl ObjectsPane {
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, sides: [ObjectSide<'_>; 2], commands: &mut Vec<Command>) {
        let (key, changed_only) = (cx.comparing.key, self.changed_only);
        let known = self.known.take().filter(|known| (known.key, known.changed_only) == (key, changed_only));
        let known = known.unwrap_or_else(|| Known::of(key, changed_only, sides));
        let first = known.parts.iter().find(|(part, _)| !part.equal).or(known.parts.first());
        let mut shown = self.shown.or(first.map(|(_, section)| section.name)).unwrap_or(ASSEMBLY);
        ui.horizontal_wrapped(|ui| {
            for (part, section) in &known.parts {
                ui.selectable_value(&mut shown, section.name, Known::title(part, section));
            }
            ui.selectable_value(&mut shown, ASSEMBLY, known.code_title());
        });
        self.shown = Some(shown);
        ui.separator();
        match known.parts.iter().find(|(_, section)| section.name == shown) {
            Some((part, section)) => {
                ui.horizontal_wrapped(|ui| {
                    let hint = "Hide rows that are equal on both sides";
                    ui.toggle_value(&mut self.changed_only, "≠ Changed only").on_hover_text(hint);
                });
                match (part.values, part.equal) {
                    (0, _) => drop(ui.label("Neither object has any.")),
                    (_, true) if changed_only => drop(ui.label("= Both objects have the same values.")),
                    _ => {
                        let mut hasher = DefaultHasher::new();
                        (key, changed_only).hash(&mut hasher);
                        self.sheet.ui(ui, cx, ((hasher.finish(), 0), section), commands);
                    }
                }
            }
            None => self.code(ui, cx, &known, commands),
        }
        self.known = Some(known);
    }

    fn code(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, known: &Known, commands: &mut Vec<Command>) {
        match &known.code {
            Err(why) => drop(ui.label(format!("Not compared: {}", one_line(why)))),
            Ok([a, b]) if a.is_empty() && b.is_empty() => drop(ui.label("Neither object has code.")),
            Ok([a, b]) if a == b => drop(ui.label("= Both objects have the same instructions.")),
            Ok([a, b]) => {
                let titles = cx.comparing.names.map(one_line);
                let mut hasher = DefaultHasher::new();
                known.key.hash(&mut hasher);
                let texts = Texts {
                    key: (hasher.finish(), 0),
                    titles: [&titles[0], &titles[1]],
                    texts: [a, b],
                    language: Language::Isa,
                };
                self.diff.ui(ui, cx, &texts, commands);
            }
        }
    }

    pub fn forget(&mut self, program: u64) {
        self.diff.forget(program);
    }
}
