//! Records of a run: sorted, filtered, scrolled; images over their text.

use lanescope_core::run::graph::GraphRun;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;
use lanescope_pictures::gallery::{graphics_run, many_records};

use super::super::graphics::Answer;
use super::*;

const RECORDS: u32 = 150_000;

/// A graph whose second generation has many records.
fn many() -> Stage {
    let mut stage = graph(LOOK, LARGE);
    let program = &mut stage.app.state.programs[0];
    let graph = program.analysis.report.graph.clone().expect("a graph");
    let run: GraphRun = many_records(&graph, RECORDS);
    program.results.graph.take(program.graph_revision, RunSettings::default(), Ok(run));
    stage.app.act(Command::ShowTab(ViewId::Graph));
    stage.app.act(Command::Step(StepCommand::ShowGeneration(1)));
    stage.app.act(Command::Step(StepCommand::ShowRun(0)));
    stage
}

/// Draws until the records are sorted. Returns how often.
fn sorted(stage: &mut Stage) -> usize {
    for count in 1..100 {
        let text = stage.text();
        if !text.contains("Sorting and filtering") {
            return count;
        }
        assert_eq!(stage.app.next_wait(), Some(Duration::ZERO), "it goes on by itself");
    }
    panic!("it does not end")
}

fn find(stage: &mut Stage, text: &str) {
    stage.press(KeyCode::Char('/'));
    stage.type_in(text);
    stage.press(KeyCode::Enter);
}

/// The number of the record at the cursor, and its first value.
fn record(stage: &mut Stage) -> Option<(u32, u32)> {
    let line = stage.app.focused().line();
    let mut numbers = line.split_whitespace().map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[test]
fn the_list_slides_over_all_records() {
    let mut stage = many();
    assert_eq!(sorted(&mut stage), 1, "nothing is sorted");
    find(&mut stage, "cursor scrolls on");
    stage.press(KeyCode::Char('j'));
    stage.press(KeyCode::Char('j'));
    assert_eq!(record(&mut stage).map(|(number, _)| number), Some(0));
    let mut before = 0;
    for at in 0..2000 {
        // Several keys can come between two drawings.
        stage.press(KeyCode::PageDown);
        if at % 3 == 0 {
            stage.draw();
            let (number, _) = record(&mut stage).expect("a record");
            assert!(number > before || at == 0, "{number} after {before}");
            before = number;
        }
    }
    assert!(before > 50_000, "{before}");
    find(&mut stage, "last →|");
    for _ in 0..9 {
        stage.press(KeyCode::Char('l'));
    }
    stage.press(KeyCode::Enter);
    let text = stage.text();
    assert!(text.contains(&format!("–{RECORDS} of {RECORDS}")), "{text}");
}

#[test]
fn records_are_sorted_once_over_several_frames() {
    let mut stage = many();
    sorted(&mut stage);
    find(&mut stage, " #  ");
    stage.press(KeyCode::Enter);
    assert!(sorted(&mut stage) > 1, "it takes several frames");
    let values = |stage: &mut Stage| {
        let text = stage.app.focused().text();
        let from = text.lines().position(|line| line.contains('▲')).expect("a title with its order");
        let lines = text.lines().skip(from + 1).take(300);
        lines.map_while(|line| line.split_whitespace().nth(1)?.parse::<u32>().ok()).collect::<Vec<_>>()
    };
    let first = values(&mut stage);
    assert!(first.len() == 300 && first.is_sorted(), "{first:?}");
    // Moving, scrolling and selecting do not sort again.
    let number = |stage: &Stage| stage.app.views.values().map(|views| views.order.number).sum::<u64>();
    let before = number(&stage);
    for key in ['j', 'k', 'G', 'g'] {
        stage.press(KeyCode::Char(key));
        stage.draw();
    }
    stage.app.act(Command::Step(StepCommand::SelectRecord(Some(7))));
    stage.draw();
    assert_eq!(number(&stage), before);
    stage.press(KeyCode::Char(':'));
    stage.type_in("filter");
    stage.press(KeyCode::Enter);
    let field = stage.app.focused().text();
    let name = field.lines().find(|line| line.contains('▲')).and_then(|line| line.split_whitespace().nth(1));
    stage.type_in(&format!("{} < 1000", name.expect("a member")));
    stage.press(KeyCode::Enter);
    sorted(&mut stage);
    let few = values(&mut stage);
    assert!(few.iter().all(|value| *value < 1000) && few.is_sorted() && !few.is_empty(), "{few:?}");
}

#[test]
fn the_cursor_stays_on_the_record_that_is_selected() {
    let mut stage = many();
    sorted(&mut stage);
    find(&mut stage, "cursor scrolls on");
    (0..4).for_each(|_| stage.press(KeyCode::Char('j')));
    let number = record(&mut stage).map(|(number, _)| number).expect("a record");
    for next in [number, number + 1] {
        stage.press(KeyCode::Enter);
        stage.draw();
        let selected = stage.app.state.program().and_then(|program| program.stepping.record);
        assert_eq!(selected, Some(u64::from(next)));
        let line = stage.app.focused().line();
        assert!(line.trim_start_matches('›').trim().starts_with(&next.to_string()), "{line}");
        stage.press(KeyCode::Char('j'));
    }
    assert!(stage.app.views.values().all(|views| views.records.sort.is_none()));
}

#[test]
fn a_generation_is_scrolled_to() {
    let mut stage = many();
    sorted(&mut stage);
    stage.press(KeyCode::Char('G'));
    stage.draw();
    stage.press(KeyCode::Char('a'));
    stage.type_in("0");
    stage.press(KeyCode::Enter);
    stage.draw();
    assert!(stage.app.focused().line().contains("Generation 0"), "{}", stage.app.focused().line());
    let text = stage.text();
    assert!(text.lines().filter(|line| line.trim().len() > 10).count() > 15, "{text}");
    stage.press(KeyCode::Char('g'));
    let (last, text) =
        (stage.app.state.programs[0].results.graph.done().map_or(0, |run| run.generations.len() - 1), stage.text());
    assert!(text.contains(&format!("Shown: generation 0 of {last}")), "{text}");
}

#[test]
fn images_are_graphics_where_the_terminal_has_them() {
    let mut stage = pair(LOOK, LARGE);
    let program = &mut stage.app.state.programs[0];
    program.results.run.take(program.revision, RunSettings::default(), Ok(graphics_run(true)));
    stage.app.act(Command::ShowTab(ViewId::Run));
    let sequences = |stage: &mut Stage| {
        let buffer = stage.draw();
        buffer.content.iter().filter(|cell| cell.symbol().contains("\u{1b}P")).count()
    };
    assert_eq!(sequences(&mut stage), 0, "half blocks");
    let text = stage.app.focused().text();
    stage.app.answered(&Answer { sixel: true, cell: Some([8, 16]), ..Answer::default() });
    let count = sequences(&mut stage);
    assert!(count >= 3, "original, rewritten and difference: {count}");
    assert_eq!(stage.app.focused().text(), text, "the text stays");
    stage.app.act(Command::Keys);
    assert_eq!(sequences(&mut stage), 0, "nothing is over a dialog");
    stage.press(KeyCode::Esc);
    assert_eq!(sequences(&mut stage), count);
    for _ in 0..60 {
        stage.press(KeyCode::Char('j'));
        stage.draw();
    }
    for size in [(20, 6), (80, 24), (161, 50)] {
        stage.size = size;
        stage.draw();
    }
}
