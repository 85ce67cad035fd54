//! `lanescope tui` in a pseudo-terminal: opened, used, resized, ended; the terminal is given back.

mod common;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// What the program wrote.
struct Seen {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

/// The program in a terminal.
struct Terminal {
    child: Child,
    /// The side of the program, to see the terminal's modes.
    inner: File,
    keys: File,
    seen: Arc<Mutex<Seen>>,
    _home: tempfile::TempDir,
}

impl Terminal {
    fn start(files: &[&str]) -> Terminal {
        let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&outer).expect("grants");
        unlockpt(&outer).expect("unlocks");
        let name = ptsname(&outer, Vec::new()).expect("has a name");
        let inner = File::from(rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("opens"));
        size(&inner, COLUMNS, ROWS);
        let home = tempfile::tempdir().expect("a temporary folder");
        let end = || Stdio::from(inner.try_clone().expect("duplicates"));
        let child = Command::new(env!("CARGO_BIN_EXE_lanescope"))
            .arg("tui")
            .args(files)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../samples"))
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("starts");
        let outer = File::from(outer);
        let mut reader = outer.try_clone().expect("duplicates");
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        let seen = Arc::new(Mutex::new(Seen { screen, bytes: Vec::new() }));
        let written = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let mut seen = written.lock().expect("no panic");
                seen.screen.process(&bytes[..count]);
                seen.bytes.extend_from_slice(&bytes[..count]);
            }
        });
        Terminal { child, inner, keys: outer, seen, _home: home }
    }

    /// Waits until this holds.
    fn wait(&self, what: &str, holds: impl Fn(&Seen) -> bool) {
        let limit = Instant::now() + Duration::from_secs(60);
        loop {
            let seen = self.seen.lock().expect("no panic");
            if holds(&seen) {
                return;
            }
            assert!(Instant::now() < limit, "no {what} in\n{}", seen.screen.screen().contents());
            drop(seen);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a text is on the screen.
    fn until(&self, text: &str) {
        self.wait(text, |seen| seen.screen.screen().contents().contains(text));
    }

    /// Waits until these bytes were written.
    fn wrote(&self, text: &str) {
        self.wait(text, |seen| seen.bytes.windows(text.len()).any(|part| part == text.as_bytes()));
    }

    fn resize(&self, columns: u16, rows: u16) {
        self.seen.lock().expect("no panic").screen.screen_mut().set_size(rows, columns);
        size(&self.inner, columns, rows);
        kill_process(self.pid(), Signal::WINCH).expect("signals");
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("writes");
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn end(&mut self) -> ExitStatus {
        let limit = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = self.child.try_wait().expect("waits") {
                return status;
            }
            assert!(Instant::now() < limit, "it ends");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn is_cooked(&self) -> bool {
        let modes = tcgetattr(&self.inner).expect("a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).expect("sets");
}

/// Size of a terminal at first.
const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
/// What gives the screen back.
const LEFT: &str = "\u{1b}[?1049l";

#[test]
fn opens_moves_resizes_and_quits() {
    let mut terminal = Terminal::start(&["lit_surface.vert", "lit_surface.frag"]);
    terminal.until("Original: 5 locations");
    assert!(!terminal.is_cooked(), "it has the terminal");
    terminal.press("jjjjj?");
    terminal.until("Movement");
    terminal.press("\u{1b}");
    terminal.until(" 6/");
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
fn a_signal_gives_the_terminal_back() {
    use std::os::unix::process::ExitStatusExt as _;
    let mut terminal = Terminal::start(&["tile_16x16.comp"]);
    terminal.until("Workgroup");
    kill_process(terminal.pid(), Signal::TERM).expect("signals");
    assert_eq!(terminal.end().signal(), Some(Signal::TERM.as_raw()));
    terminal.wrote(LEFT);
    assert!(terminal.is_cooked());
}

#[test]
fn a_work_graph_is_stepped_to_its_end() {
    let mut terminal = Terminal::start(&["work_graphs/01_tile_classify.dxil"]);
    terminal.until("7 nodes");
    terminal.press("s");
    terminal.until("Paused before generation 0");
    terminal.press("s");
    terminal.until("Paused before generation 1");
    terminal.press("S");
    terminal.press("e");
    terminal.until("generation 2 of 3");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.wrote(LEFT);
}

#[test]
fn without_a_terminal_it_names_the_command_that_prints() {
    let (status, stdout, stderr) = common::outcome(["tui", "samples/tile_16x16.comp"]);
    assert!(status == 2 && stdout.is_empty() && stderr.contains("lanescope inspect"), "{stderr}");
}
