//! The costs of a program's workgroup layouts: its compute shader, launched in the interpreter and counted.

use lanescope_core::cost::{Cost, CostError, Layout, Machines, Settings, Subject, cost, layouts};
use lanescope_core::gpu::interpret::{Launch, Waves};
use lanescope_core::gpu::{GpuError, Inputs};
use lanescope_core::interpreter::{Checks, LaneMap, Options as Limits};
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::inputs::Content;
use lanescope_core::run::order_dependence;
use lanescope_core::specialised;
use lanescope_core::spirv::enums::ExecutionMode;
use lanescope_core::spirv::{EntryPoint, Module};
use lanescope_core::workgroup::layout;

/// Why there are no costs.
#[derive(Debug, thiserror::Error)]
pub enum CostFailure {
    /// The program, or what it is counted with.
    #[error("{0}")]
    Unusable(String),
    /// The launch.
    #[error("{0}")]
    Launch(#[from] GpuError),
    /// The run.
    #[error("{0}")]
    Run(#[from] CostError),
}

/// Bytes that a row of the log takes, with its copies while it is sorted.
const ROW: u64 = 80;

/// Limits of a run of so many instructions that may take so many bytes, and the most accesses of a workgroup.
pub fn limits(max_steps: u64, memory: u64) -> (Limits, usize) {
    let max_memory = memory;
    let checks = Checks { races: false, uninitialized: false, nan: false };
    let accesses = usize::try_from(max_memory / ROW).unwrap_or(usize::MAX).min(Settings::DEFAULT.accesses);
    (Limits { max_steps, max_memory, checks }, accesses)
}

/// The workgroup of a program's compute shader, and the layouts that it may have.
pub struct Workgroup {
    /// The program, with its specialization constants set.
    pub program: Program,
    /// The options of its compute shader.
    pub options: Options,
    /// X, Y, Z in invocations.
    pub size: [u32; 3],
    /// The layouts.
    pub layouts: Vec<Layout>,
    /// Whether the module asks the device for quads, whatever the options say.
    pub has_own_quads: bool,
}

impl Workgroup {
    /// That of a program with one compute shader.
    ///
    /// # Errors
    /// A program without exactly one; a workgroup that has another size under the options.
    pub fn of(program: &Program, options: &Options) -> Result<Workgroup, CostFailure> {
        let unusable = |why: String| CostFailure::Unusable(why);
        let program = specialised(program, options).map_err(|why| unusable(why.to_string()))?.into_owned();
        let (module, entry) = compute_shader(&program)?;
        let options = program.options_of_stage(options, StageKind::Compute).into_owned();
        let Some(own) = layout(module, entry, &options, &mut Vec::new()) else {
            return Err(unusable(format!("the workgroup size of `{}` cannot be read", entry.name)));
        };
        if own.size != own.declared_size {
            let [[x, y, z], [ax, ay, az]] = [own.declared_size, own.size];
            return Err(unusable(format!(
                "the interpreter runs workgroups of the shader's {x}×{y}×{z}; the options ask for {ax}×{ay}×{az}"
            )));
        }
        let layouts = layouts(own.size, own.derivatives, &options);
        let has_own_quads = entry.mode(ExecutionMode::DerivativeGroupQuadsKHR).is_some();
        Ok(Workgroup { size: own.size, layouts, has_own_quads, options, program })
    }

    /// The layout that the options select, else the first that there is, in waves of so many lanes.
    fn waves(&self, lanes: u32) -> Option<Waves> {
        let there = || self.layouts.iter().filter(|layout| layout.map.is_ok());
        let layout = there().find(|layout| layout.selected).or_else(|| there().next())?;
        Some(waves_of(layout, lanes))
    }
}

/// The only compute shader of a program.
fn compute_shader(program: &Program) -> Result<(&Module, &EntryPoint), CostFailure> {
    let compute: Vec<_> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).collect();
    let [stage] = compute.as_slice() else {
        let names: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
        let found = if names.is_empty() { "no stage".to_owned() } else { names.join(" + ") };
        let why = format!("memory accesses are counted of one compute shader; found {found}");
        return Err(CostFailure::Unusable(why));
    };
    let module = program.module_of(stage);
    let entry = module.entry_points().get(stage.entry_index);
    let entry = entry.ok_or_else(|| CostFailure::Unusable(format!("`{}` is not an entry point", stage.entry)))?;
    Ok((module, entry))
}

/// Counts the memory accesses of a program's compute shader in each layout. `stop` is asked now and then.
///
/// # Errors
/// Those of [`Workgroup::of`]; what the interpreter does not run; a shader that does not end.
pub fn costs(
    program: &Program,
    options: &Options,
    inputs: &Inputs,
    settings: &Settings,
    limits: Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Cost, CostFailure> {
    let workgroup = Workgroup::of(program, options)?;
    let Workgroup { program, options, layouts: all, .. } = &workgroup;
    let of_options = || Waves::predicted(program, options);
    let waves = settings.wave.and_then(|lanes| workgroup.waves(lanes)).unwrap_or_else(of_options);
    let (module, entry) = compute_shader(program)?;
    let launch = Launch::new(program, &waves, (options.groups, None), inputs, limits)?;
    let wave = waves.lanes.subgroup_size;
    let depends = launch.machine.program().depends_on_waves() || !order_dependence(module, entry).is_empty();
    let machines = if depends {
        let launched = all.iter().map(|layout| match layout.map {
            Ok(_) => {
                let waves = waves_of(layout, wave);
                Launch::new(program, &waves, (options.groups, None), inputs, limits).map(|launch| Some(launch.machine))
            }
            Err(_) => Ok(None),
        });
        Machines::Each(launched.collect::<Result<_, _>>()?)
    } else {
        Machines::One(Box::new(launch.machine))
    };
    let given = given(inputs);
    let contents = contents_of(inputs);
    let subject = Subject {
        module,
        entry,
        layouts: all,
        options,
        wave,
        groups: launch.dispatch.groups,
        groups_reason: &launch.dispatch.reason,
        contents: &contents,
        given: &given,
    };
    Ok(cost(&subject, machines, settings, stop)?)
}

/// A layout as the lanes of waves.
fn waves_of(layout: &Layout, wave: u32) -> Waves {
    let invocations = layout.invocations();
    let waves = invocations.chunks(wave.max(1) as usize).map(|lanes| {
        let mut lanes: Vec<Option<u32>> = lanes.iter().copied().map(Some).collect();
        lanes.resize(wave.max(1) as usize, None);
        lanes
    });
    Waves { lanes: LaneMap { subgroup_size: wave, waves: waves.collect() }, how: layout.name.to_owned() }
}

/// What inputs hold that are not given.
pub(crate) fn contents_of(inputs: &Inputs) -> String {
    if inputs.zeros { "zeros".to_owned() } else { format!("pseudorandom, seed {}", inputs.fill) }
}

/// Set and binding of descriptors whose contents are given; `None` for push constants.
pub(crate) fn given(inputs: &Inputs) -> Vec<Option<[u32; 2]>> {
    let buffers = inputs.buffers.iter().filter(|given| !matches!(given.content, Content::Size(_)));
    let mut all: Vec<Option<[u32; 2]>> = buffers.map(|given| Some([given.set, given.binding])).collect();
    if !inputs.push_constants.is_empty() {
        all.push(None);
    }
    all
}
