//! The two threads, the clock, and what is reported.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alternatives::{pipeline_binaries, shader_objects};
use super::make::{Guess, Part, Pipelines, Plan, Task, Whole};
use super::{Event, Form, Lane, Libraries, Lookup, SpeculativeCompile, Store, entry_name};
use crate::driver::compile::{CompileOptions, capture, of_chip};
use crate::driver::executable::Value;
use crate::driver::read;
use crate::gpu::pipeline::entry_of;
use crate::gpu::{Device, DeviceOptions, GpuError, Needs, with_kept_device};
use lanescope_base::ids::{Bytes, Hash64, Hex};
use lanescope_model::options::{KeyRule, Options};
use lanescope_model::program::Program;
use lanescope_passes::guessed_layout::{self, GuessedStage, Mapping, Subject};
use lanescope_passes::liveness::Stages;

/// The most bytes of a pipeline cache that holds nothing: the header, and after it Mesa's count of objects (none before
/// Mesa 23).
const CACHE_HEADER: usize = 36;
/// The most repetitions.
const MAX_REPEATS: u32 = 100;
/// The longest that an application does something else.
const MAX_GAP: u64 = 10_000;

/// Which driver, how often, and when the pipeline is requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpeculativeOptions {
    /// Which driver.
    pub with: CompileOptions,
    /// Repetitions, on one device; each compiles through pipeline caches of its own, which begin empty.
    pub repeats: u32,
    /// Milliseconds between the creation of the module and that of the pipeline; until the worker is done where absent.
    pub gap: Option<u64>,
}

/// Begins of events, on one clock.
#[derive(Clone, Copy)]
struct Clock(Instant);

impl Clock {
    fn now(self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// What happened, in the order of its end.
struct Timeline {
    clock: Clock,
    events: Vec<Event>,
}

impl Timeline {
    fn time<T>(&mut self, lane: Lane, what: impl Into<String>, critical: bool, work: impl FnOnce() -> T) -> T {
        let begin = self.clock.now();
        let done = work();
        self.events.push(Event { lane, what: what.into(), span: [begin, self.clock.now()], critical });
        done
    }

    fn critical(&self) -> u64 {
        self.events.iter().filter(|event| event.critical).map(|event| event.span[1] - event.span[0]).sum()
    }
}

/// What the worker made.
struct Made {
    pipeline: vk::Pipeline,
    blob: Vec<u8>,
}

/// What both threads see: by key, what was made, or why it was not.
#[derive(Default)]
struct Cache {
    made: Mutex<BTreeMap<u64, Result<Made, String>>>,
    changed: Condvar,
}

impl Cache {
    fn put(&self, key: u64, made: Result<Made, String>) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(key, made);
        self.changed.notify_all();
    }

    /// Waits until the worker is done with a key.
    fn wait(&self, key: u64) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        while !made.contains_key(&key) {
            made = self.changed.wait(made).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn get(&self, key: u64) -> Option<vk::Pipeline> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.get(&key)?.as_ref().ok().map(|made| made.pipeline)
    }

    fn has(&self, key: u64) -> bool {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&key)
    }
}

/// One repetition.
struct Once {
    events: Vec<Event>,
    critical: u64,
    worker: Option<u64>,
    lookups: Vec<Lookup>,
    blob: Vec<u8>,
    failed: Option<String>,
    /// Why what was found could not be used here.
    refused: Option<String>,
}

