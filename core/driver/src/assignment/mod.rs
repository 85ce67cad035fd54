//! Slot assignments: what each channel of each slot carries, in one shape for the program as written, for our packing and
//! for every compiler, so that they can be drawn and written beside each other.

mod values;

use std::collections::BTreeMap;
use std::fmt;

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

/// Scalars without a channel for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnplacedNames {
    /// Why they have none.
    pub rule: LayoutRule,
    /// Why their places are not known, where they are not.
    pub reason: Option<Reason>,
    /// The scalars, those of one variable in a row joined.
    pub scalars: Vec<Parts>,
}

/// Scalars of one variable: `uv.xy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The variable.
    pub variable: String,
    /// Letters of its components.
    pub parts: String,
}

/// How many slots an assignment has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotCount {
    /// Slots that the consumer reads.
    pub read: u32,
    /// There may be more: a line of the assembly is not understood.
    pub at_least: bool,
    /// Slots that the stage before exports, where it says; of several compilers, where all say.
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
            let same_read = (other.slots.read, other.slots.at_least) == (own.slots.read, own.slots.at_least);
            let same_exported = other.slots.exported.zip(own.slots.exported).is_none_or(|(a, b)| a == b);
            same_read && same_exported && (&other.channels, &other.unplaced) == (&own.channels, &own.unplaced)
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

    /// The scalars without a channel, by rule and reason.
    pub fn unplaced_names(&self, packing: &Packing) -> Vec<UnplacedNames> {
        let mut out: Vec<UnplacedNames> = Vec::new();
        for &Unplaced { scalar, rule, reason } in &self.unplaced {
            let Some(mapping) = packing.map.get(scalar) else { continue };
            let own = Parts { variable: (*mapping.variable).to_owned(), parts: mapping.part().to_string() };
            let Some(group) = out.iter_mut().find(|group| (group.rule, group.reason) == (rule, reason)) else {
                out.push(UnplacedNames { rule, reason, scalars: vec![own] });
                continue;
            };
            match group.scalars.last_mut() {
                Some(last) if last.variable == own.variable && own.parts.len() == 1 => last.parts.push_str(&own.parts),
                _ => group.scalars.push(own),
            }
        }
        out
    }

    fn join(&mut self, other: SlotAssignment) {
        if let (AssignedBy::Compilers { names, .. }, AssignedBy::Compilers { names: more, .. }) =
            (&mut self.by, other.by)
        {
            names.extend(more);
        }
        // What one of them does not say is not said of all.
        self.slots.exported = self.slots.exported.filter(|_| other.slots.exported.is_some());
    }
}

impl UnplacedNames {
    /// Rule, reason and scalars: `constant: uv.xy, light.x`.
    pub fn text(&self) -> String {
        let why = self.reason.map(|reason| format!(", {reason}")).unwrap_or_default();
        let names: Vec<String> = self.scalars.iter().map(Parts::to_string).collect();
        format!("{}{why}: {}", self.rule, names.join(", "))
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.variable, self.parts)
    }
}

#[cfg(test)]
mod tests;
