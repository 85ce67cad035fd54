//! The packed modules: SPIR-V in which the packing is done, for Vulkan to run.
//!
//! ```text
//! Program ──widen?──▶ Program ──Linkage──▶ Packing (the hardware's) ──plan──▶ packed variables ──▶ both modules
//! ```
//!
//! * `plan`: the packed variables, and the contents of each of their components.
//! * `consumer`: every fragment input becomes private to the invocation and is filled from the packed inputs at the
//!   entry point's start; interpolation functions are redirected to the packed inputs. A shader that ran once per
//!   sample still does.
//! * `producer`: every output becomes private and is written as whole packed vectors at each return (in geometry
//!   shaders, before each vertex is emitted). Captured outputs stay as they are.
//! * `vertices`: what tessellation control and geometry shaders read of each vertex, rebuilt where they read it.
//! * `half`: what a part-pipeline's fragment half leaves, for the earlier part to be rewritten without it.
//! * `prepare`: decoration groups expanded, and varyings that entry points share duplicated.
//! * `sides`: the variables of one side; `map`: what was done, as data.
//! * `widen`: 8- and 16-bit varyings as 32-bit ones, converted at both ends.
//! * `mesh`: after a mesh shader, only the locations' numbers.
//! * `values`: vectors and scalars of types, and the components that are passed.
//!
//! Vulkan cannot express all that the hardware does: [`Map`] lists what is at the hardware's place and what is not.

mod consumer;
mod map;
mod mesh;
mod part_pipeline;
mod plan;
mod prepare;
mod producer;
mod sides;
#[cfg(test)]
mod tests;
mod values;
mod vertices;
mod widen;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use map::{Carried, KeptOutput, Map, NotCarried, RewrittenSlots, RewrittenVariable, Why};
pub use part_pipeline::StoredHalf;

use super::assign::{Assigned, READ_STREAM};
use super::link::{Linkage, Producer};
use super::producer::outputs as hardware_outputs;
use super::stored_layout::StoredError;
use super::{MAX_LOCATIONS, Missing, PRODUCERS, Packing};
use crate::liveness::Stages;
use lanescope_base::name::Name;
use lanescope_model::options::{Options, ProducerChoice};
use lanescope_model::program::{Program, Stage, StageKind};
use lanescope_spirv::edit::{Escape, IsolateError};
use lanescope_spirv::{Module, ParseError};
use plan::{Carrier, PackedVariable, Plan};
use sides::{check_shared, generic, is_packed};

/// A program with its interface packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rewritten {
    /// The packed program. The modules of other stages are the original ones (with the options' specialization
    /// constants set: what is used depends on them).
    pub program: Program,
    /// The program to compare it with where varyings were widened: as given, with the same widening.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub widened: Option<Program>,
    /// The rewrite of the interface before the fragment shader.
    pub map: Map,
    /// The rewrites of the interfaces before tessellation control and geometry shaders.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inner: Vec<Map>,
    /// What the fragment half of a part-pipeline leaves for the earlier part (not after a mesh shader, where variables
    /// of both sides move together).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stored: Option<StoredHalf>,
}