/// Compiles one stage of a pipeline ahead, with a device's driver, and everything that is compared with it.
///
/// `partial` is the stage's entry in the report, with the application's side. A driver's failure to compile the guess
/// is silent, as it would be in a driver: the pipeline is then compiled as usual, and the notes say so.
///
/// # Errors
/// What the device lacks; what a call answered for the application's own pipeline.
pub fn speculate(
    program: &Program,
    partial: &GuessedStage,
    options: &Options,
    with: &SpeculativeOptions,
    store: &dyn Store,
) -> Result<SpeculativeCompile, GpuError> {
    let plan = Plan::new(program, partial, options)?;
    let needs = plan.needs()?;
    let opened = Plan::device(&with.with)?;
    let repeats = with.repeats.clamp(1, MAX_REPEATS);
    let mut out = SpeculativeCompile {
        device: String::new(),
        driver: String::new(),
        chip: with.with.chip,
        stages: program.stages.iter().map(|stage| stage.stage).collect(),
        stage: partial.stage,
        entry: partial.entry.clone(),
        form: Form::Compute,
        key: partial.keys[0].hash,
        lookups: Vec::new(),
        hit: false,
        why: partial.ineligible.clone(),
        gaps: Vec::new(),
        kept: false,
        without: Vec::new(),
        with: Vec::new(),
        worker: Vec::new(),
        events: Vec::new(),
        libraries: None,
        objects: None,
        binaries: None,
        bytes: None,
        code: None,
        notes: Vec::new(),
    };
    if let Some(against) = &partial.against {
        out.why.extend(against.breaks.iter().map(guessed_layout::Break::message));
    }
    let mut name = String::new();
    // One more than is reported: the first time a compiler runs it is still being loaded.
    for repeat in 0..=repeats {
        let used = with_kept_device(&needs, &opened, |device| {
            (out.device, out.driver) = (device.info.name.clone(), device.info.driver.clone());
            out.form = plan.form(device);
            name = entry_name(out.key, device.cache_uuid(), out.form);
            let whole = Whole::new(device, &plan)?;
            let begin = Instant::now();
            let made = whole.compile();
            let time = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
            made.map(|_| time)
        })
        .map_err(|error| of_chip(error, &with.with))?;
        if repeat > 0 {
            out.without.push(used.value);
        } else {
            out.notes.extend(used.warnings);
        }
    }
    let mut kept = Vec::new();
    if partial.ineligible.is_empty() {
        match store.load(&name) {
            Ok(found) => kept = found.unwrap_or_default(),
            Err(why) => out.notes.push(why),
        }
    }
    out.kept = kept.len() > CACHE_HEADER;
    let mut all = Vec::new();
    for repeat in 0..=repeats {
        let once =
            with_kept_device(&needs, &opened, |device| once(device, &plan, partial, options, with.gap, &kept))?.value;
        if repeat > 0 {
            all.push(once);
        }
    }
    out.with = all.iter().map(|once| once.critical).collect();
    out.worker = all.iter().filter_map(|once| once.worker).collect();
    all.sort_by_key(|once| once.critical);
    let middle = all.len() / 2;
    if let Some(once) = all.into_iter().nth(middle) {
        out.hit = once.lookups.iter().any(|lookup| lookup.found) && once.refused.is_none();
        out.why.extend(once.refused);
        if let Some(against) = partial.against.as_ref().filter(|_| out.hit) {
            out.gaps.clone_from(&against.gaps);
        }
        out.events = once.events;
        out.lookups = once.lookups;
        if let Some(why) = once.failed {
            out.notes.push(format!("the driver did not compile the guess; the application gets no error: {why}"));
        }
        if !once.blob.is_empty() {
            out.bytes = Some(Bytes(once.blob.len() as u64));
            if once.blob.len() <= CACHE_HEADER {
                out.notes.push(format!(
                    "the driver returns only the header of its pipeline cache ({} bytes): the next process compiles \
                     again",
                    once.blob.len()
                ));
            }
            if !out.kept
                && let Err(why) = store.store(&name, &once.blob)
            {
                out.notes.push(why);
            }
        }
    }
    // What is compiled to be looked at is nothing that a cache would give to the other.
    let compiled = !out.worker.is_empty();
    if compiled || out.form == Form::Library {
        (out.libraries, out.code) = with_kept_device(&needs, &opened, |device| {
            let libraries = if out.form == Form::Library { libraries(device, &plan)? } else { None };
            Ok((libraries, if compiled { code_size(device, &plan)?.map(Bytes) } else { None }))
        })?
        .value;
    }
    alternatives(&plan, &needs, &opened, &mut out);
    if out.form == Form::Partnered {
        out.notes.push(
            "the device does not support VK_EXT_graphics_pipeline_library, so libraries cannot be linked: on a hit \
             the pre-rasterization stages are compiled separately, which a driver would also have to do"
                .to_owned(),
        );
    }
    Ok(out)
}

