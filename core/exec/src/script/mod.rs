//! Amber scripts: their commands in order, with the buffers that they share, and what they expect of these.
//!
//! What runs a program is the caller's: [`Execute`]. Everything that a script states of a run is given to it, or the
//! command is [`Stop::NotPossible`]: a check never passes on half of what its script says.

mod bind;
mod draw;
mod expect;
pub mod export;
mod files;
mod held;
mod outcome;
mod sampled;
mod table;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::gpu::Declared;
use lanescope_amber::bytes::Contents;
use lanescope_amber::script::command::{Command, Run, RunKind};
use lanescope_amber::script::pipeline::{BufferRole, Pipeline};
use lanescope_amber::script::{BufferForm, Initializer};
use lanescope_amber::types::layout::Layout;
use lanescope_amber::{Buffer, Script};
use lanescope_run::Execution;
use lanescope_run::inputs::Inputs;
pub use outcome::{CheckFailure, Expectation, RunFinding, ScriptRun};
pub use table::expectation_table;

use held::Held;

/// The most commands that run, repeated ones each time.
pub const MAX_COMMANDS: u64 = 1 << 16;
/// The most bytes of all buffers.
const MAX_BUFFERS: u64 = 1 << 30;
/// The most bytes that are given to one run.
const MAX_GIVEN: u64 = 1 << 30;
/// The most bytes that commands between runs compare, copy and clear.
const MAX_MOVED: u64 = 1 << 34;
/// The most findings of runs that are kept of each code: many of one leave room for the others.
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
    /// What came of the commands before it.
    pub before: ScriptRun,
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
    /// Findings that are kept, by their codes.
    found: BTreeMap<String, usize>,
    repetition: Option<u32>,
    /// Repetitions so far, of commands or of none.
    repetitions: u64,
    /// Bytes that commands between runs have looked at.
    moved: u64,
    /// Bytes that are given to the next run.
    given: Cell<u64>,
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
            found: BTreeMap::new(),
            repetition: None,
            repetitions: 0,
            moved: 0,
            given: Cell::new(0),
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

    /// Counts bytes that are given to a run, before they are there.
    fn give(&self, line: u32, bytes: usize) -> Done<(), X> {
        let given = self.given.get().saturating_add(bytes as u64);
        self.given.set(given);
        match given > MAX_GIVEN {
            true => Err(Stop::not_possible(line, format!("RUN with more than {MAX_GIVEN} bytes of contents"))),
            false => Ok(()),
        }
    }

    fn run(&mut self, run: &'s Run) -> Done<(), X> {
        let line = run.line.0;
        let Some(pipeline) = self.script.resolved(&run.pipeline) else {
            return Err(Stop::not_possible(line, format!("no pipeline `{}`", run.pipeline)));
        };
        self.given.set(0);
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
            let before = std::mem::take(&mut self.done);
            self.reached = Some(Reached { line, pipeline: run.pipeline.clone(), groups, inputs, before });
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
        for finding in &execution.run.findings {
            let count = self.found.entry(finding.code.clone()).or_default();
            if *count < MAX_FINDINGS {
                *count += 1;
                self.done.findings.push(RunFinding { line, finding: finding.clone() });
            }
        }
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
