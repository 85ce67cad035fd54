//! Places where both sides were compiled together by a linker that is not replayed: shown by evidence, or not stated.
//!
//! A channel that the linked fragment shader loads carries a scalar where
//! * the shader uses it as its form alone uses the scalar ([`uses`](super::uses)); or
//! * the stage before writes there the very value that it writes to the scalar when compiled alone ([`Same`]), and the
//!   load's name is that of the scalar's variable; or
//! * the load has the name of a variable of which only one scalar is read; or
//! * it is the scalar's own, and declared as such ([`by_declaration`]).
//!
//! Mesa 25 and newer also move arithmetic of the fragment shader before the rasteriser. A channel that is used in place
//! of an expression is made of the scalars that the expression reads: [`LayoutRule::Computed`]. A scalar without a channel
//! is gone only where a reason for that is known.

use std::collections::{BTreeMap, BTreeSet};

use super::linked::{Disposition, Scalar, name_rules};
use super::nir::Node;
use super::reads::variable;
use super::same::Same;
use super::uses::{Folded, Pair, Uses, uses};
use super::values::{Carries, Written};
use super::{Compiled, DriverPlace, LayoutRule, Reason, by_declaration};
use crate::Version;
use crate::texts::Dialect;
use lanescope_passes::packing::{Mapping, Packing, Place};

/// A channel that the linked fragment shader loads: attribute, channel, high half.
type At = (u32, u8, bool);

/// What is loaded from one channel.
#[derive(Debug, Default)]
struct Channel {
    /// Names of the variables that loads of it have.
    names: BTreeSet<String>,
    /// The value that the stage before writes there.
    value: Option<Node>,
    /// The scalars that it is shown to carry.
    carries: BTreeSet<usize>,
    /// The scalars that its value is shown to be computed from.
    made_of: BTreeSet<usize>,
}

/// One scalar, as compiled alone.
struct Varying {
    /// Its variable, as the driver names it.
    name: Option<String>,
    /// Whether the fragment shader reads it; none where that is not known.
    is_read: Option<bool>,
    /// The value that the stage before writes.
    value: Option<Node>,
    is_constant: bool,
    /// Where the module has it.
    at: Option<Place>,
    /// Its halves are read apart, when compiled alone.
    has_halves: bool,
    /// Why the linked fragment shader needs no channel for it, as its use shows.
    folded: Option<Folded>,
}

