//! The compare tab: two programs, two reports or two settings, section by section.

mod objects;
mod panes;
mod table;
mod variants;

use crate::tokens;
use crate::tokens::space;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{ComboBox, Grid, RichText, ScrollArea, Ui, UiBuilder, vec2};
use lanescope_core::compare::{Comparison, Part, RowFilter, Section, Side, compare};
use lanescope_core::driver::isa::without_encodings;
use lanescope_core::options::flag;
use lanescope_core::table::Table;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::source::Language;
pub(crate) use lanescope_inspector::view::COMPARE as INFO;
use lanescope_inspector::view::{Ask, ViewId, ViewInfo};

use crate::combo::entry_of;
use crate::compiling::say_stale;
use crate::context::{View, ViewCx};
use crate::diff::{DiffPane, Texts};
use crate::isa::{Curves, PressurePane};
use crate::table::{Search, Tokens, one_line, quiet_cell};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{below, nothing, room_for_words, toolbar};
use objects::ObjectsPane;
use panes::{Panes, STACKED, Shown};
use table::RowsPane;

pub use lanescope_pictures::compare::picture;
pub(crate) use lanescope_pictures::compare::title;

/// Below this height, and where pictures are one above the other, pictures and rows are a page that scrolls: each picture is
/// whole, and so are the rows below it.
const PAGE_BELOW: f32 = 440.0;
/// In such a page, rows are not higher.
const ROWS_HIGH: f32 = 320.0;
/// What is said of two texts that differ in encodings and addresses at most.
const SAME_CODE: &str = "Both sides compile to the same code.";
/// Below this width, controls shrink in favour of the content.
const NARROW: f32 = 460.0;

/// The compare tab.
pub struct CompareView {
    /// The section that was chosen; the first one that differs where absent.
    part: Option<Part>,
    changed_only: bool,
    pictures: bool,
    search: Search,
    /// What was compared, and from what.
    known: Option<([u64; 4], Comparison)>,
    rows: RowsPane,
    panes: Panes,
    /// The pair of texts that is shown, by its name.
    text: Option<String>,
    /// Both texts without encodings and addresses, by what they are of.
    plain: Option<((u64, usize), [String; 2])>,
    diff: DiffPane,
    pressure: PressurePane,
    objects: ObjectsPane,
}

impl Default for CompareView {
    fn default() -> Self {
        CompareView {
            part: None,
            changed_only: true,
            pictures: true,
            search: Search::default(),
            known: None,
            rows: RowsPane::default(),
            panes: Panes::default(),
            text: None,
            plain: None,
            diff: DiffPane::default(),
            pressure: PressurePane::default(),
            objects: ObjectsPane::default(),
        }
    }
}

impl View for CompareView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if cx.comparing.with == Some(Partner::Variants) {
            variants::ui(ui, cx, &mut commands);
            return commands;
        }
        if let Some(objects) = cx.comparing.objects {
            toolbar(ui, |ui| chooser(ui, &cx.comparing, cx.frozen, &mut commands));
            self.objects.ui(ui, cx, objects, &mut commands);
            return commands;
        }
        let Some(sides) = cx.comparing.sides else {
            partners(ui, cx, &mut commands);
            return commands;
        };
        let key = cx.comparing.key;
        let comparison = match self.known.take() {
            Some((of, comparison)) if of == key => comparison,
            _ => compare(sides[0], sides[1]),
        };
        self.ui_of(ui, cx, sides, &comparison, &mut commands);
        self.known = Some((key, comparison));
        commands
    }

    fn forget(&mut self, program: u64) {
        self.diff.forget(program);
        self.objects.forget(program);
    }
}

