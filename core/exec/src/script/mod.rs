//! Amber scripts: their commands in order, with the buffers that they share, and what they expect of these.
//!
//! What runs a program is the caller's: [`Execute`]. Everything that a script states of a run is given to it, or the
//! command is [`Stop::NotPossible`]: a check never passes on half of what its script says.

mod bind;
mod draw;
pub mod export;
mod files;
mod held;
mod sampled;
mod table;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gpu::Declared;
use lanescope_amber::bytes::Contents;
use lanescope_amber::check::{Found, check};
use lanescope_amber::script::command::{Check, Command, Expect, Run, RunKind};
use lanescope_amber::script::pipeline::{BufferRole, Pipeline};
use lanescope_amber::script::{BufferForm, Initializer};
use lanescope_amber::types::layout::Layout;
use lanescope_amber::{Buffer, Script};
use lanescope_base::findings::Finding;
use lanescope_passes::run::Execution;
use lanescope_passes::run::inputs::Inputs;
pub use table::expectation_table;

use held::Held;

/// The most commands that run, repeated ones each time.
pub const MAX_COMMANDS: u64 = 1 << 16;
/// The most bytes of all buffers.
const MAX_BUFFERS: u64 = 1 << 30;
/// The most bytes that commands between runs compare, copy and clear.
const MAX_MOVED: u64 = 1 << 34;
/// The most checks of which it is kept what they expect and find.
const MAX_EXPECTATIONS: usize = 1 << 14;
/// The most findings of runs that are kept.
const MAX_FINDINGS: usize = 1000;

/// What runs the pipelines of a script.
pub trait Execute {
    /// Why it cannot.
    type Error;

    /// Bytes of the push constant block that the shaders of a pipeline declare.
    ///
    /// # Errors
    /// A pipeline whose shaders cannot be used.
    fn push_constants(&mut self, pipeline: &str) -> Result<u64, Self::Error>;

    /// The descriptors that the shaders of a pipeline declare.
    ///
    /// # Errors
    /// A pipeline whose shaders cannot be used, or have descriptors that no run has.
    fn declared(&mut self, pipeline: &str) -> Result<Vec<Declared>, Self::Error>;

    /// The bytes of a file beside the script.
    ///
    /// # Errors
    /// Why there is none: a name outside of the script's folder, a file that cannot be read or has more than `most` bytes.
    fn file(&mut self, _name: &str, _most: u64) -> Result<Vec<u8>, String> {
        Err("no files are read here".to_owned())
    }

    /// The pixels of a PNG file: width, height, four bytes each.
    ///
    /// # Errors
    /// Bytes that are no such file.
    fn picture(&mut self, _file: &[u8]) -> Result<([u32; 2], Vec<u8>), String> {
        Err("no pictures are read here".to_owned())
    }

    /// Runs a pipeline, within this time.
    ///
    /// # Errors
    /// A pipeline that cannot be used or run.
    fn run(
        &mut self,
        pipeline: &str,
        groups: Option<[u32; 3]>,
        inputs: Inputs,
        within: Duration,
    ) -> Result<Execution, Self::Error>;
}

/// How long a script may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// All of it.
    pub whole: Duration,
    /// Each run.
    pub run: Duration,
}

/// What came of a script, and what its buffers contain at its end.
#[derive(Debug, Clone)]
pub struct Ended {
    /// What came of it.
    pub run: ScriptRun,
    /// The buffers by their names.
    pub buffers: BTreeMap<String, Vec<u8>>,
}

/// A run of a script that has not been made: all before it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// The line of the command.
    pub line: u32,
    /// The pipeline.
    pub pipeline: String,
    /// The dispatch of a compute pipeline.
    pub groups: Option<[u32; 3]>,
    /// What it takes.
    pub inputs: Inputs,
}

/// Why a script did not run to its end.
#[derive(Debug)]
pub enum Stop<E> {
    /// A command or a construct that is not run here.
    NotPossible {
        /// Its line.
        line: u32,
        /// What it is, and why.
        construct: String,
    },
    /// A command that contradicts what it names.
    Wrong {
        /// Its line.
        line: u32,
        /// What does not fit.
        what: String,
    },
    /// The time was up.
    OutOfTime {
        /// The line of the command that did not begin.
        line: u32,
        /// The time of the whole script.
        limit: Duration,
    },
    /// A run that failed.
    Run {
        /// The line of the command.
        line: u32,
        /// Why.
        error: E,
    },
    /// The run that was to be reached is not one of the script's.
    NoSuchRun {
        /// Its number, from 1.
        wanted: u64,
        /// How many there are.
        runs: u64,
    },
}

