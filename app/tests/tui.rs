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

/// The program in a terminal.
struct Terminal {
    child: Child,
    /// The side of the program, to see the terminal's modes.
    inner: File,
    keys: File,
    screen: Arc<Mutex<String>>,
    _home: tempfile::TempDir,
}

impl Terminal {
    fn start(files: &[&str]) -> Terminal {
        let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&outer).expect("grants");
        unlockpt(&outer).expect("unlocks");
        let name = ptsname(&outer, Vec::new()).expect("has a name");
        let inner = File::from(rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("opens"));
        size(&inner, 120, 40);
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
        let screen = Arc::new(Mutex::new(String::new()));
        let seen = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                seen.lock().expect("no panic").push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Terminal { child, inner, keys: outer, screen, _home: home }
    }

    /// Waits until a text is written after what was written before; returns all of that.
    fn until(&mut self, text: &str) -> String {
        let limit = Instant::now() + Duration::from_secs(60);
        loop {
            let mut screen = self.screen.lock().expect("no panic");
            if screen.contains(text) {
                return std::mem::take(&mut *screen);
            }
            assert!(Instant::now() < limit, "no {text:?} in {:?}", *screen);
            drop(screen);
            std::thread::sleep(Duration::from_millis(10));
        }
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

const LEFT: &str = "\u{1b}[?1049l";

#[test]
fn opens_moves_resizes_and_quits() {
    let mut terminal = Terminal::start(&["lit_surface.vert", "lit_surface.frag"]);
    terminal.until("Original: 5 locations");
    assert!(!terminal.is_cooked(), "it has the terminal");
    terminal.press("jjjjj?");
    terminal.until("Movement");
    terminal.press("\u{1b}");
    std::thread::sleep(Duration::from_millis(200));
    size(&terminal.inner, 80, 24);
    kill_process(terminal.pid(), Signal::WINCH).expect("signals");
    terminal.until("Packing");
    terminal.press("y");
    assert!(terminal.until("\u{1b}]52;c;").contains("Copied"), "the clipboard of the terminal");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.until(LEFT);
    assert!(terminal.is_cooked(), "the terminal is given back");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    use std::os::unix::process::ExitStatusExt as _;
    let mut terminal = Terminal::start(&["tile_16x16.comp"]);
    terminal.until("Workgroup");
    kill_process(terminal.pid(), Signal::TERM).expect("signals");
    assert_eq!(terminal.end().signal(), Some(Signal::TERM.as_raw()));
    terminal.until(LEFT);
    assert!(terminal.is_cooked());
}

#[test]
fn a_work_graph_is_stepped_to_its_end() {
    let mut terminal = Terminal::start(&["work_graphs/01_tile_classify.dxil"]);
    terminal.until("7 nodes");
    terminal.press("s");
    terminal.until("Paused before generation 0");
    terminal.press("e");
    terminal.until("records");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.until(LEFT);
}

#[test]
fn without_a_terminal_it_names_the_command_that_prints() {
    let (status, stdout, stderr) = common::outcome(["tui", "samples/tile_16x16.comp"]);
    assert!(status == 2 && stdout.is_empty() && stderr.contains("lanescope inspect"), "{stderr}");
}
