//! The packed modules: SPIR-V in which the packing is done, for Vulkan to run.
//!
//! ```text
//! Program ──widen?──▶ Program ──Linkage──▶ Packing (the hardware's) ──plan──▶ packed variables ──▶ both modules
//! ```
//!
//! * `plan`: which packed variables there are, and what travels in each of their components.
//! * `consumer`: every fragment input becomes private to the invocation and is filled from the packed inputs at the
//!   entry point's start; interpolation functions are redirected to the packed inputs.
//! * `producer`: every output becomes private and is written as whole packed vectors at each return (in geometry
//!   shaders, before each vertex is emitted). Captured outputs stay as they are.
//! * `widen`: 8- and 16-bit varyings as 32-bit ones, converted at both ends.
//! * `mesh`: behind a mesh shader, only the locations' numbers.
//! * `values`: vectors and scalars of types, and what travels of them.
//!
//! Vulkan cannot say all that the hardware does: [`Map`] lists what stands at the hardware's place and what does not.

mod consumer;
mod mesh;
mod plan;
mod producer;
#[cfg(test)]
mod tests;
mod values;
mod widen;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::interface::Interface;
use super::link::Linkage;
use super::{At, Dropped, Interpolation, Missing, Packing, Place};
use crate::ids::{Component, Id, Location};
use crate::liveness::Stages;
use crate::options::{Options, PackingOrder, ProducerChoice, named_enum};
use crate::program::{Program, Stage, StageKind};
use crate::spirv::edit::{Editor, Escape};
use crate::spirv::enums::Decoration;
use crate::spirv::{Module, ParseError};
use plan::{Mode, PackedVariable, Plan};

/// A program with its interface packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rewritten {
    /// The packed program. The modules of other stages are the ones that were given (with the options' specialization
    /// constants set: what is used depends on them).
    pub program: Program,
    /// The program to compare it with where varyings were widened: as given, with the same widening.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub widened: Option<Program>,
    /// What was done.
    pub map: Map,
}

/// What a rewrite did: plain data, without modules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// The stage before the fragment shader, if it was loaded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub producer: Option<StageKind>,
    /// The order that was used.
    pub order: PackingOrder,
    /// 8- and 16-bit varyings travel as 32-bit ones.
    pub widened: bool,
    /// Stages whose module differs from the given one.
    pub changed: Vec<StageKind>,
    /// Attribute slots of generic inputs.
    pub slots: RewrittenSlots,
    /// The interface as rewritten.
    pub variables: Vec<RewrittenVariable>,
    /// Scalars that stand where the hardware packing puts them, by original place.
    pub carried: Vec<Carried>,
    /// Scalars that do not, by original place.
    pub not_carried: Vec<NotCarried>,
    /// Outputs that keep their own variable, because transform feedback captures them or another stream has them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub kept: Vec<KeptOutput>,
    /// Outputs that are gone.
    pub dropped: Vec<Dropped>,
    /// Inputs that nobody writes: undefined before and after.
    pub missing: Vec<Missing>,
}

/// Counts of attribute slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewrittenSlots {
    /// As written.
    pub before: u32,
    /// Under the hardware's packing.
    pub hardware: u32,
    /// In the rewritten modules.
    pub after: u32,
}

/// A variable of the rewritten interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewrittenVariable {
    /// Its location.
    pub location: Location,
    /// Its first component.
    pub component: Component,
    /// How many components it has.
    pub components: u32,
    /// The type of a component: `float32`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// Where it is evaluated, interpolation functions apart.
    pub at: At,
}

/// A scalar that stands where the hardware packing puts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Its variable's name in the fragment shader, with member, element or column where there is one.
    pub variable: String,
    /// The variable's id in the fragment shader.
    pub variable_id: Id,
    /// As written.
    pub from: Place,
    /// After packing.
    pub to: Place,
}

/// A scalar that stands elsewhere than the hardware packing puts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCarried {
    /// Its variable's name in the fragment shader, with member, element or column where there is one.
    pub variable: String,
    /// The variable's id in the fragment shader.
    pub variable_id: Id,
    /// As written.
    pub from: Place,
    /// Where the hardware packing puts it.
    pub hardware: Place,
    /// Where the rewritten modules put it.
    pub rewritten: Place,
    /// Why not where the hardware packing does.
    pub why: Why,
}

