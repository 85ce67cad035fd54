//! Slot assignments: what each channel of each slot carries, in one shape for the program as written, for our packing and
//! for every compiler, so that they can be drawn and written beside each other.

mod values;

use std::collections::BTreeMap;

use crate::layout::{DriverPlace, LayoutColumn, LayoutRule, LayoutTable, Reason};
use crate::{Link, Version};
use lanescope_base::text_format::counted;
use lanescope_passes::packing::{Packing, Place};

pub use values::{varyings_markdown, varyings_values};

/// One assignment of an interface's scalars to channels of slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotAssignment {
    /// Whose it is.
    pub by: AssignedBy,
    /// What each channel carries. A channel that is not here is not known to be empty where `unplaced` has an
    /// unattributed scalar.
    pub channels: BTreeMap<SlotChannel, Vec<Carried>>,
    /// The scalars without a channel, each with the reason.
    pub unplaced: Vec<Unplaced>,
    /// How many slots it has.
    pub slots: SlotCount,
}

/// Whose assignment it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignedBy {
    /// The program's own locations.
    Program,
    /// Our packing.
    Packing,
    /// Compilers that agree.
    Compilers {
        /// Chips or devices, with the driver where that distinguishes them.
        names: Vec<String>,
        /// What was compiled at once.
        link: Link,
    },
}

/// A channel of a slot, or a half of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotChannel {
    /// A location, an attribute or a slot, as its owner numbers them.
    pub slot: u32,
    /// 0 to 3.
    pub channel: u8,
    /// The high half.
    pub high: bool,
}

/// A scalar in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carried {
    /// Its index in [`Packing::map`].
    pub scalar: usize,
    /// The channel has a value that is computed from it.
    pub computed: bool,
}

/// A scalar without a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced {
    /// Its index in [`Packing::map`].
    pub scalar: usize,
    /// Why.
    pub rule: LayoutRule,
    /// Why its place is not known, where it is not.
    pub reason: Option<Reason>,
}

/// How many slots an assignment has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotCount {
    /// Slots that the consumer reads.
    pub read: u32,
    /// There may be more: a line of the assembly is not understood.
    pub at_least: bool,
    /// Slots that the stage before exports, where it says.
    pub exported: Option<u32>,
}

/// The assignments of a fragment shader's interface: as written, as packed, then one for the compilers that agree, in the
/// order of `tables`. A compiler's is that of the original program: of all stages together where it was compiled so.
pub fn assignments(packing: &Packing, tables: &[LayoutTable]) -> Vec<SlotAssignment> {
    let mut out = vec![
        ours(AssignedBy::Program, packing.slots.before, packing.map.iter().map(|mapping| mapping.from)),
        ours(AssignedBy::Packing, packing.slots.after, packing.map.iter().map(|mapping| mapping.to)),
    ];
    for table in tables.iter().filter(|table| is_of(table, packing)) {
        let Some(own) = compilers(table, tables) else { continue };
        // GFX11 exports nothing: that alone makes no other assignment.
        let alike = |other: &&mut SlotAssignment| {
            let same_count = (other.slots.read, other.slots.at_least) == (own.slots.read, own.slots.at_least);
            same_count && (&other.channels, &other.unplaced) == (&own.channels, &own.unplaced)
        };
        let same = out.iter_mut().filter(|other| other.link().is_some() && other.link() == own.link()).find(alike);
        match same {
            Some(same) => same.join(own),
            None => out.push(own),
        }
    }
    out
}

/// Whether a table's rows are the scalars of a packing: one that was saved may be of another program.
fn is_of(table: &LayoutTable, packing: &Packing) -> bool {
    let own = packing.map.iter().map(|mapping| (mapping.variable.as_str(), mapping.from));
    table.rows.iter().map(|row| (row.variable.as_str(), row.from)).eq(own)
}

fn ours(by: AssignedBy, read: u32, places: impl Iterator<Item = Place>) -> SlotAssignment {
    let mut channels: BTreeMap<SlotChannel, Vec<Carried>> = BTreeMap::new();
    for (scalar, place) in places.enumerate() {
        let at = SlotChannel { slot: place.location.0, channel: place.component.0, high: place.half };
        channels.entry(at).or_default().push(Carried { scalar, computed: false });
    }
    let slots = SlotCount { read, at_least: false, exported: None };
    SlotAssignment { by, channels, unplaced: Vec::new(), slots }
}

