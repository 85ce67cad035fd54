//! One line on a terminal: how far a corpus is.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// The progress of a run.
#[derive(Debug)]
pub struct Progress<W> {
    /// Where it is written; `None` to say nothing.
    out: Option<W>,
    begin: Instant,
    shown: Option<Instant>,
    total: u64,
    done: u64,
    failed: u64,
}

impl<W: Write> Progress<W> {
    /// Of that many pipelines.
    pub fn new(out: Option<W>, total: u64) -> Progress<W> {
        Progress { out, begin: Instant::now(), shown: None, total, done: 0, failed: 0 }
    }

    /// Counts pipelines.
    pub fn add(&mut self, done: u64, failed: u64) {
        self.done += done;
        self.failed += failed;
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= EVERY);
        if let Some(out) = self.out.as_mut().filter(|_| is_due) {
            self.shown = Some(Instant::now());
            let line = line(self.done, self.failed, self.total, self.begin.elapsed());
            // An output error is ignored: only the progress line is lost.
            let _ = write!(out, "\r\x1b[K{line}").and_then(|()| out.flush());
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        if let Some(out) = self.out.as_mut().filter(|_| self.shown.is_some()) {
            let _: io::Result<()> = write!(out, "\r\x1b[K").and_then(|()| out.flush());
        }
    }
}

/// `1200 of 30000 pipelines, 850 per second, 3 failed, 34 s left`.
fn line(done: u64, failed: u64, total: u64, took: Duration) -> String {
    let rate = done as f64 / took.as_secs_f64().max(1e-3);
    let left = total.saturating_sub(done) as f64 / rate.max(1e-3);
    let time = match left {
        left if left >= 3600.0 => format!("{:.0} h {:02.0} min", (left / 3600.0).floor(), (left % 3600.0) / 60.0),
        left if left >= 100.0 => format!("{:.0} min", left / 60.0),
        left => format!("{left:.0} s"),
    };
    format!("{done} of {total} pipelines, {rate:.0} per second, {failed} failed, {time} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_count_rate_failures_and_time_left() {
        let expected = "1200 of 30000 pipelines, 120 per second, 3 failed, 4 min left";
        assert_eq!(line(1200, 3, 30_000, Duration::from_secs(10)), expected);
        assert!(line(1, 0, 1_000_000, Duration::from_secs(1)).contains("277 h 47 min left"));
        let mut out = Vec::new();
        let mut progress = Progress::new(Some(&mut out), 2);
        progress.add(1, 0);
        progress.add(1, 1);
        progress.end();
        let text = String::from_utf8(out).expect("text");
        assert!(text.starts_with("\r\x1b[K1 of 2 pipelines") && text.ends_with("\r\x1b[K"), "{text:?}");
        assert!(!text.contains("2 of 2"), "the line does not change that often: {text:?}");
    }
}
