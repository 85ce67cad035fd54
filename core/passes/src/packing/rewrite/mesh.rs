//! After a mesh shader: locations get other numbers, variables stay whole, nothing is dropped.

use std::collections::BTreeMap;

use super::map::{Carried, Map, NotCarried, RewrittenSlots, Why};
use super::sides::{Moved, check_shared, extent, generic};
use super::{RewriteError, replace};
use crate::packing::interface::Interface;
use crate::packing::link::Linkage;
use crate::packing::{Packing, Place};
use lanescope_base::ids::{Id, Location};
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::edit::Editor;

/// Locations that move together: from the first to the one after the last.
struct Run {
    start: u32,
    end: u32,
    /// Read and per vertex, read and per primitive, or not read.
    rank: u32,
}

/// Renumbers the interface of a program: read per-vertex locations, read per-primitive ones, then the rest.
pub(super) fn renumber(out: &mut Program, linkage: &Linkage, hardware: &Packing) -> Result<Map, RewriteError> {
    let consumer = &linkage.consumer.interface;
    let runs = runs(linkage);
    let mut homes: BTreeMap<u32, i64> = BTreeMap::new();
    let mut next = 0u32;
    let mut after = 0;
    for run in &runs {
        homes.insert(run.start, i64::from(next) - i64::from(run.start));
        next = next.saturating_add(run.end - run.start);
        after = if run.rank < UNREAD { next } else { after };
    }
    let by = |location: u32| homes.range(..=location).next_back().map_or(0, |(_, by)| *by);
    let mut sides = vec![(StageKind::Fragment, consumer)];
    sides.extend(linkage.producer.as_ref().map(|producer| (producer.stage, &producer.interface)));
    for (kind, interface) in sides {
        let Some(stage) = out.stage(kind).cloned() else { continue };
        let moves: Vec<(Moved, i64)> = generic(interface)
            .into_iter()
            .map(|moved| (extent(interface, moved.id).0, moved))
            .map(|(start, moved)| (moved, by(start)))
            .filter(|(_, by)| *by != 0)
            .collect();
        if moves.is_empty() {
            continue;
        }
        let only: Vec<Moved> = moves.iter().map(|(moved, _)| moved.clone()).collect();
        check_shared(out.module_of(&stage), &stage, &only)?;
        replace(out, &stage, |module, _| {
            let mut editor = Editor::new(module);
            moves.iter().for_each(|(moved, by)| editor.move_locations(moved.id, *by));
            Ok(editor.finish()?)
        })?;
    }
    let (mut carried, mut not_carried) = (Vec::new(), Vec::new());
    for row in &hardware.map {
        let (variable, variable_id, from) = ((*row.variable).to_owned(), row.variable_id, row.from);
        let location = i64::from(from.location.0) + by(from.location.0);
        let to = Place { location: Location(u32::try_from(location).unwrap_or_default()), ..from };
        // The hardware's built-ins have no location in the module.
        let between = if row.per_primitive { linkage.builtins_of_vertices() } else { 0 };
        if (Place { location: Location(to.location.0.saturating_add(between)), ..to }) == row.to {
            carried.push(Carried { variable, variable_id, from, to });
        } else {
            let (hardware, why) = (row.to, Why::WholeVariable);
            not_carried.push(NotCarried { variable, variable_id, from, hardware, rewritten: to, why });
        }
    }
    Ok(Map {
        producer: hardware.producer,
        consumer: hardware.consumer,
        order: hardware.order,
        widened: false,
        changed: Vec::new(),
        slots: RewrittenSlots { before: hardware.slots.before, hardware: hardware.slots.after, after },
        variables: Vec::new(),
        carried,
        not_carried,
        kept: Vec::new(),
        // Nothing is dropped: unread outputs move to the end.
        dropped: Vec::new(),
        missing: hardware.missing.clone(),
    })
}

const UNREAD: u32 = 2;

/// Runs of locations that variables of either side overlap in, in the order of their new numbers.
fn runs(linkage: &Linkage) -> Vec<Run> {
    let consumer = &linkage.consumer.interface;
    let read: Vec<Id> = linkage.used().map(|scalar| consumer.variables[scalar.variable].id).collect();
    let rank = |id: Id| {
        let per_primitive = consumer.scalars.iter().find(|s| consumer.variables[s.variable].id == id);
        match per_primitive.is_some_and(|scalar| scalar.per_primitive) {
            _ if !read.contains(&id) => UNREAD,
            true => 1,
            false => 0,
        }
    };
    let mut found: Vec<Run> = Vec::new();
    let mut add = |interface: &Interface, rank: &dyn Fn(Id) -> u32| {
        for moved in generic(interface) {
            let (start, end) = extent(interface, moved.id);
            found.push(Run { start, end: end.max(start), rank: rank(moved.id) });
        }
    };
    add(consumer, &rank);
    if let Some(producer) = &linkage.producer {
        add(&producer.interface, &|_| UNREAD);
    }
    found.sort_by_key(|run| run.start);
    let mut joined: Vec<Run> = Vec::new();
    for run in found {
        match joined.last_mut().filter(|last| run.start < last.end) {
            Some(last) => {
                last.end = last.end.max(run.end);
                last.rank = last.rank.min(run.rank);
            }
            None => joined.push(run),
        }
    }
    joined.sort_by_key(|run| (run.rank, run.start));
    joined
}
