//! The objects that either thread creates, for the guess and for the pipeline, and the calls that compile.

use ash::vk;

use super::Form;
use crate::driver::compile::{CompileOptions, device_name, required_subgroups};
use crate::driver::graphics::Graphics;
use crate::driver::only;
use crate::driver::stub_vertex;
use crate::gpu::bind::{layouts, pipeline_layout, set_layout, set_layouts};
use crate::gpu::linked::{BEFORE, FRAGMENT, OUTPUT};
use crate::gpu::memory::Owned;
use crate::gpu::moved_sets::above;
use crate::gpu::pipeline::{
    Color, ComputeState, Stages, compute_saved, compute_with, entry_of, graphics_saved, graphics_with, link,
};
use crate::gpu::pipeline_binaries::Saved;
use crate::gpu::resources::{Described, Resources};
use crate::gpu::scene::Slot;
use crate::gpu::{Device, DeviceOptions, GpuError, Needs};
use lanescope_model::options::Options;
use lanescope_model::program::{LoadedModule, Program, StageKind};
use lanescope_passes::guessed_layout::{Color as Target, GuessedStage, of_creation};
use lanescope_spirv::{EntryPoint, Module};

/// No flags of a library's creation.
const NOTHING: vk::PipelineCreateFlags = vk::PipelineCreateFlags::empty();

/// The inputs of one pipeline, before a device is opened.
pub(super) struct Plan {
    /// The pipeline's stages, with the application's specialization constants.
    program: Program,
    /// The application's options: formats and blending of its targets.
    options: Options,
    /// What its layout has.
    described: Vec<Described>,
    /// The stage that is compiled speculatively, alone, as its module is.
    pub alone: Program,
    /// The options of the guess.
    pub guessed: Options,
    pub stage: StageKind,
}

/// Options with these colour targets.
fn with_colors(options: &Options, colors: &[Target]) -> Options {
    let target = |color: &Target| (color.location, color.target());
    Options { color: colors.iter().map(target).collect(), ..options.clone() }
}

impl Plan {
    /// A plan for one stage of a pipeline.
    pub fn new(program: &Program, partial: &GuessedStage, options: &Options) -> Result<Plan, GpuError> {
        let application = partial.against.as_ref().map(|against| &against.application);
        let colors = application.map_or(partial.colors.as_slice(), |application| &application.colors);
        let specialised = lanescope_model::specialised::specialised(program, options);
        let specialised = specialised.map_err(|error| GpuError::Unusable(error.to_string()))?.into_owned();
        let unknowing = of_creation(options, partial.stage, program.pipeline.as_deref());
        Ok(Plan {
            program: specialised,
            options: with_colors(options, colors),
            described: application.map(Described::of).unwrap_or_default(),
            alone: only(program, |stage| stage.stage == partial.stage && stage.entry == partial.entry),
            guessed: with_colors(&unknowing, &partial.colors),
            stage: partial.stage,
        })
    }

    /// What the device has to have.
    pub fn needs(&self) -> Result<Needs, GpuError> {
        let modules = self.program.stages.iter().map(|stage| self.program.module_of(stage));
        let mut needs = Needs::of(modules);
        let Some(graphics) = Graphics::of(&self.program, &self.options)? else { return Ok(needs.compiling(false)) };
        let resources = Resources::for_layout(&graphics.stages.entries())?;
        let kinds = graphics.stages.all.iter().map(|(kind, ..)| *kind);
        let before = kinds.filter(|kind| *kind != StageKind::Fragment).any(|kind| resources.writes(kind));
        needs = needs.drawing(before, resources.writes(StageKind::Fragment));
        needs.extensions.extend(graphics.later_format());
        Ok(needs.compiling(graphics.is_dual_source()))
    }

    /// The device to open.
    pub fn device(with: &CompileOptions) -> Result<DeviceOptions, GpuError> {
        Ok(DeviceOptions { device: device_name(with)?, validate: with.validate, ..DeviceOptions::default() })
    }

    /// What a device keeps of the stage.
    pub fn form(&self, device: &Device) -> Form {
        match self.stage {
            StageKind::Compute => Form::Compute,
            _ if device.has(ash::ext::graphics_pipeline_library::NAME) => Form::Library,
            _ => Form::Partnered,
        }
    }
}

/// What the layouts of one side are, alive while pipelines are made with them.
struct Layouts<'d> {
    sets: Vec<Owned<'d, vk::DescriptorSetLayout>>,
    layout: Owned<'d, vk::PipelineLayout>,
}

