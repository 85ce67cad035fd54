//! Limits of work that is done in this process: its time and its memory. A thread watches, and ends the program with an
//! error that names the limit and what was being done.

use std::convert::Infallible;
use std::fs;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lanescope_core::text_format::{milliseconds, size};

/// Time between two looks. So much memory as is written meanwhile may be taken over the limit.
const EVERY: Duration = Duration::from_millis(10);

/// Limits of the work in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time from the start of the watch.
    pub time: Duration,
    /// Memory that the process has, in bytes.
    pub memory: u64,
}

impl Limits {
    /// Why work that has taken so much is ended; none within the limits.
    fn exceeded(self, took: Duration, resident: u64) -> Option<String> {
        if took >= self.time {
            let limit = milliseconds(u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX));
            return Some(format!("not finished within {limit}, the limit (--timeout sets another)"));
        }
        let over = resident > self.memory;
        over.then(|| format!("needs more memory than {}, the limit (--memory sets another)", size(self.memory)))
    }
}

/// A watch over work; dropped, it ends.
#[derive(Debug)]
pub struct Watchdog {
    doing: Arc<Mutex<String>>,
    /// Closed where the work is done.
    _done: Sender<()>,
}

impl Watchdog {
    /// Watches over this process. `doing` begins the error; `say` gets it before the process ends with status 2.
    pub fn start(limits: Limits, doing: &str, say: impl FnOnce(&str) + Send + 'static) -> Watchdog {
        Watchdog::ending(limits, doing, |why| {
            say(why);
            std::process::exit(2)
        })
    }

    /// The same; `end` gets the error and ends the process, as the work itself cannot be stopped.
    pub fn ending(limits: Limits, doing: &str, end: impl FnOnce(&str) -> Infallible + Send + 'static) -> Watchdog {
        let (done, ended) = mpsc::channel::<()>();
        let doing = Arc::new(Mutex::new(doing.to_owned()));
        let shared = Arc::clone(&doing);
        let begin = Instant::now();
        std::thread::spawn(move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Some(why) = limits.exceeded(begin.elapsed(), resident()) {
                    let doing = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    match end(&format!("{doing}: {why}")) {}
                }
            }
        });
        Watchdog { doing, _done: done }
    }

    /// Says what is being done from now on.
    pub fn doing(&self, what: &str) {
        what.clone_into(&mut self.doing.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The memory that this process has, in bytes; 0 where the system does not say.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim_end().parse().ok()).unwrap_or(0u64);
    kib.saturating_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_named() {
        let limits = Limits { time: Duration::from_secs(60), memory: 1 << 30 };
        assert_eq!(limits.exceeded(Duration::from_secs(59), 1 << 30), None);
        let late = limits.exceeded(Duration::from_secs(60), 0).expect("too late");
        assert!(late.contains("within 1 min 0 s") && late.contains("--timeout"), "{late}");
        let large = limits.exceeded(Duration::ZERO, (1 << 30) + 1).expect("too large");
        assert!(large.contains("1 GiB") && large.contains("--memory"), "{large}");
    }

    #[test]
    fn this_process_has_memory() {
        assert!(!cfg!(target_os = "linux") || resident() > 1 << 20);
    }
}
