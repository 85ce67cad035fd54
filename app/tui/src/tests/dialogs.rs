//! Dialogs: the mouse in them, what is typed, explanations; the start page with its pictures.

use lanescope_inspector::settings::Theme;
use lanescope_pictures::gallery::{containers, lit_report, work_graph};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;
use lanescope_host::samples::{Group, Sample};
use lanescope_inspector::view::ViewId;
use lanescope_workbench::state::Page;

/// Where a text begins on the screen.
fn find(stage: &mut Stage, text: &str) -> (u16, u16) {
    let buffer = stage.draw();
    let line = |y: u16| (0..stage.size.0).map(|x| buffer[(x, y)].symbol().to_owned()).collect::<Vec<_>>();
    for y in 0..stage.size.1 {
        let cells = line(y);
        let found = (0..cells.len()).find(|from| cells[*from..].concat().starts_with(text));
        if let Some(x) = found {
            return (u16::try_from(x).unwrap_or(0), y);
        }
    }
    panic!("no {text} in\n{}", stage.text())
}

fn mouse(stage: &mut Stage, kind: MouseEventKind, (column, row): (u16, u16)) {
    stage.app.input(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

fn click(stage: &mut Stage, text: &str) {
    let at = find(stage, text);
    mouse(stage, MouseEventKind::Down(MouseButton::Left), at);
    stage.settle();
}

#[test]
fn options_mark_their_values_and_the_manual_opens_at_a_heading() {
    let mut stage = compute(LOOK, LARGE);
    stage.press(KeyCode::Char('O'));
    stage.type_in("wave size");
    let text = stage.text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("Wave size: ")).collect();
    let marked: Vec<_> = lines.iter().filter(|line| line.contains("✓ current")).collect();
    assert!(lines.len() == 3 && marked.len() == 1 && marked[0].contains("Wave size: auto"), "{text}");
    stage.press(KeyCode::Esc);
    stage.press(KeyCode::Char(':'));
    stage.type_in("packing does");
    stage.press(KeyCode::Enter);
    let text = stage.text();
    let lines = text.lines().skip_while(|line| !line.contains("┌ Manual")).collect::<Vec<_>>();
    assert!(lines.get(1).is_some_and(|line| line.contains("▌What packing does")), "{text}");
}

#[test]
fn entries_of_the_palette_are_clicked_and_scrolled() {
    let mut stage = compute(LOOK, SMALL);
    stage.press(KeyCode::Char(':'));
    let first = find(&mut stage, "Open by path");
    mouse(&mut stage, MouseEventKind::ScrollDown, first);
    assert!(!stage.text().contains("Open by path"), "{}", stage.text());
    mouse(&mut stage, MouseEventKind::ScrollUp, first);
    stage.type_in("mode-compiled");
    click(&mut stage, "Compiled mode");
    assert!(matches!(stage.app.state.overlay, Overlay::None));
    assert_eq!(stage.app.state.tabs.mode(), lanescope_inspector::mode::Mode::Compiled);
}

#[test]
fn the_frame_and_what_is_beside_it_close() {
    let mut stage = compute(LOOK, SMALL);
    for at in ["Esc closes", "group.comp"] {
        stage.app.act(Command::Keys);
        stage.draw();
        click(&mut stage, at);
        assert!(matches!(stage.app.state.overlay, Overlay::None), "{at}");
    }
    stage.app.act(Command::Keys);
    click(&mut stage, "Movement");
    assert!(matches!(stage.app.state.overlay, Overlay::Keys), "its inside does not");
}

#[test]
fn fields_and_preferences_are_clicked() {
    let mut stage = compute(LOOK, SMALL);
    stage.press(KeyCode::Char(':'));
    stage.type_in("ompile");
    let (column, row) = find(&mut stage, "> ompile");
    mouse(&mut stage, MouseEventKind::Down(MouseButton::Left), (column + 2, row));
    stage.type_in("c");
    assert!(stage.text().contains("> compile"), "{}", stage.text());
    stage.press(KeyCode::Esc);
    stage.app.act(Command::Preferences);
    click(&mut stage, "t  Theme");
    assert_eq!(stage.app.state.session.terminal_theme, Theme::Light);
    stage.press(KeyCode::Down);
    stage.press(KeyCode::Enter);
    assert!(!stage.app.state.session.preferences.reopen, "the second line");
}

#[test]
fn names_complete_a_path_by_a_click() {
    let mut stage = Stage::new(LOOK, LARGE);
    let path = stage.file("group.comp", COMPUTE);
    stage.press(KeyCode::Char('o'));
    stage.settle();
    let folder = format!("{}/", path.parent().expect("a folder").display());
    stage.app.input(Event::Paste(folder));
    stage.press(KeyCode::End);
    stage.draw();
    stage.settle();
    click(&mut stage, "group.comp");
    assert!(stage.text().contains(&format!("> {}", path.display())), "{}", stage.text());
    click(&mut stage, "Enter opens  Esc");
    assert_eq!(stage.app.state.programs.len(), 1);
}

#[test]
fn a_question_is_answered_by_a_click() {
    for (answer, replaced) in [("Keep (n)", false), ("Replace (y)", true)] {
        let mut stage = pair(LOOK, SMALL);
        let path = stage.file("out.svg", "old");
        stage.app.act(Command::ShowTab(ViewId::Packing));
        stage.app.act(Command::ExportPicture);
        stage.settle();
        stage.type_clear();
        stage.app.input(Event::Paste(path.display().to_string()));
        stage.press(KeyCode::Enter);
        stage.settle();
        click(&mut stage, answer);
        let now = std::fs::read_to_string(&path).expect("it is there");
        assert_eq!(now != "old", replaced, "{answer}");
    }
}

#[test]
fn findings_are_explained() {
    let mut stage = pair(LOOK, LARGE);
    stage.app.act(Command::ShowTab(ViewId::Findings));
    stage.draw();
    stage.press(KeyCode::Char('!'));
    let first = stage.text();
    assert!(first.contains("What to do") && first.contains("Meaning"), "{first}");
    stage.press(KeyCode::Esc);
    click(&mut stage, "R002");
    assert!(matches!(&stage.app.state.overlay, Overlay::Explanation(code) if code == "R002"));
    stage.press(KeyCode::Esc);
    stage.press(KeyCode::Char(':'));
    stage.type_in("explain");
    stage.press(KeyCode::Enter);
    stage.type_clear();
    stage.type_in("w001");
    stage.press(KeyCode::Enter);
    assert!(!matches!(stage.app.state.overlay, Overlay::None), "any code: {}", stage.text());
    stage.press(KeyCode::Esc);
    stage.app.act(Command::ShowTab(ViewId::Packing));
    stage.press(KeyCode::Char('!'));
    assert!(stage.text().contains("Finding code, as P002"), "elsewhere a code is typed: {}", stage.text());
}

#[test]
fn the_keys_of_the_tab_come_first() {
    let mut stage = graph(LOOK, SMALL);
    stage.app.act(Command::ShowTab(ViewId::Graph));
    stage.press(KeyCode::Char('?'));
    let text = stage.text();
    assert!(text.contains("This tab: Graph") && text.contains("Toggle breakpoint"), "{text}");
    stage.press(KeyCode::Char('/'));
    stage.type_in("step over");
    stage.press(KeyCode::Enter);
    assert!(stage.text().lines().any(|line| line.contains('▌') && line.contains("Step over")), "{}", stage.text());
    stage.press(KeyCode::Esc);
    assert!(matches!(stage.app.state.overlay, Overlay::None));
}

#[test]
fn samples_have_pictures() {
    for (name, look, size) in [
        ("gallery_80x24", LOOK, SMALL),
        ("gallery_160x50", LOOK, LARGE),
        ("gallery_ascii", Look { colors: Colors::None, ascii: true, ..LOOK }, SMALL),
    ] {
        let mut stage = Stage::new(look, size);
        let sample = |name: &str, about: &str| Sample {
            name: name.to_owned(),
            about: about.to_owned(),
            paths: vec![PathBuf::from(name)],
        };
        let group = |title: &str, samples| Group { title: title.to_owned(), about: "What it shows.", samples };
        let layout = compute(LOOK, SMALL).app.state.programs.remove(0).analysis.report;
        let about =
            "A long text about this sample, which takes several lines where it is narrow, and is cut after those";
        stage.app.state.samples.set_groups(Ok(vec![
            group("Layouts", vec![sample("slots", about), sample("lanes", "One wave.")]),
            group("Others", vec![sample("graph", ""), sample("parts", ""), sample("broken", ""), sample("soon", "")]),
        ]));
        let reports = [lit_report(), layout, work_graph(7), containers().0];
        for (index, report) in reports.into_iter().enumerate() {
            stage.app.state.samples.set_card(index, Ok(Box::new(report)));
        }
        stage.app.state.samples.set_card(4, Err("not a shader\nat all".to_owned()));
        stage.app.state.page = Page::Gallery;
        insta::assert_snapshot!(name, stage.text());
        if size == LARGE {
            let (column, row) = find(&mut stage, "One wave.");
            mouse(&mut stage, MouseEventKind::Down(MouseButton::Left), (column + 1, row));
            stage.settle();
            let failure = stage.app.state.failure.as_ref().expect("the file does not exist");
            assert!(failure.paths[0].ends_with("lanes"), "the one that was clicked: {:?}", failure.paths);
        }
    }
}