/// Measures shader objects and pipeline binaries, where the device has them. A failure is a note: the application's pipeline has
/// no part in it.
fn alternatives(plan: &Plan, needs: &Needs, opened: &DeviceOptions, out: &mut SpeculativeCompile) {
    let needs = needs.clone().with_alternatives();
    let measured =
        with_kept_device(&needs, opened, |device| Ok((shader_objects(device, plan), pipeline_binaries(device, plan))));
    let mut failed = |what: &str, error: GpuError| out.notes.push(format!("{what} were not measured: {error}"));
    match measured {
        Ok(used) => {
            let (objects, binaries) = used.value;
            match objects {
                Ok(objects) => out.objects = objects,
                Err(error) => failed("shader objects", error),
            }
            match binaries {
                Ok(binaries) => out.binaries = binaries,
                Err(error) => failed("pipeline binaries", error),
            }
        }
        Err(error) => failed("shader objects and pipeline binaries", error),
    }
}

/// The application's two calls, and the worker between them.
fn once(
    device: &Device,
    plan: &Plan,
    partial: &GuessedStage,
    options: &Options,
    gap: Option<u64>,
    kept: &[u8],
) -> Result<Once, GpuError> {
    let whole = Whole::new(device, plan)?;
    let clock = Clock(Instant::now());
    let mut timeline = Timeline { clock, events: Vec::new() };
    let cache = Cache::default();
    let mut lookups = Vec::new();
    // Until all is done: nothing that is timed destroys a pipeline.
    let mut made = None;
    let mut refused = None;
    let (tasks, queue) = mpsc::sync_channel::<(u64, Task)>(4);
    let result = std::thread::scope(|scope| {
        let vk = device.handle.clone();
        let cache = &cache;
        let worker = scope.spawn(move || work(&vk, &queue, cache, clock, kept));
        let lane = Lane::Application;
        let module = timeline.time(lane, "create the shader module", false, || module(device, plan));
        let mut guess = None;
        if partial.ineligible.is_empty() {
            let key = timeline.time(lane, "guess the layout, compute its key", true, || guessed_key(plan));
            // A driver would queue the module and the layout.
            let made = timeline.time(lane, "Vulkan objects: guessed layout", false, || {
                let guess = Guess::new(device, plan, plan.form(device))?;
                let task = guess.task(device)?;
                Ok::<_, GpuError>((guess, task))
            });
            match made {
                Ok((made, task)) => {
                    // The queue has room: one task is put there.
                    timeline.time(lane, "queue the task", true, || {
                        let _ = tasks.send((key, task));
                    });
                    guess = Some((key, made));
                }
                // Silent, as in a driver: the pipeline is compiled as usual.
                Err(error) => cache.put(0, Err(error.to_string())),
            }
        }
        drop(tasks);
        let key = guess.as_ref().map(|(key, _)| *key);
        timeline.time(lane, "other work", false, || match (gap, key) {
            (Some(gap), _) => std::thread::sleep(Duration::from_millis(gap.min(MAX_GAP))),
            (None, Some(key)) => cache.wait(key),
            (None, None) => {}
        });
        let asked = partial.against.as_ref();
        // Known since the module was made.
        let hash =
            plan.alone.stages.first().map_or(Hex(0), |stage| guessed_layout::module_hash(plan.alone.module_of(stage)));
        let own = asked.map_or(partial.keys[1].hash, |against| against.keys[1].hash);
        timeline.time(lane, "look up the stage", true, || {
            // Nothing else was compiled on this device: the cache of whole stages is empty.
            lookups.push(Lookup { cache: "stage".to_owned(), key: own, found: cache.get(own.0).is_some() });
        });
        let wanted =
            timeline.time(lane, "look up the guessed layout", true, || asked_key(plan, partial, options, hash));
        if key == Some(wanted.0) && !cache.has(wanted.0) {
            timeline.time(lane, "wait for the worker", true, || cache.wait(wanted.0));
        }
        let hit = asked.is_none_or(|against| against.hit);
        let found = cache.get(wanted.0).filter(|_| hit);
        lookups.push(Lookup { cache: "automatic layout".to_owned(), key: wanted, found: found.is_some() });
        let serves = found.zip(guess.as_ref()).map(|(found, (_, guess))| {
            let rest = timeline.time(lane, "Vulkan objects: remaining layouts", false, || whole.rest(guess));
            rest.map(|rest| (found, guess.form(), rest))
        });
        let done = match serves {
            Some(Ok((found, form, rest))) => {
                if let Some(against) = asked {
                    let rows = timeline.time(lane, "move the user data", true, || {
                        guessed_layout::remap(&partial.layout, &against.application.layout).len()
                    });
                    debug_assert_eq!(rows, against.remap.len());
                }
                let what = match form {
                    Form::Compute => "use the cached pipeline",
                    Form::Library => "compile the rest, link it",
                    Form::Partnered => "compile the rest",
                };
                timeline.time(lane, what, true, || whole.complete(found, form, rest.as_ref()))
            }
            Some(Err(error)) if !matches!(error, GpuError::TooLarge { .. }) => Err(error),
            missed => {
                refused = missed.and_then(Result::err).map(|error| error.to_string());
                timeline.time(lane, "compile the pipeline", true, || whole.compile())
            }
        };
        let (events, compiled) = worker.join().unwrap_or_default();
        timeline.events.extend(events);
        if let Ok(module) = module {
            // SAFETY: made from this device, destroyed once; no pipeline needs it.
            unsafe { device.handle.destroy_shader_module(module, None) }
        }
        made = Some(done?);
        Ok::<_, GpuError>(compiled)
    });
    drop(made);
    let mut guessed = Pipelines::of(device);
    let all = std::mem::take(&mut *cache.made.lock().unwrap_or_else(PoisonError::into_inner));
    let (mut blob, mut failed) = (Vec::new(), None);
    for one in all.into_values() {
        match one {
            Ok(one) => {
                guessed.push(one.pipeline);
                blob = one.blob;
            }
            Err(why) => failed = Some(why),
        }
    }
    let worker = result?;
    let critical = timeline.critical();
    timeline.events.sort_by_key(|event| event.span);
    Ok(Once { events: timeline.events, critical, worker, lookups, blob, failed, refused })
}

