//! Slots of the interface: as written, by each order, and at least.

use std::collections::BTreeSet;

use super::report::{SlotRow, SlotSheet, SlotsBy};
use lanescope_model::options::{Options, PackingOrder};
use lanescope_passes::packing::{Fallback, Linkage, Optimum, Packing};

/// The interface under all ways to give out slots.
pub(crate) struct Packings {
    /// As written: locations are only renumbered.
    pub original: Packing,
    /// Under the options.
    pub selected: Packing,
    /// Each order.
    pub orders: Vec<(PackingOrder, Packing)>,
    /// The least.
    pub optimum: Optimum,
}

impl Packings {
    pub fn of(linkage: &Linkage, options: &Options) -> Packings {
        let with = |order: PackingOrder, no_pack: bool| linkage.pack(&Options { order, no_pack, ..options.clone() });
        let mut optimum = linkage.optimum();
        let original = with(options.order, true);
        if !optimum.fixed {
            // They are numbered after all others.
            optimum.low += original.slots.per_primitive;
            optimum.high += original.slots.per_primitive;
        }
        Packings {
            original,
            selected: linkage.pack(options),
            orders: PackingOrder::ALL.iter().map(|order| (*order, with(*order, false))).collect(),
            optimum,
        }
    }
}

/// Slots of built-ins that there is one of for each vertex.
pub(crate) fn built_ins_of_vertex(packing: &Packing) -> u32 {
    let of_primitive =
        |slot: &&lanescope_passes::packing::BuiltInSlot| packing.is_after_mesh() && slot.built_in.is_of_primitive();
    packing.builtins.iter().filter(|slot| !of_primitive(slot)).count() as u32
}

/// Slots of a vertex, with built-ins, of so many slots of generic inputs.
pub(crate) fn of_vertex(packing: &Packing, generic: u32) -> u32 {
    generic.saturating_sub(packing.slots.per_primitive) + built_ins_of_vertex(packing)
}

impl SlotSheet {
    pub(crate) fn of(packings: &Packings, options: &Options) -> SlotSheet {
        let Packings { original, selected, orders, optimum } = packings;
        let is_packed = !options.no_pack;
        let row = |by: SlotsBy, generic: u32, mark: &'static str| SlotRow {
            by,
            order: None,
            selected: false,
            generic,
            at_most: None,
            built_ins: Some(original.builtins.len() as u32),
            of_vertex: Some(of_vertex(original, generic)),
            fallback: None,
            mark: mark.into(),
        };
        let mut rows = Vec::new();
        if original.producer.is_some() {
            let written = original.interface.iter().filter(|scalar| scalar.written && scalar.output_id.is_some());
            let written: BTreeSet<_> = written.map(|scalar| scalar.location).collect();
            let count = written.len() as u32;
            rows.push(SlotRow { built_ins: None, of_vertex: None, ..row(SlotsBy::Written, count, "C") });
        }
        rows.push(SlotRow { selected: !is_packed, ..row(SlotsBy::Original, original.slots.before, "C") });
        rows.extend(orders.iter().map(|(order, packing)| SlotRow {
            order: Some(*order),
            selected: is_packed && *order == options.order,
            fallback: packing.fallback,
            ..row(SlotsBy::Order, packing.slots.after, mark(*order))
        }));
        let least = SlotRow {
            at_most: (optimum.high > optimum.low).then_some(optimum.high),
            of_vertex: Some(of_vertex(original, optimum.high)),
            ..row(SlotsBy::Optimum, optimum.low, "C")
        };
        rows.push(least);
        SlotSheet { rows, optimum: optimum.clone(), sentence: sentence(selected, optimum, options) }
    }
}

/// Whose rule an order is.
fn mark(order: PackingOrder) -> &'static str {
    match order {
        PackingOrder::Llpc => "S, C",
        // The note's example and its key are printed; how they apply elsewhere is not.
        PackingOrder::DesignNote | PackingOrder::NoteUnion => "D, C, G",
    }
}

/// An order as a sentence names it.
fn name(order: PackingOrder) -> &'static str {
    match order {
        PackingOrder::Llpc => "LLPC",
        PackingOrder::DesignNote => "Design note",
        PackingOrder::NoteUnion => "Key of the note",
    }
}

/// The selected packing against the optimum.
fn sentence(selected: &Packing, optimum: &Optimum, options: &Options) -> String {
    let who = if options.no_pack { "Not packed" } else { name(options.order) };
    let taken = selected.slots.after;
    let least = if optimum.low == optimum.high {
        format!("optimum {}", optimum.low)
    } else {
        format!("optimum between {} and {}", optimum.low, optimum.high)
    };
    format!("{who} {taken}, {least}: {}", reason(selected, optimum, options.order))
}

fn reason(selected: &Packing, optimum: &Optimum, order: PackingOrder) -> String {
    if optimum.fixed {
        return "nothing is packed after a mesh shader".to_owned();
    }
    if selected.slots.after == optimum.high {
        return filling(optimum);
    }
    if let Some(fallback) = selected.fallback {
        return fallback_words(fallback).to_owned();
    }
    // The design note's order lets flat scalars of both widths share.
    let shares = order == PackingOrder::DesignNote;
    let mut alone = Vec::new();
    for set in optimum.sets.iter().filter(|_| !shares) {
        let apart: u32 = set.classes.iter().map(|class| class.slots).sum();
        if apart > set.slots {
            alone.extend(
                set.classes.iter().skip(1).map(|class| format!("class {} starts a slot of its own", class.class)),
            );
        }
    }
    let mut seen = BTreeSet::new();
    let is_read_twice = selected.map.iter().any(|row| !seen.insert(row.from));
    match alone.is_empty() {
        true if is_read_twice => "a scalar is read in several classes, and each takes a place".to_owned(),
        true => "the order takes more slots than the components need".to_owned(),
        false => alone.join(", "),
    }
}

/// How the slots of the optimum are filled.
fn filling(optimum: &Optimum) -> String {
    let set = |set: &lanescope_passes::packing::SharingSet| {
        let classes: Vec<&str> = set.classes.iter().map(|class| &*class.class).collect();
        let free = match set.free() {
            0 => "no component free".to_owned(),
            1 => "1 component free".to_owned(),
            free => format!("{free} components free"),
        };
        format!("{} takes {} with {free}", classes.join(" and "), set.slots)
    };
    match optimum.sets.as_slice() {
        [] => "no generic input is read".to_owned(),
        [one] => set(one),
        many => {
            let many: Vec<String> = many.iter().map(set).collect();
            format!("{}; these classes cannot share a slot", many.join(", "))
        }
    }
}

/// Why locations are only renumbered.
pub(crate) fn fallback_words(fallback: Fallback) -> &'static str {
    match fallback {
        Fallback::DynamicIndex => "an input is indexed at run time, so that locations are only renumbered",
        Fallback::Option => "packing is switched off",
        Fallback::Mesh => "nothing is packed after a mesh shader",
        Fallback::TransformFeedback => "transform feedback is done in software, so that locations are only renumbered",
        Fallback::Tessellation => "nothing is packed between tessellation stages",
    }
}