/// The places of the packing's scalars; `version` says where the module has each, and `alone` is the compilation of each
/// side alone, with its places. `constants` are those, as authored, to which the stage before writes constants.
pub(super) fn places(
    packing: &Packing,
    version: &[Option<Place>],
    compiled: &Compiled<'_>,
    alone: Option<(&Compiled<'_>, &[DriverPlace])>,
    constants: &BTreeSet<(u32, u8)>,
) -> Vec<DriverPlace> {
    let all = |reason| vec![DriverPlace::unattributed(reason); packing.map.len()];
    if !compiled.agrees {
        return all(compiled.doubt);
    }
    let Some(mut channels) = channels(compiled) else { return all(Reason::TextsDiffer) };
    let mut varyings: Vec<Varying> = (0..packing.map.len())
        .map(|index| varying(packing, index, version.get(index).copied().flatten(), compiled.of, alone))
        .collect();
    // Without the other stage's form alone, its module says what it writes. That is enough where locations are kept.
    for (varying, mapping) in varyings.iter_mut().zip(&packing.map).filter(|_| compiled.dialect == Dialect::Gen) {
        varying.is_constant |= constants.contains(&(mapping.from.location.0, mapping.from.component.0));
    }
    let mut missing = Reason::NoMatch;
    if let Some((alone, _)) = alone {
        match uses(compiled.pair(), alone.pair()) {
            Some(uses) => by_use(&uses, &mut channels, &mut varyings),
            None => missing = Reason::TooLarge,
        }
        if let Some((together, apart)) = compiled.written.as_ref().zip(alone.written.as_ref()) {
            let mut same = Same::new(&together.nir, &apart.nir);
            same.learn(together.position.iter().copied().zip(apart.position.iter().copied()));
            by_value(&mut same, &mut channels, &varyings);
        }
    }
    by_name(packing, &mut channels, &varyings, alone);
    for ((location, component), index) in by_declaration::places(packing, version, compiled) {
        // What is not read alone is not read here: its channel is there for an equal value.
        let is_read = varyings.get(index).is_some_and(|varying| varying.is_read != Some(false));
        if let Some(channel) = channels.get_mut(&(location, component, false)).filter(|_| is_read) {
            channel.carries.insert(index);
            // It is no other's.
            channel.names.clear();
        }
    }
    let mut out: Vec<Option<DriverPlace>> = (0..varyings.len()).map(|index| shown(index, &channels)).collect();
    duplicates(compiled, &channels, &varyings, &mut out);
    for (index, place) in out.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
        let (Some(mapping), Some(varying)) = (packing.map.get(index), varyings.get(index)) else { continue };
        let reason = if alone.is_some() { missing } else { Reason::NotApart };
        *place = Some(gone(mapping, varying, &varyings, &channels).unwrap_or(DriverPlace::unattributed(reason)));
    }
    name(packing, version, compiled, &mut out);
    if compiled.dialect == Dialect::Gen {
        name_kept(version, alone.and_then(|(alone, _)| alone.written.as_ref()), &mut out);
    }
    out.into_iter().map(|place| place.unwrap_or(DriverPlace::unattributed(Reason::NoMatch))).collect()
}

/// The channels that are loaded of varyings; none where one attribute is of two locations.
fn channels(compiled: &Compiled<'_>) -> Option<BTreeMap<At, Channel>> {
    let mut out: BTreeMap<At, Channel> = BTreeMap::new();
    let mut locations: BTreeMap<u32, u32> = BTreeMap::new();
    for load in &compiled.reads.loads {
        let Some(location) = load.location else { continue };
        (*locations.entry(load.attribute).or_insert(location) == location).then_some(())?;
        let channel = out.entry((load.attribute, load.channel, load.high)).or_default();
        channel.names.extend(load.name.clone());
        if compiled.dialect == Dialect::Gen {
            let own = compiled.inputs.iter().filter(|input| input.holds(location, load.channel));
            channel.names.extend(own.map(|input| variable(&input.name).to_owned()));
        }
        let written = compiled.written.as_ref();
        let carries = match load.bits {
            16 => written.and_then(|written| written.half(location, load.channel, load.high)),
            _ => written.and_then(|written| written.get(location, load.channel)),
        };
        channel.value = carries.and_then(node);
    }
    Some(out)
}

fn node(carries: Carries<'_>) -> Option<Node> {
    match carries {
        Carries::Computed(node) => Some(node),
        Carries::Constant(_) => None,
    }
}

fn varying(
    packing: &Packing,
    index: usize,
    at: Option<Place>,
    of: Version,
    alone: Option<(&Compiled<'_>, &[DriverPlace])>,
) -> Varying {
    let mapping = packing.map.get(index);
    let load = alone.zip(at).and_then(|((alone, _), at)| alone.reads.at(at.location.0, at.component.0).next());
    // A rewritten module has names of its own.
    let ours = mapping.filter(|_| of == Version::Original).map(|mapping| variable(&mapping.variable).to_owned());
    let bits = load.map_or_else(|| mapping.map_or(32, |m| u8::try_from(m.bits).unwrap_or(32)), |load| load.bits);
    let is_read = alone.and_then(|(_, places)| places.get(index)).and_then(|place| match place.rule {
        Some(LayoutRule::ValueUnneeded) => Some(false),
        _ => place.attribute.map(|_| true),
    });
    let written = alone.and_then(|(alone, _)| alone.written.as_ref()).zip(at);
    let whole = written.and_then(|(written, at)| written.get(at.location.0, at.component.0));
    let carries = match written {
        Some((written, at)) if bits == 16 => written.half(at.location.0, at.component.0, false),
        _ => whole,
    };
    Varying {
        name: load.and_then(|load| load.name.clone()).or(ours),
        is_read,
        value: carries.and_then(node),
        is_constant: [carries, whole].iter().any(|carries| matches!(carries, Some(Carries::Constant(_)))),
        at,
        has_halves: alone
            .zip(at)
            .is_some_and(|((alone, _), at)| alone.reads.at(at.location.0, at.component.0).any(|load| load.bits == 16)),
        folded: None,
    }
}

impl Compiled<'_> {
    fn pair(&self) -> Pair<'_, '_> {
        Pair { fragment: &self.form, before: self.written.as_ref() }
    }
}

