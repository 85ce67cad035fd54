//! Stages compiled speculatively from the window, with the compiler of this machine's software device.

use std::collections::BTreeSet;

use lanescope_core::driver::speculative::Form;
use lanescope_core::driver::speculative::corpus::Summary;
use lanescope_core::options::{AutoLayoutRule, GuessedColor};
use lanescope_core::target::Target;
use lanescope_inspector::settings::{CompileSettings, SpeculativeSettings};
use lanescope_inspector::tasks::{CorpusQuestion, SpeculativelyCompiled, Work};
use lanescope_inspector::view::ViewId;

use super::*;

fn ahead(frame: &App) -> Option<&SpeculativelyCompiled> {
    frame.state.program().and_then(|program| program.results.speculative.done())
}

/// Once a measurement, nothing on disk.
const QUICK: SpeculativeSettings = SpeculativeSettings { repeats: 1, gap: None, keep: false };

#[test]
fn compiles_speculatively_on_request_and_again_under_other_options() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("ink.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.frame.act(Command::SetSpeculativeSettings(QUICK));
    stage.frame.act(Command::ShowTab(ViewId::GuessedLayout));
    stage.settle();
    assert_eq!(stage.frame.state.program().expect("open").results.speculative.answer, None, "nothing was requested");
    stage.frame.act(Command::CompileSpeculatively);
    assert!(stage.frame.state.program().expect("open").results.speculative.underway);
    stage.until("it was compiled ahead", |frame| {
        frame.state.program().is_some_and(|program| program.results.speculative.answer.is_some())
    });
    let made = &stage.frame.state.program().expect("open").results.speculative;
    let done = made.done().unwrap_or_else(|| panic!("{:?}", made.failed())).clone();
    let [row] = done.stages.as_slice() else { panic!("{:?}", done.stages.len()) };
    let first = row.ahead.as_deref().expect("compiled ahead");
    assert!(first.device.contains("llvmpipe") && !first.worker.is_empty() && !first.events.is_empty(), "{first:?}");
    // The widest guess of a colour exports otherwise than eight bits a component.
    assert!(!first.hit && first.why.iter().any(|why| why.contains("export")), "{:?}", first.why);
    assert_eq!((&done.settings, done.failures.as_slice()), (&QUICK, &[][..]));

    let mut options = stage.frame.state.program().expect("open").options.clone();
    options.guessed_color = GuessedColor::Unorm8;
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.until("it is asked again", |frame| {
        ahead(frame).is_some_and(|done| done.stages[0].ahead.as_deref().is_some_and(|ahead| ahead.hit))
    });
    stage.settle();
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(session.ahead, QUICK, "the session keeps it");
}

#[test]
fn reports_a_missing_driver_and_runs_the_others() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    let devices = vec!["nobody has this one".to_owned(), "llvmpipe".to_owned()];
    let compile = CompileSettings { devices, automatic: false, ..CompileSettings::DEFAULT };
    stage.frame.act(Command::SetCompileSettings(compile));
    stage.frame.act(Command::SetSpeculativeSettings(QUICK));
    stage.frame.act(Command::CompileSpeculatively);
    assert!(stage.frame.state.tabs.shows(ViewId::GuessedLayout));
    stage.until("one did it", |frame| ahead(frame).is_some());
    let done = ahead(&stage.frame).expect("done");
    assert_eq!((done.stages.len(), done.failures.len()), (1, 1), "{:?}", done.failures);
    assert!(done.failures[0].contains("nobody has this one"), "{:?}", done.failures);
    assert!(done.stages[0].ahead.as_deref().is_some_and(|ahead| ahead.hit));
    // Without automatic compiles, a change has no effect until the user compiles again.
    let mut options = stage.frame.state.program().expect("open").options.clone();
    options.auto_layout = AutoLayoutRule::Sequential;
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.settle();
    assert_eq!(
        stage.frame.state.program().expect("open").results.speculative.answer.as_ref().map(|answer| answer.number),
        Some(0)
    );

    let lone = CompileSettings { devices: vec!["nobody".to_owned()], ..CompileSettings::DEFAULT };
    stage.frame.act(Command::SetCompileSettings(CompileSettings { automatic: false, ..lone }));
    stage.frame.act(Command::Begin(Work::SpeculativeCompile));
    stage.until("no driver did it", |frame| {
        frame.state.program().is_some_and(|program| program.results.speculative.failed().is_some())
    });
    stage.settle();
}

