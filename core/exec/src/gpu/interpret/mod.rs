//! Running a program in the interpreter instead of on a device: same inputs, same results, no Vulkan driver.

mod draw;
mod events;
mod inputs;
mod state;
mod targets;
mod waves;

#[cfg(test)]
mod draw_tests;

#[cfg(test)]
mod given_tests;

#[cfg(test)]
mod mesh_tests;

#[cfg(test)]
mod race_tests;

#[cfg(test)]
mod stage_tests;

#[cfg(test)]
mod state_tests;

#[cfg(test)]
mod tessellation_tests;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::addressed::takes_addresses;
use super::dispatch::dispatch_of;
use super::resources::Resources;
use super::{Addressed, DeviceOptions, GpuError};
use lanescope_base::findings::Finding;
use lanescope_base::grid;
use lanescope_interpreter as interpreter;
use lanescope_interpreter::draw::Raster;
use lanescope_interpreter::{DecodeError, LaunchError, Machine, NotReached};
use lanescope_model::findings::SIZE_CHANGES_RESULT;
use lanescope_model::program::{Program, StageKind};
use lanescope_run::inputs::{InputRun, Inputs};
use lanescope_run::{
    AttachmentRun, Blob, BufferRun, DescribedRun, Dispatch, Execution, ImageRun, InterpreterRun, ResourceNames, Run,
    RunMode, hash, order_dependence,
};

pub use self::draw::{DrawCall, DrawPlace};
pub(in crate::gpu) use self::events::RECORDS;
pub use self::events::{findings, rule_of};
pub(in crate::gpu) use self::inputs::{AllFilled, fill};
pub use self::waves::Waves;

/// The name that chooses the interpreter instead of a device.
pub const NAME: &str = "interpreter";

/// The most instructions of the workgroups before the one that is stepped, and of those after it. Waves of 64 took 0.7 s
/// for so many of arithmetic, and 8 s where three of ten are accesses to memory; synchronization takes longer.
const MOST_OF_OTHERS: u64 = 10_000_000;

/// The most time of the workgroups before the one that is stepped.
const TIME_OF_OTHERS: Duration = Duration::from_secs(60);

/// Steps between two looks at the clock.
const SLICE: u32 = 1 << 16;

impl DeviceOptions {
    /// Whether the interpreter is chosen instead of a device.
    pub fn is_interpreter(&self) -> bool {
        self.device.as_deref() == Some(NAME)
    }
}

/// A program at its start in the interpreter.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The machine, before its first instruction.
    pub machine: Machine,
    /// The entry point's name.
    pub entry: String,
    /// The dispatch; of a draw its waves, which run one after the other.
    pub dispatch: Dispatch,
    /// The waves.
    pub waves: Waves,
    /// Names of descriptors in results and findings.
    pub names: ResourceNames,
    /// The fragments, where the machine runs those of a draw.
    pub raster: Option<Arc<Raster>>,
    /// The wave and the lane that were asked for.
    pub chosen: (u32, u32),
    /// What is read back.
    buffers: Vec<BufferRun>,
    images: Vec<ImageRun>,
    /// The inputs, each with who decided it.
    listed: Vec<InputRun>,
    attachments: Vec<AttachmentRun>,
    order_dependent: Vec<String>,
    /// What ran before: the stages of a draw.
    before: Vec<Before>,
    /// What these have left in buffers and images that the machine's program does not have.
    carried: Arc<interpreter::Inputs>,
    /// What a draw has of a description.
    described: Option<DescribedRun>,
}

/// A stage of a draw that has run.
#[derive(Debug, Clone)]
struct Before {
    stage: StageKind,
    entry: String,
    findings: Vec<Finding>,
    waves: u64,
    steps: u64,
    lane_steps: u64,
}

/// The result of a decoder as an error of a run.
pub(in crate::gpu) fn decode(
    module: &lanescope_spirv::Module,
    entry: &lanescope_spirv::EntryPoint,
) -> Result<Arc<interpreter::Program>, GpuError> {
    interpreter::Program::decode(module, entry).map(Arc::new).map_err(not_decoded)
}

