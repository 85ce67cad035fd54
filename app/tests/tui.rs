//! `lanescope tui` in a pseudo-terminal: opened, used, resized, suspended, ended; the terminal is given back.

use crate::common;
use std::process::Command;
use std::time::Duration;

use crate::common::stage_names;
use lanescope_testing::terminal::{LEFT, Terminal};
use rustix::process::{Signal, kill_process};

/// What takes the screen.
const ENTERED: &str = "\u{1b}[?1049h";

#[test]
fn opens_moves_resizes_and_quits() {
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["lit_surface.vert", "lit_surface.frag"]);
    terminal.until("Original: 5 locations");
    assert!(!terminal.is_cooked(), "it has the terminal");
    terminal.press("jjjjj?");
    terminal.until("Movement");
    terminal.press("\u{1b}");
    terminal.until(" 6/");
    // F7 compiles; the assembly is in the second mode.
    terminal.press("\u{1b}[18~2");
    terminal.wait("assembly", |seen| stage_names(&seen.screen.screen().contents()).contains("vertex  gfx1030"));
    terminal.press("1");
    terminal.until("Original: 5 locations");
    terminal.resize(80, 24);
    terminal.until("Findings  Source");
    terminal.press("y");
    terminal.until("Copied");
    terminal.wrote("\u{1b}]52;c;");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.wrote(LEFT);
    assert!(terminal.is_cooked(), "the terminal is given back");
}

#[test]
fn chips_are_named_on_the_command_line() {
    let mut terminal = Terminal::start(
        env!("CARGO_BIN_EXE_lanescope"),
        &["lit_surface.vert", "lit_surface.frag", "--chip", "navi23", "--target", "gfx1100"],
    );
    terminal.until("gfx1100, 1 option changed");
    terminal.press("O");
    terminal.until("Chips to compile for: gfx1032");
    terminal.press("\r");
    terminal.until("Chips, as");
    terminal.press("\u{15}gfx1030\r");
    terminal.until("RADV gfx1030");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn a_signal_gives_the_terminal_back() {
    use std::os::unix::process::ExitStatusExt as _;
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["tile_16x16.comp"]);
    terminal.until("Workgroup");
    kill_process(terminal.pid(), Signal::TERM).expect("signals");
    assert_eq!(terminal.end().signal(), Some(Signal::TERM.as_raw()));
    terminal.wrote(LEFT);
    assert!(terminal.is_cooked());
}

#[test]
fn a_work_graph_is_stepped_to_its_end() {
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["work_graphs/01_tile_classify.dxil"]);
    terminal.until("7 nodes");
    terminal.press("s");
    terminal.until("Paused before generation 0");
    terminal.press("s");
    terminal.until("Paused before generation 1");
    terminal.press("S");
    terminal.press("e");
    terminal.until("generation 2 of 2");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.wrote(LEFT);
}

#[test]
fn without_a_terminal_it_names_the_command_that_prints() {
    let (status, stdout, stderr) = common::outcome(["tui", "samples/tile_16x16.comp"]);
    assert!(status == 2 && stdout.is_empty() && stderr.contains("lanescope inspect"), "{stderr}");
}

/// A shell with job control, as a user has it: Ctrl+Z gives its prompt back, `fg` continues.
#[test]
fn suspends_and_continues() {
    let program = lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"));
    let mut shell = Command::new("setsid");
    shell.args(["--ctty", "--wait", "bash", "--norc", "-i"]);
    let mut terminal = Terminal::run(&mut shell, &[("PS1", "shell> ")]);
    terminal.until("shell>");
    terminal.press(&format!("{} tui tile_16x16.comp\r", program.display()));
    terminal.until("Workgroup");
    terminal.forget();
    terminal.press("\u{1a}");
    terminal.wrote(LEFT);
    // The prompt from before it was started is on the screen too.
    terminal.until("Stopped");
    terminal.forget();
    terminal.press("fg\r");
    terminal.wrote(ENTERED);
    terminal.until("Workgroup");
    terminal.press("?");
    terminal.until("Movement");
    terminal.forget();
    terminal.press("q");
    terminal.press("q");
    // The prompt that comes after it has ended: keys before that are the program's.
    terminal.wrote("shell>");
    terminal.press("exit 7\r");
    assert_eq!(terminal.end().code(), Some(7));
}

/// The program on a sample in a terminal that answers this.
fn answering(answer: &'static [u8]) -> Terminal {
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    Terminal::answering(answer, command.args(["tui", "tile_16x16.comp"]), &[])
}

#[test]
fn keys_work_while_a_terminal_does_not_answer() {
    let mut terminal = answering(b"");
    terminal.until("Workgroup");
    terminal.press("jj\x1b[B");
    terminal.until(" 4/");
    terminal.resize(100, 30);
    terminal.until("Findings  Source");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.wrote(LEFT);
}

#[test]
fn answers_are_not_typed() {
    const ALL: &[u8] =
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.40.0)\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;4c\x1b[6;20;10t\x1b[0n";
    let mut terminal = answering(ALL);
    terminal.until("Workgroup");
    terminal.press("j");
    terminal.until(" 2/");
    let screen = terminal.screen();
    assert!(!screen.contains("Options") && screen.contains("1 Layout"), "{screen}");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn an_idle_screen_uses_no_processor() {
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["lit_surface.vert", "lit_surface.frag"]);
    terminal.until("Original: 5 locations");
    // A file is compiled after it is opened, and the session is kept then; after that nothing is left to do.
    let two_seconds = || {
        let before = terminal.ticks();
        std::thread::sleep(Duration::from_secs(2));
        terminal.ticks() - before
    };
    let all: Vec<u64> = (0..30).map(|_| two_seconds()).take_while(|used| *used > 0).collect();
    assert!(all.len() < 30, "hundredths of a second in two seconds each: {all:?}");
    terminal.press("q");
    assert!(terminal.end().success());
}
