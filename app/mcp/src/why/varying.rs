//! Why a varying is in its attribute slot, and what a slot has.

use lanescope_core::ids::{Component, Location};
use lanescope_core::packing::Packing;
use lanescope_core::program::StageKind;
use lanescope_core::registers::pairs::Pairs;
use lanescope_core::report::Report;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::strip;
use lanescope_pictures::packing::{Described, describe, describe_built_in, flags, varying_of};

use super::{Part, nearest};

/// The letters of components.
const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// All interfaces that are packed, that into the fragment shader first.
fn interfaces(report: &Report) -> impl Iterator<Item = &Packing> {
    report.packing.iter().chain(&report.inner_packing)
}

/// The scalars of a varying, in each interface that has it.
pub(super) fn varying(report: &Report, name: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    for packing in interfaces(report) {
        let scalars = scalars(packing, name);
        if scalars.is_empty() {
            continue;
        }
        parts.push(summary(packing));
        for scalar in scalars {
            parts.extend(of_scalar(report, packing, scalar));
        }
    }
    if parts.is_empty() {
        let names = interfaces(report).flat_map(|packing| &packing.interface);
        let known = nearest(name, names.map(|scalar| base(&scalar.variable.to_string()).to_owned()));
        return Err(format!("no varying `{name}`: expected a name, or LOCATION.COMPONENT; the varyings are {known}"));
    }
    Ok(parts)
}

/// What is in an attribute slot of the fragment shader.
pub(super) fn slot(report: &Report, slot: u32) -> Result<Vec<Part>, String> {
    let packing = report.packing.as_ref().filter(|packing| packing.consumer == StageKind::Fragment);
    let packing = packing.ok_or("the program has no fragment shader with inputs")?;
    let mut parts = vec![summary(packing)];
    for mapping in packing.map.iter().filter(|mapping| mapping.to.location.0 == slot) {
        parts.extend(of_scalar(report, packing, varying_of(mapping)));
    }
    parts.extend(described(describe_built_in(packing, slot)));
    if parts.len() == 1 {
        return Err(format!("slot {slot} is empty: {}", strip::packing(packing).about));
    }
    let pairs = Pairs::new(&report.registers);
    for pair in pairs.pairs.iter().filter(|pair| pair.slot == Some(slot)) {
        let Some(register) = pair.register(&report.registers) else { continue };
        let mut part = Part::new(register.name.to_string());
        part.fact("value", register.shown());
        part.notes.extend(pair.telling_texts(&report.registers));
        parts.push(part);
    }
    Ok(parts)
}

fn summary(packing: &Packing) -> Part {
    let before = packing.producer.map_or("a stage that is not loaded", |stage| stage.name());
    let mut part = Part::new(format!("interface {before} → {}", packing.consumer));
    match packing.consumer {
        StageKind::Fragment => part.notes.push(strip::packing(packing).about),
        _ => {
            let slots = packing.slots;
            part.notes.push(format!("Locations: {} originally, {} packed.", slots.before, slots.after));
        }
    }
    part
}

/// All that is known of a scalar, with the findings about it.
fn of_scalar(report: &Report, packing: &Packing, scalar: Varying) -> Vec<Part> {
    let (location, component) = (scalar.location, scalar.component.unwrap_or(0));
    let mut parts: Vec<Part> = described(describe(packing, scalar));
    let place = format!("{location}.{}", Component(component).letter());
    for part in &mut parts {
        part.about = if part.about.is_empty() { place.clone() } else { format!("{} ({place} as written)", part.about) };
    }
    let found = flags(report, packing).into_iter().filter(|flag| flag.is_at(location, component));
    let found: Vec<String> = found.map(|flag| flag.text).collect();
    if let Some(last) = parts.last_mut() {
        last.notes.extend(found);
    }
    parts
}

fn described(all: Vec<Described>) -> Vec<Part> {
    let part = |one: Described| {
        let mut part = Part::new(one.name.unwrap_or_default());
        one.facts.into_iter().for_each(|(name, value)| part.fact(name, value));
        part.notes = one.warning.map(str::to_owned).into_iter().chain(one.notes).collect();
        part
    };
    all.into_iter().map(part).collect()
}

/// The scalars that a name is of: a variable's, one of its members, elements or components, or a place as written.
fn scalars(packing: &Packing, name: &str) -> Vec<Varying> {
    let place = place(name);
    let mut out: Vec<Varying> = Vec::new();
    for scalar in &packing.interface {
        let variable = scalar.variable.to_string();
        let letter = LETTERS.get(usize::from(scalar.component.0)).copied().unwrap_or_default();
        let is_named = || {
            let is_part = |of: &str| variable.strip_prefix(of).is_some_and(|rest| rest.starts_with(['.', '[']));
            let of_component = name.rsplit_once('.').filter(|(_, part)| *part == letter);
            variable == name || is_part(name) || of_component.is_some_and(|(of, _)| of == variable)
        };
        let is_there = match place {
            Some((location, component)) => {
                scalar.location == location && component.is_none_or(|component| component == scalar.component)
            }
            None => is_named(),
        };
        let varying = Varying { location: scalar.location.0, component: Some(scalar.component.0) };
        if is_there && !out.contains(&varying) {
            out.push(varying);
        }
    }
    out
}

/// A place as written: `3`, `3.x` or `3.0`.
fn place(text: &str) -> Option<(Location, Option<Component>)> {
    let (location, component) = match text.split_once('.') {
        Some((location, component)) => (location, Some(component)),
        None => (text, None),
    };
    let location = Location(location.parse().ok()?);
    let component = match component {
        None => None,
        Some(text) => {
            let letter = LETTERS.iter().position(|letter| *letter == text).and_then(|at| u8::try_from(at).ok());
            Some(Component(letter.or_else(|| text.parse().ok())?))
        }
    };
    Some((location, component))
}

/// The variable of a member, element or component.
fn base(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers_and_letters() {
        assert_eq!(place("3"), Some((Location(3), None)));
        assert_eq!(place("3.z"), Some((Location(3), Some(Component(2)))));
        assert_eq!(place("3.2"), Some((Location(3), Some(Component(2)))));
        for text in ["texcoord", "texcoord.x", "3.q", "x.3", ""] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