impl Launch {
    /// Places a program and its inputs. The program has its specialization constants set
    /// ([`lanescope_model::specialised::specialised`]); `only` is the one workgroup that is stepped: those before it have run, and those
    /// after it run once it has ended.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] with the instruction that the interpreter does not implement; a program without
    /// exactly one compute shader; a workgroup that there is not; contents that do not fit; a run that needs too much memory.
    pub fn new(
        program: &Program,
        waves: &Waves,
        (groups, only): (Option<[u32; 3]>, Option<[u32; 3]>),
        inputs: &Inputs,
        options: interpreter::Options,
    ) -> Result<Launch, GpuError> {
        let inputs = &Inputs { addressed: Addressed::of(program), ..inputs.clone() };
        let compute: Vec<_> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).collect();
        let [stage] = compute.as_slice() else {
            let names: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
            let message =
                format!("the interpreter runs one compute shader, or a graphics pipeline; found {}", names.join(" + "));
            return Err(GpuError::Unsupported(message));
        };
        let module = program.module_of(stage);
        let entry = module
            .entry_points()
            .get(stage.entry_index)
            .ok_or_else(|| GpuError::NotRun(format!("`{}` is not an entry point", stage.entry)))?;
        if inputs.addressed.is_empty() && takes_addresses(module) {
            let why =
                format!("`{}` uses buffer device addresses from its inputs, which a run cannot provide", entry.name);
            return Err(GpuError::NotRun(why));
        }
        let decoded = decode(module, entry)?;
        let resources = Resources::of(&[(module, entry)])?;
        let dispatch = dispatch_of((module, entry), groups, &resources, inputs);
        let filled = fill(&resources, inputs)?;
        let waves = waves.fit(decoded.local_size());
        if let Some(group) = only {
            expect_workgroup("workgroup", group, dispatch.groups)?;
        }
        let lanes = interpreter::Dispatch { groups: dispatch.groups, only: None, lanes: waves.lanes.clone() };
        let mut machine = Machine::new(decoded, &filled.inputs, &lanes, &options).map_err(not_launched)?;
        if let Some(group) = only {
            focus(&mut machine, group, &entry.name)?;
        }
        Ok(Launch {
            machine,
            entry: entry.name.clone(),
            dispatch,
            waves,
            names: inputs.names.clone(),
            buffers: filled.buffers,
            images: filled.images,
            listed: filled.listed,
            attachments: Vec::new(),
            order_dependent: order_dependence(module, entry),
            raster: None,
            chosen: (0, 0),
            before: Vec::new(),
            carried: Arc::default(),
            described: None,
        })
    }

    /// The launch of a node's record.
    pub(in crate::gpu) fn of_node(
        machine: Machine,
        entry: String,
        dispatch: Dispatch,
        filled: AllFilled,
        names: ResourceNames,
    ) -> Launch {
        let waves = machine.lane_map();
        let subgroup_size = waves.first().map_or(1, Vec::len) as u32;
        Launch {
            entry,
            dispatch,
            waves: Waves { lanes: interpreter::LaneMap { subgroup_size, waves }, how: "row-major".to_owned() },
            names,
            raster: None,
            chosen: (0, 0),
            buffers: filled.buffers,
            images: filled.images,
            listed: filled.listed,
            attachments: Vec::new(),
            order_dependent: Vec::new(),
            before: Vec::new(),
            carried: Arc::default(),
            described: None,
            machine,
        }
    }

    /// What a machine that started here has written and found so far.
    pub fn execution(&self, machine: &Machine, inputs: &Inputs, time: Duration) -> Execution {
        let compute = machine.program().stage() == StageKind::Compute;
        let mut all: Vec<Finding> = self.before.iter().flat_map(|before| before.findings.clone()).collect();
        all.extend(findings(machine, &self.names));
        let entries = self.before.iter().map(|before| before.entry.clone()).chain([self.entry.clone()]);
        let sum = |count: fn(&Before) -> u64| self.before.iter().map(count).sum::<u64>();
        let mut run = Run {
            entries: entries.collect(),
            groups: compute.then_some(self.dispatch.groups),
            groups_reason: compute.then(|| self.dispatch.reason.clone()),
            fill: inputs.fill,
            zeros: inputs.zeros,
            inputs: self.listed.clone(),
            order_dependent: self.order_dependent.clone(),
            nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            interpreter: Some(InterpreterRun {
                wave: self.waves.lanes.subgroup_size,
                map: match self.before.as_slice() {
                    [] => self.waves.how.clone(),
                    before => draw::map(before, self.dispatch.groups[0]),
                },
                lanes: if compute { self.waves.lanes.waves.clone() } else { Vec::new() },
                steps: machine.steps() + sum(|before| before.steps),
                lane_steps: machine.lane_steps() + sum(|before| before.lane_steps),
            }),
            findings: all,
            described: self.described.clone(),
            ..Run::new(NAME, if compute { RunMode::Compute } else { RunMode::Graphics })
        };
        let mut data = BTreeMap::new();
        for buffer in &self.buffers {
            let at = |one: &&interpreter::Buffer| {
                (one.set, one.binding, one.element) == (buffer.set, buffer.binding, buffer.element)
            };
            let carried = || self.carried.buffers.iter().find(at).map(|one| one.bytes.as_slice());
            let bytes =
                machine.contents(buffer.set, buffer.binding, buffer.element).or_else(carried).unwrap_or_default();
            run.buffers.push(BufferRun { hash: hash(bytes), ..buffer.clone() });
            data.insert(buffer.name.clone(), Blob(bytes.to_vec()));
        }
        for image in &self.images {
            let at = |one: &&interpreter::Image| {
                (one.set, one.binding, one.element) == (image.set, image.binding, image.element)
            };
            let carried = || self.carried.images.iter().find(at).map(|one| one.texels.as_slice());
            let bytes = machine.contents(image.set, image.binding, image.element).or_else(carried).unwrap_or_default();
            let bytes = bytes.get(..usize::try_from(image.bytes).unwrap_or(usize::MAX)).unwrap_or(bytes);
            run.images.push(ImageRun { hash: hash(bytes), ..image.clone() });
            data.insert(image.name.clone(), Blob(bytes.to_vec()));
        }
        for attachment in &self.attachments {
            let bytes = machine.attachment(attachment.location).unwrap_or_default();
            run.attachments.push(AttachmentRun { hash: hash(bytes), ..attachment.clone() });
            data.insert(attachment.name.clone(), Blob(bytes.to_vec()));
        }
        Execution { run, data }
    }
}