/// Why a program cannot be rewritten. The program is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// There is no fragment shader, so nothing is packed.
    #[error("no fragment shader whose inputs could be packed")]
    NoFragment,
    /// A value that does not fit its specialization constant.
    #[error("{0}")]
    Spec(String),
    /// An instruction that cannot be taken along.
    #[error("{0}")]
    Instruction(#[from] Escape),
    /// Entry points that share a variable and cannot be taken apart.
    #[error("{0}")]
    Isolate(#[from] IsolateError),
    /// An instruction without grammar, which may use any variable.
    #[error("{stage} shader, instruction #{instruction}: it is not in the SPIR-V grammar and may use any varying")]
    Opaque {
        /// The stage.
        stage: StageKind,
        /// Index of the instruction.
        instruction: u32,
    },
    /// A variable whose type has no place in a packed interface.
    #[error("{variable}: its type contains pointers, mixes built-ins with varyings, or is too large to be split")]
    Type {
        /// Its name.
        variable: String,
    },
    /// A variable that another entry point uses too.
    #[error("{variable} is also used by the entry point {entry}, which is not rewritten")]
    SharedEntry {
        /// The variable's name.
        variable: String,
        /// The other entry point.
        entry: String,
    },
    /// A narrow output that transform feedback captures as it is.
    #[error("{variable} is captured by transform feedback with its declared width, so it cannot be widened")]
    Captured {
        /// Its name.
        variable: String,
    },
    /// More locations than there are.
    #[error("{variable} would move to location {location}, expected at most {}", MAX_LOCATIONS - 1)]
    NoRoom {
        /// The variable's name, or the packed one's.
        variable: String,
        /// Its last location.
        location: u32,
    },
    /// A map of another fragment shader, or of none.
    #[error("the stored map cannot be used: {0}")]
    Stored(#[from] StoredError),
    /// There is no stage that could read a stored map.
    #[error("no vertex, tessellation evaluation or geometry shader to read the stored map")]
    NoProducer,
    /// A stored map, and the fragment shader that it stands for.
    #[error("the stored map replaces the fragment shader, but one is loaded")]
    StoredFragment,
    /// The changed module has more ids than SPIR-V allows.
    #[error("internal error: the rewritten module is invalid; please report it: {0}")]
    Module(#[from] ParseError),
}

/// Name prefix of packed variables before the fragment shader, followed by the location.
const PACKED: &str = "packed";
/// The same before other stages.
const PASSED: &str = "passed";

/// Packs the interface of a program's fragment shader, in it and in the stage before; then those of tessellation
/// control and geometry shaders. What only dropped outputs needed is no longer read there: the hardware, whose compiler
/// packs inputs before it drops outputs, keeps it.
///
/// With `part_pipeline` the stage before gets nothing but what would be stored. A program that is packed already comes
/// back as it was (but for the design note's order and dynamic indices: those are no longer into inputs, so that a
/// second rewrite packs what the first one only renumbered).
///
/// # Errors
///
/// Names the instruction or the variable, where an interface is used in a way that cannot be taken along.
pub fn rewrite(program: &Program, options: &Options) -> Result<Rewritten, RewriteError> {
    let given =
        lanescope_model::specialised::specialised(program, options).map_err(|e| RewriteError::Spec(e.to_string()))?;
    let hardware = hardware(&given, options)?;
    check_opaque(&given)?;
    let prepared = prepare::prepared(&given)?;
    let widened = if options.widen { widen::widen(&prepared)? } else { None };
    let base = widened.as_ref().unwrap_or(&prepared);
    let linkage = linkage(base)?;
    let mut out = base.clone();
    let mut stored = None;
    let mut map = if hardware.is_after_mesh() {
        mesh::renumber(&mut out, &linkage, &hardware)?
    } else {
        let plan = Plan::of(&linkage, &hardware);
        consumer_half(&mut out, &linkage, &plan)?;
        stored = StoredHalf::of(&plan, &hardware, widened.is_some());
        let carrier = stored.as_ref().map_or_else(|| Ok(plan.carrier()), StoredHalf::carrier)?;
        let kept = match &linkage.producer {
            Some(producer) => producer_half(&mut out, producer, &carrier, PACKED)?,
            None => Vec::new(),
        };
        map::report(&plan, &hardware, kept)
    };
    let mut inner = inner(&given, &mut out, options)?;
    prepare::restore(&mut out, &prepared, &given);
    let widened = as_compared(widened, &prepared, &given);
    set_changes(inner.iter_mut().chain([&mut map]), widened.is_some(), &changed(&given, &out));
    Ok(Rewritten { program: out, widened, map, inner, stored })
}

/// A program without a fragment shader, with the interfaces before tessellation control and geometry shaders packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RewrittenInner {
    /// As [`Rewritten::program`].
    pub program: Program,
    /// As [`Rewritten::widened`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub widened: Option<Program>,
    /// The rewrites; none where the program has no such interface.
    pub inner: Vec<Map>,
}

/// Packs the interfaces before tessellation control and geometry shaders only, of a program that may lack a fragment
/// shader. The outputs that a fragment shader would read keep their locations.
///
/// # Errors
///
/// Errors of [`rewrite`].
pub fn rewrite_inner(program: &Program, options: &Options) -> Result<RewrittenInner, RewriteError> {
    let given =
        lanescope_model::specialised::specialised(program, options).map_err(|e| RewriteError::Spec(e.to_string()))?;
    check_opaque(&given)?;
    let prepared = prepare::prepared(&given)?;
    let widened = if options.widen { widen::widen(&prepared)? } else { None };
    let mut out = widened.as_ref().unwrap_or(&prepared).clone();
    let mut inner = inner(&given, &mut out, options)?;
    prepare::restore(&mut out, &prepared, &given);
    let widened = as_compared(widened, &prepared, &given);
    set_changes(inner.iter_mut(), widened.is_some(), &changed(&given, &out));
    Ok(RewrittenInner { program: out, widened, inner })
}

/// The widened program, with the given modules where widening changed nothing.
fn as_compared(widened: Option<Program>, prepared: &Program, given: &Program) -> Option<Program> {
    let mut widened = widened?;
    prepare::restore(&mut widened, prepared, given);
    Some(widened)
}

fn set_changes<'m>(maps: impl Iterator<Item = &'m mut Map>, widened: bool, changed: &[StageKind]) {
    for map in maps {
        map.widened = widened;
        map.changed = changed.to_vec();
    }
}

/// Rewrites the part before the fragment shader, without it: from what its half stored. Of the map, what is named after
/// the fragment shader's variables stays empty, and inputs that no stage writes have a location of their own.
///
/// # Errors
///
/// Errors of [`rewrite`], and a stored map that is invalid.
pub fn rewrite_half(program: &Program, stored: &StoredHalf, options: &Options) -> Result<Rewritten, RewriteError> {
    let given =
        lanescope_model::specialised::specialised(program, options).map_err(|e| RewriteError::Spec(e.to_string()))?;
    if given.stage(StageKind::Fragment).is_some() {
        return Err(RewriteError::StoredFragment);
    }
    check_opaque(&given)?;
    let prepared = prepare::prepared(&given)?;
    let widened = if stored.widened || options.widen { widen::widen(&prepared)? } else { None };
    let base = widened.as_ref().unwrap_or(&prepared);
    let producer_of = |program: &Program| {
        let producer = Producer::of(&Stages::of(program), &PRODUCERS);
        producer.filter(|producer| producer.stage != StageKind::Mesh).ok_or(RewriteError::NoProducer)
    };
    let carrier = stored.carrier()?;
    let inputs = stored.hardware.assigned()?;
    let written = producer_of(&given)?;
    let outputs = hardware_outputs(&written, &inputs, true);
    let missing = unwritten(&written, &inputs);
    let mut out = base.clone();
    let producer = producer_of(base)?;
    carrier.check_widths(&producer)?;
    let kept = producer_half(&mut out, &producer, &carrier, PACKED)?;
    let mut map = map::of_half(stored, producer.stage, inputs.locations(0), kept, outputs.dropped, missing);
    let mut inner = inner(&given, &mut out, options)?;
    prepare::restore(&mut out, &prepared, &given);
    let widened = as_compared(widened, &prepared, &given);
    set_changes(inner.iter_mut().chain([&mut map]), widened.is_some(), &changed(&given, &out));
    Ok(Rewritten { program: out, widened, map, inner, stored: None })
}

/// The stored places that a producer does not write.
fn unwritten(producer: &Producer, inputs: &Assigned) -> Vec<Missing> {
    let places = inputs.map.keys().filter(|(stream, ..)| *stream == READ_STREAM);
    let missing = places.filter(|(_, location, component)| !producer.writes(*location, *component, false));
    let row = |&(_, location, component)| Missing { variable: Name::default(), variable_id: None, location, component };
    missing.map(row).collect()
}

/// The interfaces before tessellation control and geometry shaders, packed. The hardware's places are those of the
/// program as given: its compiler looks at a stage's inputs before it drops that stage's outputs.
fn inner(given: &Program, program: &mut Program, options: &Options) -> Result<Vec<Map>, RewriteError> {
    let linkages = Linkage::inner(&Stages::of(&program.clone()));
    if linkages.is_empty() {
        return Ok(Vec::new());
    }
    let given: Vec<Packing> = Linkage::inner(&Stages::of(given)).iter().map(|linkage| linkage.pack(options)).collect();
    let mut out = Vec::new();
    for linkage in linkages {
        let unsized_array = |v: &&super::interface::Variable| v.per_vertex.is_some() && v.vertices.is_none();
        if let Some(variable) = linkage.consumer.interface.variables.iter().find(unsized_array) {
            return Err(RewriteError::Type { variable: format!("%{}", variable.id) });
        }
        let of_given = given.iter().find(|packing| packing.consumer == linkage.consumer.stage);
        let hardware = of_given.cloned().unwrap_or_else(|| linkage.pack(options));
        check_carried(&linkage, &hardware)?;
        let plan = Plan::of(&linkage, &hardware);
        consumer_half(program, &linkage, &plan)?;
        let kept = match &linkage.producer {
            Some(producer) => producer_half(program, producer, &plan.carrier(), PASSED)?,
            None => Vec::new(),
        };
        out.push(map::report(&plan, &hardware, kept));
    }
    Ok(out)
}

/// The interface between the stages that were loaded: both are rewritten, regardless of what the map takes into
/// account.
fn linkage(program: &Program) -> Result<Linkage, RewriteError> {
    Linkage::of(&Stages::of(program), ProducerChoice::Auto).ok_or(RewriteError::NoFragment)
}

/// The hardware's map, with what it means for the stage before that was loaded.
fn hardware(program: &Program, options: &Options) -> Result<Packing, RewriteError> {
    let linkage = linkage(program)?;
    let loaded = linkage.pack(options);
    let chosen = Linkage::of(&Stages::of(program), options.producer).ok_or(RewriteError::NoFragment)?;
    let hardware =
        Packing { producer: loaded.producer, dropped: loaded.dropped, missing: loaded.missing, ..chosen.pack(options) };
    check_carried(&linkage, &hardware)?;
    Ok(hardware)
}

/// Whether the hardware's map has a place for everything that is read.
fn check_carried(linkage: &Linkage, hardware: &Packing) -> Result<(), RewriteError> {
    let places: BTreeSet<_> = hardware.map.iter().map(|row| row.from).collect();
    let Some(lost) = linkage.used().find(|scalar| !places.contains(&scalar.place)) else { return Ok(()) };
    Err(RewriteError::Type { variable: (*lost.name).to_owned() })
}

fn check_opaque(program: &Program) -> Result<(), RewriteError> {
    for stage in program.stages.iter().filter(|stage| stage.stage.is_graphics()) {
        let functions = program.module_of(stage).functions().first().map_or(u32::MAX, |f| f.insts.start);
        if let Some(raw) = program.module_of(stage).raw().iter().find(|inst| inst.0 >= functions) {
            return Err(RewriteError::Opaque { stage: stage.stage, instruction: raw.0 });
        }
    }
    Ok(())
}

/// The stages whose module is not the original one.
fn changed(given: &Program, now: &Program) -> Vec<StageKind> {
    let differs = |stage: &&Stage| given.module_of(stage) != now.module_of(stage);
    given.stages.iter().filter(differs).map(|stage| stage.stage).collect()
}

/// Rewrites the inputs of the consumer.
fn consumer_half(out: &mut Program, linkage: &Linkage, plan: &Plan) -> Result<(), RewriteError> {
    let consumer = &linkage.consumer;
    let moved = generic(&consumer.interface);
    let Some(stage) = out.stage(consumer.stage).cloned() else { return Ok(()) };
    if is_packed(&consumer.interface, out.module_of(&stage), &plan.variables, true) {
        return Ok(());
    }
    check_shared(out.module_of(&stage), &stage, &moved)?;
    let inputs = consumer::Inputs {
        prefix: if consumer.stage == StageKind::Fragment { PACKED } else { PASSED },
        moved: &moved,
        variables: &plan.variables,
        slots: &plan.of_inputs(linkage),
        loses_sample: sides::loses_sample(&consumer.interface, &moved, &plan.variables),
    };
    replace(out, &stage, |module, entry| consumer::rewrite(module, entry, &inputs))
}

/// Rewrites the outputs of the stage before; returns those that keep their variable.
fn producer_half(
    out: &mut Program,
    producer: &Producer,
    carrier: &Carrier,
    prefix: &str,
) -> Result<Vec<KeptOutput>, RewriteError> {
    let Some(stage) = out.stage(producer.stage).cloned() else { return Ok(Vec::new()) };
    let parts = carrier.parts(producer);
    let (stay, moved) = sides::outputs(producer);
    let stay = sides::relocate(stay, &producer.interface, carrier);
    sides::check_room(&stay, &producer.interface, carrier)?;
    let kept = stay.iter().map(|(output, by)| sides::kept_output(output, &producer.interface, *by)).collect();
    let written: Vec<PackedVariable> = (carrier.variables.iter().enumerate())
        .filter(|(index, v)| (0..v.count).any(|component| parts.contains_key(&(*index, component))))
        .map(|(_, variable)| *variable)
        .collect();
    let is_done = sides::stands(&producer.interface, &carrier.variables, &parts)
        && is_packed(&sides::without(&producer.interface, &stay), out.module_of(&stage), &written, false);
    if !is_done || stay.iter().any(|(_, by)| *by != 0) {
        check_shared(out.module_of(&stage), &stage, &moved)?;
        let outputs = producer::Outputs {
            prefix,
            stage: producer.stage,
            stream: producer.raster_stream,
            moved: &moved,
            kept: &stay,
            variables: &carrier.variables,
            parts: &parts,
        };
        replace(out, &stage, |module, entry| producer::rewrite(module, entry, &outputs))?;
    }
    Ok(kept)
}

/// Replaces a stage's module by a changed one, which no longer corresponds to its source text.
fn replace(
    program: &mut Program,
    stage: &Stage,
    change: impl FnOnce(&Module, usize) -> Result<Module, RewriteError>,
) -> Result<(), RewriteError> {
    if let Some(loaded) = program.modules.get_mut(stage.module) {
        loaded.module = change(&loaded.module, stage.entry_index)?;
        loaded.source = None;
        loaded.includes.clear();
    }
    Ok(())
}