impl CompareView {
    fn ui_of(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        sides: [Side<'_>; 2],
        comparison: &Comparison,
        commands: &mut Vec<Command>,
    ) {
        toolbar(ui, |ui| chooser(ui, &cx.comparing, cx.frozen, commands));
        if comparison.options.is_empty() && cx.comparing.with == Some(Partner::SecondSetting) {
            same_options(ui, commands);
        }
        if matches!(cx.comparing.with, Some(Partner::Variant(_))) {
            variants::say_old(ui, cx);
        }
        options(ui, comparison);
        let sections = || comparison.sections.iter();
        let differs = sections().find(|section| !section.equal);
        let first = differs.or_else(|| sections().find(|section| section.present != [false, false]));
        let first = first.or(comparison.sections.first());
        let chosen = self.part.and_then(|part| comparison.section(part)).or(first);
        let mut wanted = chosen.map(|section| section.name);
        let narrow = ui.available_width() < NARROW;
        ui.horizontal_wrapped(|ui| {
            let mut all = |ui: &mut Ui| {
                for section in &comparison.sections {
                    ui.selectable_value(&mut wanted, Some(section.name), tab(section)).on_hover_text(verdict(section));
                }
            };
            if narrow {
                let shown = chosen.map(tab).unwrap_or_default();
                let label = ui.label("Section").id;
                let combo = ComboBox::from_id_salt("sections").selected_text(shown).show_ui(ui, all);
                combo.response.labelled_by(label);
            } else {
                all(ui);
            }
        });
        if wanted != chosen.map(|section| section.name) {
            self.part = wanted;
        }
        ui.separator();
        let Some(section) = wanted.and_then(|part| comparison.section(part)) else { return };
        let compiled = matches!(section.name, Part::Statistics | Part::Isa);
        if compiled && cx.comparing.stale && !cx.comparing.compiling {
            say_stale(ui);
        }
        if section.present == [false, false] {
            absent(ui, cx, section, commands);
        } else if section.name == Part::Isa {
            self.texts(ui, cx, sides, section, commands);
        } else {
            self.section(ui, cx, Shown { sides, section, options: &comparison.options }, commands);
        }
        if cx.asked(Ask::ExportPicture) {
            commands.push(export(cx, section, sides, &Theme::of(ui)));
        }
    }

    /// A section of rows, with the pictures of both sides if any.
    fn section(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, shown: Shown<'_>, commands: &mut Vec<Command>) {
        let Shown { sides, section, .. } = shown;
        let narrow = ui.available_width() < NARROW;
        let drawn = matches!(section.name, Part::Packing | Part::Lanes);
        ui.horizontal_wrapped(|ui| {
            let hint = "Hide rows that are equal on both sides";
            ui.toggle_value(&mut self.changed_only, "≠ Changed only").on_hover_text(hint);
            if drawn {
                ui.toggle_value(&mut self.pictures, "Pictures")
                    .on_hover_text("Show both sides as pictures above the rows");
            }
            if section.name == Part::Statistics {
                compile_button(ui, cx, commands);
            }
            if !narrow || !self.search.text.is_empty() || cx.asked(Ask::Search) {
                self.search.ui(ui, cx, "Search rows", 140.0);
            }
            self.rows.steps(ui, cx, section);
            let copy = ui.button("Copy").on_hover_text("Copy the rows as text, with tabs between columns").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                let table = self.table_of(section, cx.comparing.names);
                commands.push(Command::Copy(table::in_order(ui.ctx(), section, &table).to_tabs()));
            }
            let hint = "Save the differences as SVG or PNG";
            if !narrow && ui.button("Export picture").on_hover_text(hint).clicked() {
                commands.push(export(cx, section, sides, &Theme::of(ui)));
            }
            if drawn && self.pictures {
                self.panes.controls(ui, sides, section);
            }
        });
        let room = ui.available_size();
        let [a, b] = cx.comparing.names;
        let table = self.table_of(section, [&format!("A  {a}"), &format!("B  {b}")]);
        if !drawn || !self.pictures {
            self.rows.ui(ui, cx, sides, section, &table, commands);
            return;
        }
        if room.y < PAGE_BELOW || room.x < STACKED {
            ScrollArea::vertical().id_salt("page").auto_shrink(false).show(ui, |ui| {
                self.panes.ui(ui, cx, shown, true, commands);
                ui.separator();
                let line = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
                let high = (line * (table.rows.len() + 4) as f32).min(ROWS_HIGH);
                let (_, place) = ui.allocate_space(vec2(ui.available_width(), high));
                let mut rows = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(place));
                self.rows.ui(&mut rows, cx, sides, section, &table, commands);
            });
            return;
        }
        let high = (room.y * 0.36).max(90.0);
        below(ui, ("rows", section.name), high).show(ui, |ui| {
            self.rows.ui(ui, cx, sides, section, &table, commands);
        });
        self.panes.ui(ui, cx, shown, false, commands);
    }

    /// The rows that the search and the filter leave.
    fn table_of(&self, section: &Section, names: [&str; 2]) -> Table {
        let words = self.search.words();
        section.table(names, RowFilter { changed_only: self.changed_only, words: &words })
    }

    /// The texts of compilers, one pair at a time.
    fn texts(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        sides: [Side<'_>; 2],
        section: &Section,
        commands: &mut Vec<Command>,
    ) {
        let all = &section.texts;
        let named = |name: &String| all.iter().position(|text| text.name == *name);
        let first = all.iter().rposition(|text| !text.equal).or(all.len().checked_sub(1));
        let Some(at) = self.text.as_ref().and_then(named).or(first) else { return };
        let Some(pair) = all.get(at) else { return };
        ui.horizontal_wrapped(|ui| {
            let sign = |equal: bool| if equal { "=" } else { "≠" };
            let label = ui.label("Text").id;
            let shown = format!("{} {}", sign(pair.equal), one_line(&pair.name));
            let combo = ComboBox::from_id_salt("texts").width(260.0).selected_text(shown).show_ui(ui, |ui| {
                for (index, text) in all.iter().enumerate() {
                    let name = format!("{} {}", sign(text.equal), one_line(&text.name));
                    if entry_of(ui, index == at, name).clicked() {
                        self.text = Some(text.name.clone());
                    }
                }
            });
            combo.response.labelled_by(label);
            compile_button(ui, cx, commands);
            for (name, source) in ["A", "B"].iter().zip(pair.source) {
                if source.is_none() {
                    quiet_cell(ui, format!("{name} does not have this text"));
                }
            }
        });
        let [a, b] = cx.comparing.names.map(one_line);
        let mut hasher = DefaultHasher::new();
        cx.comparing.key.hash(&mut hasher);
        let key = (hasher.finish(), at);
        let rows = [0, 1].map(|side: usize| sides.get(side)?.driver.get(pair.source.get(side).copied().flatten()?));
        at.hash(&mut hasher);
        self.pressure.ui(ui, Curves { rows, names: ["A", "B"], key: hasher.finish() });
        if pair.equal {
            ui.label(format!("= {SAME_CODE}"));
            return;
        }
        let known = self.plain.take().filter(|(of, _)| *of == key);
        let (_, plain) = self
            .plain
            .insert(known.unwrap_or_else(|| (key, pair.texts(sides).map(|text| without_encodings(text).into_owned()))));
        let texts = Texts { key, titles: [&a, &b], texts: [&plain[0], &plain[1]], language: Language::Isa };
        self.diff.ui(ui, cx, &texts, commands);
    }
}

