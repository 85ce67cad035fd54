//! Packing: where each scalar lands, what is dropped, missing and exported.

use super::pairing::{Key, pairs};
use super::{Part, Row, Section, Side};
use lanescope_base::ids::Component;
use lanescope_passes::packing::{Export, Mapping, OutputMapping, Packing, Part as ScalarPart, Place, Stored};

/// Compares the interfaces of two reports; `source` of a scalar's row is its index in the interface's map.
pub(super) fn section(sides: [Side<'_>; 2]) -> Section {
    let [left, right] = sides.map(Side::interfaces);
    let consumer: Key<'_, &Packing> = &|packing| Some(packing.reader());
    let mut rows = Vec::new();
    for [l, r] in pairs(&left, &right, &[consumer]) {
        let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        interface(both.map(Option::<&&Packing>::copied), &mut rows);
    }
    Section::new(Part::Packing, [!left.is_empty(), !right.is_empty()], rows)
}

fn interface(sides: [Option<&Packing>; 2], rows: &mut Vec<Row>) {
    let Some(reader) = sides.iter().flatten().next().map(|packing| packing.reader()) else { return };
    let of = format!("{reader} inputs");
    let before = rows.len();
    rows.push(Row::both(&of, "previous stage", sides, |p| p.producer.map_or("none", |stage| stage.name()).to_owned()));
    rows.push(Row::both(&of, "original locations", sides, |packing| packing.slots.before.to_string()));
    rows.push(Row::both(&of, "slots", sides, |packing| packing.slots.after.to_string()));
    rows.push(Row::both(&of, "attributes per vertex", sides, |packing| {
        format!("{} bytes", packing.saving.parameter_cache_per_vertex[1])
    }));
    rows.push(Row::both(&of, "LDS filled per primitive", sides, |packing| {
        let but = if packing.slots.per_primitive > 0 { ", without per-primitive slots" } else { "" };
        format!("{} bytes{but}", packing.saving.lds_per_primitive[1])
    }));
    rows.push(Row::both(&of, "not packed", sides, |packing| {
        packing.fallback.map_or_else(|| "no".to_owned(), |why| format!("yes: {why}"))
    }));
    for row in rows.get_mut(before..).into_iter().flatten() {
        row.change = numbers(row);
    }
    scalars(&of, sides, rows);
    rows.extend(listed(&of, sides.map(|side| side.map(|p| p.builtins.as_slice()).unwrap_or_default()), |slot| {
        (slot.built_in.to_string(), format!("slot {}", slot.location))
    }));
    rows.extend(listed(&of, sides.map(|side| side.map(|p| p.dropped.as_slice()).unwrap_or_default()), |dropped| {
        let name = scalar_name(&dropped.variable, dropped.part());
        (name, format!("{}.{} dropped: {}", dropped.location, letter(dropped.component.0), dropped.reason))
    }));
    rows.extend(captured(&of, sides));
    rows.extend(listed(&of, sides.map(|side| side.map(|p| p.exports.as_slice()).unwrap_or_default()), |export| {
        (format!("export of slot {}", export.slot), channels(export))
    }));
    let stored = sides.map(|side| side.and_then(|packing| packing.stored.as_ref()));
    for (name, words) in [
        ("stored locations", (|stored: &Stored| hexadecimal(&stored.locations)) as fn(&Stored) -> String),
        ("stored built-ins", |stored| hexadecimal(&stored.builtins)),
        ("stored distances", |stored| format!("{} clip, {} cull", stored.distances[0], stored.distances[1])),
    ] {
        let row = Row::both(&of, name, stored, words);
        rows.extend(Some(row).filter(|row| row.left.is_some() || row.right.is_some()));
    }
}

/// The difference of two values that are numbers, with or without a unit; not of those that something is left out of.
fn numbers(row: &Row) -> Option<lanescope_driver::Change> {
    let number = |text: &Option<String>| {
        text.as_deref()?.trim_end_matches(" bytes").parse().ok().map(lanescope_driver::Value::Uint)
    };
    lanescope_driver::Change::between(number(&row.left)?, number(&row.right)?)
}

fn scalars(of: &str, sides: [Option<&Packing>; 2], rows: &mut Vec<Row>) {
    let [left, right] = sides.map(|side| side.map(|packing| packing.map.as_slice()).unwrap_or_default());
    let by_name: Key<'_, Mapping> = &|m| Some(scalar_name(&m.variable, m.part()));
    let by_place: Key<'_, Mapping> = &|m| Some(format!("{}.{}", m.from.location, m.from.component));
    for [l, r] in pairs(left, right, &[by_name, by_place]) {
        let [old, new] = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        let name = |mapping: &Mapping| scalar_name(&mapping.variable, mapping.part());
        let name = match (old.map(name), new.map(name)) {
            (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) => continue,
        };
        rows.push(Row::new(of, name, [old, new].map(|side| side.map(landing)), [l, r]));
    }
}

/// Unread outputs that are kept, since they are captured.
fn captured(of: &str, sides: [Option<&Packing>; 2]) -> Vec<Row> {
    let kept: [Vec<&OutputMapping>; 2] = sides.map(|side| side.map(Packing::captured).unwrap_or_default());
    listed(of, kept.each_ref().map(Vec::as_slice), |output| {
        let name = format!("captured {}", scalar_name(&output.variable, output.part()));
        (name, format!("stream {}, {} → {}", output.stream, place(output.from), place(output.to)))
    })
}

/// Rows of two lists whose entries have names.
fn listed<T>(of: &str, sides: [&[T]; 2], show: impl Fn(&T) -> (String, String)) -> Vec<Row> {
    let [left, right] = sides;
    let key: Key<'_, T> = &|thing| Some(show(thing).0);
    let row = |[l, r]: [Option<usize>; 2]| {
        let [old, new] = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))].map(|side| side.map(&show));
        let name = old.as_ref().or(new.as_ref()).map(|(name, _)| name.clone()).unwrap_or_default();
        Row::new(of, name, [old, new].map(|side| side.map(|(_, value)| value)), [None, None])
    };
    pairs(left, right, &[key]).into_iter().map(row).collect()
}

