//! The result over many pipelines.

use lanescope_core::table::Sort;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::mode::Mode;

use super::super::corpus::sort_by;
use super::super::effects::Dialog;
use super::*;
use crate::state::Page;
use crate::state::corpus::CorpusPage;
use crate::state::overlay::Overlay;
use lanescope_host::corpus::testing::{SAMPLE, result};

impl Bench {
    /// Opens a result of so many pipelines.
    fn result(&mut self, count: u64) -> PathBuf {
        let path = result(&self.folder.path().join("after.jsonl"), count, 4);
        self.run(Command::OpenFiles(vec![path.clone()]));
        self.settle();
        path
    }

    fn corpus(&mut self, command: CorpusCommand) {
        self.run(Command::Corpus(command));
        self.settle();
    }

    fn page(&self) -> &CorpusPage {
        self.state.corpus.as_ref().expect("a result")
    }
}

#[test]
pub fn shows_and_closes_a_result() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Corpus(CorpusCommand::Show));
    assert_eq!(bench.state.page, Page::Program, "no result is open");
    let path = bench.result(50);
    assert_eq!((bench.state.page, bench.page().count()), (Page::Corpus, "100 shaders".to_owned()));
    assert!(bench.had(|effect| matches!(effect, Effect::Title(title) if title == "after.jsonl - Lanescope")));
    assert_eq!(bench.page().histograms.len(), 3);
    assert!(bench.state.in_front().is_none(), "the program is behind it");
    bench.run(Command::ShowProgram(0));
    assert_eq!(bench.state.page, Page::Program);
    bench.corpus(CorpusCommand::Show);
    for (command, part) in [
        (Command::Corpus(CorpusCommand::Part(CorpusPart::Summary)), CorpusPart::Summary),
        (Command::SetMode(Mode::Compiled), CorpusPart::Histograms),
        (Command::PreviousTab, CorpusPart::Rows),
        (Command::PreviousTab, CorpusPart::Comparison),
        (Command::NextTab, CorpusPart::Rows),
    ] {
        bench.run(command);
        assert_eq!(bench.page().part, part);
    }
    bench.run(Command::CopyTable);
    assert!(bench.had(|effect| matches!(effect, Effect::Copy(text) if text.lines().count() == 101)));
    bench.run(Command::CloseProgram);
    assert!(bench.state.corpus.is_none() && bench.state.page == Page::Program);
    assert!(bench.state.session.recall(&[path]).is_some(), "it is among the recent files");
}

#[test]
pub fn filters_and_sorts_rows() {
    let mut bench = Bench::new();
    bench.result(1000);
    bench.corpus(CorpusCommand::Filter("fragment & VGPRs >= 90".to_owned()));
    let (rows, all) = (bench.page().rows.clone(), &bench.page().result.table);
    assert!(!rows.is_empty() && rows.iter().all(|row| row % 2 == 1) && rows.is_sorted());
    let vgprs = bench.page().columns.iter().position(|column| all.title(*column) == "VGPRs").expect("a column");
    let histogram = bench.page().histograms.iter().find(|(name, _)| name == "VGPRs").expect("a histogram");
    assert_eq!(histogram.1.ranges().map(|(_, count)| count).sum::<u64>(), rows.len() as u64);
    // The sums follow the filter: each of the pipelines has one fragment shader.
    let pipelines = rows.len() as u64;
    assert_eq!(bench.page().summed, pipelines);
    assert_eq!(bench.page().summed(), format!("Over the {pipelines} of 1000 pipelines that have a shown shader."));
    assert_ne!(bench.page().sums, bench.page().result.summary.tables());
    bench.corpus(CorpusCommand::Sort(Some(Sort { column: vgprs, descending: true })));
    let value = |row: &u32| bench.page().result.table.number(*row as usize, bench.page().columns[vgprs]);
    let values: Vec<Option<f64>> = bench.page().rows.iter().map(value).collect();
    assert!(values.len() == rows.len() && values.is_sorted_by(|a, b| a >= b), "{values:?}");
    bench.corpus(CorpusCommand::Filter("Latency > many".to_owned()));
    assert_eq!(bench.page().misfit.as_deref(), Some("`many` is not a number"));
    assert_eq!(bench.page().rows.len(), rows.len(), "the rows stay");
    bench.corpus(CorpusCommand::Filter(String::new()));
    assert_eq!((bench.page().rows.len(), bench.page().misfit.clone()), (2000, None));
    assert_eq!((bench.page().summed().as_str(), bench.page().summed), ("Over 1000 pipelines.", 1000));
    bench.corpus(CorpusCommand::Sort(sort_by(bench.page(), "-latency").expect("a column")));
    assert_eq!(bench.page().rows.first(), Some(&1999));
    assert_eq!(sort_by(bench.page(), " "), Ok(None));
    assert!(sort_by(bench.page(), "none").is_err_and(|why| why.contains("Pipeline, Kind")));
}

