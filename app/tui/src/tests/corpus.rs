//! The result over many pipelines in the terminal form.

use super::*;
use lanescope_host::corpus::testing::result;

fn opened(size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(LOOK, size);
    let path = result(&stage.folder.path().join("after.jsonl"), 400, 4);
    stage.open(vec![path]);
    stage
}

#[test]
fn shows_filters_sorts_and_opens_rows() {
    let mut stage = opened(LARGE);
    insta::assert_snapshot!("corpus_rows_160x50", stage.text());
    stage.press(KeyCode::Char('G'));
    let text = stage.text();
    assert!(text.contains("game.foz@000000000000018f") && text.contains("800/800"), "{text}");
    stage.press(KeyCode::Char('/'));
    stage.type_in("fragment & VGPRs >= 99");
    stage.press(KeyCode::Enter);
    stage.settle();
    let text = stage.text();
    assert!(text.contains("of 800 shaders with fragment & VGPRs >= 99"), "{text}");
    stage.press(KeyCode::Char(':'));
    stage.type_in("sort");
    stage.press(KeyCode::Enter);
    stage.type_in("-latency");
    stage.press(KeyCode::Enter);
    stage.settle();
    let text = stage.text();
    assert!(text.contains("Latency ▼"), "{text}");
    stage.press(KeyCode::Esc);
    stage.settle();
    assert!(stage.text().contains("800 shaders; / filters"));
    stage.press(KeyCode::Char('G'));
    stage.draw();
    stage.press(KeyCode::Enter);
    stage.settle();
    let program = stage.app.state.program().expect("the pipeline of the sample database");
    assert_eq!(program.options.pipeline.as_deref(), Some("58dd3e41aad4d928"));
    stage.press(KeyCode::Char('Q'));
    stage.settle();
    assert!(stage.text().contains("800 shaders"), "back to the result");
    stage.press(KeyCode::Esc);
    assert!(stage.app.state.in_front().is_some());
}

#[test]
fn shows_histograms_sums_and_a_comparison() {
    let mut stage = opened(SMALL);
    stage.press(KeyCode::Char('2'));
    insta::assert_snapshot!("corpus_histograms_80x24", stage.text());
    for _ in 0..3 {
        stage.press(KeyCode::Char('j'));
    }
    stage.press(KeyCode::Enter);
    stage.settle();
    let page = stage.app.state.corpus.as_ref().expect("open");
    assert_eq!(page.filter, "VGPRs >= 6 & VGPRs < 9");
    assert!(stage.text().contains("of 800 shaders with VGPRs"));
    stage.press(KeyCode::Char('3'));
    assert!(stage.text().contains("Statistics"));
    stage.press(KeyCode::Char('4'));
    assert!(stage.text().contains("= compares with another result"));
    let before = result(&stage.folder.path().join("before.jsonl"), 400, 0);
    stage.app.act(Command::CompareFiles(vec![before]));
    stage.settle();
    stage.draw();
    stage.press(KeyCode::Char('G'));
    let text = stage.text();
    assert!(text.contains("game.foz@") && text.contains("49/49"), "{text}");
}

#[test]
fn a_folder_is_measured_from_its_list() {
    let mut stage = Stage::new(LOOK, LARGE);
    let folder = stage.folder.path().join("shaders");
    std::fs::create_dir(&folder).expect("writable");
    let text = "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nvoid main() {}\n";
    for name in ["one.comp", "two.comp"] {
        std::fs::write(folder.join(name), text).expect("writable");
    }
    stage.app.act(Command::OpenFiles(vec![folder]));
    stage.settle();
    let shown = stage.text();
    assert!(shown.contains("F9 measures all"), "{shown}");
    stage.press(KeyCode::F(9));
    stage.settle();
    let page = stage.app.state.corpus.as_ref().expect("the result is open");
    assert_eq!(page.result.summary.pipelines, 2);
    std::fs::remove_file(&page.path).expect("it is in the temporary folder");
}