impl<E> Stop<E> {
    fn not_possible(line: u32, construct: impl Into<String>) -> Stop<E> {
        Stop::NotPossible { line, construct: construct.into() }
    }
}

/// What came of a script.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptRun {
    /// Commands that ran, repeated ones each time.
    pub commands: u64,
    /// Of these, runs of pipelines.
    pub runs: u64,
    /// Of these, checks.
    pub checks: u64,
    /// Checks that failed.
    pub failures: Vec<CheckFailure>,
    /// The checks in their order, with what each expects and finds; the first ones, of very many.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub expectations: Vec<Expectation>,
    /// What runs found, such as accesses without an order: what their results are then is not determined.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<RunFinding>,
}

/// A finding of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFinding {
    /// The line of the command.
    pub line: u32,
    /// What it found.
    pub finding: Finding,
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expectation {
    /// The line of the command.
    pub line: u32,
    /// The command, without its numbers: `EXPECT a IDX 0 EQ`.
    pub command: String,
    /// The place that `expected` and `found` are of: the first one that differs, else the first one of the check.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
    /// What is expected there; of many numbers the first ones.
    pub expected: String,
    /// What was found there; absent where it is as expected and no single value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<String>,
    /// How many places differ.
    pub differ: usize,
    /// The repetition, from 1, where the command is repeated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repetition: Option<u32>,
}

impl Expectation {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.differ == 0
    }
}

/// A check that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckFailure {
    /// The line of the command.
    pub line: u32,
    /// The buffer.
    pub buffer: String,
    /// Where in it: `byte 12, number 3`, `pixel 4, 5`.
    pub place: String,
    /// What is expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// How many places of the check differ.
    pub count: usize,
    /// The repetition, from 1, where the command is repeated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repetition: Option<u32>,
}

/// What attachments are cleared to.
#[derive(Debug, Clone, Copy)]
struct Clear {
    color: [u8; 4],
    depth: f32,
    stencil: u8,
}

impl Default for Clear {
    fn default() -> Self {
        Clear { color: [0; 4], depth: 1.0, stencil: 0 }
    }
}

/// A script at work.
struct Runner<'s, X> {
    script: &'s Script,
    execute: X,
    buffers: BTreeMap<&'s str, Held>,
    layouts: BTreeMap<&'s str, Layout>,
    clears: BTreeMap<&'s str, Clear>,
    done: ScriptRun,
    repetition: Option<u32>,
    /// Repetitions so far, of commands or of none.
    repetitions: u64,
    /// Bytes that commands between runs have looked at.
    moved: u64,
    limits: Limits,
    began: Instant,
    /// The run that is not made, by its number, and what it would take.
    wanted: Option<u64>,
    reached: Option<Reached>,
}

/// Runs the commands of a script. All of its checks are made, failed ones too.
///
/// # Errors
/// The first command that cannot be run.
pub fn run<X: Execute>(script: &Script, execute: X, limits: Limits) -> Result<Ended, Stop<X::Error>> {
    let mut runner = Runner::new(script, execute, limits, None);
    runner.all()?;
    let buffers = runner.buffers.into_iter().map(|(name, held)| (name.to_owned(), held.bytes)).collect();
    Ok(Ended { run: runner.done, buffers })
}

/// Runs the commands before a run of a script, which is counted from 1.
///
/// # Errors
/// The first command that cannot be run; a run that there is not.
pub fn reach<X: Execute>(script: &Script, execute: X, limits: Limits, wanted: u64) -> Result<Reached, Stop<X::Error>> {
    let mut runner = Runner::new(script, execute, limits, Some(wanted));
    runner.all()?;
    runner.reached.ok_or(Stop::NoSuchRun { wanted, runs: runner.done.runs })
}

type Done<T, X> = Result<T, Stop<<X as Execute>::Error>>;

