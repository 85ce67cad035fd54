//! Speculative compiles of all pipelines of a database: controls, sums, one row per stage.

use crate::tokens::space;
use std::borrow::Cow;

use egui::{Align, Layout, RichText, Ui, vec2};
use egui_extras::Column;
use lanescope_core::driver::speculative::corpus::{self, Row, Rows, Summary};
use lanescope_core::dxil_tables::Section;
use lanescope_core::pipeline::foz::Key;
use lanescope_core::program::Format;
use lanescope_core::table::Meaning;
use lanescope_core::text_format::milliseconds;
use lanescope_inspector::command::Command;
use lanescope_inspector::survey::{GuessSurvey, SurveyQuestion};
use lanescope_inspector::tasks::{CompiledCorpus, CorpusQuestion, Work};

use crate::context::ViewCx;
use crate::menu::row_menu;
use crate::sheet::Sheet;
use crate::table::{
    Tokens, across, as_shown, cell, long_cell, one_line, quiet_cell, sort_of, tab_separated, table_id, table_of_rows,
    texts_of, titles,
};
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;

/// The name of the table.
const TABLE: &str = "corpus";
use crate::theme::Theme;
use crate::widgets::{choice, toolbar, underway, work_button};

/// The most pipelines that were left out of which the reason is shown at once.
const MAX_REASONS: usize = 8;

/// What the tab shows of a database.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The program's own pipeline.
    #[default]
    Pipeline,
    /// Every pipeline, compiled speculatively.
    Compiled,
    /// Which guesses fit best.
    Guesses,
    /// Which cache serves which shader.
    Caches,
    /// The location maps.
    Maps,
}

impl Shown {
    /// The part of a survey.
    fn section(self) -> Option<usize> {
        match self {
            Shown::Pipeline | Shown::Compiled => None,
            Shown::Guesses => Some(0),
            Shown::Caches => Some(1),
            Shown::Maps => Some(2),
        }
    }
}

