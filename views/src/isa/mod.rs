//! The ISA tab: what drivers' compilers made of the program, one text at a time or two side by side.

mod layout;
mod line;
mod live;
mod pressure;
mod registers;
mod text;

use crate::tokens::space;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{ComboBox, Ui};
use lanescope_core::driver::{DriverStage, Version};
use lanescope_core::program::StageKind;
use lanescope_inspector::command::Command;
use lanescope_inspector::source::Language;
use lanescope_inspector::tasks::Compiled;
pub(crate) use lanescope_inspector::view::ISA as INFO;
use lanescope_inspector::view::ViewInfo;

use crate::combo::{entry_of, pick};
use crate::compiling::{Group, compiled, groups, row_name};
use crate::context::{View, ViewCx};
use crate::diff::{DiffPane, Texts};
use crate::table::one_line;
use crate::widgets::room_for_box;
use text::{Shown, TextPane};

pub use lanescope_pictures::curve::{curve, curves};
pub(crate) use pressure::{Curves, PressurePane};

/// Results for all stages at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    /// Driver places of varyings.
    Varyings,
    /// What drivers reveal of their registers.
    Registers,
}

const PAGES: [(Page, &str, &str); 2] = [
    (Page::Varyings, "Varyings", "Driver places of varyings, beside the computed ones"),
    (Page::Registers, "Registers", "Register values revealed by drivers, beside the computed ones"),
];

/// What the hardware runs, among the forms of a program.
const ASSEMBLY: &str = "Assembly";

/// The ISA tab.
#[derive(Debug, Default)]
pub struct IsaView {
    /// The stage that is shown, by its group's title.
    stage: String,
    /// The stage that was gone to last.
    followed: Option<StageKind>,
    /// What is shown, and what is beside it: chip or device, and version.
    shown: [Option<(String, Version)>; 2],
    /// What is shown instead of a stage.
    page: Option<Page>,
    /// Two are side by side.
    beside: bool,
    /// The form that is shown, by its name; the assembly where absent.
    form: Option<String>,
    text: TextPane,
    diff: DiffPane,
    pressure: PressurePane,
}

impl View for IsaView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(compiled) = compiled(ui, cx, &mut commands) else { return commands };
        let number = cx.results.compiled.answer.as_ref().map_or(0, |answer| answer.number);
        let Some([left, right]) = self.choose(ui, cx, compiled, &mut commands) else { return commands };
        if let Some(page) = self.page {
            match page {
                Page::Varyings => layout::ui(ui, cx, compiled, &mut commands),
                Page::Registers => registers::ui(ui, cx, compiled, &mut commands),
            }
            return commands;
        }
        let row = |index: usize| compiled.sections.stages.get(index);
        let key = |right: Option<usize>| {
            let mut hasher = DefaultHasher::new();
            (cx.revision, number, left, right, &self.form).hash(&mut hasher);
            hasher.finish()
        };
        match (left.and_then(row), right.and_then(row)) {
            (Some(one), Some(other)) if self.form.is_none() && is_packed_alike(one, other) => {
                ui.label(ALREADY_PACKED);
                if let Some(text) = self.text_of(one) {
                    let name = self.name_of(one, compiled);
                    let shown = Shown { compiled, row: one, text, key: key(None), name, is_assembly: true };
                    self.text.ui(ui, cx, &shown, &mut commands);
                }
            }
            (Some(one), Some(other)) => {
                let titles = [one, other].map(|row| row_name(row, &compiled.sections.stages));
                let [first, second] = [one, other].map(|row| self.text_of(row).unwrap_or(""));
                let texts = Texts {
                    key: (key(right), 0),
                    titles: [&titles[0], &titles[1]],
                    texts: [first, second],
                    language: Language::Isa,
                };
                if self.form.is_none() {
                    let of = Curves { rows: [Some(one), Some(other)], names: texts.titles, key: key(right) };
                    self.pressure.export(ui, cx, of, &mut commands);
                    self.pressure.ui(ui, of);
                }
                self.diff.ui(ui, cx, &texts, &mut commands);
            }
            (Some(one), None) => match self.text_of(one) {
                Some(text) => {
                    let is_assembly = self.form.is_none();
                    let name = self.name_of(one, compiled);
                    let shown = Shown { compiled, row: one, text, key: key(None), name, is_assembly };
                    self.text.ui(ui, cx, &shown, &mut commands);
                }
                None => silent(ui, one),
            },
            (None, _) => {}
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.text.forget(program);
        self.diff.forget(program);
    }
}

