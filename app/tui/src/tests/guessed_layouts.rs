//! Speculative compiles, and guesses over the pipelines of a database.

use lanescope_inspector::command::Command;
use lanescope_inspector::view::ViewId;
use ratatui::crossterm::event::KeyCode;

use super::{LOOK, Stage};

const DATABASE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/effects.foz");

fn database() -> Stage {
    let mut stage = Stage::new(LOOK, (330, 50));
    stage.app.act(Command::OpenPipeline(vec![DATABASE.into()], "58dd3e41aad4d928".to_owned()));
    stage.settle();
    stage.app.act(Command::ShowTab(ViewId::GuessedLayout));
    stage.draw();
    stage
}

#[test]
fn guesses_of_a_database_are_surveyed() {
    let mut stage = database();
    let text = stage.app.focused().text();
    assert!(text.contains("Guess their layouts"), "{text}");
    assert!(!text.contains("--guessed-color unorm8"), "{text}");
    stage.app.act(Command::SurveyGuesses);
    stage.settle();
    stage.draw();
    let text = stage.app.focused().text();
    for part in [
        "best: --guessed-color unorm8",
        // As `guess-layout --corpus effects.foz --timeline` without a guess of 8 bits.
        "4 of 5 shaders compiled while the application waits",
        "3 before the rasterizer in 3 pipelines, with 3 fragment shaders",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_row_begins_the_survey() {
    let mut stage = database();
    stage.press(KeyCode::Char('/'));
    stage.type_in("Guess their");
    stage.press(KeyCode::Enter);
    stage.press(KeyCode::Enter);
    stage.settle();
    stage.draw();
    assert!(stage.app.focused().text().contains("best: --guessed-color unorm8"), "{}", stage.app.focused().text());
}

#[test]
fn speculative_compiles_are_shown() {
    let mut stage = database();
    stage.app.act(Command::CompileSpeculatively);
    stage.settle();
    stage.draw();
    let program = stage.app.state.program().expect("open");
    assert!(program.results.speculative.answer.is_some());
    let text = stage.app.focused().text();
    assert!(text.contains("the application waits"), "{text}");
}
