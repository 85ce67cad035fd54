//! A panic while the terminal is taken over.

use std::process::Command;

use lanescope_testing::terminal::{self, Terminal};

use super::super::terminal::Screen;

/// The child of the test below: this program, as the terminal form.
#[test]
#[ignore = "it panics"]
fn child() {
    let _screen = Screen::take().expect("a terminal");
    panic!("something is wrong");
}

#[test]
fn gives_the_terminal_back_before_the_message() {
    let program = std::env::current_exe().expect("the test's program");
    let mut command = Command::new(program);
    command.args(["tests::panic::child", "--exact", "--ignored", "--nocapture"]);
    let mut terminal = Terminal::run(&mut command, &[]);
    // What the test harness writes next may cover it on the screen.
    terminal.wrote("something is wrong");
    assert!(!terminal.end().success());
    terminal.wrote(terminal::LEFT);
    assert!(terminal.is_cooked());
}
