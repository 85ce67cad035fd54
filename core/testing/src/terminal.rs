//! The program in a pseudo-terminal.

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
pub struct Seen {
    /// The screen.
    pub screen: vt100::Parser,
    /// Everything.
    pub bytes: Vec<u8>,
}

/// The program in a terminal.
pub struct Terminal {
    child: Child,
    /// The side of the program, to see the terminal's modes.
    inner: File,
    keys: File,
    seen: Arc<Mutex<Seen>>,
    _home: tempfile::TempDir,
}

impl Terminal {
    /// Starts `lanescope tui` with these arguments in the folder of the samples; `built` is the program that cargo built.
    pub fn start(built: &str, arguments: &[&str]) -> Terminal {
        Terminal::run(Command::new(crate::executable(built)).arg("tui").args(arguments), &[])
    }

    /// Starts a command, with these variables.
    pub fn run(command: &mut Command, variables: &[(&str, &str)]) -> Terminal {
        Terminal::answering(b"\x1b[?62c\x1b[0n", command, variables)
    }

    /// The same in a terminal that answers this where it is asked what it has.
    pub fn answering(answer: &'static [u8], command: &mut Command, variables: &[(&str, &str)]) -> Terminal {
        let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&outer).expect("grants");
        unlockpt(&outer).expect("unlocks");
        let name = ptsname(&outer, Vec::new()).expect("has a name");
        let inner = File::from(rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("opens"));
        size(&inner, COLUMNS, ROWS);
        let home = tempfile::tempdir().expect("a temporary folder");
        let end = || Stdio::from(inner.try_clone().expect("duplicates"));
        let child = command
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples"))
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("NO_COLOR")
            .env_remove("COLORTERM")
            .envs(variables.iter().copied())
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("starts");
        let outer = File::from(outer);
        let [mut reader, mut answers] = [(); 2].map(|()| outer.try_clone().expect("duplicates"));
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        let seen = Arc::new(Mutex::new(Seen { screen, bytes: Vec::new() }));
        let written = Arc::clone(&seen);
        std::thread::spawn(move || {
            let (mut bytes, mut answered) = ([0; 4096], 0);
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let mut seen = written.lock().expect("no panic");
                seen.screen.process(&bytes[..count]);
                seen.bytes.extend_from_slice(&bytes[..count]);
                let asked = seen.bytes.windows(ASKED.len()).filter(|part| *part == ASKED).count();
                for _ in answered..asked {
                    answers.write_all(answer).expect("writes");
                }
                answered = answered.max(asked);
            }
        });
        Terminal { child, inner, keys: outer, seen, _home: home }
    }

    /// Waits until this holds.
    pub fn wait(&self, what: &str, holds: impl Fn(&Seen) -> bool) {
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
    pub fn until(&self, text: &str) {
        self.wait(text, |seen| seen.screen.screen().contents().contains(text));
    }

    /// Waits until these bytes were written.
    pub fn wrote(&self, text: &str) {
        self.wait(text, |seen| seen.bytes.windows(text.len()).any(|part| part == text.as_bytes()));
    }

    /// Another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.seen.lock().expect("no panic").screen.screen_mut().set_size(rows, columns);
        size(&self.inner, columns, rows);
        kill_process(self.pid(), Signal::WINCH).expect("signals");
    }

    /// What the screen shows.
    pub fn screen(&self) -> String {
        self.seen.lock().expect("no panic").screen.screen().contents()
    }

    /// Forgets what was written so far.
    pub fn forget(&self) {
        self.seen.lock().expect("no panic").bytes.clear();
    }

    /// Time of the processor that it has used, in hundredths of a second.
    pub fn ticks(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
        fields.take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
    }

    /// Types.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("writes");
    }

    /// Its process.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Waits until it ends.
    pub fn end(&mut self) -> ExitStatus {
        let limit = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = self.child.try_wait().expect("waits") {
                return status;
            }
            assert!(Instant::now() < limit, "it ends");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether lines are edited and echoed by the terminal, as a shell has it.
    pub fn is_cooked(&self) -> bool {
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
/// Asks a terminal for its state.
const ASKED: &[u8] = b"\x1b[5n";
/// What gives the screen back.
pub const LEFT: &str = "\u{1b}[?1049l";