/// The application's own call to make a module of its shader.
fn module(device: &Device, plan: &Plan) -> Result<vk::ShaderModule, GpuError> {
    let Some(stage) = plan.alone.stages.first() else { return Ok(vk::ShaderModule::null()) };
    let (_, module, _) = entry_of(&plan.alone, stage)?;
    let create = vk::ShaderModuleCreateInfo::default().code(module.words());
    // SAFETY: the device is alive; the words live through the call and were validated.
    unsafe { device.handle.create_shader_module(&create, None) }.map_err(GpuError::call("vkCreateShaderModule"))
}

/// The key of the guess, worked out again for the time that it takes.
fn guessed_key(plan: &Plan) -> u64 {
    let stages = Stages::of(&plan.alone);
    stages.iter().next().map_or(0, |(stage, live)| guessed_layout::guessed_key(stage.stage, live, &plan.guessed).0)
}

/// The key under which the guess is looked up: computed again, for the time that it takes. `hash` is the module's.
fn asked_key(plan: &Plan, partial: &GuessedStage, options: &Options, hash: Hash64) -> Hash64 {
    let Some(against) = &partial.against else { return partial.keys[0].hash };
    let application = &against.application;
    let Some(Ok((stage, _, entry))) = plan.alone.stages.first().map(|stage| entry_of(&plan.alone, stage)) else {
        return against.keys[0].hash;
    };
    let active: Vec<(u32, u32)> = partial.layout.nodes().map(|(node, _)| (node.set, node.binding)).collect();
    let subject = Subject {
        hash,
        entry,
        stage,
        options,
        active: &active,
        hidden: &application.hidden,
        fixed: &application.fixed,
        push: partial.push_constants.is_some(),
        layout: &application.layout,
        // The note's rule does not look at it.
        mapping: &Mapping::default(),
        colors: &application.colors,
        spec: &application.spec,
    };
    guessed_layout::key(&subject, KeyRule::Note).hash
}