/// How much a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Time.
    pub time: Duration,
    /// Instructions of all waves together; of each stage of a draw.
    pub steps: u64,
    /// Memory of registers, buffers and race detection, in bytes.
    pub memory: u64,
}

impl From<Duration> for RunLimits {
    /// Any number of instructions in that time, and 1 GiB.
    fn from(time: Duration) -> RunLimits {
        RunLimits { time, steps: u64::MAX, memory: interpreter::Options::default().max_memory }
    }
}

/// Runs a program to its end: a compute shader, or the shaders of a graphics pipeline that draw the fixed scene.
///
/// # Errors
/// Those of [`Launch::new`] and [`Launch::draw`]; a run that does not end within the limits.
pub fn run(
    program: &Program,
    waves: &Waves,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    limits: impl Into<RunLimits>,
) -> Result<Execution, GpuError> {
    let RunLimits { time: limit, steps, memory } = limits.into();
    let options = interpreter::Options { max_steps: steps, max_memory: memory, ..interpreter::Options::default() };
    let start = Instant::now();
    let launched = |wave: Option<u32>, options| {
        if program.stages.iter().any(|stage| stage.stage.is_graphics()) {
            let wave = wave.unwrap_or(waves.lanes.subgroup_size);
            let call = DrawCall { wave, place: DrawPlace::All, groups };
            return Launch::draw(program, call, inputs, options, limit);
        }
        match wave {
            None => Launch::new(program, waves, (groups, None), inputs, options),
            // Row-major: they fit any workgroup.
            Some(wave) => Launch::new(program, &Waves::row_major(wave, [0; 3]), (groups, None), inputs, options),
        }
    };
    let launch = launched(None, options)?;
    let machine = finish(&launch.machine, &launch.entry, start, limit)?;
    if !machine.is_finished() {
        return Err(GpuError::NotRun(format!("`{}` does not end within {steps} steps", launch.entry)));
    }
    let mut execution = launch.execution(&machine, inputs, start.elapsed());
    let time = start.elapsed();
    // Two more runs take about twice as long.
    if launch.machine.program().depends_on_waves() && time.saturating_mul(4) < limit {
        let quiet = interpreter::Options { checks: NO_CHECKS, ..options };
        let written = |wave| {
            let launch = launched(Some(wave), quiet)?;
            let machine = finish(&launch.machine, &launch.entry, start, limit)?;
            Ok(launch.execution(&machine, inputs, Duration::ZERO).data)
        };
        let (narrow, wide): (BTreeMap<_, _>, BTreeMap<_, _>) = (written(32)?, written(64)?);
        let differing: Vec<&str> = narrow
            .iter()
            .filter(|(name, bytes)| wide.get(*name) != Some(bytes))
            .map(|(name, _)| name.as_str())
            .collect();
        if !differing.is_empty() {
            let message = format!("{}: {}", SIZE_CHANGES_RESULT.about, differing.join(", "));
            let stage = launch.machine.program().stage();
            execution.run.findings.push(SIZE_CHANGES_RESULT.at(Some(stage), None, message));
        }
    }
    Ok(execution)
}

