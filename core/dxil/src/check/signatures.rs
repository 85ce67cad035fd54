//! Compares signature parts with the metadata's signatures.

use std::collections::BTreeMap;

use super::{add, differs, is_indexed_by_vertex};
use crate::file::Dxil;
use crate::findings::{self, Finding, Place};
use crate::metadata::{EntryPoint, SignatureElement};
use crate::names;
use crate::signature::Element;

pub(super) fn check(dxil: &Dxil, entry: &EntryPoint, out: &mut Vec<Finding>) {
    let signatures = &entry.signatures;
    let parts = [
        ("ISG1", &dxil.input, &signatures.input),
        ("OSG1", &dxil.output, &signatures.output),
        ("PSG1", &dxil.patch, &signatures.patch),
    ];
    for (name, part, metadata) in parts {
        match part {
            Some(part) => compare(name, part, (entry, metadata), out),
            None if metadata.iter().any(|element| element.register.is_some()) => {
                let message = format!("{name} is missing, but the metadata has {} elements", metadata.len());
                add(out, findings::SIGNATURE_DIFFERS.at(None, None, message));
            }
            None => {}
        }
    }
}

/// Elements and which of their rows it is, by the semantic's index.
type Rows<'m> = BTreeMap<u32, (&'m SignatureElement, u32)>;

fn compare(
    name: &str,
    part: &[Element],
    (entry, metadata): (&EntryPoint, &[SignatureElement]),
    out: &mut Vec<Finding>,
) {
    let rule = findings::SIGNATURE_DIFFERS;
    let mut matched = 0;
    // Rows by number below the names: an element may have many of them, and a name may be long.
    let mut known: BTreeMap<(String, u32), Rows<'_>> = BTreeMap::new();
    for other in metadata {
        let rows = known.entry((other.semantic.to_ascii_lowercase(), other.stream)).or_default();
        for (index, at) in other.indices.iter().zip(0u32..) {
            // What has an index for each vertex keeps to its register.
            let row = if is_indexed_by_vertex(entry, other) { 0 } else { at };
            rows.entry(*index).or_insert((other, row));
        }
    }
    for element in part {
        let label = format!("{}{}", element.semantic, element.index);
        let place = Place::Record { name: label.clone() }.in_part(name);
        let rows = known.get(&(element.semantic.to_ascii_lowercase(), element.stream));
        let found = rows.and_then(|rows| rows.get(&element.index));
        let Some((other, row)) = found.copied() else {
            add(out, rule.at(None, Some(place), format!("{label} is in the part, but not in the metadata")));
            continue;
        };
        matched += 1;
        let register = other.register.map(|register| register.saturating_add(row));
        if register != element.register {
            let text = |register: Option<u32>| register.map_or("none".to_owned(), |register| register.to_string());
            differs(out, rule, &place, "the register", text(element.register), text(register));
        }
        let columns = (1u32.checked_shl(other.columns).unwrap_or(0).wrapping_sub(1)) << other.column.min(3);
        let mask = names::mask(columns as u8 & 15);
        if mask != element.mask {
            differs(out, rule, &place, "the mask", &element.mask, mask);
        }
        if !same_type(&element.component_type, &other.component_type) {
            differs(out, rule, &place, "the component type", &element.component_type, &other.component_type);
        }
    }
    let of = |element: &SignatureElement| match is_indexed_by_vertex(entry, element) {
        true => element.rows as usize,
        false => element.indices.len(),
    };
    let rows: usize = metadata.iter().map(of).sum();
    if matched == part.len() && matched < rows {
        let message = format!("the part has {} rows, the metadata {rows}", part.len());
        add(out, rule.at(None, Some(Place::part(name)), message));
    }
}

/// Whether two component types are one: 16-bit types of minimum precision are 32-bit ones in the parts.
pub(super) fn same_type(part: &str, metadata: &str) -> bool {
    // The parts have no number for a normalised type, and validators before 1.5 wrote none for a bool.
    if part == "unknown" && ["snorm", "unorm", "bool"].iter().any(|start| metadata.starts_with(start)) {
        return true;
    }
    let class = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let part_class = class(part);
    // What is normalised is read as a float; a bool is passed as a number.
    let metadata_class = match class(metadata).as_str() {
        "snorm" | "unorm" => "float".to_owned(),
        "bool" => "uint".to_owned(),
        other => other.to_owned(),
    };
    part_class == metadata_class
}