/// Everything of the guess that is made when the module is created.
pub(super) struct Guess<'d> {
    layouts: Layouts<'d>,
    /// The stage's program: a fragment library's with sets of their own.
    program: Program,
    /// The stage before, where a pipeline has to have one.
    partner: Option<Module>,
    form: Form,
    options: Options,
}

/// Numbers below which the application's sets lie, and from which the guess's do.
fn first_set(device: &Device) -> u32 {
    device.limits.max_bound_descriptor_sets / 2
}

/// All push constants that a device has, for every stage: the guess does not know how many the others use.
fn all_push_constants(device: &Device) -> vk::PushConstantRange {
    let size = device.limits.max_push_constants_size;
    vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::ALL_GRAPHICS).size(size)
}

const INDEPENDENT: vk::PipelineLayoutCreateFlags = vk::PipelineLayoutCreateFlags::INDEPENDENT_SETS_EXT;

impl<'d> Guess<'d> {
    /// The guess for a plan's stage.
    pub fn new(device: &'d Device, plan: &Plan, form: Form) -> Result<Guess<'d>, GpuError> {
        let mut program = plan.alone.clone();
        if form == Form::Library {
            for stage in &plan.alone.stages {
                let module: &mut LoadedModule = &mut program.modules[stage.module];
                module.module = above(&module.module, first_set(device))?;
            }
        }
        let [stage] = program.stages.as_slice() else {
            return Err(GpuError::Unusable("speculative compilation takes exactly one stage".to_owned()));
        };
        let (_, module, entry) = entry_of(&program, stage)?;
        let partner = match form {
            Form::Partnered => Some(stub_vertex::vertex(module, entry)?),
            _ => None,
        };
        let options = &plan.guessed;
        let resources = Resources::for_layout(&[(module, entry)])?;
        let resources = resources.with_dynamic(options.dynamic_uniform, options.dynamic_storage);
        let layouts = match form {
            Form::Library => {
                let sets = set_layouts(device, &resources)?;
                let mut handles: Vec<_> = sets.iter().map(|set| set.handle).collect();
                handles.iter_mut().take(first_set(device) as usize).for_each(|set| *set = Default::default());
                let layout = pipeline_layout(device, &handles, Some(all_push_constants(device)), INDEPENDENT)?;
                Layouts { sets, layout }
            }
            _ => {
                let (sets, layout) = layouts(device, &resources)?;
                Layouts { sets, layout }
            }
        };
        Ok(Guess { layouts, program, partner, form, options: options.clone() })
    }

    /// What is kept of it.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What the worker compiles.
    pub fn task(&self, device: &Device) -> Result<Task, GpuError> {
        let stage = &self.program.stages[0];
        let task = Task {
            program: self.program.clone(),
            partner: self.partner.clone(),
            form: self.form,
            options: self.options.clone(),
            layout: self.layouts.layout.handle,
            attributes: Vec::new(),
            colors: Vec::new(),
            subgroup_size: None,
        };
        if stage.stage == StageKind::Compute {
            let subgroup_size = required_subgroups(device, &self.program, stage, &self.options)?;
            return Ok(Task { subgroup_size, ..task });
        }
        let Some(graphics) = Graphics::of(&self.program, &self.options)? else { return Ok(task) };
        let colors = graphics.colors(device)?;
        Ok(Task { colors, ..task })
    }
}

/// Pipelines, destroyed with it.
pub(super) struct Pipelines<'d> {
    device: &'d Device,
    all: Vec<vk::Pipeline>,
}

impl<'d> Pipelines<'d> {
    /// None yet.
    pub fn of(device: &'d Device) -> Pipelines<'d> {
        Pipelines { device, all: Vec::new() }
    }

    /// Takes one that was made from the device.
    pub fn push(&mut self, pipeline: vk::Pipeline) {
        self.all.push(pipeline);
    }

    /// What was taken.
    pub fn all(&self) -> &[vk::Pipeline] {
        &self.all
    }
}

impl Drop for Pipelines<'_> {
    fn drop(&mut self) {
        for pipeline in &self.all {
            // SAFETY: the pipeline was made from this device, is destroyed once, and nothing was submitted with it; null
            // is ignored.
            unsafe { self.device.handle.destroy_pipeline(*pipeline, None) }
        }
    }
}

/// The layouts of the rest of a pipeline whose fragment library exists: that of the stages before, that of all.
pub(super) struct Rest<'d> {
    /// Alive while pipelines are made with the layouts.
    _sets: Vec<Owned<'d, vk::DescriptorSetLayout>>,
    before: Owned<'d, vk::PipelineLayout>,
    linked: Owned<'d, vk::PipelineLayout>,
}