/// Finds the scalars that channels are used for.
fn by_use(uses: &Uses, channels: &mut BTreeMap<At, Channel>, varyings: &mut [Varying]) {
    let is = |varying: &Varying, (location, channel, high): (u32, u8, bool)| {
        let here = |at: &Place| (at.location.0, at.component.0) == (location, channel);
        varying.at.as_ref().is_some_and(|at| here(at) && (at.half == high || !varying.has_halves))
    };
    for (at, channel) in channels.iter_mut() {
        for (all, to) in [(&uses.carries, &mut channel.carries), (&uses.made_of, &mut channel.made_of)] {
            for scalar in all.get(at).into_iter().flatten() {
                let own = varyings.iter().enumerate().filter(|(_, varying)| is(varying, *scalar));
                to.extend(own.map(|(index, _)| index));
            }
        }
    }
    for (scalar, folded) in &uses.folded {
        varyings.iter_mut().filter(|varying| is(varying, *scalar)).for_each(|own| own.folded = Some(*folded));
    }
}

/// Finds the scalars whose names and values channels have.
fn by_value(same: &mut Same<'_, '_>, channels: &mut BTreeMap<At, Channel>, varyings: &[Varying]) {
    let placed: BTreeSet<usize> = channels.values().flat_map(Channel::scalars).collect();
    loop {
        let mut is_more = false;
        for channel in channels.values_mut().filter(|channel| channel.scalars().next().is_none()) {
            let Some(value) = channel.value else { continue };
            let mut found: BTreeMap<Node, BTreeSet<usize>> = BTreeMap::new();
            let mut known = None;
            let open = |(index, varying): &(usize, &Varying)| varying.is_read != Some(false) && !placed.contains(index);
            for (index, varying) in varyings.iter().enumerate().filter(open) {
                let has_name = varying.name.as_ref().is_some_and(|name| channel.names.contains(name));
                let Some(node) = varying.value.filter(|_| has_name) else { continue };
                let Some(one) = same.equal(value, node) else { continue };
                found.entry(node).or_default().insert(index);
                known = Some(one);
            }
            // Values that cannot be distinguished yet may be once more is known.
            if let (1, Some(known)) = (found.len(), known) {
                same.keep(known);
                channel.carries.extend(found.into_values().flatten());
                is_more = true;
            }
        }
        if !is_more {
            break;
        }
    }
}

