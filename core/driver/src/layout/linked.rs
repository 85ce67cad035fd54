//! Places where both sides were compiled together, and the driver moved, merged and removed what passes between them.
//!
//! What the linker does is replayed on what the shaders are when compiled alone: the values that the stage before
//! writes, and the scalars that the fragment shader needs. A place is reported only where the whole replay gives the
//! very variables that the driver declares after its linker, each with its name, kind, location and component. So a
//! rule that is named is one that was checked.

use std::collections::BTreeMap;

use super::declared::{Declared, Kind};
use super::replay::{At, Key, compact, ours};
use super::values::{Carries, Written};
use super::{Compiled, DriverPlace, LayoutRule, Reason};
use crate::Version;
use lanescope_passes::packing::{Interpolation, Mapping, Packing, Place};

/// What is known of the shaders compiled alone.
#[derive(Clone, Copy, Default)]
pub(super) struct Unlinked<'a> {
    /// The fragment shader's inputs.
    pub inputs: &'a [Declared],
    /// What the stage before writes; none where the driver's linker does not look at it.
    pub written: Option<&'a Written<'a>>,
    /// The packing's scalars that the fragment shader does not read.
    pub unneeded: &'a [bool],
}

/// What the linker makes of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disposition {
    Stays,
    Gone(LayoutRule),
    /// It is read where this other one is.
    Follows(usize),
}

/// One scalar of the packing.
pub(super) struct Scalar<'p> {
    mapping: &'p Mapping,
    /// Its variable, as the driver names it.
    name: &'p str,
    kind: Kind,
    /// Where the module has it.
    at: Place,
    /// Where we would have it.
    wanted: Place,
    /// The variable of the linked shader that holds it and that the linker does not move.
    fixed: Option<&'p Declared>,
}

/// The places of the packing's scalars; `version` says where the module has each.
pub(super) fn places(
    packing: &Packing,
    version: &[Option<Place>],
    compiled: &Compiled<'_>,
    alone: Unlinked<'_>,
) -> Vec<DriverPlace> {
    let all: Option<Vec<Scalar<'_>>> =
        packing.map.iter().zip(version).map(|(m, at)| scalar(m, (*at)?, compiled, alone)).collect();
    let unattributed = DriverPlace::unattributed(Reason::Replay);
    let Some(scalars) = all else { return vec![unattributed; packing.map.len()] };
    // What was found unneeded only after the linker was still there for it.
    for early in [true, false] {
        // The linker walks the stores from the last one back; where the texts have them in another order than the
        // linker had, it is that of the interface.
        for by_place in [false, true] {
            let fates = fates(&scalars, alone, early, by_place);
            if let Some(out) = replayed(packing, &scalars, &fates, compiled) {
                return out;
            }
        }
    }
    vec![unattributed; scalars.len()]
}

fn scalar<'p>(mapping: &'p Mapping, at: Place, compiled: &'p Compiled<'p>, alone: Unlinked<'p>) -> Option<Scalar<'p>> {
    let holds = |declared: &&Declared| declared.holds(at.location.0, at.component.0);
    let declared = alone.inputs.iter().find(holds);
    let name = match declared {
        Some(declared) => declared.name.as_str(),
        None if compiled.of == Version::Original => mapping.variable.split(['.', '[']).next()?,
        None => return None,
    };
    let kind = declared.map_or_else(|| kind_of(mapping), |declared| declared.kind);
    let wanted = if compiled.of == Version::Packed { at } else { mapping.to };
    let fixed = compiled.inputs.iter().filter(|input| !input.movable && input.name == name).find(holds);
    Some(Scalar { mapping, name, kind, at, wanted, fixed })
}

/// The kind by our own words, where the driver's are not known.
fn kind_of(mapping: &Mapping) -> Kind {
    let mode = match mapping.interpolation {
        Interpolation::Smooth | Interpolation::Uninterpolated => 1,
        Interpolation::Flat | Interpolation::PerPrimitive => 2,
        Interpolation::NoPerspective => 3,
        Interpolation::Custom => 4,
    };
    let at = match mapping.at {
        at if at.contains(lanescope_passes::packing::At::Sample) => 0,
        at if at.contains(lanescope_passes::packing::At::Centroid) => 1,
        _ => 2,
    };
    Kind { reduced: false, mode, at }
}

