//! What is known of a scalar of an interface, as text: what the window shows at the pointer and editors at the cursor.

use lanescope_core::ids::{Component, Location};
use lanescope_core::packing::{Mapping, Packing};
use lanescope_inspector::selection::Varying;

use super::{glsl_name, place_name};
use crate::picture::clean;

/// A paragraph of an explanation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Described {
    /// The variable; absent where the paragraph continues another one.
    pub name: Option<String>,
    /// Names and values.
    pub facts: Vec<(&'static str, String)>,
    /// What is likely wrong.
    pub warning: Option<&'static str>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// All that a packing says of a scalar, by its place as written; component x of the location where none is named.
pub fn describe(packing: &Packing, varying: Varying) -> Vec<Described> {
    let place = (Location(varying.location), Component(varying.component.unwrap_or(0)));
    let at = |location: Location, component: Component| (location, component) == place;
    let mut out: Vec<Described> =
        packing.map.iter().filter(|m| at(m.from.location, m.from.component)).map(|m| mapped(packing, m)).collect();
    for scalar in packing.interface.iter().filter(|s| at(s.location, s.component) && !s.used) {
        let what = if scalar.input_id.is_some() { "Declared, but not read." } else { "Not declared as an input." };
        let (name, notes) = (Some(clean(&scalar.variable)), vec![what.to_owned()]);
        out.push(Described { name, notes, ..Described::default() });
    }
    let mut notes = Vec::new();
    let name_and_place =
        |output: &lanescope_core::packing::OutputMapping| (clean(&output.variable), place_name(output.to, 32));
    for output in packing.captured().into_iter().filter(|output| at(output.from.location, output.from.component)) {
        let (name, to) = name_and_place(output);
        notes.push(format!("Output {name} is captured from stream {} and packed to {to}.", output.stream));
    }
    for output in packing.read_back().into_iter().filter(|output| at(output.from.location, output.from.component)) {
        let (name, to) = name_and_place(output);
        notes.push(format!("Output {name} is read by its own stage and packed to {to}."));
    }
    for output in packing.reserved().into_iter().filter(|output| at(output.from.location, output.from.component)) {
        let (name, to) = name_and_place(output);
        notes.push(format!("Output {name} is not read. Its location is kept as {to}."));
    }
    for dropped in packing.dropped.iter().filter(|d| at(d.location, d.component)) {
        notes.push(format!("Output {} is dropped: {}.", clean(&dropped.variable), dropped.reason));
    }
    if !notes.is_empty() {
        out.push(Described { notes, ..Described::default() });
    }
    out
}

/// What packing did to a scalar.
fn mapped(packing: &Packing, mapping: &Mapping) -> Described {
    let (location, component) = (mapping.from.location, mapping.from.component);
    let mut facts = vec![("original", place_name(mapping.from, 32)), ("packed", place_name(mapping.to, mapping.bits))];
    if let Some(place) = packing.semantic(location, component) {
        facts.push(("DXIL", format!("{}, {}", clean(&place.semantic), place.registers())));
    }
    facts.push(("bits", mapping.bits.to_string()));
    if !mapping.interpolation.is_none() {
        facts.push(("interpolation", format!("{}, {}", mapping.interpolation, mapping.at)));
    }
    let span = packing.spans.iter().find(|span| (span.location, span.component) == (location, component));
    facts.extend(span.map(|span| ("class", format!("{} (key 0x{:03x})", span.class, span.key))));
    let warning = (!mapping.written).then_some("Read, but the previous stage never writes it.");
    Described { name: Some(clean(&mapping.variable)), facts, warning, notes: Vec::new() }
}

/// All that a packing says of the attribute slot of a built-in.
pub fn describe_built_in(packing: &Packing, slot: u32) -> Vec<Described> {
    let there = packing.builtins.iter().filter(|built_in| built_in.location.0 == slot);
    let described = there.map(|built_in| Described {
        name: Some(glsl_name(built_in.built_in).to_owned()),
        notes: vec![format!("attribute slot {slot}, after the generic inputs")],
        ..Described::default()
    });
    described.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn a_scalar_has_both_places_and_an_unread_one_says_so() {
        let report = gallery::packing_report(gallery::note_example());
        let packing = report.packing.expect("a packing");
        let mapping = &packing.map[0];
        let varying = Varying { location: mapping.from.location.0, component: Some(mapping.from.component.0) };
        let described = describe(&packing, varying);
        assert_eq!(described[0].name.as_deref(), Some(clean(&mapping.variable).as_str()));
        assert_eq!(
            described[0].facts[..2],
            [("original", place_name(mapping.from, 32)), ("packed", place_name(mapping.to, mapping.bits))]
        );
        assert_eq!(describe(&packing, Varying { location: 31, component: None }), []);
        for scalar in packing.interface.iter().filter(|scalar| !scalar.used) {
            let varying = Varying { location: scalar.location.0, component: Some(scalar.component.0) };
            let said: Vec<String> = describe(&packing, varying).into_iter().flat_map(|one| one.notes).collect();
            assert!(said.iter().any(|note| note.contains("not read") || note.contains("Not declared")), "{said:?}");
        }
    }
}