impl IsaView {
    /// Names the shown text of a row, over compiles.
    fn name_of(&self, row: &DriverStage, compiled: &Compiled) -> String {
        let form = self.form.as_deref().unwrap_or(ASSEMBLY);
        format!("{} {} {form}", self.stage, row_name(row, &compiled.sections.stages))
    }

    /// The controls that choose what is shown. Returns the rows: the one, and the one beside it.
    fn choose(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        compiled: &Compiled,
        commands: &mut Vec<Command>,
    ) -> Option<[Option<usize>; 2]> {
        let groups = groups(&compiled.sections.stages);
        let stage_of = |group: &Group| compiled.sections.stages.get(*group.rows.first()?).map(|row| row.stage);
        if self.followed != cx.selection.stage {
            self.followed = cx.selection.stage;
            let is_shown = |group: &&Group| group.title == self.stage && stage_of(group) == self.followed;
            let other = groups.iter().find(|group| self.followed.is_some() && stage_of(group) == self.followed);
            if let Some(group) = other.filter(|_| !groups.iter().any(|group| is_shown(&group))) {
                self.stage = group.title.clone();
            }
        }
        // What is looked at most is the last stage.
        if !groups.iter().any(|group| group.title == self.stage) {
            self.stage = groups.last()?.title.clone();
        }
        // The source shows its first text as long as no stage was chosen: where that is of another stage, it follows.
        let is_first = |group: &Group| {
            let stages = cx.texts.first().map(|text| text.stages(cx.report)).unwrap_or_default();
            stages.is_empty() || stage_of(group).is_some_and(|stage| stages.contains(&stage))
        };
        let shown = groups.iter().find(|group| group.title == self.stage);
        let mut is_chosen = cx.selection.stage.is_none() && !shown.is_some_and(is_first);
        let mut rows = None;
        ui.horizontal_wrapped(|ui| {
            for group in &groups {
                let here = self.page.is_none() && self.stage == group.title;
                if ui.selectable_label(here, &group.title).clicked() {
                    (self.stage, self.page) = (group.title.clone(), None);
                    is_chosen = true;
                }
            }
            ui.separator();
            let graphics = compiled.sections.stages.iter().any(|row| row.stage.is_graphics());
            self.page = self.page.filter(|page| graphics || *page != Page::Varyings);
            for (page, title, hint) in PAGES.into_iter().filter(|(page, ..)| graphics || *page != Page::Varyings) {
                ui.selectable_value(&mut self.page, Some(page), title).on_hover_text(hint);
            }
            if self.page.is_some() {
                rows = Some([None, None]);
                return;
            }
            ui.separator();
            let Some(group) = groups.iter().find(|group| group.title == self.stage) else { return };
            let left = self.row(0, group, compiled);
            self.column(ui, 0, group, compiled, left);
            if group.rows.len() > 1 {
                ui.toggle_value(&mut self.beside, "Beside").on_hover_text("Show two chips or versions side by side");
            }
            let right = (self.beside && group.rows.len() > 1).then(|| self.row(1, group, compiled)).flatten();
            if let Some(right) = right {
                self.column(ui, 1, group, compiled, Some(right));
            }
            if let Some(row) = left.and_then(|left| compiled.sections.stages.get(left)) {
                self.forms(ui, row);
            }
            rows = Some([left, right]);
        });
        let shown = groups.iter().find(|group| group.title == self.stage).and_then(stage_of);
        if let Some(stage) = shown.filter(|stage| is_chosen && cx.selection.stage != Some(*stage)) {
            commands.push(Command::Select(cx.selection.at_stage(stage)));
        }
        rows
    }