#[test]
pub fn opens_the_pipeline_of_a_row() {
    let mut bench = Bench::new();
    bench.result(3);
    bench.corpus(CorpusCommand::Choose(1));
    assert_eq!((bench.page().chosen, bench.state.programs.len()), (Some(1), 0));
    bench.corpus(CorpusCommand::OpenRow(2));
    assert!(bench.message().contains("game.foz does not exist in "), "{}", bench.message());
    bench.corpus(CorpusCommand::OpenRow(0));
    bench.until("it opens", |state| state.programs.len() == 1);
    assert_eq!(bench.program().options.pipeline.as_deref(), Some("58dd3e41aad4d928"));
    assert_eq!(bench.state.page, Page::Program);
    bench.run(Command::Corpus(CorpusCommand::Show));
    bench.corpus(CorpusCommand::OpenPipeline(SAMPLE.to_owned()));
    bench.settle();
    assert_eq!((bench.state.programs.len(), bench.state.page), (1, Page::Program), "it is shown again");
    bench.corpus(CorpusCommand::OpenPipeline("other".to_owned()));
    assert_eq!(bench.message(), "other is not a pipeline of after.jsonl");
}

#[test]
fn compares_results_and_reads_them_again() {
    let mut bench = Bench::new();
    let before = result(&bench.folder.path().join("before.jsonl"), 50, 0);
    let path = bench.result(50);
    bench.run(Command::Compare);
    assert!(bench.had(|effect| matches!(effect, Effect::Dialog(Dialog::Files(Purpose::CompareResult, Some(_))))));
    bench.run(Command::TakePaths(Purpose::CompareResult, vec![before.clone()]));
    bench.settle();
    let comparison = bench.page().comparison.as_ref().expect("compared");
    assert_eq!((comparison.before.clone(), bench.page().part), (before.clone(), CorpusPart::Comparison));
    assert!(comparison.lines.iter().any(|line| line == "HURT: 15"), "{:?}", comparison.lines);
    let worst = comparison.tables.iter().find(|table| table.title == "Worst VGPRs").expect("a table");
    assert_eq!(worst.rows.len(), 10);
    bench.run(Command::Corpus(CorpusCommand::Filter("fragment".to_owned())));
    bench.settle();
    result(&path, 60, 4);
    bench.run(Command::Reload);
    bench.settle();
    assert_eq!(bench.page().count(), "60 of 120 shaders");
    std::fs::write(&path, "{}").expect("writable");
    bench.run(Command::Reload);
    assert!(bench.message().ends_with("after.jsonl: no longer a corpus result"), "{}", bench.message());
    let mut other = Bench::new();
    let after = result(&other.folder.path().join("after.jsonl"), 50, 4);
    let effects = start(&mut other.state, vec![after], vec![before]);
    other.left.extend(other.services.carry_out(effects));
    other.settle();
    assert!(other.page().comparison.is_some());
}

#[test]
pub fn measures_a_listed_folder() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let folder = bench.folder.path().join("shaders");
    std::fs::create_dir(&folder).expect("writable");
    for name in ["one.comp", "two.comp"] {
        std::fs::write(folder.join(name), COMPUTE).expect("writable");
    }
    bench.run(Command::OpenFiles(vec![folder]));
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    let label = match &bench.state.overlay {
        Overlay::Pipelines(list) => list.measures(),
        _ => None,
    };
    assert_eq!(label, Some("Measure this folder"));
    bench.run(Command::MeasureListed);
    assert!(matches!(bench.state.overlay, Overlay::None));
    bench.until("the result opens", |state| state.page == Page::Corpus);
    bench.settle();
    let page = bench.page();
    assert_eq!((page.result.summary.pipelines, page.rows.len()), (2, 2), "{:?}", page.result.note);
    // A row opens its pipeline.
    bench.corpus(CorpusCommand::OpenRow(1));
    bench.until("it opens", |state| state.programs.len() == 2);
    let path = bench.state.corpus.as_ref().expect("open").path.clone();
    bench.corpus(CorpusCommand::Close);
    assert!(bench.state.corpus.is_none() && bench.state.page == Page::Program, "the shown program stays");
    std::fs::remove_file(path).expect("it is in the temporary folder");
}