/// Steps one workgroup of a dispatch: those before it have run.
fn focus(machine: &mut Machine, group: [u32; 3], entry: &str) -> Result<(), GpuError> {
    let index = grid::linear_index(machine.groups(), group);
    let start = Instant::now();
    let Err(why) = machine.focus_on(index, MOST_OF_OTHERS, || start.elapsed() > TIME_OF_OTHERS) else { return Ok(()) };
    let [x, y, z] = group;
    let why = match why {
        NotReached::TooMuch => format!("do not end within {MOST_OF_OTHERS} instructions"),
        NotReached::Interrupted => format!("do not end within {} s", TIME_OF_OTHERS.as_secs()),
        NotReached::NoSuchGroup => {
            return Err(GpuError::NotRun(format!("`{entry}`: the dispatch has no workgroup {x},{y},{z}")));
        }
    };
    Err(GpuError::NotRun(format!(
        "`{entry}`: the workgroups before {x},{y},{z} {why}; choose one of the first ones, or a smaller dispatch"
    )))
}

/// Refuses a workgroup that a launch does not have.
fn expect_workgroup(what: &str, group: [u32; 3], groups: [u32; 3]) -> Result<(), GpuError> {
    let ([x, y, z], [gx, gy, gz]) = (group, groups);
    match grid::contains(groups, group) {
        true => Ok(()),
        false => Err(GpuError::Unusable(format!("{what} {x},{y},{z}: there are {gx}×{gy}×{gz} workgroups"))),
    }
}

/// Nothing is looked for.
const NO_CHECKS: interpreter::Checks = interpreter::Checks { races: false, uninitialized: false, nan: false };

/// Runs a machine to its end, at most until `limit` after `start`.
fn finish(machine: &Machine, entry: &str, start: Instant, limit: Duration) -> Result<Machine, GpuError> {
    let mut machine = machine.clone();
    while (0..SLICE).all(|_| machine.step()) {
        if start.elapsed() > limit {
            return Err(GpuError::TimedOut { doing: format!("interpreting `{entry}`"), limit });
        }
    }
    Ok(machine)
}

fn not_decoded(error: DecodeError) -> GpuError {
    match error {
        DecodeError::Invalid { .. } => GpuError::NotRun(error.to_string()),
        error => GpuError::Unsupported(format!("interpreter: {error}")),
    }
}

pub(in crate::gpu) fn not_launched(error: LaunchError) -> GpuError {
    match error {
        LaunchError::Memory { needed, limit } => {
            let what = "the run in the interpreter (bytes; --memory, or Memory limit in the window, sets the limit)";
            GpuError::TooLarge { what: what.to_owned(), needed, limit }
        }
        error => GpuError::NotRun(error.to_string()),
    }
}
