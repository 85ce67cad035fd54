//! Guessed layouts, what came of speculative compiles with them, and what guesses achieve over a database.

use lanescope_core::program::Format;
use lanescope_inspector::command::Command;
use lanescope_inspector::survey::SurveyQuestion;

use super::super::pane::{Link, Row};
use super::{Rows, Section};
use lanescope_workbench::state::program::OpenProgram;

/// The layouts of a program's stages, then what is known of all pipelines of its database.
pub fn guessed_layout(out: &mut Rows, program: &OpenProgram) {
    let report = &program.analysis.report;
    out.section(Section::GuessedLayout(report));
    if program.frozen {
        for done in report.partial.iter().filter_map(|stage| stage.ahead.as_ref()) {
            out.section(Section::SpeculativeCompile(done));
        }
        return;
    }
    if report.partial.is_empty() {
        return;
    }
    speculative(out, program);
    if report.pipeline.as_ref().is_some_and(|pipeline| pipeline.origin.format == Format::Fossilize) {
        database(out, program);
    }
}

fn speculative(out: &mut Rows, program: &OpenProgram) {
    let task = &program.results.speculative;
    action(out, "Compile speculatively", Command::CompileSpeculatively);
    if (task.underway || task.answer.is_some()) && out.task(task, "Compiling speculatively", "") {
        let is_old = task.answer.as_ref().is_some_and(|answer| answer.revision != program.revision);
        if is_old && !task.underway {
            out.prose("The program has changed since the compile.");
        }
        let Some(done) = task.done() else { return };
        done.failures.iter().for_each(|why| out.prose(why));
        for done in done.stages.iter().filter_map(|stage| stage.ahead.as_ref()) {
            out.section(Section::SpeculativeCompile(done));
        }
    }
}

fn database(out: &mut Rows, program: &OpenProgram) {
    let task = &program.results.corpus;
    out.section(Section::Heading("All pipelines of the database", ""));
    action(out, "Compile them speculatively", Command::CompileCorpus);
    if (task.underway || task.answer.is_some()) && out.task(task, "Compiling all pipelines speculatively", "") {
        for (place, rows) in task.done().iter().flat_map(|done| &done.places) {
            out.section(Section::Heading(place, "compiled speculatively"));
            out.section(Section::SpeculativeCompiles(rows));
        }
    }
    let task = &program.results.survey;
    action(out, "Guess their layouts", Command::SurveyGuesses);
    if (task.underway || task.answer.is_some()) && out.task(task, "Guessing the layouts of all pipelines", "") {
        let Some(survey) = task.done() else { return };
        if survey.question != SurveyQuestion::of(&program.analysis.report) && !task.underway {
            out.prose("Guessed with other options, or of another state of the database.");
        }
        survey.failures.iter().for_each(|why| out.prose(&format!("left out: {why}")));
        out.section(Section::Guesses(&survey.searched));
        out.section(Section::Heading("Caches", "what serves the shaders in the order of the pipelines"));
        out.section(Section::Caches(&survey.timelines));
        out.section(Section::Heading("Location maps", "of the stages before the rasterizer"));
        out.section(Section::LocationMaps(&survey.variants));
    }
}

/// A row that Enter carries out.
fn action(out: &mut Rows, text: &str, command: Command) {
    let plain = anstyle::Style::new();
    out.rows.push(Row::default().with(plain, " ", None).with(plain, text, Some(Link::Do(vec![command]))));
}