/// What the worker has: copies of everything.
pub(super) struct Task {
    program: Program,
    partner: Option<Module>,
    form: Form,
    options: Options,
    layout: vk::PipelineLayout,
    attributes: Vec<Slot>,
    colors: Vec<Color>,
    subgroup_size: Option<u32>,
}

impl Task {
    /// Compiles, on any thread. `ask` is added to the creation flags.
    pub fn compile(
        &self,
        vk: &ash::Device,
        cache: vk::PipelineCache,
        ask: vk::PipelineCreateFlags,
    ) -> Result<vk::Pipeline, GpuError> {
        let stage = &self.program.stages[0];
        let (kind, module, entry) = entry_of(&self.program, stage)?;
        if self.form == Form::Compute {
            let state = ComputeState { flags: ask, subgroup_size: self.subgroup_size };
            return compute_with(vk, module, entry, state, self.layout, cache);
        }
        let Some(graphics) = Graphics::of(&self.program, &self.options)? else {
            return Err(GpuError::Unusable(format!("a {kind} shader cannot be compiled speculatively")));
        };
        let mut stages = Stages { all: Vec::new() };
        let partner = self.partner.as_ref();
        stages.all.extend(partner.and_then(|m| Some((StageKind::Vertex, m, m.entry_points().first()?))));
        stages.all.push((kind, module, entry));
        let (flags, parts) = match self.form {
            Form::Library => (vk::PipelineCreateFlags::LIBRARY_KHR, FRAGMENT),
            _ => Default::default(),
        };
        let flags = flags | ask;
        let state = graphics.state(&stages, &self.attributes, None, &self.colors, &self.options, flags, parts);
        graphics_with(vk, &state, self.layout, cache)
    }
}

/// The application's pipeline: its inputs, once a device is opened.
pub(super) struct Whole<'d, 'p> {
    device: &'d Device,
    plan: &'p Plan,
    graphics: Option<Graphics<'p>>,
    /// The vertex stage of a pipeline that was loaded without one.
    partner: Option<Module>,
    layouts: Layouts<'d>,
    push: Option<vk::PushConstantRange>,
    colors: Vec<Color>,
    /// What is compiled goes through a cache of its own: the device's may hold it from an earlier repetition.
    cache: Owned<'d, vk::PipelineCache>,
}

impl<'d, 'p> Whole<'d, 'p> {
    pub fn new(device: &'d Device, plan: &'p Plan) -> Result<Whole<'d, 'p>, GpuError> {
        let graphics = Graphics::of(&plan.program, &plan.options)?;
        let mut entries = Vec::new();
        for stage in &plan.program.stages {
            let (_, module, entry) = entry_of(&plan.program, stage)?;
            entries.push((module, entry));
        }
        let resources = Resources::for_layout(&entries)?.with_application(&plan.described);
        let (sets, layout) = layouts(device, &resources)?;
        let colors = graphics.as_ref().map_or(Ok(Vec::new()), |graphics| graphics.colors(device))?;
        let lone = graphics.as_ref().filter(|g| g.stages.all.iter().all(|(kind, ..)| *kind == StageKind::Fragment));
        let fragment = lone.and_then(|graphics| graphics.stages.get(StageKind::Fragment));
        let partner = fragment.map(|(module, entry)| stub_vertex::vertex(module, entry)).transpose()?;
        let create = vk::PipelineCacheCreateInfo::default();
        // SAFETY: the device is alive; the cache begins empty.
        let cache = unsafe { device.handle.create_pipeline_cache(&create, None) };
        let cache = cache.map_err(GpuError::call("vkCreatePipelineCache"))?;
        // SAFETY: the cache was made from this device and is destroyed once; pipelines outlive their cache.
        let cache = Owned::new(device, cache, |vk, cache| unsafe { vk.destroy_pipeline_cache(cache, None) });
        let (layouts, push) = (Layouts { sets, layout }, resources.push_range());
        Ok(Whole { device, plan, graphics, partner, layouts, push, colors, cache })
    }