/// What becomes of each scalar before the driver packs: `early` where unneeded ones are gone by then.
fn fates(scalars: &[Scalar<'_>], alone: Unlinked<'_>, early: bool, by_place: bool) -> Vec<Disposition> {
    let gone = |(index, scalar): (usize, &Scalar<'_>)| match () {
        () if !scalar.mapping.written => Disposition::Gone(LayoutRule::NotWritten),
        () if early && alone.unneeded.get(index) == Some(&true) => Disposition::Gone(LayoutRule::ValueUnneeded),
        () => Disposition::Stays,
    };
    let mut fates: Vec<Disposition> = scalars.iter().enumerate().map(gone).collect();
    let Some(written) = alone.written else { return fates };
    let place = |scalar: &Scalar<'_>| (scalar.at.location.0, scalar.at.component.0);
    let mut order: Vec<usize> = (0..scalars.len()).collect();
    // An output that is stored on several ways has no position, and no one value either.
    order.sort_by_key(|index| {
        scalars.get(*index).map(|scalar| {
            let place = place(scalar);
            (if by_place { None } else { written.position(place.0, place.1) }, place)
        })
    });
    let mut first: BTreeMap<Carries<'_>, usize> = BTreeMap::new();
    for index in order.into_iter().rev() {
        let Some(scalar) = scalars.get(index) else { continue };
        let stays = fates.get(index) == Some(&Disposition::Stays) && scalar.fixed.is_none();
        let carries = written.get(scalar.at.location.0, scalar.at.component.0);
        let (true, Some(carries)) = (stays, carries) else { continue };
        let fate = match (carries, first.get(&carries).copied()) {
            (Carries::Constant(_), _) => Disposition::Gone(LayoutRule::Constant),
            // One of another kind cannot stand in, and does not take its place.
            (_, Some(other)) if scalars.get(other).is_some_and(|other| other.kind == scalar.kind) => {
                Disposition::Follows(other)
            }
            (_, Some(_)) => Disposition::Stays,
            (_, None) => {
                first.insert(carries, index);
                Disposition::Stays
            }
        };
        if let Some(known) = fates.get_mut(index) {
            *known = fate;
        }
    }
    fates
}

/// The places under these fates; none where the driver's own declarations say otherwise.
fn replayed(
    packing: &Packing,
    scalars: &[Scalar<'_>],
    fates: &[Disposition],
    compiled: &Compiled<'_>,
) -> Option<Vec<DriverPlace>> {
    let moved: Vec<usize> = (0..scalars.len())
        .filter(|index| fates.get(*index) == Some(&Disposition::Stays))
        .filter(|index| scalars.get(*index).is_some_and(|scalar| scalar.fixed.is_none()))
        .collect();
    let given: Vec<(Kind, At)> = moved.iter().filter_map(|index| scalars.get(*index)).map(Scalar::given).collect();
    let places = compact(&given, &compiled.inputs)?;
    let mut expected: Vec<(&str, Kind, At)> = Vec::new();
    let mut at: BTreeMap<usize, At> = BTreeMap::new();
    for (index, place) in moved.iter().zip(places) {
        let scalar = scalars.get(*index)?;
        expected.push((scalar.name, scalar.kind, place));
        at.insert(*index, place);
    }
    let movable = compiled.inputs.iter().filter(|input| input.movable);
    let mut found: Vec<(&str, Kind, At)> =
        movable.map(|input| (input.name.as_str(), input.kind, (input.location, input.channel()))).collect();
    expected.sort_unstable();
    found.sort_unstable();
    if expected != found {
        return None;
    }
    let read = &compiled.read;
    let attribute = |(location, channel): At| {
        let input = compiled.inputs.iter().find(|input| input.holds(location, channel))?;
        Some((input.number.saturating_add(location - input.location), channel))
    };
    let place = |index: usize| match fates.get(index)? {
        Disposition::Gone(rule) => Some(DriverPlace::gone(*rule)),
        Disposition::Follows(_) => None,
        Disposition::Stays => {
            let scalar = scalars.get(index)?;
            let place = match scalar.fixed {
                Some(_) => (scalar.at.location.0, scalar.at.component.0),
                None => *at.get(&index)?,
            };
            let (attribute, channel) = attribute(place)?;
            // Gone after the linker.
            if !read.contains(&(attribute, channel)) {
                let is_known = compiled.agrees;
                return is_known.then_some(DriverPlace::gone(LayoutRule::ValueUnneeded));
            }
            Some(DriverPlace::at(attribute, channel, false, None))
        }
    };
    let mut out: Vec<Option<DriverPlace>> = (0..scalars.len()).map(place).collect();
    name_rules(packing, scalars, fates, compiled, &mut out);
    for (index, fate) in fates.iter().enumerate() {
        let Disposition::Follows(first) = fate else { continue };
        let place = out.get(*first).cloned().flatten();
        let place = place.map(|place| match place.attribute {
            Some(_) => DriverPlace { rule: Some(LayoutRule::Duplicate), ..place },
            None => place,
        });
        *out.get_mut(index)? = place;
    }
    Some(out.into_iter().map(|place| place.unwrap_or(DriverPlace::unattributed(Reason::Replay))).collect())
}

impl Scalar<'_> {
    fn given(&self) -> (Kind, At) {
        (self.kind, (self.at.location.0, self.at.component.0))
    }

    /// A scalar of a linker of which no kinds are known: it moves all alike.
    pub fn moved<'p>(mapping: &'p Mapping, at: Place, of: Version) -> Scalar<'p> {
        let wanted = if of == Version::Packed { at } else { mapping.to };
        Scalar { mapping, name: "", kind: Kind { reduced: false, mode: 0, at: 0 }, at, wanted, fixed: None }
    }
}

