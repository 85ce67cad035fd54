//! Running a program in the interpreter instead of on a device: same inputs, same results, no Vulkan driver.

mod events;
mod inputs;
mod waves;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::addressed::{Addressed, takes_addresses};
use super::dispatch::dispatch_of;
use super::inputs::Inputs;
use super::resources::Resources;
use super::{DeviceOptions, GpuError};
use lanescope_interpreter as interpreter;
use lanescope_interpreter::{DecodeError, LaunchError, Machine};
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::run::{
    Blob, BufferRun, Dispatch, Execution, ImageRun, InterpreterRun, ResourceNames, Run, RunMode, hash, order_dependence,
};

pub use self::events::findings;
pub use self::waves::Waves;

/// The name that chooses the interpreter instead of a device.
pub const NAME: &str = "interpreter";

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
    /// The dispatch.
    pub dispatch: Dispatch,
    /// The waves.
    pub waves: Waves,
    /// Names of descriptors in results and findings.
    pub names: ResourceNames,
    /// What is read back.
    buffers: Vec<BufferRun>,
    images: Vec<ImageRun>,
    order_dependent: Vec<String>,
}

impl Launch {
    /// Places a program and its inputs. The program has its specialization constants set
    /// ([`lanescope_passes::specialised`]); `only` is the one workgroup that runs.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] with the instruction that the interpreter does not implement; a program without
    /// exactly one compute shader; contents that do not fit; a run that needs too much memory.
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
            let message = format!("the interpreter runs one compute shader, found {}", names.join(" + "));
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
        let decoded = interpreter::Program::decode(module, entry).map_err(not_decoded)?;
        let resources = Resources::of(&[(module, entry)])?;
        let dispatch = dispatch_of((module, entry), groups, &resources, inputs);
        let filled = inputs::fill(&resources, inputs)?;
        let waves = waves.fit(decoded.local_size());
        let lanes = interpreter::Dispatch { groups: dispatch.groups, only, lanes: waves.lanes.clone() };
        let machine = Machine::new(Arc::new(decoded), &filled.inputs, &lanes, &options).map_err(not_launched)?;
        Ok(Launch {
            machine,
            entry: entry.name.clone(),
            dispatch,
            waves,
            names: inputs.names.clone(),
            buffers: filled.buffers,
            images: filled.images,
            order_dependent: order_dependence(module, entry),
        })
    }

    /// What a machine that started here has written and found so far.
    pub fn execution(&self, machine: &Machine, inputs: &Inputs, time: Duration) -> Execution {
        let mut run = Run {
            entries: vec![self.entry.clone()],
            groups: Some(self.dispatch.groups),
            groups_reason: Some(self.dispatch.reason.clone()),
            fill: inputs.fill,
            zeros: inputs.zeros,
            order_dependent: self.order_dependent.clone(),
            nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            interpreter: Some(InterpreterRun {
                wave: self.waves.lanes.subgroup_size,
                map: self.waves.how.clone(),
                lanes: self.waves.lanes.waves.clone(),
                steps: machine.steps(),
                lane_steps: machine.lane_steps(),
            }),
            findings: findings(machine, &self.names),
            ..Run::new(NAME, RunMode::Compute)
        };
        let mut data = std::collections::BTreeMap::new();
        for buffer in &self.buffers {
            let bytes = machine.contents(buffer.set, buffer.binding, buffer.element).unwrap_or_default();
            run.buffers.push(BufferRun { hash: hash(bytes), ..buffer.clone() });
            data.insert(buffer.name.clone(), Blob(bytes.to_vec()));
        }
        for image in &self.images {
            let bytes = machine.contents(image.set, image.binding, image.element).unwrap_or_default();
            let bytes = bytes.get(..usize::try_from(image.bytes).unwrap_or(usize::MAX)).unwrap_or(bytes);
            run.images.push(ImageRun { hash: hash(bytes), ..image.clone() });
            data.insert(image.name.clone(), Blob(bytes.to_vec()));
        }
        Execution { run, data }
    }
}

/// Runs a program to its end.
///
/// # Errors
/// Those of [`Launch::new`]; a run that does not end within `limit`, or within the steps of the options.
pub fn run(
    program: &Program,
    waves: &Waves,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    limit: Duration,
) -> Result<Execution, GpuError> {
    let options = interpreter::Options { max_steps: u64::MAX, ..interpreter::Options::default() };
    let launch = Launch::new(program, waves, (groups, None), inputs, options)?;
    let mut machine = launch.machine.clone();
    let start = Instant::now();
    while (0..SLICE).all(|_| machine.step()) {
        if start.elapsed() > limit {
            return Err(GpuError::TimedOut { doing: format!("interpreting `{}`", launch.entry), limit });
        }
    }
    Ok(launch.execution(&machine, inputs, start.elapsed()))
}

fn not_decoded(error: DecodeError) -> GpuError {
    match error {
        DecodeError::Invalid { .. } => GpuError::NotRun(error.to_string()),
        error => GpuError::Unsupported(format!("interpreter: {error}")),
    }
}

fn not_launched(error: LaunchError) -> GpuError {
    match error {
        LaunchError::Memory { needed, limit } => {
            GpuError::TooLarge { what: "the run in the interpreter (bytes)".to_owned(), needed, limit }
        }
        error => GpuError::NotRun(error.to_string()),
    }
}