    /// The row of a side: the one that was chosen, else the first; beside it, the next one.
    fn row(&self, side: usize, group: &Group, compiled: &Compiled) -> Option<usize> {
        let is = |index: &&usize| {
            let row = compiled.sections.stages.get(**index);
            let shown = self.shown.get(side).and_then(Option::as_ref);
            row.zip(shown).is_some_and(|(row, (place, of))| row.place() == place && row.of == *of)
        };
        group.rows.iter().find(is).or(group.rows.get(side)).or(group.rows.first()).copied()
    }

    /// A box that picks chip and version of a side.
    fn column(&mut self, ui: &mut Ui, side: usize, group: &Group, compiled: &Compiled, row: Option<usize>) {
        let name = |index: usize| {
            compiled.sections.stages.get(index).map(|row| row_name(row, &compiled.sections.stages)).unwrap_or_default()
        };
        let title = if side == 0 { "of" } else { "and" };
        let shown = row.map(name).unwrap_or_default();
        room_for_box(ui, title, &shown);
        let label = ui.label(title).id;
        let combo = ComboBox::from_id_salt(("column", side)).selected_text(shown).show_ui(ui, |ui| {
            for &index in &group.rows {
                if entry_of(ui, row == Some(index), name(index)).clicked()
                    && let (Some(row), Some(shown)) = (compiled.sections.stages.get(index), self.shown.get_mut(side))
                {
                    *shown = Some((row.place().to_owned(), row.of));
                }
            }
        });
        combo.response.labelled_by(label);
    }

    /// A box that picks the form: the assembly, or what the compiler made on the way.
    fn forms(&mut self, ui: &mut Ui, row: &DriverStage) {
        if row.texts.is_empty() {
            self.form = None;
            return;
        }
        // Another compiler has other forms.
        self.form = self.form.take().filter(|form| row.texts.iter().any(|text| text.name == *form));
        let shown = self.form.as_deref().map_or(ASSEMBLY.to_owned(), one_line);
        room_for_box(ui, "as", &shown);
        let label = ui.label("as").id;
        let combo = ComboBox::from_id_salt("form").selected_text(shown).show_ui(ui, |ui| {
            pick(ui, &mut self.form, None, ASSEMBLY);
            for text in &row.texts {
                pick(ui, &mut self.form, Some(text.name.clone()), one_line(&text.name))
                    .on_hover_text(one_line(&text.description));
            }
        });
        combo.response.labelled_by(label);
    }

    /// The text of a row in the form that is shown.
    fn text_of<'a>(&self, row: &'a DriverStage) -> Option<&'a str> {
        match &self.form {
            Some(form) => row.texts.iter().find(|text| text.name == *form).map(|text| text.text.as_str()),
            None => row.isa.as_deref(),
        }
    }
}

/// What is said where packing changes nothing.
pub(crate) const ALREADY_PACKED: &str = "The driver already packs this; both versions compile to the same code.";

/// Whether one compiler made the same code of both versions of a graphics stage.
pub(crate) fn is_packed_alike(one: &DriverStage, other: &DriverStage) -> bool {
    let versions = one.of != other.of && one.link == other.link && one.is_of_same_compiler(other);
    versions && one.stage == other.stage && one.stage.is_graphics() && one.has_same_code(other)
}

/// Whether every compiler made the same code of the packed stages among these as of their originals.
pub(crate) fn are_packed_alike<'a>(rows: impl Iterator<Item = &'a DriverStage>) -> bool {
    let rows: Vec<&DriverStage> = rows.collect();
    let mut packed = rows.iter().filter(|row| row.of == Version::Packed).peekable();
    packed.peek().is_some() && packed.all(|row| rows.iter().any(|other| is_packed_alike(row, other)))
}

/// A driver that returns no text.
fn silent(ui: &mut Ui, row: &DriverStage) {
    ui.add_space(space::BLOCK);
    ui.label(format!("{} compiles this stage without returning assembly.", one_line(&row.driver)));
    for note in &row.notes {
        ui.weak(note);
    }
}