named_enum!(
    /// Why a scalar does not stand where the hardware packing puts it.
    Why {
        /// A 16-bit value takes a half in hardware, and a whole component in Vulkan.
        Half = "half-component",
        /// An 8- or 16-bit value travels as 32 bits.
        Widened = "widened",
        /// Its location mixes interpolation qualifiers, which Vulkan keeps apart.
        Interpolation = "mixed-interpolation",
        /// Its location mixes widths, which Vulkan keeps apart.
        Width = "mixed-width",
        /// Nothing of its own: it follows others that stand elsewhere.
        Follows = "follows-others",
        /// Behind a mesh shader variables are renumbered whole.
        WholeVariable = "whole-variable",
    }
);

/// An output that keeps its own variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptOutput {
    /// Its name.
    pub variable: String,
    /// Its id.
    pub variable_id: Id,
    /// Its first location as written.
    pub from: Location,
    /// Its first location now: behind the packed ones where those need its own.
    pub to: Location,
}

/// Why a program cannot be rewritten. It is untouched, and still runs as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// There is no fragment shader, so nothing is packed.
    #[error("there is no fragment shader whose inputs could be packed")]
    NoFragment,
    /// A value that does not fit its specialization constant.
    #[error("{0}")]
    Spec(String),
    /// An instruction that cannot be taken along.
    #[error("{0}")]
    Instruction(#[from] Escape),
    /// An instruction without grammar, which may use any variable.
    #[error("{stage} shader, instruction #{instruction}: it has no grammar here and may use any varying")]
    Opaque {
        /// The stage.
        stage: StageKind,
        /// Index of the instruction.
        instruction: u32,
    },
    /// A variable whose type has no place in a packed interface.
    #[error("{variable}: its type holds pointers, mixes built-ins with varyings, or is too large to be taken apart")]
    Type {
        /// Its name.
        variable: String,
    },
    /// A variable that another entry point uses too.
    #[error("{variable} belongs to the entry point {entry} too, which stays as it is")]
    SharedEntry {
        /// The variable's name.
        variable: String,
        /// The other entry point.
        entry: String,
    },
    /// A per-primitive input, and no mesh shader that would write it.
    #[error("{variable} is one value a primitive: load the mesh shader that writes it too")]
    NoMesh {
        /// Its name.
        variable: String,
    },
    /// A narrow output that transform feedback captures as it is.
    #[error("{variable} is captured by transform feedback in its own width, so it cannot be widened")]
    Captured {
        /// Its name.
        variable: String,
    },
    /// The changed module has more ids than SPIR-V allows.
    #[error("the rewritten module is no module: {0}")]
    Module(#[from] ParseError),
}

/// A variable that leaves the interface.
#[derive(Debug, Clone)]
struct Moved {
    id: Id,
    name: String,
    /// Of one vertex.
    ty: Id,
    /// The size of its outermost dimension, where that is the vertex.
    vertices: Option<u32>,
}

/// How packed variables are named: this, and the location.
const PACKED: &str = "packed";

/// Packs the interface of a program's fragment shader, in it and in the stage before.
///
/// A program that is packed already comes back as it was (but for the design note's order and dynamic indices: those
/// are no longer into inputs, so that a second rewrite packs what the first one only renumbered). Fails, and names the instruction or the variable, where the
/// interface is used in a way that cannot be taken along.
pub fn rewrite(program: &Program, options: &Options) -> Result<Rewritten, RewriteError> {
    let given = crate::analyse::specialised(program, options).map_err(|e| RewriteError::Spec(e.to_string()))?;
    let hardware = hardware(&given, options)?;
    let widened = if options.widen { widen::widen(&given)? } else { None };
    let base = widened.as_ref().unwrap_or(&given);
    check_opaque(base)?;
    let (program, mut map) = if hardware.producer == Some(StageKind::Mesh) {
        mesh::renumber(base, &linkage(base)?, &hardware)?
    } else {
        packed(base, &linkage(base)?, &hardware)?
    };
    map.widened = widened.is_some();
    map.changed = changed(&given, &program);
    Ok(Rewritten { program, widened, map })
}

/// The interface between the stages that were loaded: both are rewritten, whatever the map takes into account.
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
    let variable = lost.name.clone();
    Err(if lost.per_primitive { RewriteError::NoMesh { variable } } else { RewriteError::Type { variable } })
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

/// The stages whose module is not the one that was given.
fn changed(given: &Program, now: &Program) -> Vec<StageKind> {
    let differs = |stage: &&Stage| given.module_of(stage) != now.module_of(stage);
    given.stages.iter().filter(differs).map(|stage| stage.stage).collect()
}

/// The packed program of any stage before but a mesh shader.
fn packed(program: &Program, linkage: &Linkage, hardware: &Packing) -> Result<(Program, Map), RewriteError> {
    let plan = Plan::of(linkage, hardware);
    let mut out = program.clone();
    let moved = generic(&linkage.consumer.interface);
    if let Some(stage) = program.stage(StageKind::Fragment)
        && !is_packed(&linkage.consumer.interface, program.module_of(stage), &plan.variables, true)
    {
        check_shared(program.module_of(stage), stage, &moved)?;
        let inputs = consumer::Inputs {
            prefix: PACKED,
            moved: &moved,
            variables: &plan.variables,
            slots: &plan.of_inputs(linkage),
        };
        replace(&mut out, stage, |module, entry| consumer::rewrite(module, entry, &inputs))?;
    }
    let mut kept = Vec::new();
    if let Some(producer) = &linkage.producer
        && let Some(stage) = program.stage(producer.stage)
    {
        let parts = plan.of_outputs(linkage);
        let (stay, moved) = outputs(&producer.interface);
        let stay = relocate(stay, &producer.interface, &plan);
        kept = stay.iter().map(|(output, by)| kept_output(output, &producer.interface, *by)).collect();
        let written: Vec<PackedVariable> = (plan.variables.iter().enumerate())
            .filter(|(index, v)| (0..v.count).any(|component| parts.contains_key(&(*index, component))))
            .map(|(_, variable)| *variable)
            .collect();
        let is_done = is_packed(&without(&producer.interface, &stay), program.module_of(stage), &written, false);
        if !is_done || stay.iter().any(|(_, by)| *by != 0) {
            check_shared(program.module_of(stage), stage, &moved)?;
            let outputs = producer::Outputs {
                prefix: PACKED,
                stage: producer.stage,
                moved: &moved,
                kept: &stay,
                variables: &plan.variables,
                parts: &parts,
            };
            replace(&mut out, stage, |module, entry| producer::rewrite(module, entry, &outputs))?;
        }
    }
    Ok((out, report(&plan, hardware, kept)))
}

/// The variables that have locations.
fn generic(interface: &Interface) -> Vec<Moved> {
    let with_scalars: BTreeSet<usize> = interface.scalars.iter().map(|scalar| scalar.variable).collect();
    with_scalars.into_iter().map(|index| moved(interface, index)).collect()
}

fn moved(interface: &Interface, index: usize) -> Moved {
    let variable = &interface.variables[index];
    let name = interface.scalars.iter().find(|scalar| scalar.variable == index).map(|scalar| scalar.name.as_str());
    Moved {
        id: variable.id,
        name: name.and_then(|name| name.split(['.', '[']).next()).unwrap_or_default().to_owned(),
        ty: variable.element,
        vertices: variable.vertices,
    }
}

/// Outputs with locations: those that keep their variable, and those that do not.
fn outputs(interface: &Interface) -> (Vec<Moved>, Vec<Moved>) {
    let stays = |id: Id| {
        let of = |index: usize| interface.variables[index].id == id;
        interface.scalars.iter().any(|scalar| of(scalar.variable) && (scalar.captured || scalar.stream != 0))
    };
    generic(interface).into_iter().partition(|moved| stays(moved.id))
}

/// The locations of a variable: its first, and the one behind its last.
fn extent(interface: &Interface, id: Id) -> (u32, u32) {
    let of = interface.scalars.iter().filter(|scalar| interface.variables[scalar.variable].id == id);
    let locations = of.map(|scalar| scalar.place.location.0);
    locations.fold((u32::MAX, 0), |(low, high), location| (low.min(location), high.max(location + 1)))
}

/// Outputs that stay, with the way to locations that the packed ones leave free: none where theirs are free.
fn relocate(stay: Vec<Moved>, interface: &Interface, plan: &Plan) -> Vec<(Moved, i64)> {
    let taken: BTreeSet<u32> = plan.variables.iter().map(|variable| variable.location).collect();
    let collides = |moved: &Moved| {
        let (start, end) = extent(interface, moved.id);
        taken.range(start..end.max(start)).next().is_some()
    };
    let settled = stay.iter().filter(|moved| !collides(moved)).map(|moved| extent(interface, moved.id).1);
    let mut next = settled.max().unwrap_or(0).max(plan.end());
    // What shares locations moves together.
    let mut homes: BTreeMap<u32, i64> = BTreeMap::new();
    let mut out = Vec::new();
    let mut sorted = stay;
    sorted.sort_by_key(|moved| (extent(interface, moved.id), moved.id));
    for moved in sorted {
        let (start, end) = extent(interface, moved.id);
        let by = match homes.get(&start) {
            Some(by) => *by,
            None if !collides(&moved) => 0,
            None => i64::from(next) - i64::from(start),
        };
        if by != 0 {
            homes.insert(start, by);
            next = next.max(u32::try_from(i64::from(end) + by).unwrap_or(next));
        }
        out.push((moved, by));
    }
    out
}

fn kept_output(output: &Moved, interface: &Interface, by: i64) -> KeptOutput {
    let from = extent(interface, output.id).0;
    let to = u32::try_from(i64::from(from) + by).unwrap_or(from);
    KeptOutput { variable: output.name.clone(), variable_id: output.id, from: Location(from), to: Location(to) }
}

/// The interface less variables that stay.
fn without(interface: &Interface, stay: &[(Moved, i64)]) -> Interface {
    let mut out = interface.clone();
    let stays = |index: usize| stay.iter().any(|(moved, _)| moved.id == interface.variables[index].id);
    out.scalars.retain(|scalar| !stays(scalar.variable));
    out
}

/// Whether an interface consists of exactly these variables already.
fn is_packed(interface: &Interface, module: &Module, wanted: &[PackedVariable], with_mode: bool) -> bool {
    let as_packed = |moved: &Moved| {
        let scalar = interface.scalars.iter().find(|s| interface.variables[s.variable].id == moved.id)?;
        let component = match module.ty(moved.ty)? {
            crate::spirv::Type::Vector { component, .. } => component,
            _ => moved.ty,
        };
        let base = values::base_of(module, component)?;
        let count = match module.ty(moved.ty)? {
            crate::spirv::Type::Vector { count, .. } => count,
            _ => 1,
        };
        let mode = plan::mode(interface, scalar);
        let (location, component) = (scalar.place.location.0, u32::from(scalar.place.component.0));
        Some(PackedVariable { location, component, count, base, mode })
    };
    let plain = |variable: PackedVariable| match with_mode {
        true => variable,
        false => PackedVariable { mode: Mode::ANY, ..variable },
    };
    let found: Option<Vec<PackedVariable>> =
        generic(interface).iter().map(|moved| Some(plain(as_packed(moved)?))).collect();
    let Some(mut found) = found else { return false };
    let mut wanted: Vec<PackedVariable> = wanted.iter().copied().map(plain).collect();
    found.sort();
    wanted.sort();
    found == wanted
}

fn check_shared(module: &Module, stage: &Stage, moved: &[Moved]) -> Result<(), RewriteError> {
    let others = module.entry_points().iter().enumerate().filter(|(index, _)| *index != stage.entry_index);
    for (_, other) in others {
        if let Some(shared) = moved.iter().find(|moved| other.interface.contains(&moved.id)) {
            let (variable, entry) = (shared.name.clone(), other.name.clone());
            return Err(RewriteError::SharedEntry { variable, entry });
        }
    }
    Ok(())
}

/// Puts a changed module in the place of a stage's. Its source text is no longer what it was made of.
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

/// Location, component and name of a packed variable.
fn decorate(editor: &mut Editor<'_>, id: Id, prefix: &str, packed: &PackedVariable) {
    let PackedVariable { location, component, .. } = *packed;
    let component_name = if component == 0 { String::new() } else { format!("_{component}") };
    editor.name(id, &format!("{prefix}{location}{component_name}"));
    editor.decorate(id, Decoration::Location, &[location]);
    if component != 0 {
        editor.decorate(id, Decoration::Component, &[component]);
    }
}

fn report(plan: &Plan, hardware: &Packing, kept: Vec<KeptOutput>) -> Map {
    let (mut carried, mut not_carried) = (Vec::new(), Vec::new());
    for item in &plan.items {
        let plan::Item { variable, variable_id, from, hardware, to, .. } = item.clone();
        match plan.why(item) {
            None => carried.push(Carried { variable, variable_id, from, to }),
            Some(why) => not_carried.push(NotCarried { variable, variable_id, from, hardware, rewritten: to, why }),
        }
    }
    carried.sort_by_key(|row| row.from);
    not_carried.sort_by_key(|row| row.from);
    Map {
        producer: hardware.producer,
        order: hardware.order,
        widened: false,
        changed: Vec::new(),
        slots: RewrittenSlots {
            before: hardware.slots.before,
            hardware: hardware.slots.after,
            after: plan.locations(),
        },
        variables: plan.variables.iter().map(described).collect(),
        carried,
        not_carried,
        kept,
        dropped: hardware.dropped.clone(),
        missing: hardware.missing.clone(),
    }
}

fn described(variable: &PackedVariable) -> RewrittenVariable {
    let PackedVariable { location, component, count, base, mode } = *variable;
    RewrittenVariable {
        location: Location(location),
        component: Component(component as u8),
        components: count,
        type_name: base.name(),
        interpolation: mode.interpolation,
        at: match mode {
            Mode { sample: true, .. } => At::Sample,
            Mode { centroid: true, .. } => At::Centroid,
            _ => At::Center,
        },
    }
}
