//! Work off the frame thread.
//!
//! A job belongs to a tag (one program's analysis, one export). Of one tag one job runs at a time and one waits: a
//! newer request replaces the waiting one. Results come back through [`Jobs::poll`]; the frame is woken only when
//! there is something new to see.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Wakes the frame; may be called from any thread.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

type Work<T> = Box<dyn FnOnce(&Control<T>) -> T + Send>;

/// The jobs of one window. `K` tags them, `T` is what they bring.
pub struct Jobs<K, T> {
    wake: Wake,
    sender: Sender<(u64, News<T>)>,
    news: Receiver<(u64, News<T>)>,
    running: BTreeMap<K, Running>,
    waiting: BTreeMap<K, (String, Work<T>)>,
    next: u64,
}

/// What a job has to say.
#[derive(Debug, PartialEq, Eq)]
pub enum News<T> {
    /// A part of its result; more may come.
    Part(T),
    /// Its result.
    Done(T),
    /// It broke down; the text is the panic's.
    Panicked(String),
}

/// What a running job looks like from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// What it does: `loading lit.frag`.
    pub name: String,
    /// How far it is; empty if it does not say.
    pub progress: String,
    /// How long it has been running.
    pub since: Duration,
}

struct Running {
    number: u64,
    name: String,
    begin: Instant,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    progress: Mutex<String>,
    on_cancel: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

/// A job's hold on the window.
pub struct Control<T> {
    number: u64,
    shared: Arc<Shared>,
    sender: Sender<(u64, News<T>)>,
    wake: Wake,
}

/// What a job has started registers here how it is stopped.
#[derive(Clone)]
pub struct Canceller(Arc<Shared>);

impl Canceller {
    /// Runs `stop` when the job is cancelled, at once if it is already; replaces what was set before.
    pub fn on_cancel(&self, stop: impl FnOnce() + Send + 'static) {
        *lock(&self.0.on_cancel) = Some(Box::new(stop));
        if self.0.cancelled.load(Ordering::SeqCst) {
            self.0.cancel();
        }
    }
}

impl<T> Control<T> {
    /// Whether the result is no longer wanted.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::SeqCst)
    }

    /// Runs `stop` when the job is cancelled, at once if it is already; replaces what was set before.
    pub fn on_cancel(&self, stop: impl FnOnce() + Send + 'static) {
        self.canceller().on_cancel(stop);
    }

    /// For what the job starts, and what ends with it.
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.shared))
    }

    /// Says how far the work is.
    pub fn progress(&self, text: impl Into<String>) {
        self.shared.progress(text.into(), &self.wake);
    }

    /// What else says it, from another thread.
    pub fn progress_writer(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let (shared, wake) = (Arc::clone(&self.shared), Arc::clone(&self.wake));
        move |text| shared.progress(text.to_owned(), &wake)
    }

    /// Hands over a part of the result.
    pub fn part(&self, part: T) {
        self.send(News::Part(part));
    }

    fn send(&self, news: News<T>) {
        // The window may be closed; then the result is dropped.
        if !self.is_cancelled() && self.sender.send((self.number, news)).is_ok() {
            (self.wake)();
        }
    }
}

impl Shared {
    fn progress(&self, text: String, wake: &Wake) {
        let mut shown = lock(&self.progress);
        if *shown != text {
            *shown = text;
            drop(shown);
            wake();
        }
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        let stop = lock(&self.on_cancel).take();
        if let Some(stop) = stop {
            stop();
        }
    }
}

