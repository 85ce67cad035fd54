//! The window on a display in memory, started as a user starts it.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Without a frame for so long, the window rests.
pub const QUIET: Duration = Duration::from_millis(1500);

/// A display without a screen.
pub struct Display {
    server: Child,
    /// What `DISPLAY` is.
    pub name: String,
}

impl Display {
    /// Starts Xvfb on the first number that is free.
    pub fn start() -> io::Result<Display> {
        let screen = ["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"];
        let mut server = Command::new("Xvfb").args(screen).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut number = String::new();
        let from = server.stdout.take().ok_or_else(|| io::Error::other("Xvfb has no output"))?;
        BufReader::new(from).read_line(&mut number)?;
        Ok(Display { server, name: format!(":{}", number.trim()) })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Both only fail where it has ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The window in a home of its own, and when it draws.
pub struct Window {
    process: Child,
    begin: Instant,
    /// When the lines of its frames came.
    pub frames: Receiver<Instant>,
}

impl Window {
    /// Starts the program that cargo built, with everything that it keeps in one folder.
    pub fn open(built: &str, display: &Display, home: &Path, files: &[PathBuf]) -> io::Result<Window> {
        let begin = Instant::now();
        let mut command = Command::new(crate::executable(built));
        command.arg("--timings").args(files).env("DISPLAY", &display.name).env("LIBGL_ALWAYS_SOFTWARE", "1");
        command.env_remove("WAYLAND_DISPLAY");
        for folder in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
            command.env(folder, home);
        }
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let stderr = process.stderr.take().ok_or_else(|| io::Error::other("the window has no standard error"))?;
        Ok(Window { process, begin, frames: frames(stderr) })
    }

    /// Seconds from the start to the first frame, and to the last one before it rests.
    pub fn rests(&self) -> io::Result<(f64, f64)> {
        let late = || io::Error::other("the window draws no first frame within a minute");
        let first = self.frames.recv_timeout(Duration::from_secs(60)).map_err(|_| late())?;
        let mut last = first;
        while let Ok(frame) = self.frames.recv_timeout(QUIET) {
            last = frame;
        }
        Ok(((first - self.begin).as_secs_f64(), (last - self.begin).as_secs_f64()))
    }

    /// Frames within that time.
    pub fn frames_within(&self, time: Duration) -> usize {
        let end = Instant::now() + time;
        let mut count = 0;
        loop {
            match self.frames.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(_) => count += 1,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return count,
            }
        }
    }

    /// Bytes that are resident.
    pub fn memory(&self) -> io::Result<f64> {
        self.status("VmRSS:")
    }

    /// Resident bytes that are not the contents of files: heap, stacks, what was written to.
    pub fn own_memory(&self) -> io::Result<f64> {
        self.status("RssAnon:")
    }

    /// A size that the system states of the process, in bytes.
    fn status(&self, field: &str) -> io::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        kib.map(|kib| kib * 1024.0).ok_or_else(|| io::Error::other(format!("no line {field}")))
    }

    /// Ticks of processor time, a hundredth of a second each.
    pub fn ticks(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let rest = status.rsplit_once(") ").map_or("", |(_, rest)| rest);
        Ok(rest.split(' ').skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// When each line of a frame comes.
fn frames(stderr: ChildStderr) -> Receiver<Instant> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr.take(64 << 20)).lines().map_while(Result::ok) {
            if line.starts_with("frame ") && sender.send(Instant::now()).is_err() {
                return;
            }
        }
    });
    receiver
}