/// Where a scalar is and lands, and how it gets there: `3.x → 0.w, 32-bit smooth`.
fn landing(mapping: &Mapping) -> String {
    let mut text = format!("{} → {}, {}-bit", place(mapping.from), place(mapping.to), mapping.bits);
    if !mapping.interpolation.is_none() {
        text.push_str(&format!(" {}", mapping.interpolation));
    }
    if !mapping.at.is_none() && mapping.at != lanescope_passes::packing::At::Center.into() {
        text.push_str(&format!(" at {}", mapping.at));
    }
    if mapping.to.half {
        text.push_str(", high half");
    }
    if !mapping.written {
        text.push_str(", never written");
    }
    text
}

fn place(place: Place) -> String {
    format!("{}.{}", place.location, letter(place.component.0))
}

fn scalar_name(variable: &str, part: ScalarPart) -> String {
    format!("{variable}.{part}")
}

fn letter(component: u8) -> char {
    Component(component).letter()
}

fn channels(export: &Export) -> String {
    let mask: String = (0..4_u8).map(|bit| if export.mask >> bit & 1 == 1 { letter(bit) } else { '·' }).collect();
    let undefined: String = (0..4_u8).filter(|bit| export.undefined >> bit & 1 == 1).map(letter).collect();
    let undefined = if undefined.is_empty() { undefined } else { format!(", {undefined} undefined") };
    format!("{mask} from {}{undefined}", letter(export.first.0))
}

fn hexadecimal(words: &[u32]) -> String {
    words.iter().map(|word| format!("0x{word:x}")).collect::<Vec<_>>().join(" ")
}
