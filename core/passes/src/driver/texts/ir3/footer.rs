//! The remarks at the end that say what registers hold.

use super::super::{Slot, SlotKind};

/// What they say.
#[derive(Default)]
pub(super) struct Footer {
    /// Inputs.
    pub inputs: Vec<Delivered>,
    /// The first register of each output at the end, and what it is.
    pub outputs: Vec<(String, Slot)>,
}

/// An input: delivered in registers, or read by number.
pub(super) struct Delivered {
    /// The first register, as printed.
    pub register: String,
    /// What it is.
    pub slot: Slot,
    /// Components, as bits.
    pub mask: u32,
    /// The number of its first component, for what is interpolated.
    pub number: u32,
    /// Instructions read it by number.
    pub interpolated: bool,
}

/// The most entries that are kept: a stage has less than a hundred.
const AT_MOST: usize = 256;

impl Footer {
    /// Reads a remark, where it is one of inputs or outputs: `; FRAG: outputs: r1.y (FRAG_RESULT_DATA0)`.
    pub fn read(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix(';') else { return };
        let Some((stage, rest)) = rest.split_once(": ") else { return };
        let is_stage = |b: u8| b.is_ascii_uppercase();
        if !stage.trim().bytes().all(is_stage) {
            return;
        }
        if let Some(all) = rest.strip_prefix("outputs:") {
            let found = entries(all).map(|(register, inner)| (register.to_owned(), slot(inner)));
            self.outputs.extend(found.take(AT_MOST));
        } else if let Some(all) = rest.strip_prefix("inputs:") {
            self.inputs.extend(entries(all).filter_map(|(register, inner)| delivered(register, inner)).take(AT_MOST));
        }
    }
}

/// `r1.w (NAME slot=32 …) r0.x (…)`: registers, and what stands in parentheses after each.
fn entries(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(')').filter_map(|entry| {
        let (register, inner) = entry.split_once('(')?;
        Some((register.trim(), inner.trim()))
    })
}

/// `VARYING_SLOT_VAR1 slot=33 cm=f,il=4,b=1`.
fn delivered(register: &str, inner: &str) -> Option<Delivered> {
    let (name, rest) = inner.split_once(' ')?;
    let value = |key: &str| {
        let parts = rest.split([' ', ',']);
        parts.filter_map(|part| part.split_once('=')).find(|(other, _)| *other == key).map(|(_, value)| value)
    };
    let mask = u32::from_str_radix(value("cm")?, 16).ok()?;
    let number = value("il")?.parse().ok()?;
    let interpolated = value("b")? == "1";
    Some(Delivered { register: register.to_owned(), slot: slot(name), mask, number, interpolated })
}

/// What a name stands for: `VARYING_SLOT_VAR3`, `VERT_ATTRIB_GENERIC0`, `FRAG_RESULT_DATA0`, `SYSTEM_VALUE_VERTEX_ID`.
pub(super) fn slot(name: &str) -> Slot {
    let numbered = [
        ("VARYING_SLOT_VAR", SlotKind::Varying),
        ("VARYING_SLOT_PATCH", SlotKind::Patch),
        ("VERT_ATTRIB_GENERIC", SlotKind::Attribute),
        ("FRAG_RESULT_DATA", SlotKind::Color),
    ];
    let found = numbered.iter().find_map(|(start, what)| {
        let number = name.strip_prefix(start)?.parse().ok()?;
        Some(Slot::at(*what, number, 0))
    });
    let own = ["VARYING_SLOT_", "SYSTEM_VALUE_", "FRAG_RESULT_", "VERT_ATTRIB_"];
    found.unwrap_or_else(|| {
        let bare = own.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
        let words = match bare {
            "POS" => "position".to_owned(),
            "PSIZ" => "point size".to_owned(),
            other => other.to_ascii_lowercase().replace('_', " "),
        };
        let component = (bare == "POS").then_some(0);
        Slot::built_in(&words, component)
    })
}