    fn stages(&self, wanted: impl Fn(StageKind) -> bool) -> Stages<'_> {
        let mut all = Vec::new();
        if let Some(module) = self.partner.as_ref().filter(|_| wanted(StageKind::Vertex)) {
            all.extend(module.entry_points().first().map(|entry| (StageKind::Vertex, module, entry)));
        }
        let own = self.graphics.iter().flat_map(|graphics| graphics.stages.all.iter().copied());
        all.extend(own.filter(|(kind, ..)| wanted(*kind)));
        Stages { all }
    }

    /// All stages, in the order of the pipeline.
    pub fn entries(&self) -> Result<Vec<(StageKind, &Module, &EntryPoint)>, GpuError> {
        if self.graphics.is_some() {
            return Ok(self.stages(|_| true).all);
        }
        self.plan.program.stages.iter().map(|stage| entry_of(&self.plan.program, stage)).collect()
    }

    /// The subgroup size that each of [`Whole::entries`] requires.
    pub fn subgroup_sizes(&self) -> Result<Vec<Option<u32>>, GpuError> {
        if self.graphics.is_some() {
            return Ok(Vec::new());
        }
        let Plan { program, options, .. } = self.plan;
        program.stages.iter().map(|stage| required_subgroups(self.device, program, stage, options)).collect()
    }

    /// The layouts of its sets.
    pub fn set_layouts(&self) -> Vec<vk::DescriptorSetLayout> {
        self.layouts.sets.iter().map(|set| set.handle).collect()
    }

    /// Its push constants.
    pub fn push_constants(&self) -> Vec<vk::PushConstantRange> {
        self.push.into_iter().collect()
    }

    fn make(
        &self,
        stages: &Stages<'_>,
        layout: vk::PipelineLayout,
        parts: vk::GraphicsPipelineLibraryFlagsEXT,
        retain: vk::PipelineCreateFlags,
    ) -> Result<vk::Pipeline, GpuError> {
        self.make_saved(stages, layout, (parts, retain), Saved::Not)
    }

    fn make_saved(
        &self,
        stages: &Stages<'_>,
        layout: vk::PipelineLayout,
        (parts, retain): (vk::GraphicsPipelineLibraryFlagsEXT, vk::PipelineCreateFlags),
        saved: Saved<'_>,
    ) -> Result<vk::Pipeline, GpuError> {
        let Some(graphics) = &self.graphics else { return Ok(vk::Pipeline::null()) };
        let attributes = graphics.attributes(self.device, stages)?;
        let library = vk::PipelineCreateFlags::LIBRARY_KHR | retain;
        let flags = if parts.is_empty() { vk::PipelineCreateFlags::empty() } else { library };
        let input = graphics.input(&attributes, self.device, &mut Vec::new());
        let state = graphics.state(stages, &attributes, input, &self.colors, &self.plan.options, flags, parts);
        graphics_saved(&self.device.handle, &state, layout, self.cache_for(saved), saved)
    }

    /// No cache is allowed beside binaries.
    fn cache_for(&self, saved: Saved<'_>) -> vk::PipelineCache {
        if matches!(saved, Saved::Not) { self.cache.handle } else { vk::PipelineCache::null() }
    }

    /// Compiles all of it.
    pub fn compile(&self) -> Result<Pipelines<'d>, GpuError> {
        self.compile_saved(Saved::Not)
    }

    /// The same, with binaries.
    pub fn compile_saved(&self, saved: Saved<'_>) -> Result<Pipelines<'d>, GpuError> {
        let mut made = Pipelines::of(self.device);
        made.push(self.whole(saved)?);
        Ok(made)
    }

    fn whole(&self, saved: Saved<'_>) -> Result<vk::Pipeline, GpuError> {
        let layout = self.layouts.layout.handle;
        if self.graphics.is_some() {
            let parts = vk::GraphicsPipelineLibraryFlagsEXT::empty();
            return self.make_saved(&self.stages(|_| true), layout, (parts, NOTHING), saved);
        }
        let Some(stage) = self.plan.program.stages.first() else { return Ok(vk::Pipeline::null()) };
        let (_, module, entry) = entry_of(&self.plan.program, stage)?;
        let subgroup_size = required_subgroups(self.device, &self.plan.program, stage, &self.plan.options)?;
        let state = ComputeState { flags: vk::PipelineCreateFlags::empty(), subgroup_size };
        compute_saved(&self.device.handle, (module, entry), state, layout, self.cache_for(saved), saved)
    }

    /// The layouts that the rest of a pipeline needs in addition to a library of the guess; none for other forms.
    ///
    /// # Errors
    /// More sets than there is room for below those of the guess; what Vulkan answered.
    pub fn rest(&self, guess: &Guess<'_>) -> Result<Option<Rest<'d>>, GpuError> {
        if guess.form != Form::Library {
            return Ok(None);
        }
        let before = self.stages(|kind| kind != StageKind::Fragment);
        let resources = Resources::for_layout(&before.entries())?;
        let mut sets = set_layouts(self.device, &resources)?;
        let mut handles: Vec<_> = sets.iter().map(|set| set.handle).collect();
        let first = first_set(self.device) as usize;
        if handles.len() > first {
            // The guess's sets lie from there on.
            let (needed, limit) = (handles.len() as u64, first as u64);
            let what = "descriptor sets of the pre-rasterization stages".to_owned();
            return Err(GpuError::TooLarge { what, needed, limit });
        }
        let push = Some(all_push_constants(self.device));
        // The library of the guess has no sets below its own: here there must be one each, empty where nothing is bound
        // (VUID-VkGraphicsPipelineCreateInfo-pLibraries-06681).
        let empty = set_layout(self.device, &[])?;
        handles.resize(first, empty.handle);
        sets.push(empty);
        let before = pipeline_layout(self.device, &handles, push, INDEPENDENT)?;
        handles.extend(guess.layouts.sets.iter().skip(first).map(|set| set.handle));
        let linked = pipeline_layout(self.device, &handles, push, INDEPENDENT)?;
        Ok(Some(Rest { _sets: sets, before, linked }))
    }

    /// Compiles the rest of a pipeline whose stage exists, and links it where it is a library.
    pub fn complete(
        &self,
        found: vk::Pipeline,
        form: Form,
        rest: Option<&Rest<'_>>,
    ) -> Result<Pipelines<'d>, GpuError> {
        let mut made = Pipelines::of(self.device);
        let before = self.stages(|kind| kind != StageKind::Fragment);
        match (form, rest) {
            (Form::Compute, _) => {}
            (Form::Library, Some(rest)) => {
                made.push(self.make(&before, rest.before.handle, BEFORE, NOTHING)?);
                made.push(self.make(&Stages { all: Vec::new() }, vk::PipelineLayout::null(), OUTPUT, NOTHING)?);
                let parts = [made.all[0], found, made.all[1]];
                made.push(link(&self.device.handle, &parts, rest.linked.handle, false, self.cache.handle)?);
            }
            // Nothing links two pipelines: what is left is made alone.
            (Form::Partnered | Form::Library, _) => {
                let parts = vk::GraphicsPipelineLibraryFlagsEXT::empty();
                made.push(self.make(&before, self.layouts.layout.handle, parts, NOTHING)?);
            }
        }
        Ok(made)
    }

    /// The libraries of an application that makes its pipelines of them.
    pub fn library(&self, which: Part) -> Result<vk::Pipeline, GpuError> {
        let layout = self.layouts.layout.handle;
        // The optimised link needs the inputs of the libraries.
        let retain = vk::PipelineCreateFlags::RETAIN_LINK_TIME_OPTIMIZATION_INFO_EXT;
        let (stages, layout, parts) = match which {
            Part::Before => (self.stages(|kind| kind != StageKind::Fragment), layout, BEFORE),
            Part::Fragment => (self.stages(|kind| kind == StageKind::Fragment), layout, FRAGMENT),
            Part::Output => (Stages { all: Vec::new() }, vk::PipelineLayout::null(), OUTPUT),
        };
        self.make(&stages, layout, parts, retain)
    }

    /// The libraries' link.
    pub fn link(&self, parts: &[vk::Pipeline], optimise: bool) -> Result<vk::Pipeline, GpuError> {
        link(&self.device.handle, parts, self.layouts.layout.handle, optimise, self.cache.handle)
    }
}

/// A part of a pipeline.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Before,
    Fragment,
    Output,
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::program::Stage;
    use lanescope_passes::guessed_layout::{Side, stages};
    use lanescope_testing::glsl;

    #[test]
    fn guess_does_not_depend_on_pipeline_state() {
        let module = glsl(StageKind::Fragment, "layout(location = 0) out vec4 o; void main() { o = vec4(1); }");
        let module = LoadedModule::new(0, module);
        let stage = Stage { stage: StageKind::Fragment, entry: "main".to_owned(), module: 0, entry_index: 0 };
        let program = Program { modules: vec![module], stages: vec![stage], ..Program::default() };
        let options = Options { alpha_to_coverage: true, sample_shading: true, ..Options::default() };
        let partial = stages(&program, &options, Side::Reflected, &mut Vec::new()).remove(0);
        let plan = Plan::new(&program, &partial, &options).unwrap_or_else(|error| panic!("{error}"));
        let switches = |options: &Options| [options.alpha_to_coverage, options.sample_shading];
        assert_eq!((switches(&plan.options), switches(&plan.guessed)), ([true; 2], [false; 2]));
    }
}
