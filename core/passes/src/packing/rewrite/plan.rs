//! Which packed variables carry the interface, and which scalar is passed in which component.
//!
//! The hardware's map gives the order of scalars. Vulkan lets variables share a location only if they are
//! interpolated alike and are of one width and kind of number, and gives a 16-bit value a whole component; so scalars
//! are grouped by what may share, and each group fills locations of its own, in the hardware's order. Where one group
//! makes up a class (the usual case) every place is the hardware's.

use std::collections::{BTreeMap, BTreeSet};

use super::super::interface::{Interface, Scalar};
use super::super::link::{Linkage, Producer};
use super::super::{Interpolation, Packing, Place};
use super::map::Why;
use crate::packing::StoredError;
use lanescope_base::ids::{Component, Id, Location};

/// A kind of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Base {
    pub float: bool,
    pub signed: bool,
    pub bits: u32,
}

impl Base {
    pub const UINT: Base = Base { float: false, signed: false, bits: 32 };

    pub fn name(self) -> String {
        let Base { float, signed, bits } = self;
        format!(
            "{}{bits}",
            if float {
                "float"
            } else if signed {
                "int"
            } else {
                "uint"
            }
        )
    }

    /// The kind of number of a name.
    pub fn named(name: &str) -> Option<Base> {
        let numbers = [(true, false), (false, true), (false, false)];
        let kinds =
            numbers.into_iter().flat_map(|(float, signed)| [8, 16, 32].map(|bits| Base { float, signed, bits }));
        kinds.filter(|base| !(base.float && base.bits == 8)).find(|base| base.name() == name)
    }
}

/// Interpolation of a packed variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mode {
    pub interpolation: Interpolation,
    /// Custom by ExplicitInterpAMD, else by PerVertexKHR with as many vertices.
    pub vertices: Option<u32>,
    pub centroid: bool,
    pub sample: bool,
}

impl Mode {
    /// For interfaces where the mode has no effect.
    pub const ANY: Mode = Mode { interpolation: Interpolation::Smooth, vertices: None, centroid: false, sample: false };
}

/// What may share a location under Vulkan's rules: narrow values only with their like, 32-bit ones by bit casts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    mode: Mode,
    narrow: Option<Base>,
}

/// A variable of the packed interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedVariable {
    pub location: u32,
    pub component: u32,
    pub count: u32,
    pub base: Base,
    pub mode: Mode,
}

/// A component of a packed variable.
pub(super) type Slot = (usize, u32);

/// One scalar that is passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub variable: String,
    pub variable_id: Id,
    pub from: Place,
    pub hardware: Place,
    pub to: Place,
    /// Its width in bits.
    pub bits: u32,
    /// Whether the hardware packs it as 16 bits, into halves.
    pub narrow: bool,
    pub group: Group,
}

/// A scalar of a variable: the variable, the leaf, and which half of a 64-bit leaf.
pub(super) type Part = (Id, u32, u32);

/// The packed interface.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub variables: Vec<PackedVariable>,
    /// The scalars, in the order of the hardware's places.
    pub items: Vec<Item>,
    /// The hardware's places of scalars that are no longer read.
    gone: Vec<Place>,
    slots: BTreeMap<(Location, Component, Group), Slot>,
}

fn base(scalar: &Scalar) -> Base {
    Base { float: scalar.float, signed: scalar.signed, bits: scalar.bits }
}

/// Interpolation of a scalar.
pub(super) fn mode(interface: &Interface, scalar: &Scalar) -> Mode {
    let evaluated = matches!(scalar.interpolation, Interpolation::Smooth | Interpolation::NoPerspective);
    Mode {
        interpolation: scalar.interpolation,
        vertices: interface.variables[scalar.variable].vertices,
        centroid: evaluated && scalar.centroid && !scalar.sample,
        sample: evaluated && scalar.sample,
    }
}

fn group(interface: &Interface, scalar: &Scalar) -> Group {
    Group { mode: mode(interface, scalar), narrow: (scalar.bits < 32).then_some(base(scalar)) }
}

/// The scalars of an interface with the part of the variable that each is.
pub(super) fn parts(interface: &Interface) -> impl Iterator<Item = (Part, &Scalar)> {
    let mut before = None;
    interface.scalars.iter().map(move |scalar| {
        let leaf = (interface.variables[scalar.variable].id, scalar.leaf);
        // The two halves of a 64-bit value follow each other.
        let dword = u32::from(before == Some(leaf));
        before = Some(leaf);
        ((leaf.0, leaf.1, dword), scalar)
    })
}

