//! The result over many pipelines in the window.

use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};

use super::*;
use lanescope_host::corpus::testing::result;

pub(super) fn opened(count: u64) -> Stage {
    let mut stage = Stage::new(Session::default());
    let path = result(&stage.folder.path().join("after.jsonl"), count, 4);
    stage.frame.act(Command::OpenFiles(vec![path]));
    stage.until("it opens", |frame| frame.state.page == Page::Corpus);
    stage.settle();
    stage
}

#[test]
fn every_part_rests_and_its_controls_have_names() {
    let mut stage = opened(300);
    let before = result(&stage.folder.path().join("before.jsonl"), 300, 0);
    stage.frame.act(Command::CompareFiles(vec![before]));
    stage.settle();
    for part in CorpusPart::ALL {
        stage.frame.act(Command::Corpus(CorpusCommand::Part(part)));
        stage.settle();
        let controls = stage.look().into_values();
        // Scroll bars and the edges of columns are not named by the toolkit.
        let is_edge = |role| matches!(role, egui::accesskit::Role::ScrollBar | egui::accesskit::Role::Unknown);
        let unnamed: Vec<_> = controls.filter(|control| control.name.is_empty() && !is_edge(control.role)).collect();
        assert!(unnamed.is_empty(), "{part:?}: {unnamed:?}");
    }
}

#[test]
fn draws_only_the_rows_in_view() {
    let mut stage = opened(20_000);
    let shapes = stage.output(Vec::new()).shapes.len();
    assert!(shapes < 2000, "{shapes} shapes for {} rows", stage.frame.state.corpus.as_ref().expect("open").rows.len());
}

#[test]
fn chooses_rows_with_the_arrow_keys_and_opens_one() {
    let mut stage = opened(30);
    stage.press(Modifiers::NONE, Key::ArrowDown);
    stage.press(Modifiers::NONE, Key::ArrowDown);
    let chosen = |stage: &Stage| stage.frame.state.corpus.as_ref().expect("open").chosen;
    assert_eq!(chosen(&stage), Some(1));
    stage.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(chosen(&stage), Some(0));
    stage.press(Modifiers::NONE, Key::Enter);
    stage.until("it opens", |frame| frame.state.in_front().is_some());
    stage.settle();
    stage.frame.act(Command::Corpus(CorpusCommand::Show));
    stage.settle();
    // Ctrl+F puts the keyboard into the filter.
    stage.press(Modifiers::COMMAND, Key::F);
    stage.draw(Vec::new());
    stage.draw(vec![Event::Text("Latency < 3".to_owned())]);
    stage.settle();
    let page = stage.frame.state.corpus.as_ref().expect("open");
    assert_eq!((page.filter.as_str(), page.rows.as_slice()), ("Latency < 3", &[0, 1, 2][..]));
    stage.press(Modifiers::COMMAND, Key::W);
    assert!(stage.frame.state.corpus.is_none() && stage.frame.state.page == Page::Program);
}