#[test]
fn skips_other_stages_and_can_be_cancelled() {
    let mut stage = Stage::new(Session::default());
    let vertex = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n";
    let path = stage.file("lone.vert", vertex);
    stage.open(&[&path]);
    stage.frame.act(Command::CompileSpeculatively);
    assert!(!stage.frame.state.program().expect("open").results.speculative.underway);
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.frame.act(Command::SetCompileSettings(CompileSettings {
        chips: vec![Target::Gfx1030.into(), Target::Gfx1100.into()],
        ..CompileSettings::DEFAULT
    }));
    stage.frame.act(Command::SetSpeculativeSettings(QUICK));
    stage.frame.act(Command::CompileSpeculatively);
    stage.frame.act(Command::CancelWork);
    assert!(!stage.frame.state.program().expect("open").results.speculative.underway);
    stage.settle();
}

#[test]
fn compiles_every_pipeline_of_a_database_speculatively() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.frame.act(Command::CompileCorpus);
    assert!(!stage.frame.state.program().expect("open").results.corpus.underway, "it is of no database");
    let database = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/effects.foz");
    stage.frame.act(Command::OpenPipeline(vec![database], "58dd3e41aad4d928".to_owned()));
    stage.until("it opens", |frame| frame.state.programs.len() == 2);
    stage.settle();
    stage.frame.act(Command::SetSpeculativeSettings(QUICK));
    stage.frame.act(Command::CompileCorpus);
    assert!(stage.frame.state.tabs.shows(ViewId::GuessedLayout));
    assert!(stage.frame.state.program().expect("open").results.corpus.underway);
    stage.until("all were compiled", |frame| {
        frame.state.program().is_some_and(|program| program.results.corpus.answer.is_some())
    });
    let corpus = |frame: &App| {
        let made = &frame.state.program().expect("open").results.corpus;
        made.done().unwrap_or_else(|| panic!("{:?}", made.failed())).clone()
    };
    let done = corpus(&stage.frame);
    let [(_, rows)] = done.places.as_slice() else { panic!("{:?}", done.places) };
    let sum = Summary::of(rows);
    assert_eq!((sum.stages + sum.left_out.len(), sum.unreadable), (5, 0), "{sum:?}");
    // Compiles are counted by what they are kept as: each serves some pipeline, or it is wasted.
    let kept = |served: bool| -> BTreeSet<(u64, Form)> {
        let rows = sum.rows.iter().filter(|row| row.eligible && (row.hit || !served));
        rows.map(|row| (row.key.0, row.form)).collect()
    };
    assert!(sum.hits >= 1 && kept(true).len() + sum.wasted == kept(false).len(), "{sum:?}");
    assert!(sum.without_ns > 0 && sum.with_ns > 0, "{sum:?}");
    // Another pipeline of the database is another program, and the figures stay.
    let other = sum.rows.iter().find(|row| row.hit).expect("one hits").pipeline.clone();
    stage.frame.act(Command::ShowPipeline(other.clone()));
    stage.until("it is shown", |frame| {
        frame.state.program().is_some_and(|program| program.options.pipeline.as_ref() == Some(&other))
    });
    stage.settle();
    assert_eq!(corpus(&stage.frame), done);
    let program = stage.frame.state.program().expect("open");
    let now = CorpusQuestion::of(&program.analysis.report, &CompileSettings::DEFAULT, &QUICK);
    assert_eq!((&now.guess, &now.files), (&done.question.guess, &done.question.files), "they are still of it");
    // It can be stopped.
    stage.frame.act(Command::CompileCorpus);
    stage.frame.act(Command::CancelWork);
    assert!(!stage.frame.state.program().expect("open").results.corpus.underway);
    stage.settle();
}