impl Plan {
    /// The packed interface under the hardware's map: locations are filled anew where the map packs; a map that only
    /// renumbers keeps its places.
    pub fn of(linkage: &Linkage, hardware: &Packing) -> Plan {
        let interface = &linkage.consumer.interface;
        let places: BTreeMap<(Location, Component), (Place, u32)> =
            hardware.map.iter().map(|m| ((m.from.location, m.from.component), (m.to, m.bits))).collect();
        let used: BTreeSet<Place> = linkage.used().map(|scalar| scalar.place).collect();
        let gone = hardware.map.iter().filter(|m| !used.contains(&m.from)).map(|m| m.to).collect();
        let mut items: Vec<(Item, Base)> = Vec::new();
        for scalar in linkage.used() {
            let key = (scalar.place.location, scalar.place.component);
            let Some(&(place, bits)) = places.get(&key) else { continue };
            let item = Item {
                variable: (*scalar.name).to_owned(),
                variable_id: interface.variables[scalar.variable].id,
                from: scalar.place,
                hardware: place,
                to: place,
                bits: scalar.bits,
                narrow: bits == 16 && hardware.fallback.is_none(),
                group: group(interface, scalar),
            };
            items.push((item, base(scalar)));
        }
        items.sort_by_key(|(item, _)| (item.hardware, item.from, item.group));
        // Variables that alias a scalar in the same way share its place.
        items.dedup_by(|b, a| (a.0.from, a.0.group) == (b.0.from, b.0.group) && a.1 == b.1);
        if hardware.fallback.is_none() {
            refill(&mut items)
        } else {
            separate(&mut items)
        }
        Plan { gone, ..Plan::variables(items) }
    }

    fn variables(items: Vec<(Item, Base)>) -> Plan {
        let mut plan = Plan::default();
        let mut by_place: BTreeMap<(u32, u32), (Group, Base)> = BTreeMap::new();
        for (item, base) in &items {
            let place = (item.to.location.0, u32::from(item.to.component.0));
            by_place.entry(place).and_modify(|(_, of)| *of = join(*of, *base)).or_insert((item.group, *base));
        }
        let mut bases: BTreeMap<u32, Base> = BTreeMap::new();
        for (&(location, _), &(_, base)) in &by_place {
            bases.entry(location).and_modify(|of| *of = join(*of, base)).or_insert(base);
        }
        for (&(location, component), &(group, _)) in &by_place {
            let follows = |v: &&mut PackedVariable| v.location == location && v.component + v.count == component;
            match plan.variables.last_mut().filter(|v| follows(v)) {
                Some(variable) => variable.count += 1,
                None => plan.variables.push(PackedVariable {
                    location,
                    component,
                    count: 1,
                    base: bases.get(&location).copied().unwrap_or(Base::UINT),
                    mode: group.mode,
                }),
            }
        }
        for (item, _) in &items {
            let (location, component) = (item.to.location.0, u32::from(item.to.component.0));
            let holds = |v: &PackedVariable| {
                v.location == location && (v.component..v.component + v.count).contains(&component)
            };
            if let Some(index) = plan.variables.iter().position(holds) {
                let slot = (index, component - plan.variables[index].component);
                plan.slots.insert((item.from.location, item.from.component, item.group), slot);
            }
        }
        plan.items = items.into_iter().map(|(item, _)| item).collect();
        plan
    }

    /// The source of each part of the consumer's inputs.
    pub fn of_inputs(&self, linkage: &Linkage) -> BTreeMap<Part, Slot> {
        let interface = &linkage.consumer.interface;
        let found = parts(interface).filter_map(|(part, scalar)| {
            let key = (scalar.place.location, scalar.place.component, group(interface, scalar));
            Some((part, *self.slots.get(&key)?))
        });
        found.collect()
    }

    /// Data for rewriting the stage before.
    pub fn carrier(&self) -> Carrier {
        let places = self.slots.iter().map(|(&(location, component, _), &slot)| ((location, component), slot));
        Carrier { variables: self.variables.clone(), places: places.collect() }
    }