impl<K: Clone + Ord, T: Send + 'static> Jobs<K, T> {
    /// No jobs yet. `wake` is called whenever [`Jobs::poll`] or [`Jobs::statuses`] would say something new.
    pub fn new(wake: Wake) -> Self {
        let (sender, news) = mpsc::channel();
        Jobs { wake, sender, news, running: BTreeMap::new(), waiting: BTreeMap::new(), next: 0 }
    }

    /// Starts a job. If one of its tag is running, the job waits for it and replaces any waiting one.
    pub fn start(&mut self, tag: K, name: impl Into<String>, work: impl FnOnce(&Control<T>) -> T + Send + 'static) {
        if self.running.contains_key(&tag) {
            self.waiting.insert(tag, (name.into(), Box::new(work)));
        } else {
            self.run(tag, name.into(), Box::new(work));
        }
    }

    /// Cancels the running job of a tag and drops the waiting one: neither says anything any more.
    pub fn cancel(&mut self, tag: &K) {
        self.waiting.remove(tag);
        if let Some(job) = self.running.remove(tag) {
            job.shared.cancel();
        }
    }

    /// Cancels everything.
    pub fn cancel_all(&mut self) {
        let tags: Vec<K> = self.running.keys().cloned().collect();
        for tag in tags {
            self.cancel(&tag);
        }
    }

    /// What has come back since the last call, oldest first.
    pub fn poll(&mut self) -> Vec<(K, News<T>)> {
        let mut all = Vec::new();
        while let Ok((number, news)) = self.news.try_recv() {
            // News of a cancelled job find no running one.
            let Some(tag) = self.running.iter().find(|(_, job)| job.number == number).map(|(tag, _)| tag.clone())
            else {
                continue;
            };
            if !matches!(news, News::Part(_)) {
                self.running.remove(&tag);
                if let Some((name, work)) = self.waiting.remove(&tag) {
                    self.run(tag.clone(), name, work);
                }
            }
            all.push((tag, news));
        }
        all
    }

    /// The running jobs by tag.
    pub fn statuses(&self) -> impl Iterator<Item = (&K, Status)> {
        self.running.iter().map(|(tag, job)| {
            let progress = lock(&job.shared.progress).clone();
            (tag, Status { name: job.name.clone(), progress, since: job.begin.elapsed() })
        })
    }

    /// Whether a job of that tag runs or waits.
    #[cfg(any(test, feature = "testing"))]
    pub fn is_busy(&self, tag: &K) -> bool {
        self.running.contains_key(tag)
    }

    fn run(&mut self, tag: K, name: String, work: Work<T>) {
        let number = self.next;
        self.next += 1;
        let shared = Arc::new(Shared::default());
        let control =
            Control { number, shared: Arc::clone(&shared), sender: self.sender.clone(), wake: Arc::clone(&self.wake) };
        self.running.insert(tag, Running { number, name, begin: Instant::now(), shared });
        std::thread::spawn(move || {
            control.send(caught(|| work(&control)).map_or_else(News::Panicked, News::Done));
        });
    }
}

impl<K, T> Drop for Jobs<K, T> {
    /// Stops what can be stopped: children die with the window.
    fn drop(&mut self) {
        for job in self.running.values() {
            job.shared.cancel();
        }
    }
}

/// Runs a job; a panic becomes an error.
///
/// # Errors
/// The text of its panic, where it broke down.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn jobs() -> (Jobs<&'static str, u32>, Arc<AtomicUsize>) {
        let woken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        let wake = move || {
            count.fetch_add(1, Ordering::SeqCst);
        };
        (Jobs::new(Arc::new(wake)), woken)
    }

    /// Polls until no job is left.
    fn finish(jobs: &mut Jobs<&'static str, u32>) -> Vec<(&'static str, News<u32>)> {
        let mut all = Vec::new();
        let limit = Instant::now() + Duration::from_secs(10);
        while jobs.statuses().next().is_some() {
            all.extend(jobs.poll());
            assert!(Instant::now() < limit, "the jobs end");
            std::thread::sleep(Duration::from_millis(1));
        }
        all
    }

    #[test]
    fn the_newest_request_replaces_the_waiting_one() {
        let (mut jobs, _) = jobs();
        let (go, gate) = mpsc::channel::<()>();
        jobs.start("a", "first", move |_| {
            let _ = gate.recv();
            1
        });
        jobs.start("a", "second", |_| 2);
        jobs.start("a", "third", |_| 3);
        jobs.start("b", "other", |_| 9);
        go.send(()).expect("the job waits");
        let mut news = finish(&mut jobs);
        news.sort_by_key(|(tag, _)| *tag);
        assert_eq!(news, [("a", News::Done(1)), ("a", News::Done(3)), ("b", News::Done(9))]);
    }

    #[test]
    fn a_cancelled_job_stops_and_delivers_nothing() {
        let (mut jobs, woken) = jobs();
        let (sender, receiver) = mpsc::channel();
        let (started, ready) = mpsc::channel();
        jobs.start("a", "long", move |control| {
            control.on_cancel(move || sender.send(()).expect("the test listens"));
            started.send(()).expect("the test listens");
            while !control.is_cancelled() {
                std::thread::yield_now();
            }
            control.part(7);
            1
        });
        jobs.start("a", "next", |_| 2);
        ready.recv().expect("the job starts");
        jobs.cancel(&"a");
        receiver.recv_timeout(Duration::from_secs(10)).expect("the job is told");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(jobs.poll(), []);
        assert!(!jobs.is_busy(&"a"));
        assert_eq!(woken.load(Ordering::SeqCst), 0, "nothing new to see");
    }

    #[test]
    fn parts_progress_and_results_wake_the_frame_once_each() {
        let (mut jobs, woken) = jobs();
        jobs.start("a", "samples", |control| {
            control.progress("1 of 2");
            control.progress("1 of 2");
            control.part(1);
            2
        });
        assert_eq!(finish(&mut jobs), [("a", News::Part(1)), ("a", News::Done(2))]);
        assert_eq!(woken.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_panic_is_a_result() {
        let (mut jobs, _) = jobs();
        jobs.start("a", "broken", |_| panic!("index 3 of {}", 2));
        assert_eq!(finish(&mut jobs), [("a", News::Panicked("index 3 of 2".to_owned()))]);
    }
}
