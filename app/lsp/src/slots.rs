//! The attribute slots of a varying in a few words: before the fragment shader. Between other stages they are locations.

use std::collections::BTreeMap;

use lanescope_core::packing::{Packing, Place, Slots};
use lanescope_core::program::StageKind;
use lanescope_core::text_format::counted;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::strip::{self, Fact};
use lanescope_pictures::packing::place_name;

/// Slots that are listed; the others are counted.
const SLOTS_AT_MOST: usize = 3;
/// The letters of components.
const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// What packing does to an interface: in a few words, and in a sentence.
pub fn summary(packing: &Packing) -> (String, String) {
    if packing.consumer == StageKind::Fragment {
        let Fact { text, about, .. } = strip::packing(packing);
        return (text, about);
    }
    let before = packing.producer.map_or("a stage that is not loaded", |stage| stage.name());
    let (reader, Slots { before: from, after: to, .. }) = (packing.reader(), packing.slots);
    let text = format!("{from} → {}", counted(to, "location"));
    (text, format!("Locations from {before} to {reader}: {from} originally, {to} packed."))
}

/// `→ slot 1.z`, `→ slots 0.w, 1.xy`, `not read`: where packing puts scalars, which are named by their places as written.
pub fn in_words(packing: &Packing, scalars: &[Varying]) -> Option<String> {
    let mut places: Vec<(Place, u32)> = Vec::new();
    let (mut unread, mut unwritten, mut dropped) = (0usize, 0usize, None);
    for scalar in scalars {
        let at = |location: u32, component: u8| (location, Some(component)) == (scalar.location, scalar.component);
        let mapped = packing.map.iter().find(|one| at(one.from.location.0, one.from.component.0));
        let kept = || packing.kept().find(|one| at(one.from.location.0, one.from.component.0));
        match (mapped, kept()) {
            (Some(mapping), _) => {
                places.push((mapping.to, mapping.bits));
                unwritten += usize::from(!mapping.written);
            }
            (None, Some(output)) => places.push((output.to, 32)),
            (None, None) => {
                unread += 1;
                let why = packing.dropped.iter().find(|one| at(one.location.0, one.component.0));
                dropped = dropped.or(why.map(|one| one.reason.as_ref()));
            }
        }
    }
    if scalars.is_empty() {
        return None;
    }
    let why = match dropped {
        None | Some("unread") => "not read".to_owned(),
        Some(other) => format!("dropped: {other}"),
    };
    if places.is_empty() {
        return Some(why);
    }
    let mut text = slots(if packing.consumer == StageKind::Fragment { "slot" } else { "location" }, &places);
    if unread > 0 {
        text.push_str(&format!(", {unread} of {} {why}", scalars.len()));
    }
    if unwritten > 0 {
        let which =
            if unwritten == places.len() { String::new() } else { format!("{unwritten} of {} ", scalars.len()) };
        text.push_str(&format!(", {which}not written"));
    }
    Some(text)
}

/// Whether the next stage reads none of these scalars, and nothing else keeps them.
pub fn is_unread(packing: &Packing, scalars: &[Varying]) -> bool {
    !scalars.is_empty()
        && scalars.iter().all(|scalar| {
            let at = |location: u32, component: u8| (location, Some(component)) == (scalar.location, scalar.component);
            let is_passed = packing.map.iter().any(|one| at(one.from.location.0, one.from.component.0))
                || packing.kept().any(|one| at(one.from.location.0, one.from.component.0));
            let mut dropped = packing.dropped.iter().filter(|one| at(one.location.0, one.component.0));
            !is_passed && dropped.any(|one| one.reason.as_ref() == "unread")
        })
}

/// `→ slot 1.z`.
fn slots(what: &str, places: &[(Place, u32)]) -> String {
    let mut by_slot: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (place, bits) in places {
        let whole = place_name(*place, *bits);
        let part = whole.split_once('.').map_or(whole.clone(), |(_, part)| part.to_owned());
        by_slot.entry(place.location.0).or_default().push(part);
    }
    let named: Vec<String> =
        by_slot.iter().take(SLOTS_AT_MOST).map(|(slot, parts)| format!("{slot}.{}", joined(parts))).collect();
    let more = by_slot.len().saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let plural = if by_slot.len() == 1 { "" } else { "s" };
    format!("→ {what}{plural} {}{more}", named.join(", "))
}

/// `xyz` of whole components, `x lo+x hi` of halves.
fn joined(parts: &[String]) -> String {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| {
        let letter = LETTERS.iter().position(|letter| part.starts_with(letter));
        (letter, part.ends_with("hi"))
    });
    let is_whole = parts.iter().all(|part| part.len() == 1);
    parts.join(if is_whole { "" } else { "+" })
}

#[cfg(test)]
mod tests {
    use lanescope_core::ids::{Component, Location};

    use super::*;

    #[test]
    fn slots_are_listed_with_their_components() {
        let place = |location: u32, component: u8, half: bool| Place {
            location: Location(location),
            component: Component(component),
            half,
        };
        let whole = |location, component| (place(location, component, false), 32);
        assert_eq!(slots("slot", &[whole(1, 2)]), "→ slot 1.z");
        assert_eq!(slots("slot", &[whole(1, 1), whole(1, 0), whole(0, 3)]), "→ slots 0.w, 1.xy");
        assert_eq!(slots("slot", &[(place(2, 0, true), 16), (place(2, 0, false), 16)]), "→ slot 2.x lo+x hi");
        let many: Vec<_> = (0..9).map(|slot| whole(slot, 0)).collect();
        assert_eq!(slots("location", &many), "→ locations 0.x, 1.x, 2.x and 6 more");
    }
}