/// What is shown instead of one pipeline.
pub(super) enum OfDatabase<'a> {
    /// Results of a speculative compile.
    Compiled(&'a Rows),
    /// A part of a survey; none while it is under way, and after a failure.
    Survey(Option<&'a GuessSurvey>, usize),
}

/// Whether the tab shows one pipeline or all, and which driver's answer.
#[derive(Debug, Default)]
pub(super) struct CorpusPanel {
    shown: Shown,
    place: usize,
    /// The number of the answer that was looked at: a new one is shown at once.
    met: Option<u64>,
    /// The same of the survey.
    met_survey: Option<u64>,
    /// What was asked last: each change asks once.
    asked: Option<(u64, SurveyQuestion)>,
    sections: Sections,
    sheet: Sheet,
}

/// The parts of a survey, as they are drawn, with the program and the number of its answer.
#[derive(Debug, Default)]
struct Sections {
    of: Option<(u64, u64)>,
    all: Vec<Section>,
}

impl CorpusPanel {
    /// Whether all pipelines were shown in the last frame.
    pub fn is_shown(&self) -> bool {
        self.shown != Shown::Pipeline
    }

    /// Draws the controls where the program is one of a database. Returns what is shown instead of the one
    /// pipeline, if it is.
    pub fn controls<'a>(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'a>,
        commands: &mut Vec<Command>,
    ) -> Option<OfDatabase<'a>> {
        let of_database = cx.report.pipeline.as_ref().is_some_and(|one| one.origin.format == Format::Fossilize);
        if cx.frozen || !of_database {
            return None;
        }
        let surveyed = cx.results.survey.answer.as_ref().map(|answer| answer.number);
        if surveyed != self.met_survey {
            self.met_survey = surveyed;
            if surveyed.is_some() && self.shown.section().is_none() {
                self.shown = Shown::Guesses;
            }
        }
        let asked = &cx.results.corpus;
        let done = asked.done();
        let number = asked.answer.as_ref().filter(|_| done.is_some()).map(|answer| answer.number);
        if number != self.met {
            self.met = number;
            self.shown = if number.is_some() { Shown::Compiled } else { Shown::Pipeline };
        }
        let places = done.map_or(&[][..], |done| &done.places);
        self.place = self.place.min(places.len().saturating_sub(1));
        toolbar(ui, |ui| {
            let hint = "Compile all pipelines of this database speculatively: hit rate, time saved, wasted \
                        compiles, cache size";
            let doing = asked.underway.then_some("compiling all pipelines speculatively");
            if work_button(ui, doing, "Every pipeline", hint) {
                let command = if asked.underway { Command::Stop } else { Command::Begin };
                commands.push(command(Work::Corpus));
            }
            let all = [
                (Shown::Pipeline, "this pipeline"),
                (Shown::Compiled, "every pipeline"),
                (Shown::Guesses, "guesses"),
                (Shown::Caches, "caches"),
                (Shown::Maps, "location maps"),
            ];
            let all: Vec<(Shown, &str)> =
                all.into_iter().filter(|(what, _)| *what != Shown::Compiled || done.is_some()).collect();
            choice(ui, "Show", &mut self.shown, &all);
            if places.len() > 1 && self.shown == Shown::Compiled {
                let all: Vec<(usize, &str)> = places.iter().map(|(name, _)| name.as_str()).enumerate().collect();
                choice(ui, "Compiler", &mut self.place, &all);
            }
            if let Some(done) = done.filter(|_| !asked.underway && self.shown == Shown::Compiled) {
                quiet_cell(ui, format!("in {}", milliseconds(done.milliseconds)));
            }
        });
        if let Some(part) = self.shown.section() {
            return Some(OfDatabase::Survey(self.survey(ui, cx, commands), part));
        }
        if let Some(why) = asked.failed().filter(|_| !asked.underway) {
            ui.horizontal_wrapped(|ui| {
                ui.add_space(space::ROW);
                ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", one_line(why)));
            });
        }
        let shown = (self.shown == Shown::Compiled).then(|| places.get(self.place)).flatten()?;
        if done.is_some_and(|done| !is_fresh(cx, done)) && !asked.underway {
            ui.horizontal_wrapped(|ui| {
                ui.add_space(space::ROW);
                let text = "! The database, the guess or the settings have changed since the compile.";
                ui.colored_label(Tokens::of(ui.visuals()).warning, text);
            });
        }
        Some(OfDatabase::Compiled(&shown.1))
    }

    /// The survey for the guess as it is set, which is asked for once. Draws why there is none.
    fn survey<'a>(&mut self, ui: &mut Ui, cx: &ViewCx<'a>, commands: &mut Vec<Command>) -> Option<&'a GuessSurvey> {
        let task = &cx.results.survey;
        let question = SurveyQuestion::of(cx.report);
        let done = task.done().filter(|done| done.question == question);
        // Another program of the same database has no answer yet.
        let asked = (cx.program, question);
        if done.is_none() && !task.underway && self.asked.as_ref() != Some(&asked) {
            self.asked = Some(asked);
            commands.push(Command::Begin(Work::Survey));
        }
        if task.underway {
            toolbar(ui, |ui| {
                if underway(ui, "Guessing the layouts of all pipelines") {
                    commands.push(Command::Stop(Work::Survey));
                }
            });
        } else if done.is_none() {
            ui.horizontal_wrapped(|ui| {
                ui.add_space(space::ROW);
                if let Some(why) = task.failed() {
                    ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", one_line(why)));
                }
                if ui.button("Guess again").clicked() {
                    commands.push(Command::Begin(Work::Survey));
                }
            });
        }
        done
    }

    /// Draws a part of a survey.
    pub fn part(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (survey, part): (&GuessSurvey, usize),
        commands: &mut Vec<Command>,
    ) {
        for why in survey.failures.iter().take(MAX_REASONS) {
            ui.horizontal_wrapped(|ui| {
                ui.add_space(space::ROW);
                ui.colored_label(Tokens::of(ui.visuals()).error, format!("left out: {}", one_line(why)));
            });
        }
        let number = cx.results.survey.answer.as_ref().map_or(0, |answer| answer.number);
        if self.sections.of != Some((cx.program, number)) {
            self.sections = Sections { of: Some((cx.program, number)), all: survey.sections().into() };
        }
        let Some(section) = self.sections.all.get(part) else { return };
        if section.tables.is_empty() && section.facts.is_empty() {
            ui.label("No fragment or compute shader of a pipeline that is described.");
            return;
        }
        // The sheet keeps its rows for this key.
        self.sheet.ui(ui, cx, ((cx.program.wrapping_mul(1 << 32).wrapping_add(number), 0), section), commands);
    }
}

fn is_fresh(cx: &ViewCx<'_>, done: &CompiledCorpus) -> bool {
    let now = CorpusQuestion::of(cx.report, &cx.settings.compile, &cx.settings.speculative);
    let whose = |one: &CorpusQuestion| (one.compile.chips.clone(), one.compile.devices.clone());
    let asked = &done.question;
    (&asked.files, &asked.guess, &asked.ahead) == (&now.files, &now.guess, &now.ahead) && whose(asked) == whose(&now)
}

/// The sums, then a row a stage.
pub(super) fn ui(ui: &mut Ui, cx: &ViewCx<'_>, rows: &Rows, commands: &mut Vec<Command>) {
    let sum = Summary::of(rows);
    for (what, text) in sum.figures() {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::ROW);
            let size = vec2(56.0, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(size.x);
                ui.strong(what);
            });
            ui.label(text);
        });
    }
    for one in rows.left_out.iter().take(MAX_REASONS) {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(space::ROW);
            let colour = if one.lacking { Tokens::of(ui.visuals()).note } else { Tokens::of(ui.visuals()).error };
            ui.colored_label(colour, format!("left out: {}: {}", one.pipeline, one_line(&one.why)));
        });
    }
    ui.add_space(space::SNUG);
    if rows.rows.is_empty() {
        ui.label("No pipeline was compiled.");
        return;
    }
    // What does not fit beside the other tabs is reached by scrolling.
    across(ui, "corpus", |ui| table(ui, cx, &rows.rows, commands));
}