impl<'s, X: Execute> Runner<'s, X> {
    fn new(script: &'s Script, execute: X, limits: Limits, wanted: Option<u64>) -> Runner<'s, X> {
        Runner {
            script,
            execute,
            buffers: BTreeMap::new(),
            layouts: BTreeMap::new(),
            clears: BTreeMap::new(),
            done: ScriptRun::default(),
            repetition: None,
            repetitions: 0,
            moved: 0,
            limits,
            began: Instant::now(),
            wanted,
            reached: None,
        }
    }

    /// All commands, up to the run that is wanted.
    fn all(&mut self) -> Done<(), X> {
        self.fill()?;
        for command in &self.script.commands {
            self.command(command)?;
        }
        Ok(())
    }

    /// The time that is left.
    fn left(&self, line: u32) -> Done<Duration, X> {
        let limit = self.limits.whole;
        limit.checked_sub(self.began.elapsed()).filter(|left| !left.is_zero()).ok_or(Stop::OutOfTime { line, limit })
    }

    /// Gives each buffer what it contains at first.
    fn fill(&mut self) -> Done<(), X> {
        let mut all = 0;
        for buffer in &self.script.buffers {
            let not = |why: String| Stop::not_possible(buffer.line.0, why);
            let layout = self.script.layout(&buffer.ty, buffer.packing()).map_err(not)?;
            let held = match self.script.contents(buffer).map_err(not)? {
                // An image without contents of its own takes the size of the framebuffer too.
                Contents::Bytes(_) if buffer.initializer == Initializer::Absent && self.is_drawn_to(buffer) => {
                    self.attachment(buffer)?
                }
                Contents::Bytes(bytes) => Held::new(bytes, buffer.extent()),
                Contents::OfFramebuffer => self.attachment(buffer)?,
                Contents::InFile => self.in_file(buffer)?,
            };
            let held = held.with_levels(buffer).map_err(not)?;
            all += held.all_bytes();
            if all > MAX_BUFFERS {
                return Err(not(format!("all buffers have more than {MAX_BUFFERS} bytes")));
            }
            self.layouts.insert(&buffer.name, layout);
            self.buffers.insert(&buffer.name, held);
        }
        Ok(())
    }

    /// Whether a pipeline has an image as an attachment.
    fn is_drawn_to(&self, buffer: &Buffer) -> bool {
        let mut all = self.script.pipelines.iter().flat_map(|pipeline| &pipeline.buffers);
        matches!(buffer.form, BufferForm::Image { .. })
            && all.any(|bound| bound.buffers.contains(&buffer.name) && drawn_level(&bound.role).is_some())
    }

    /// An attachment: as large as the framebuffer of the pipelines that draw to it.
    fn attachment(&self, buffer: &Buffer) -> Done<Held, X> {
        let all: Vec<Pipeline> =
            self.script.pipelines.iter().filter_map(|one| self.script.resolved(&one.name)).collect();
        let bound = |pipeline: &Pipeline, drawn: bool| {
            let own = pipeline.buffers.iter().filter(|bound| bound.buffers.contains(&buffer.name));
            let size = pipeline.framebuffer_size();
            own.filter_map(|bound| drawn_level(&bound.role).or((!drawn).then_some(0)))
                // The first level is that many times as large.
                .map(|level| size.map(|side| side.checked_shl(level).unwrap_or(0)))
                .collect::<Vec<_>>()
        };
        let sizes = |drawn: bool| {
            let mut sizes: Vec<[u32; 2]> = all.iter().flat_map(|pipeline| bound(pipeline, drawn)).collect();
            sizes.sort_unstable();
            sizes.dedup();
            sizes
        };
        let drawn = sizes(true);
        let sizes = if drawn.is_empty() { sizes(false) } else { drawn };
        let not = |why: &str| Err(Stop::not_possible(buffer.line.0, format!("`{}` {why}", buffer.name)));
        let [width, height] = match sizes.as_slice() {
            [] => [0, 0],
            [only] => *only,
            _ => return not("is bound by pipelines with framebuffers of several sizes"),
        };
        let Some(format) = buffer.ty.image_format() else { return not("has no format") };
        let bytes = u64::from(width) * u64::from(height) * u64::from(format.size());
        if bytes > lanescope_amber::bytes::MAX_BUFFER as u64 {
            return not("is too large");
        }
        Ok(Held::new(vec![0; bytes as usize], Some([width, height, 1])))
    }

    fn command(&mut self, command: &'s Command) -> Done<(), X> {
        let line = command.line().0;
        if self.reached.is_some() {
            return Ok(());
        }
        self.left(line)?;
        if let Command::Repeat { count, commands, .. } = command {
            for repetition in 1..=*count {
                self.repetition = Some(repetition);
                self.repetitions += 1;
                if self.repetitions > MAX_COMMANDS {
                    return Err(Stop::not_possible(line, format!("more than {MAX_COMMANDS} commands or repetitions")));
                }
                for command in commands {
                    self.command(command)?;
                }
                if self.reached.is_some() {
                    break;
                }
            }
            self.repetition = None;
            return Ok(());
        }
        if self.done.commands >= MAX_COMMANDS {
            return Err(Stop::not_possible(line, format!("more than {MAX_COMMANDS} commands")));
        }
        self.done.commands += 1;
        self.look(line, command)?;
        match command {
            Command::Run(run) => self.run(run),
            Command::Expect(expect) => self.expect(expect),
            Command::Copy { from, to, .. } => self.copy(line, from, to),
            Command::Clear { pipeline, .. } => self.clear(line, pipeline),
            Command::ClearColor { pipeline, color, .. } => {
                self.clears.entry(pipeline).or_default().color = *color;
                Ok(())
            }
            Command::ClearDepth { pipeline, depth, .. } => {
                self.clears.entry(pipeline).or_default().depth = *depth;
                Ok(())
            }
            Command::ClearStencil { pipeline, stencil, .. } => {
                self.clears.entry(pipeline).or_default().stencil = *stencil;
                Ok(())
            }
            Command::Repeat { .. } => Ok(()),
        }
    }

    /// Counts the bytes that a command looks at.
    fn look(&mut self, line: u32, command: &Command) -> Done<(), X> {
        let of = |name: &str| self.buffers.get(name).map_or(0, Held::all_bytes);
        self.moved += match command {
            Command::Expect(expect) => of(&expect.buffer),
            Command::Copy { from, .. } => of(from),
            Command::Clear { pipeline, .. } => {
                let bound = self.script.resolved(pipeline).map(|pipeline| pipeline.buffers).unwrap_or_default();
                bound.iter().flat_map(|bound| &bound.buffers).map(|name| of(name)).sum()
            }
            _ => 0,
        };
        match self.moved > MAX_MOVED {
            true => {
                Err(Stop::not_possible(line, format!("commands that compare and copy more than {MAX_MOVED} bytes")))
            }
            false => Ok(()),
        }
    }

    fn run(&mut self, run: &'s Run) -> Done<(), X> {
        let line = run.line.0;
        let Some(pipeline) = self.script.resolved(&run.pipeline) else {
            return Err(Stop::not_possible(line, format!("no pipeline `{}`", run.pipeline)));
        };
        let mut inputs = self.inputs(line, &pipeline)?;
        let is_wanted = self.wanted == Some(self.done.runs + 1);
        let groups = match &run.kind {
            RunKind::Compute { groups: [x, y, z] } if is_wanted && [x, y, z].contains(&&0) => {
                return Err(Stop::not_possible(line, format!("RUN of {x}×{y}×{z} workgroups: nothing runs")));
            }
            RunKind::Compute { groups } if groups.contains(&0) => {
                // Nothing runs, which is valid where the pipeline is.
                self.execute.push_constants(&run.pipeline).map_err(|error| Stop::Run { line, error })?;
                self.done.runs += 1;
                return Ok(());
            }
            RunKind::Compute { groups } => Some(*groups),
            RunKind::Rays { .. } => return Err(Stop::not_possible(line, "RUN of a ray tracing pipeline")),
            draw => {
                inputs.draw = self.draw(line, &pipeline, draw)?;
                None
            }
        };
        if is_wanted {
            self.reached = Some(Reached { line, pipeline: run.pipeline.clone(), groups, inputs });
            return Ok(());
        }
        let before = inputs.clone();
        let within = self.left(line)?.min(self.limits.run);
        let execution = self.execute.run(&run.pipeline, groups, inputs, within);
        let execution = match execution {
            Ok(execution) => execution,
            Err(error) => {
                // A run that was cut short because the script's time was up is not one that takes too long.
                self.left(line)?;
                return Err(Stop::Run { line, error });
            }
        };
        self.done.runs += 1;
        let findings = execution.run.findings.iter().cloned().map(|finding| RunFinding { line, finding });
        self.done.findings.extend(findings.take(MAX_FINDINGS.saturating_sub(self.done.findings.len())));
        self.take(line, &pipeline, &before, &execution)
    }

    fn copy(&mut self, line: u32, from: &'s str, to: &'s str) -> Done<(), X> {
        let types = [from, to].map(|name| self.script.buffer(name).map(|buffer| &buffer.ty));
        let [own, other] = [from, to].map(|name| self.buffers.get(name));
        let is_alike = types[0] == types[1] && self.layouts.get(from) == self.layouts.get(to);
        match (own, own.map(Held::shape) == other.map(Held::shape)) {
            (Some(held), true) if is_alike => {
                let held = held.clone();
                self.buffers.insert(to, held);
                Ok(())
            }
            _ => Err(Stop::not_possible(line, "COPY between buffers of different types, layouts or sizes")),
        }
    }

    fn found(&self, name: &str) -> Option<Found<'_>> {
        let held = self.buffers.get(name)?;
        let buffer = self.script.buffer(name)?;
        let size = held.extent.map(|[width, height, _]| [width, height]);
        Some(Found { bytes: &held.bytes, ty: &buffer.ty, layout: self.layouts.get(name)?, size })
    }

