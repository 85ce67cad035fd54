//! Any keys, mouse and sizes: nothing panics, nothing hangs, no control character is drawn.

use lanescope_inspector::command::Purpose;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;
use lanescope_workbench::state::overlay::PathQuestion;

/// Events for each program.
const EVENTS: u32 = 1500;
/// Keys that begin work of their own: of devices and compilers, whose results other tests have.
const WORK: &str = "rmsecEtCxdpfVBW,R";

/// Numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next(all.len())]
    }
}

fn event(numbers: &mut Numbers, (columns, rows): (u16, u16)) -> Event {
    const CODES: [KeyCode; 14] = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageDown,
        KeyCode::PageUp,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
    ];
    match numbers.next(10) {
        0..5 => {
            let letters: Vec<char> = (' '..='~').filter(|c| !WORK.contains(*c)).collect();
            Event::Key(KeyEvent::new(KeyCode::Char(numbers.of(&letters)), KeyModifiers::NONE))
        }
        5..8 => Event::Key(KeyEvent::new(numbers.of(&CODES), KeyModifiers::NONE)),
        8 => Event::Paste(numbers.of(&["/", "é漢\u{1b}[31m", "1 2 3", "P002", "x >= 1"]).to_owned()),
        _ => {
            let kind = numbers.of(&[
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::Drag(MouseButton::Left),
                MouseEventKind::Up(MouseButton::Left),
                MouseEventKind::ScrollDown,
                MouseEventKind::ScrollUp,
            ]);
            let column = u16::try_from(numbers.next(usize::from(columns) + 2)).unwrap_or(0);
            let row = u16::try_from(numbers.next(usize::from(rows) + 2)).unwrap_or(0);
            Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
    }
}

#[test]
fn anything_may_be_pressed() {
    const SIZES: [(u16, u16); 6] = [(80, 24), (160, 50), (200, 60), (30, 8), (3, 2), (110, 19)];
    for (seed, start) in [(1, pair as fn(Look, (u16, u16)) -> Stage), (2, compute), (3, graph)] {
        let mut numbers = Numbers(seed);
        let mut stage = start(LOOK, SMALL);
        for at in 0..EVENTS {
            // Nothing is written anywhere.
            let saves = |question: &PathQuestion| matches!(question.purpose, Purpose::Save | Purpose::SaveFolder);
            if matches!(&stage.app.state.overlay, Overlay::Path(question) if saves(question)) {
                stage.press(KeyCode::Esc);
            }
            let event = event(&mut numbers, stage.size);
            stage.app.input(event);
            if numbers.next(40) == 0 {
                stage.size = numbers.of(&SIZES);
            }
            if at % 16 == 0 {
                stage.settle();
            }
            stage.app.poll();
            let text = stage.text();
            assert!(!text.replace('\n', "").contains(char::is_control), "{seed} {at}\n{text}");
        }
        stage.settle();
        stage.draw();
    }
}