/// Name of a section in the row of sections: with its sign and how much differs.
fn tab(section: &Section) -> String {
    let title = title(section.name);
    match (section.present, section.equal) {
        ([false, false], _) => format!("– {title}"),
        ([true, false], _) => format!("≠ {title}: only A"),
        ([false, true], _) => format!("≠ {title}: only B"),
        (_, true) => format!("= {title}"),
        _ => format!("≠ {title} ({})", section.differences()),
    }
}

fn verdict(section: &Section) -> &'static str {
    match (section.present, section.equal) {
        ([false, false], _) => "Neither side has any",
        ([true, false], _) => "Only A has any",
        ([false, true], _) => "Only B has any",
        (_, true) => "The same on both sides",
        (_, false) => "Differs",
    }
}

/// Controls of the comparison: a box for the partner, both names, a swap button.
fn chooser(ui: &mut Ui, comparing: &Comparing<'_>, frozen: bool, commands: &mut Vec<Command>) {
    let name =
        |with: Partner| comparing.partners.iter().find(|(other, _)| *other == with).map(|(_, name)| one_line(name));
    let label = ui.label("Compare with").id;
    let shown = comparing.with.and_then(name).unwrap_or_else(|| "nothing".to_owned());
    let combo = ComboBox::from_id_salt("partner").truncate().width(180.0).selected_text(shown).show_ui(ui, |ui| {
        for (with, name) in comparing.partners {
            if entry_of(ui, comparing.with == Some(*with), one_line(name)).clicked() {
                commands.push(Command::CompareWith(Some(*with)));
            }
        }
        ui.separator();
        if ui.button("Open…").on_hover_text("Another program, or a JSON report (Ctrl+Shift+D)").clicked() {
            commands.push(Command::Compare);
        }
        if !frozen && ui.button("Variants…").on_hover_text("Its source with other macros").clicked() {
            commands.push(Command::Variants);
        }
        if ui.button("Nothing").clicked() {
            commands.push(Command::CompareWith(None));
        }
    });
    let combo = combo.response.labelled_by(label);
    if combo.middle_clicked() && comparing.with.is_some() {
        commands.push(Command::CompareWith(None));
    }
    if matches!(comparing.with, Some(Partner::Program(_)))
        && ui.button("Swap").on_hover_text("Swap sides: show the other program, compared with this one").clicked()
    {
        commands.push(Command::SwapCompared);
    }
    let [a, b] = comparing.names.map(one_line);
    if (comparing.sides.is_none() && comparing.objects.is_none()) || ui.max_rect().width() < NARROW {
        return;
    }
    ui.separator();
    room_for_words(ui, &["A", &a]);
    ui.label(RichText::new("A").strong().monospace());
    ui.label(&a);
    // The font for words has no arrow; a dash is as wide.
    room_for_words(ui, &["–", "B", &b]);
    quiet_cell(ui, RichText::new("→").monospace());
    ui.label(RichText::new("B").strong().monospace());
    ui.label(&b);
}

