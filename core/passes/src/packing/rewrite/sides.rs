//! The variables of one side of an interface: which leave it, which stay, and whether all is packed already.

use std::collections::{BTreeMap, BTreeSet};

use super::map::KeptOutput;
use super::plan::{self, Carrier, Mode, PackedVariable, Part, Slot};
use super::{RewriteError, values};
use crate::packing::Place;
use crate::packing::interface::{Interface, MAX_LOCATIONS, Scalar};
use crate::packing::link::Producer;
use lanescope_base::ids::{Id, Location};
use lanescope_model::program::Stage;
use lanescope_spirv::Module;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::Decoration;

/// A variable that leaves the interface.
#[derive(Debug, Clone)]
pub(super) struct Moved {
    pub id: Id,
    pub name: String,
    /// Of one vertex.
    pub ty: Id,
    /// The size of its outermost dimension, where that is the vertex.
    pub vertices: Option<u32>,
}

/// The variables that have locations.
pub(super) fn generic(interface: &Interface) -> Vec<Moved> {
    let with_scalars: BTreeSet<usize> = interface.scalars.iter().map(|scalar| scalar.variable).collect();
    with_scalars.into_iter().map(|index| moved(interface, index)).collect()
}

pub(super) fn moved(interface: &Interface, index: usize) -> Moved {
    let variable = &interface.variables[index];
    let name = interface.scalars.iter().find(|scalar| scalar.variable == index).map(Scalar::variable_name);
    Moved {
        id: variable.id,
        name: name.unwrap_or_default().to_owned(),
        ty: variable.element,
        vertices: variable.vertices,
    }
}

/// Whether one of the variables that leave is decorated with Sample, and none in their place is.
pub(super) fn loses_sample(interface: &Interface, moved: &[Moved], variables: &[PackedVariable]) -> bool {
    let leaves = |scalar: &&Scalar| moved.iter().any(|moved| moved.id == interface.variables[scalar.variable].id);
    !variables.iter().any(|variable| variable.mode.sample)
        && interface.scalars.iter().filter(|scalar| scalar.sample).any(|scalar| leaves(&scalar))
}

/// Outputs with locations: those that keep their variable, and those that do not.
pub(super) fn outputs(producer: &Producer) -> (Vec<Moved>, Vec<Moved>) {
    let interface = &producer.interface;
    let stays = |id: Id| {
        let of = |index: usize| interface.variables[index].id == id;
        let stays = |scalar: &Scalar| scalar.captured || scalar.stream != producer.raster_stream;
        interface.scalars.iter().any(|scalar| of(scalar.variable) && stays(scalar))
    };
    generic(interface).into_iter().partition(|moved| stays(moved.id))
}

/// The locations of a variable: its first, and the one after its last.
pub(super) fn extent(interface: &Interface, id: Id) -> (u32, u32) {
    let of = interface.scalars.iter().filter(|scalar| interface.variables[scalar.variable].id == id);
    let locations = of.map(|scalar| scalar.place.location.0);
    locations.fold((u32::MAX, 0), |(low, high), location| (low.min(location), high.max(location + 1)))
}