    /// The reason why a scalar is not at the hardware's place; absent where it is.
    pub fn why(&self, item: &Item) -> Option<Why> {
        let beside = || self.items.iter().filter(|other| other.hardware.location == item.hardware.location);
        Some(match item {
            // A half that is alone in its component is at the hardware's place, but uses all of it.
            _ if item.narrow && item.bits == 32 => Why::Widened,
            _ if item.narrow => Why::Half,
            _ if item.to == item.hardware => return None,
            _ if beside().any(|other| other.group.mode != item.group.mode) => Why::Interpolation,
            _ if beside().any(|other| other.narrow || other.group.narrow != item.group.narrow) => Why::Width,
            _ if self.gone.iter().any(|gone| *gone < item.hardware) => Why::ClosedUp,
            _ => Why::Follows,
        })
    }

    /// Number of locations of the packed interface.
    pub fn locations(&self) -> u32 {
        let mut used: Vec<u32> = self.variables.iter().map(|v| v.location).collect();
        used.dedup();
        used.len() as u32
    }
}

/// The packed interface as the stage before sees it: the variables, and where each scalar goes. One that is read in two
/// ways goes to two places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Carrier {
    pub variables: Vec<PackedVariable>,
    pub places: Vec<((Location, Component), Slot)>,
}

impl Carrier {
    /// The part of the producer's outputs in each component of a packed variable; absent where none is stored.
    pub fn parts(&self, producer: &Producer) -> BTreeMap<Slot, Part> {
        let mut out = BTreeMap::new();
        let mut slots: BTreeMap<(Location, Component), Vec<Slot>> = BTreeMap::new();
        self.places.iter().for_each(|(from, slot)| slots.entry(*from).or_default().push(*slot));
        for (part, scalar) in parts(&producer.interface) {
            if scalar.stream != producer.raster_stream || !producer.is_stored(scalar) {
                continue;
            }
            let of_scalar = slots.get(&(scalar.place.location, scalar.place.component));
            of_scalar.into_iter().flatten().for_each(|slot| _ = out.entry(*slot).or_insert(part));
        }
        out
    }

    /// Whether each output has the width of the variable that it goes to: a map of another shader may say otherwise.
    pub fn check_widths(&self, producer: &Producer) -> Result<(), StoredError> {
        let scalars: BTreeMap<Part, &Scalar> = parts(&producer.interface).collect();
        for ((index, _), part) in self.parts(producer) {
            let (Some(scalar), Some(variable)) = (scalars.get(&part), self.variables.get(index)) else { continue };
            let (bits, stored) = (scalar.bits, variable.base.bits);
            if bits != stored {
                return Err(StoredError::Type { variable: (*scalar.name).to_owned(), bits, stored });
            }
        }
        Ok(())
    }

    /// The first location after all.
    pub fn end(&self) -> u32 {
        self.variables.iter().map(|v| v.location + 1).max().unwrap_or(0)
    }
}

/// The kind of number that can represent both.
fn join(a: Base, b: Base) -> Base {
    if a == b { a } else { Base::UINT }
}

/// Fills locations group by group: groups in the order of their first scalar, each in the hardware's order.
fn refill(items: &mut [(Item, Base)]) {
    let mut groups: Vec<Group> = Vec::new();
    for (item, _) in items.iter() {
        if !groups.contains(&item.group) {
            groups.push(item.group);
        }
    }
    let mut location = 0;
    for group in groups {
        let mut count = 0u32;
        let mut last = None;
        for (item, _) in items.iter_mut().filter(|(item, _)| item.group == group) {
            // One scalar read as two kinds of number is listed once.
            if last.is_some_and(|from| from != item.from) {
                count += 1;
            }
            last = Some(item.from);
            item.to = place(location + count / 4, count % 4);
        }
        location += count / 4 + 1;
    }
}

/// Keeps places, but for locations that nothing is left in; where two groups meet in a location, all but the first move
/// to locations after them.
fn separate(items: &mut [(Item, Base)]) {
    let used: BTreeSet<Location> = items.iter().map(|(item, _)| item.hardware.location).collect();
    let rank: BTreeMap<Location, Location> = used.into_iter().zip((0..).map(Location)).collect();
    let mut next = rank.len() as u32;
    let mut homes: BTreeMap<(Location, Group), u32> = BTreeMap::new();
    let mut taken: BTreeMap<Location, Group> = BTreeMap::new();
    for (item, _) in items {
        let Some(&at) = rank.get(&item.hardware.location) else { continue };
        let home = *homes.entry((at, item.group)).or_insert_with(|| {
            if *taken.entry(at).or_insert(item.group) == item.group {
                return at.0;
            }
            next += 1;
            next - 1
        });
        item.to = place(home, u32::from(item.hardware.component.0));
    }
}

fn place(location: u32, component: u32) -> Place {
    Place { location: Location(location), component: Component(component as u8), half: false }
}