    fn expect(&mut self, expect: &'s Expect) -> Done<(), X> {
        let line = expect.line.0;
        let other = match &expect.check {
            Check::EqualBuffer(other) | Check::Rmse { other, .. } | Check::HistogramEmd { other, .. } => Some(other),
            Check::Values { .. } | Check::Pixels { .. } => None,
        };
        let samples = self.script.buffer(&expect.buffer).map_or(1, Buffer::samples);
        if samples > 1 {
            return Err(Stop::not_possible(line, "EXPECT of a buffer with SAMPLES"));
        }
        if self.buffers.get(expect.buffer.as_str()).is_some_and(|held| held.levels() > 1) {
            return Err(Stop::not_possible(line, "EXPECT of an image with MIP_LEVELS: it does not say of which level"));
        }
        if let Check::Values { tolerances, .. } = &expect.check
            && tolerances.len() > 1
        {
            return Err(Stop::not_possible(line, "TOLERANCE of several numbers for a buffer"));
        }
        let Some(found) = self.found(&expect.buffer) else {
            return Err(Stop::not_possible(line, format!("no buffer `{}`", expect.buffer)));
        };
        let mismatch = check(&expect.check, found, other.and_then(|other| self.found(other)));
        let seen = expect.check.found(found);
        self.done.checks += 1;
        if self.done.expectations.len() < MAX_EXPECTATIONS {
            let differ = mismatch.as_ref().map_or(0, |mismatch| mismatch.count);
            let (place, expected, found) = match &mismatch {
                Some(first) => (Some(first.place.clone()), first.expected.clone(), Some(first.found.clone())),
                None => (None, expect.check.expected(), seen),
            };
            let (command, repetition) = (expect.head(), self.repetition);
            self.done.expectations.push(Expectation { line, command, place, expected, found, differ, repetition });
        }
        if let Some(mismatch) = mismatch {
            self.done.failures.push(CheckFailure {
                line,
                buffer: expect.buffer.clone(),
                place: mismatch.place,
                expected: mismatch.expected,
                found: mismatch.found,
                count: mismatch.count,
                repetition: self.repetition,
            });
        }
        Ok(())
    }
}

/// The level of an attachment that a pipeline draws to, where the role is such a one.
fn drawn_level(role: &BufferRole) -> Option<u32> {
    match role {
        BufferRole::Color { mip_level, .. } => Some(mip_level.unwrap_or(0)),
        BufferRole::DepthStencil | BufferRole::Resolve => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