/// Finds the scalars that are the only one of their variable that is read, by the names of loads.
fn by_name(
    packing: &Packing,
    channels: &mut BTreeMap<At, Channel>,
    varyings: &[Varying],
    alone: Option<(&Compiled<'_>, &[DriverPlace])>,
) {
    let mut of_name: BTreeMap<String, Vec<At>> = BTreeMap::new();
    for (at, channel) in channels.iter() {
        channel.names.iter().for_each(|name| of_name.entry(name.clone()).or_default().push(*at));
    }
    for (name, all) in of_name {
        let [at] = all.as_slice() else { continue };
        let own = |(_, varying): &(usize, &Varying)| varying.name.as_ref() == Some(&name);
        let own: Vec<(usize, &Varying)> = varyings.iter().enumerate().filter(own).collect();
        let read: Vec<usize> = own.iter().filter(|(_, v)| v.is_read != Some(false)).map(|(index, _)| *index).collect();
        let [index] = read.as_slice() else { continue };
        // Alone it is known how many scalars of the name are read; else how many there are.
        let only = match alone {
            Some((alone, _)) if alone.agrees => {
                let loads = alone.reads.loads.iter().filter(|load| load.name.as_ref() == Some(&name));
                loads.map(|load| (load.attribute, load.channel)).collect::<BTreeSet<_>>().len() == 1
            }
            _ => packing.interface.iter().filter(|scalar| variable(&scalar.variable) == name).count() == 1,
        };
        let is_free = !channels.values().any(|channel| channel.scalars().any(|own| own == *index));
        if let Some(channel) = channels.get_mut(at).filter(|_| only && is_free) {
            channel.carries.insert(*index);
        }
    }
}

impl Channel {
    /// The scalars that it is for.
    fn scalars(&self) -> impl Iterator<Item = usize> {
        self.carries.iter().chain(&self.made_of).copied()
    }

    /// Whether it may carry a scalar beside those that it is shown to carry.
    fn may_carry(&self, varying: &Varying, varyings: &[Varying]) -> bool {
        if self.names.is_empty() {
            return self.carries.is_empty() && self.made_of.is_empty();
        }
        let shown = self.carries.iter().filter_map(|index| varyings.get(*index)?.name.as_ref());
        let shown: BTreeSet<&String> = shown.collect();
        let mut open = self.names.iter().filter(|name| !shown.contains(name));
        open.any(|name| varying.name.as_ref().is_none_or(|own| own == name))
    }
}

/// Where a scalar is shown to be: in channels as it is, and in those whose values are computed from it.
fn shown(index: usize, channels: &BTreeMap<At, Channel>) -> Option<DriverPlace> {
    let all = |of: fn(&Channel) -> &BTreeSet<usize>| {
        let all = channels.iter().filter(move |(_, channel)| of(channel).contains(&index));
        all.map(|(at, _)| *at)
    };
    let carry: Vec<At> = all(|channel| &channel.carries).collect();
    let mut both = carry.iter().copied().chain(all(|channel| &channel.made_of));
    let (attribute, channel, high) = both.next()?;
    let more: BTreeSet<_> = both.map(|(attribute, channel, _)| super::Channel { attribute, channel }).collect();
    let first = super::Channel { attribute, channel };
    let more = more.into_iter().filter(|other| *other != first).collect();
    let rule = carry.is_empty().then_some(LayoutRule::Computed);
    Some(DriverPlace { more, ..DriverPlace::at(attribute, channel, high, rule) })
}

/// Names what is passed in the channel of another scalar, which has the same value: of the scalar whose own it is, where
/// none is moved, else of the first one.
fn duplicates(
    compiled: &Compiled<'_>,
    channels: &BTreeMap<At, Channel>,
    varyings: &[Varying],
    out: &mut [Option<DriverPlace>],
) {
    let place = |index: usize| varyings.get(index)?.at.map(|at| (at.location.0, at.component.0));
    for ((attribute, component, _), channel) in channels {
        let is_own =
            |index: &&usize| compiled.dialect == Dialect::Gen && place(**index) == Some((*attribute, *component));
        let Some(first) = channel.carries.iter().find(is_own).or(channel.carries.first()) else { continue };
        // Two halves of one component are no two values.
        for index in channel.carries.iter().filter(|index| place(**index) != place(*first)) {
            if let Some(Some(place)) = out.get_mut(*index) {
                place.rule = place.attribute.map(|_| LayoutRule::Duplicate).or(place.rule);
            }
        }
    }
}

/// Why a scalar is nowhere; none where that is not known, or a channel may carry it.
fn gone(
    mapping: &Mapping,
    varying: &Varying,
    varyings: &[Varying],
    channels: &BTreeMap<At, Channel>,
) -> Option<DriverPlace> {
    let is_free = !channels.values().any(|channel| channel.may_carry(varying, varyings));
    let rule = match () {
        () if !is_free => None,
        () if varying.folded == Some(Folded::Constant) => Some(LayoutRule::Constant),
        () if varying.folded == Some(Folded::Uniform) => Some(LayoutRule::Uniform),
        () if !mapping.written => Some(LayoutRule::NotWritten),
        () if varying.is_read == Some(false) => Some(LayoutRule::ValueUnneeded),
        () if varying.is_constant => Some(LayoutRule::Constant),
        () => None,
    };
    rule.map(DriverPlace::gone)
}

/// Names the rule of every place that is not the wanted one.
fn name(packing: &Packing, version: &[Option<Place>], compiled: &Compiled<'_>, out: &mut [Option<DriverPlace>]) {
    let scalar = |(mapping, at)| Scalar::moved(mapping, at, compiled.of);
    let scalars: Option<Vec<Scalar<'_>>> =
        packing.map.iter().zip(version).map(|(mapping, at)| Some(scalar((mapping, (*at)?)))).collect();
    let Some(scalars) = scalars else { return };
    let fate = |place: &Option<DriverPlace>| match place {
        Some(place) if place.attribute.is_some() && place.rule.is_none() => Disposition::Stays,
        _ => Disposition::Gone(LayoutRule::Unattributed),
    };
    let fates: Vec<Disposition> = out.iter().map(fate).collect();
    name_rules(packing, &scalars, &fates, compiled, out);
}

/// Names the places that are the scalars' own, of a driver that moves none; and those that are another's, which the stage
/// before writes the same value to, compiled alone.
fn name_kept(version: &[Option<Place>], written: Option<&Written<'_>>, out: &mut [Option<DriverPlace>]) {
    for (place, own) in out.iter_mut().zip(version) {
        let (Some(place), Some(own)) = (place, own) else { continue };
        let (Some(attribute), Some(channel)) = (place.attribute, place.channel) else { continue };
        if place.rule.is_none_or(|rule| [LayoutRule::Computed, LayoutRule::Duplicate].contains(&rule)) {
            continue;
        }
        let value = |location, component| written.and_then(|written| written.get(location, component));
        let (location, component) = (own.location.0, own.component.0);
        if (attribute, channel) == (location, component) {
            place.rule = Some(LayoutRule::Kept);
        } else if value(location, component).is_some() && value(location, component) == value(attribute, channel) {
            place.rule = Some(LayoutRule::Duplicate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::packing;
    use super::*;

    #[test]
    fn a_scalar_is_gone_only_where_no_channel_is_open() {
        let packing = packing("flat_and_smooth");
        let mapping = packing.map.iter().find(|mapping| mapping.written).expect("a scalar that is written");
        let varying = |folded, is_constant| Varying {
            name: Some("one".to_owned()),
            is_read: Some(true),
            value: None,
            is_constant,
            at: None,
            has_halves: false,
            folded,
        };
        let of_another = || Channel { carries: BTreeSet::from([1]), ..Channel::default() };
        for (folded, is_constant, rule) in [
            (Some(Folded::Constant), false, LayoutRule::Constant),
            (Some(Folded::Uniform), false, LayoutRule::Uniform),
            (None, true, LayoutRule::Constant),
        ] {
            let all = [varying(folded, is_constant), varying(None, false)];
            let gone = |channel| gone(mapping, &all[0], &all, &BTreeMap::from([((0, 0, false), channel)]));
            assert_eq!(gone(of_another()), Some(DriverPlace::gone(rule)));
            assert_eq!(gone(Channel::default()), None, "{rule}");
        }
    }
}