fn table(ui: &mut Ui, cx: &ViewCx<'_>, rows: &[Row], commands: &mut Vec<Command>) {
    let height = ui.spacing().interact_size.y;
    let theme = Theme::of(ui);
    let contents = corpus::table(rows);
    let (columns, id) = (contents.shown(), table_id(TABLE));
    let order = contents.order(sort_of(ui.ctx(), id));
    let own = cx.report.pipeline.as_ref().and_then(|one| one.origin.hash).map(|hash| Key(hash.0).to_string());
    table_of_rows(ui)
        .id_salt("corpus")
        .striped(true)
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(150.0))
        .column(Column::initial(120.0).at_least(60.0).clip(true))
        .column(Column::exact(60.0))
        .columns(Column::exact(76.0), columns.len().saturating_sub(4))
        .column(Column::remainder().at_least(110.0))
        .header(height, |header| titles(header, id, &contents, &columns))
        .body(|body| {
            body.rows(height, rows.len(), |mut table| {
                let Some(at) = order.get(table.index()) else { return };
                let Some((row, cells)) = rows.get(*at).zip(contents.rows.get(*at)) else { return };
                let mut places = Vec::with_capacity(columns.len());
                let selected =
                    [&own, &cx.report.options.pipeline].into_iter().flatten().any(|name| *name == row.pipeline);
                table.set_selected(selected);
                for at in &columns {
                    let contents = cells.cell(*at).cloned();
                    let place = table.col(|ui| match at {
                        0 => {
                            let link = ui.link(RichText::new(&row.pipeline).monospace());
                            if link.on_hover_text("Show this pipeline").clicked() {
                                commands.push(Command::ShowPipeline(row.pipeline.clone()));
                            }
                        }
                        2 => {
                            let ink = if row.usable { theme.ink } else { theme.warn };
                            let text = contents.unwrap_or_default().text().into_owned();
                            cell(ui, RichText::new(text).color(ink).strong());
                        }
                        // What is quiet elsewhere would not be read on a selected row's ground.
                        _ if selected => long_cell(ui, contents.map(|cell| cell.meaning(Meaning::Plain)).as_ref()),
                        _ => long_cell(ui, contents.as_ref()),
                    });
                    places.push(place.1.rect.x_range());
                }
                let response = table.response();
                if response.double_clicked() {
                    commands.push(Command::ShowPipeline(row.pipeline.clone()));
                }
                row_menu(&response, &places, |menu| {
                    menu.copy(
                        &texts_of(cells, &columns),
                        || as_shown(&response.ctx, id, &contents).to_tabs(),
                        commands,
                    );
                    menu.separator();
                    let show = || Command::ShowPipeline(row.pipeline.clone());
                    menu.command("Show this pipeline", show, commands);
                });
            });
        });
}

/// The rows in the shown order with tabs between columns, then the sums.
pub(super) fn as_text(ctx: &egui::Context, rows: &Rows) -> String {
    let sum = Summary::of(rows);
    let sums = sum.figures().into_iter().map(|(what, text)| vec![Cow::Borrowed(what), Cow::Owned(text)]);
    as_shown(ctx, table_id(TABLE), &corpus::table(&rows.rows)).to_tabs() + &tab_separated(sums)
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::speculative::Form;
    use lanescope_core::guessed_layout::BreakKind;
    use lanescope_core::ids::Hex;
    use lanescope_core::program::StageKind;

    use super::*;

    #[test]
    fn the_table_is_copied_with_its_sums() {
        let row = |hit: bool| Row {
            key: Hex(u64::from(hit)),
            form: Form::Library,
            usable: false,
            pipeline: "58dd".to_owned(),
            stage: StageKind::Fragment,
            entry: "main".to_owned(),
            eligible: true,
            hit,
            broken: (!hit).then_some(BreakKind::ExportFormat),
            why: None,
            without: 3_000_000,
            with: if hit { 1_000_000 } else { 3_000_000 },
            worker: 2_000_000,
            link: hit.then_some(90_000),
            objects: hit.then_some(41_000),
            binaries: hit.then_some(44_000),
            bytes: 1_000,
        };
        let rows = Rows { rows: vec![row(true), row(false)], without_stage: 1, ..Rows::default() };
        let text = as_text(&egui::Context::default(), &rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "58dd\tfragment main\t✔ hit\t3.00 ms\t1.00 ms\t2.00 ms\t90 µs\t41 µs\t44 µs\t1000\tnot usable"
        );
        assert_eq!(
            &lines[3..],
            [
                "hits\t1 of 2 stages (50 %); a layout was guessed for 2",
                "breaks\tanother export format (1)",
                "waits\t4.00 ms with it, 6.00 ms without: 2.00 ms less",
                "usable\t0 of 2 stages by the note (0 %): 0 µs less",
                "linked\t1 pipeline from libraries in 90 µs, 3.00 ms without",
                "objects\t1 pipeline as shader objects that were kept in 41 µs, 3.00 ms without",
                "binaries\t1 pipeline from pipeline binaries that were kept in 44 µs, 3.00 ms without",
                "wasted\t1 compile, 2.00 ms",
                "cache\t2000 bytes",
                "not\t1 pipeline without a fragment or compute shader",
            ]
        );
    }
}