/// What our packing keeps apart: values narrower than 32 bits, flat ones, explicitly interpolated ones.
type Class = (bool, bool, bool);

/// Names the rule of every place that is not the wanted one: the first of ours, changed step by step towards the
/// driver's, that gives the place.
pub(super) fn name_rules(
    packing: &Packing,
    scalars: &[Scalar<'_>],
    fates: &[Disposition],
    compiled: &Compiled<'_>,
    out: &mut [Option<DriverPlace>],
) {
    let packed = compiled.of == Version::Packed;
    let class = |scalar: &Scalar<'_>| -> Class {
        let narrow = scalar.mapping.bits < 32;
        let (flat, custom) = (
            matches!(scalar.mapping.interpolation, Interpolation::Flat | Interpolation::PerPrimitive),
            scalar.mapping.interpolation == Interpolation::Custom,
        );
        (narrow, flat, custom)
    };
    let none = Kind { reduced: false, mode: 0, at: 0 };
    let stays: Vec<usize> = (0..scalars.len()).filter(|index| fates.get(*index) == Some(&Disposition::Stays)).collect();
    // A class is placed at its first scalar; kinds in it are in the driver's order.
    let model = |class: &dyn Fn(&Scalar<'_>) -> Class, kind: &dyn Fn(Kind) -> Kind| {
        let mut first: BTreeMap<Class, u32> = BTreeMap::new();
        for scalar in scalars {
            let slot = first.entry(class(scalar)).or_insert(u32::MAX);
            *slot = (*slot).min(scalar.wanted.location.0);
        }
        let given = stays.iter().filter_map(|index| scalars.get(*index)).map(|scalar| {
            let rank = first.get(&class(scalar)).copied().unwrap_or(u32::MAX);
            let key: Key = (rank, kind(scalar.kind));
            (key, scalar.given().1, !packed && scalar.mapping.bits < 32)
        });
        ours(&given.collect::<Vec<_>>())
    };
    let joined = packing.order != lanescope_model::options::PackingOrder::Llpc;
    let own = |scalar: &Scalar<'_>| match class(scalar) {
        // The note's order lets flat values of both widths share.
        (_, true, custom) if joined => (false, true, custom),
        class => class,
    };
    let steps = [
        (LayoutRule::ClosedUp, model(&own, &|_| none)),
        (LayoutRule::ClassSplit, model(&class, &|_| none)),
        (LayoutRule::PrecisionSplit, model(&class, &|kind| Kind { reduced: kind.reduced, ..none })),
        (LayoutRule::InterpolationSplit, model(&class, &|kind| kind)),
    ];
    for (position, index) in stays.iter().enumerate() {
        let (Some(scalar), Some(Some(place))) = (scalars.get(*index), out.get_mut(*index)) else { continue };
        let (Some(attribute), Some(channel)) = (place.attribute, place.channel) else { continue };
        let wanted = scalar.wanted;
        let is = |at: (u32, u8, bool)| at == (attribute, channel, place.high);
        if is((wanted.location.0, wanted.component.0, wanted.half)) {
            continue;
        }
        place.rule = Some(match scalar.fixed {
            Some(fixed) if fixed.is_32bit => LayoutRule::ArrayWhole,
            Some(_) => LayoutRule::WidthUnmoved,
            None => {
                let step = steps.iter().find(|(_, places)| places.get(position).is_some_and(|at| is(*at)));
                step.map_or(LayoutRule::Relinked, |(rule, _)| *rule)
            }
        });
    }
}