/// The worker: one task after the other, until the channel is closed. What happened, and how long it compiled.
fn work(
    vk: &ash::Device,
    queue: &mpsc::Receiver<(u64, Task)>,
    cache: &Cache,
    clock: Clock,
    kept: &[u8],
) -> (Vec<Event>, Option<u64>) {
    let mut timeline = Timeline { clock, events: Vec::new() };
    let mut compiled = None;
    for (key, task) in queue {
        if cache.has(key) {
            continue;
        }
        let what =
            if kept.len() <= CACHE_HEADER { "compile the guess" } else { "compile the guess from the stored cache" };
        let made = timeline.time(Lane::Worker, what, false, || compile(vk, &task, kept));
        compiled = timeline.events.last().map(|event| event.span[1] - event.span[0]);
        cache.put(key, made.map_err(|error| error.to_string()));
    }
    (timeline.events, compiled)
}

/// Compiles one task through a cache of its own, so that what the cache holds is this task's.
fn compile(vk: &ash::Device, task: &Task, kept: &[u8]) -> Result<Made, GpuError> {
    let create = vk::PipelineCacheCreateInfo::default().initial_data(kept);
    // SAFETY: the device is alive; the data was kept by the same driver, whose check of it comes first.
    let cache = unsafe { vk.create_pipeline_cache(&create, None) }.map_err(GpuError::call("vkCreatePipelineCache"))?;
    let pipeline = task.compile(vk, cache, vk::PipelineCreateFlags::empty());
    // SAFETY: the cache is alive and used by this thread only.
    let blob = unsafe { vk.get_pipeline_cache_data(cache) }.unwrap_or_default();
    // SAFETY: made above, destroyed once.
    unsafe { vk.destroy_pipeline_cache(cache, None) };
    Ok(Made { pipeline: pipeline?, blob })
}

/// The size of the guess's code, where the driver reports it.
fn code_size(device: &Device, plan: &Plan) -> Result<Option<u64>, GpuError> {
    let Some(functions) = device.executable_properties() else { return Ok(None) };
    let guess = Guess::new(device, plan, plan.form(device))?;
    let made = guess.task(device)?.compile(
        &device.handle,
        vk::PipelineCache::null(),
        capture(device, &CompileOptions::default()),
    );
    // A guess that is not compiled has no code.
    let Ok(pipeline) = made else { return Ok(None) };
    let mut made = Pipelines::of(device);
    made.push(pipeline);
    let executables = read::executables(device, &functions, pipeline, true, &mut Vec::new())?;
    let own = executables.into_iter().filter(|executable| executable.stages.contains(&plan.stage));
    let sizes = own.filter_map(|executable| match executable.statistic("Code size")? {
        Value::Uint(bytes) => Some(bytes),
        _ => None,
    });
    Ok(sizes.reduce(u64::saturating_add))
}

/// Creates the pipeline from libraries, each timed.
fn libraries(device: &Device, plan: &Plan) -> Result<Option<Libraries>, GpuError> {
    let whole = Whole::new(device, plan)?;
    let mut made = Pipelines::of(device);
    let mut timed = |work: &dyn Fn(&[vk::Pipeline]) -> Result<vk::Pipeline, GpuError>| {
        let begin = Instant::now();
        let pipeline = work(made.all())?;
        let time = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        made.push(pipeline);
        Ok::<_, GpuError>(time)
    };
    let before = timed(&|_| whole.library(Part::Before))?;
    let fragment = timed(&|_| whole.library(Part::Fragment))?;
    let output = timed(&|_| whole.library(Part::Output))?;
    let link = timed(&|made| whole.link(made.get(..3).unwrap_or(made), false))?;
    let optimised = timed(&|made| whole.link(made.get(..3).unwrap_or(made), true))?;
    Ok(Some(Libraries { before, fragment, output, link, optimised }))
}