/// Outputs that stay, with the way to locations that the packed ones leave free: none where theirs are free.
pub(super) fn relocate(stay: Vec<Moved>, interface: &Interface, carrier: &Carrier) -> Vec<(Moved, i64)> {
    let taken: BTreeSet<u32> = carrier.variables.iter().map(|variable| variable.location).collect();
    let collides = |moved: &Moved| {
        let (start, end) = extent(interface, moved.id);
        taken.range(start..end.max(start)).next().is_some()
    };
    let settled = stay.iter().filter(|moved| !collides(moved)).map(|moved| extent(interface, moved.id).1);
    let mut next = settled.max().unwrap_or(0).max(carrier.end());
    // Variables that share locations move together.
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

/// Whether what is packed, and what moves out of its way, has locations that devices offer (or that the interface uses
/// already).
pub(super) fn check_room(stay: &[(Moved, i64)], interface: &Interface, carrier: &Carrier) -> Result<(), RewriteError> {
    let used = interface.scalars.iter().map(|scalar| scalar.place.location.0 + 1).max().unwrap_or(0);
    let limit = used.max(MAX_LOCATIONS);
    let last = carrier.end().saturating_sub(1);
    if last >= limit {
        return Err(RewriteError::NoRoom { variable: format!("packed{last}"), location: last });
    }
    for (moved, by) in stay.iter().filter(|(_, by)| *by != 0) {
        let end = i64::from(extent(interface, moved.id).1) + by;
        if end > i64::from(limit) {
            let location = u32::try_from(end - 1).unwrap_or(u32::MAX);
            return Err(RewriteError::NoRoom { variable: moved.name.clone(), location });
        }
    }
    Ok(())
}

pub(super) fn kept_output(output: &Moved, interface: &Interface, by: i64) -> KeptOutput {
    let from = extent(interface, output.id).0;
    let to = u32::try_from(i64::from(from) + by).unwrap_or(from);
    KeptOutput { variable: output.name.clone(), variable_id: output.id, from: Location(from), to: Location(to) }
}

/// The interface less variables that stay.
pub(super) fn without(interface: &Interface, stay: &[(Moved, i64)]) -> Interface {
    let mut out = interface.clone();
    let stays = |index: usize| stay.iter().any(|(moved, _)| moved.id == interface.variables[index].id);
    out.scalars.retain(|scalar| !stays(scalar.variable));
    out
}

/// Whether each part of the outputs is where its component of a packed variable is: variables that are all alike may
/// only have changed places.
pub(super) fn stands(interface: &Interface, variables: &[PackedVariable], parts: &BTreeMap<Slot, Part>) -> bool {
    let places: BTreeMap<Part, Place> = plan::parts(interface).map(|(part, scalar)| (part, scalar.place)).collect();
    parts.iter().all(|((index, offset), part)| {
        let place = places.get(part).map(|place| (place.location.0, u32::from(place.component.0)));
        variables.get(*index).map(|variable| (variable.location, variable.component + offset)) == place
    })
}

/// Whether an interface consists of exactly these variables already.
pub(super) fn is_packed(interface: &Interface, module: &Module, wanted: &[PackedVariable], with_mode: bool) -> bool {
    let as_packed = |moved: &Moved| {
        let scalar = interface.scalars.iter().find(|s| interface.variables[s.variable].id == moved.id)?;
        let component = match module.ty(moved.ty)? {
            lanescope_spirv::Type::Vector { component, .. } => component,
            _ => moved.ty,
        };
        let base = values::base_of(module, component)?;
        let count = match module.ty(moved.ty)? {
            lanescope_spirv::Type::Vector { count, .. } => count,
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

pub(super) fn check_shared(module: &Module, stage: &Stage, moved: &[Moved]) -> Result<(), RewriteError> {
    let others = module.entry_points().iter().enumerate().filter(|(index, _)| *index != stage.entry_index);
    for (_, other) in others {
        if let Some(shared) = moved.iter().find(|moved| other.interface.contains(&moved.id)) {
            let (variable, entry) = (shared.name.clone(), other.name.clone());
            return Err(RewriteError::SharedEntry { variable, entry });
        }
    }
    Ok(())
}

/// Location, component and name of a packed variable.
pub(super) fn decorate(editor: &mut Editor<'_>, id: Id, prefix: &str, packed: &PackedVariable) {
    let PackedVariable { location, component, .. } = *packed;
    let component_name = if component == 0 { String::new() } else { format!("_{component}") };
    editor.name(id, &format!("{prefix}{location}{component_name}"));
    editor.decorate(id, Decoration::Location, &[location]);
    if component != 0 {
        editor.decorate(id, Decoration::Component, &[component]);
    }
}