fn compilers(table: &LayoutTable, all: &[LayoutTable]) -> Option<SlotAssignment> {
    let (at, column) = shown(table)?;
    let mut channels: BTreeMap<SlotChannel, Vec<Carried>> = BTreeMap::new();
    let mut unplaced = Vec::new();
    for (scalar, row) in table.rows.iter().enumerate() {
        let place = row.driver.get(at)?;
        let computed = place.rule == Some(LayoutRule::Computed);
        for found in place.channels() {
            let high = place.high && Some(found.attribute) == place.attribute && Some(found.channel) == place.channel;
            let at = SlotChannel { slot: found.attribute, channel: found.channel, high };
            channels.entry(at).or_default().push(Carried { scalar, computed });
        }
        unplaced.extend(unplaced_of(scalar, place));
    }
    let by = AssignedBy::Compilers { names: vec![name(table, all)], link: column.link };
    let slots = SlotCount { read: column.attributes, at_least: column.at_least, exported: column.slots };
    Some(SlotAssignment { by, channels, unplaced, slots })
}

/// The chip with its driver's name, else the device; with the driver's version where others of the same chip are there.
fn name(table: &LayoutTable, all: &[LayoutTable]) -> String {
    let name = match table.target {
        Some(chip) => format!("{} {chip}", chip.driver()),
        None => table.device.clone(),
    };
    let several = all.iter().any(|other| other.place() == table.place() && other.driver != table.driver);
    if several { format!("{name} ({})", table.driver) } else { name }
}

/// The compilation of the original that is shown: the stages together before apart.
fn shown(table: &LayoutTable) -> Option<(usize, &LayoutColumn)> {
    let originals = table.columns.iter().enumerate().filter(|(_, column)| column.of == Version::Original);
    originals.max_by_key(|(_, column)| column.link == Link::Whole)
}

fn unplaced_of(scalar: usize, place: &DriverPlace) -> Option<Unplaced> {
    let rule = place.rule.filter(|_| place.attribute.is_none())?;
    Some(Unplaced { scalar, rule, reason: place.reason })
}

impl SlotAssignment {
    /// What was compiled at once; none of an assignment that is not a compiler's.
    pub fn link(&self) -> Option<Link> {
        match &self.by {
            AssignedBy::Compilers { link, .. } => Some(*link),
            AssignedBy::Program | AssignedBy::Packing => None,
        }
    }

    /// The title: the compilers' names, or what it is.
    pub fn title(&self, packing: &Packing) -> String {
        match &self.by {
            AssignedBy::Program => "original".to_owned(),
            AssignedBy::Packing if packing.fallback.is_some() => "Lanescope, renumbered".to_owned(),
            AssignedBy::Packing => "Lanescope, packed".to_owned(),
            AssignedBy::Compilers { names, .. } => names.join(", "),
        }
    }

    /// Slots read and exported, and whether the stages were compiled apart: `5 slots, 4 exported, compiled apart`.
    pub fn facts(&self) -> String {
        let SlotCount { read, at_least, exported } = self.slots;
        let what = if matches!(self.by, AssignedBy::Program) { "location" } else { "slot" };
        let mut facts = vec![format!("{}{}", if at_least { "at least " } else { "" }, counted(read, what))];
        facts.extend(exported.map(|count| format!("{count} exported")));
        facts.extend((self.link() == Some(Link::Apart)).then(|| "compiled apart".to_owned()));
        facts.join(", ")
    }

    /// The numbers of its slots, each once, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let mut last = None;
        self.channels.keys().map(|at| at.slot).filter(move |slot| last.replace(*slot) != Some(*slot))
    }

    /// The scalars without a channel, by rule and reason: their names, elements of one variable joined (`uv.xy`).
    pub fn unplaced_names(&self, packing: &Packing) -> Vec<(LayoutRule, Option<Reason>, Vec<String>)> {
        let mut out: Vec<(LayoutRule, Option<Reason>, Vec<(String, String)>)> = Vec::new();
        for one in &self.unplaced {
            let Some(mapping) = packing.map.get(one.scalar) else { continue };
            let (name, part) = ((*mapping.variable).to_owned(), mapping.part().to_string());
            let at = out.iter().position(|(rule, reason, _)| (*rule, *reason) == (one.rule, one.reason));
            let Some((.., names)) = at.and_then(|at| out.get_mut(at)) else {
                out.push((one.rule, one.reason, vec![(name, part)]));
                continue;
            };
            match names.last_mut() {
                Some((last, parts)) if *last == name && part.len() == 1 => parts.push_str(&part),
                _ => names.push((name, part)),
            }
        }
        let joined = |names: Vec<(String, String)>| names.into_iter().map(|(name, part)| format!("{name}.{part}"));
        out.into_iter().map(|(rule, reason, names)| (rule, reason, joined(names).collect())).collect()
    }

    fn join(&mut self, other: SlotAssignment) {
        if let (AssignedBy::Compilers { names, .. }, AssignedBy::Compilers { names: more, .. }) =
            (&mut self.by, other.by)
        {
            names.extend(more);
        }
        self.slots.exported = self.slots.exported.or(other.slots.exported);
    }
}

#[cfg(test)]
mod tests;
