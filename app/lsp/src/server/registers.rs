//! Registers alive at lines: which pipelines a chip's compiler is asked about, and what it said of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanescope_core::chip::Chip;
use lanescope_core::program::Program;
use lanescope_host::drivers::Stop;
use lsp_types::MessageType;

use super::Server;
use super::pipelines::{Held, Key};
use crate::registers::{Compiler, Counted, Job, LineLabel, Registers};

/// How long a pipeline rests before a chip's compiler is asked: it takes longer than the analysis.
const REST: Duration = Duration::from_millis(250);

/// What is asked, and what is known.
pub struct Counting {
    pub(super) compiler: Compiler,
    /// What is to be compiled, and when.
    waiting: BTreeMap<Key, (Instant, Job)>,
    running: Option<(Key, Chip, Stop)>,
    held: BTreeMap<Key, Registers>,
    /// Why a pipeline has none, as the log said last.
    said: BTreeMap<Key, String>,
}

impl Counting {
    /// Nothing is asked yet.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new() -> std::io::Result<Counting> {
        let compiler = Compiler::start()?;
        let (waiting, held, said) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Counting { compiler, waiting, running: None, held, said })
    }

    /// Lets a program be compiled for a chip, instead of what was asked of its pipeline before.
    fn ask(&mut self, key: Key, job: Job) {
        self.stop(|running, _| *running == key);
        self.waiting.insert(key, (Instant::now() + REST, job));
    }

    /// When the next job begins.
    pub fn wake_at(&self) -> Option<Instant> {
        if self.running.is_some() { None } else { self.waiting.values().map(|(at, _)| *at).min() }
    }

    /// Begins the job that is due, if none is running.
    pub fn work(&mut self) {
        let now = Instant::now();
        let due = self.waiting.iter().filter(|(_, (at, _))| *at <= now).min_by_key(|(_, (at, _))| *at);
        let Some(key) = due.map(|(key, _)| key.clone()).filter(|_| self.running.is_none()) else { return };
        if let Some((_, job)) = self.waiting.remove(&key) {
            self.running = Some((key, job.chip, job.stop.clone()));
            self.compiler.begin(job);
        }
    }

    /// Takes a result: whether there are new counts. That of a job that was stopped is of no use.
    ///
    /// # Errors
    /// Why there are none, where the log did not say it yet.
    fn take(&mut self, Counted { pipeline, result }: Counted) -> Result<bool, String> {
        let key = (pipeline.name, pipeline.files);
        if self.running.take().is_none_or(|(_, _, stop)| stop.is_stopped()) {
            return Ok(false);
        }
        match result {
            Ok(registers) => {
                self.said.remove(&key);
                self.held.insert(key, registers);
                Ok(true)
            }
            Err(why) => {
                self.held.remove(&key);
                let text = format!("{}: no register counts: {why}", key.0);
                let is_said = self.said.insert(key, text.clone()).as_ref() == Some(&text);
                if is_said { Ok(false) } else { Err(text) }
            }
        }
    }

    /// Ends the running job of some pipelines. Its result follows.
    fn stop(&mut self, is: impl Fn(&Key, Chip) -> bool) {
        if let Some((_, _, stop)) = self.running.as_ref().filter(|(key, chip, _)| is(key, *chip)) {
            stop.stop();
        }
    }

    /// Forgets pipelines that are not wanted any more, and all where no chip is chosen or another one.
    pub fn keep(&mut self, chip: Option<Chip>, is_wanted: impl Fn(&Key) -> bool) {
        self.waiting.retain(|key, (_, job)| is_wanted(key) && Some(job.chip) == chip);
        self.held.retain(|key, registers| is_wanted(key) && Some(registers.chip) == chip);
        self.said.retain(|key, _| is_wanted(key));
        self.stop(|key, running| !is_wanted(key) || Some(running) != chip);
    }

    /// What stands at the lines of a file by a result, if it is known of the same text.
    pub fn labels(&self, held: &Held, file: &Path) -> &[LineLabel] {
        let key = (held.pipeline.name.clone(), held.pipeline.files.clone());
        let registers = self.held.get(&key).filter(|registers| registers.versions == *held.versions());
        registers.and_then(|registers| registers.files.get(file)).map_or(&[], Vec::as_slice)
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.stop(|_, _| true);
    }
}

impl Server {
    /// Asks the chosen chip's compiler about a result, if it is to.
    pub(super) fn count_registers(&mut self, key: &Key, program: Arc<Program>) {
        let Some(chip) = self.settings.counting_chip() else { return };
        let Some(held) = self.pipelines.held(key) else { return };
        let Some(reported) = &held.report else { return };
        let job = Job {
            pipeline: held.pipeline.clone(),
            versions: held.versions().clone(),
            program,
            report: Arc::clone(&reported.report),
            chip,
            stop: Stop::default(),
        };
        self.counting.ask(key.clone(), job);
    }

    /// Takes what a chip's compiler said: the client asks for the hints again.
    pub(super) fn take_registers(&mut self, counted: Counted) {
        match self.counting.take(counted) {
            Err(why) => self.client.log(MessageType::WARNING, &why),
            Ok(true) => self.refreshing.hints(&mut self.client, self.abilities.refreshes),
            Ok(false) => {}
        }
    }
}