/// The available choices, if nothing is chosen: each with what it compares.
fn partners(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let comparing = &cx.comparing;
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.2).min(120.0));
        if comparing.object.is_some() {
            let name = comparing.names[1 - comparing.shown.min(1)];
            ui.label(format!("Compared with the code object {name} by its registers."));
            if ui.button("Show registers").clicked() {
                commands.push(Command::ShowTab(ViewId::Registers));
            }
            ui.add_space(space::BLOCK);
        }
        ui.label(RichText::new("Compare with").size(tokens::text::TITLE));
        ui.weak("Files that are dropped here are compared too.");
        ui.add_space(space::BLOCK);
    });
    let width = (ui.available_width() - 16.0).min(560.0);
    let mut choices: Vec<(String, &str, Vec<Command>)> = Vec::new();
    for (with, name) in comparing.partners {
        let about = match with {
            Partner::SecondSetting => "The same program under the second setting",
            Partner::Program(_) => "Another open program",
            Partner::Variants => "Its variants: what each macro moves",
            Partner::Variant(_) => "A variant against the first one",
        };
        choices.push((one_line(name), about, vec![Command::CompareWith(Some(*with))]));
    }
    let has_second = comparing.partners.iter().any(|(with, _)| *with == Partner::SecondSetting);
    if !has_second && !cx.frozen {
        let both = vec![Command::SideBySide, Command::CompareWith(Some(Partner::SecondSetting))];
        choices.push(("A second setting".to_owned(), "The same program with other options (Ctrl+D)", both));
    }
    choices.push(("Open…".to_owned(), "Another program, a JSON report or an AMD code object", vec![Command::Compare]));
    if !cx.frozen {
        let modules = vec![Command::ShowTab(ViewId::Rewritten)];
        choices.push((
            "Variants…".to_owned(),
            "Its source with other macros, from a file of variants",
            vec![Command::Variants],
        ));
        choices.push(("Original and rewritten".to_owned(), "The modules before and after the passes", modules));
        let chips = vec![Command::ShowTab(ViewId::Isa)];
        choices.push(("Another chip or driver".to_owned(), "Choose several chips, then Beside", chips));
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
            Grid::new("partners").num_columns(2).spacing(tokens::table::FORM).show(ui, |ui| {
                for (name, about, answer) in choices {
                    if ui.button(name).clicked() {
                        commands.extend(answer);
                    }
                    ui.weak(about);
                    ui.end_row();
                }
            });
        });
    });
}

/// The options that differ, in a line.
fn options(ui: &mut Ui, comparison: &Comparison) {
    if comparison.options.is_empty() {
        return;
    }
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let options = comparison
        .options
        .iter()
        .map(|row| format!("{} {} → {}", flag(&row.name), value(&row.left), value(&row.right)));
    let text = one_line(&format!("· the options differ: {}", options.collect::<Vec<_>>().join(", ")));
    let label = egui::Label::new(RichText::new(&text).monospace().color(Tokens::of(ui.visuals()).note)).truncate();
    ui.add(label).on_hover_text(text);
}

/// A second setting begins as a copy of the first one: the way to its options.
fn same_options(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.label("Both settings have the same options.");
        if ui.button("Options").on_hover_text("Show or hide the options of both settings").clicked() {
            commands.push(Command::Options);
        }
    });
}

/// A section that neither side has.
fn absent(ui: &mut Ui, cx: &ViewCx<'_>, section: &Section, commands: &mut Vec<Command>) {
    let hint = match section.name {
        Part::Packing => "Neither side has a stage whose inputs are packed.",
        Part::Lanes => "Neither side has a workgroup.",
        Part::Registers => "No registers follow from either side.",
        Part::Statistics | Part::Isa => "Neither side was compiled.",
    };
    commands.extend(nothing(ui, &format!("No {}", title(section.name).to_lowercase()), hint, None));
    if matches!(section.name, Part::Statistics | Part::Isa) {
        ui.vertical_centered(|ui| compile_button(ui, cx, commands));
    }
}

fn compile_button(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    if cx.comparing.compiling {
        ui.add(egui::Spinner::new().size(14.0));
        ui.label("compiling…");
    } else if ui
        .button("Compile both")
        .on_hover_text("Compile both sides with the drivers chosen in the tab ISA (F7)")
        .clicked()
    {
        commands.push(Command::CompileCompared);
    }
}

fn export(cx: &ViewCx<'_>, section: &Section, sides: [Side<'_>; 2], theme: &Theme) -> Command {
    let picture = PictureFile::new(picture(section, sides, cx.comparing.names, theme));
    let name = match section.name {
        Part::Packing => "compared-packing",
        Part::Lanes => "compared-lanes",
        Part::Registers => "compared-registers",
        Part::Statistics => "compared-statistics",
        Part::Isa => "compared-isa",
    };
    Command::SavePicture { picture, name }
}
