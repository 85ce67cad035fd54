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

#[test]
fn letters_choose_rows_by_name() {
    let mut stage = opened(30);
    let type_in = |stage: &mut Stage, text: &str| {
        stage.draw(vec![Event::Text(text.to_owned())]);
    };
    let chosen = |stage: &Stage| {
        let page = stage.frame.state.corpus.as_ref().expect("open");
        let row = page.chosen.expect("chosen") as usize;
        page.result.table.text(row, lanescope_core::corpus::ResultColumn::Pipeline).into_owned()
    };
    type_in(&mut stage, "g");
    assert_eq!(chosen(&stage), "game.foz@0000000000000001");
    // Letters after a pause begin anew.
    stage.time += 5.0;
    for letter in ["0", "0", "1", "d"] {
        type_in(&mut stage, letter);
    }
    assert_eq!(chosen(&stage), "game.foz@000000000000001d");
    // In a field they are text.
    stage.press(Modifiers::COMMAND, Key::F);
    stage.draw(Vec::new());
    type_in(&mut stage, "e");
    assert_eq!(chosen(&stage), "game.foz@000000000000001d");
    assert_eq!(stage.frame.state.corpus.as_ref().expect("open").filter, "e");
}

#[test]
fn a_folder_is_measured_from_its_list() {
    let mut stage = Stage::new(Session::default());
    let folder = stage.folder.path().join("shaders");
    std::fs::create_dir(&folder).expect("writable");
    for name in ["one.comp", "two.comp"] {
        std::fs::write(folder.join(name), COMPUTE).expect("writable");
    }
    stage.drop_file(&folder);
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    stage.settle();
    let controls = stage.look();
    let button = controls.iter().find(|(_, control)| control.name == "Measure this folder");
    let target_node = *button.expect("it is offered").0;
    let (action, target_tree) = (egui::accesskit::Action::Click, egui::accesskit::TreeId::ROOT);
    let request = egui::accesskit::ActionRequest { action, target_tree, target_node, data: None };
    stage.draw(vec![Event::AccessKitActionRequest(request)]);
    stage.until("it is measured", |frame| frame.state.page == Page::Corpus);
    stage.settle();
    let page = stage.frame.state.corpus.as_ref().expect("open");
    assert_eq!(page.result.summary.pipelines, 2);
    std::fs::remove_file(&page.path).expect("it is in the temporary folder");
}
