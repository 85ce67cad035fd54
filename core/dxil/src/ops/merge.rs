//! Two branches that change op tables, and the table that both started from.
//!
//! A number is a place in a table, so that a merge without a conflict of lines can give one number to two ops.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::shown;
use super::opcode::{Opcode, TableKind};
use super::table::Op;
use super::tables::Tables;
use crate::findings::Severity;

/// Something that a merge has to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// An error is a number or a name for two ops.
    pub severity: Severity,
    /// What both sides did.
    pub text: String,
    /// The number that the other side's op has, and the one that it can get.
    pub renumber: Option<(Opcode, Opcode)>,
}

fn conflict(severity: Severity, text: String) -> Conflict {
    Conflict { severity, text, renumber: None }
}

/// Whether two slots are one op: names, operands and the rest.
fn same(left: &Op, right: &Op) -> bool {
    left == right || (left.reserved && right.reserved)
}

fn describe(op: &Op) -> String {
    if op.reserved { "a hole".to_owned() } else { format!("{} ({})", op.name, shown(op)) }
}

/// What the merge of `ours` and `theirs` has to decide, by number.
pub fn merge(base: Tables, ours: Tables, theirs: Tables) -> Vec<Conflict> {
    let mut out = Vec::new();
    for kind in TableKind::ALL {
        let [base, ours, theirs] = [base, ours, theirs].map(|tables| tables.table(*kind).ops.as_slice());
        for (index, before) in base.iter().enumerate() {
            let (Some(our), Some(their)) = (ours.get(index), theirs.get(index)) else {
                let side = if ours.get(index).is_none() { "ours" } else { "theirs" };
                let number = before.opcode.shown();
                out.push(conflict(Severity::Error, format!("{number} {} is gone in {side}", before.name)));
                continue;
            };
            if same(our, their) || same(our, before) || same(their, before) {
                continue;
            }
            let number = before.opcode.shown();
            let (our, their) = (describe(our), describe(their));
            let (severity, what) = match before.reserved {
                true => (Severity::Error, "both fill the hole"),
                false => (Severity::Warning, "both change it"),
            };
            out.push(conflict(severity, format!("{number} {}: {what}: ours {our}, theirs {their}", before.name)));
        }
        appended(base.len(), ours, theirs, &mut out);
    }
    names(base, ours, theirs, &mut out);
    out
}

/// Slots that both added at the end.
fn appended(base: usize, ours: &'static [Op], theirs: &'static [Op], out: &mut Vec<Conflict>) {
    let (ours, theirs) = (ours.get(base..).unwrap_or_default(), theirs.get(base..).unwrap_or_default());
    if ours.iter().zip(theirs).all(|(our, their)| same(our, their)) {
        return;
    }
    // Theirs come after ours; those that ours has too stay.
    let new = theirs.iter().filter(|their| !ours.iter().any(|our| !our.reserved && our.name == their.name));
    for (their, place) in new.zip(base + ours.len()..) {
        let feature = their.opcode.0 & 0xffff_0000;
        let Ok(place) = u16::try_from(place) else { return };
        let to = Opcode(feature | u32::from(place));
        let number = their.opcode.shown();
        let index = usize::from(their.opcode.index()) - base;
        let text = match ours.get(index) {
            Some(our) => format!("{number}: both add it: ours {}, theirs {}", describe(our), describe(their)),
            None => format!("{number} {} of theirs comes after the ops of ours", their.name),
        };
        let renumber = (!their.reserved && to != their.opcode).then_some((their.opcode, to));
        let severity = if ours.get(index).is_some() { Severity::Error } else { Severity::Warning };
        out.push(Conflict { severity, text, renumber });
    }
}

/// A name that the sides give to different numbers.
fn names(base: Tables, ours: Tables, theirs: Tables, out: &mut Vec<Conflict>) {
    for our in ours.all().filter(|op| !op.reserved) {
        let known = |tables: Tables| tables.by_name(&our.name).filter(|op| !op.reserved).map(|op| op.opcode);
        let Some(their) = known(theirs).filter(|their| *their != our.opcode) else { continue };
        // One side moved it.
        if known(base).is_some_and(|base| base == their || base == our.opcode) {
            continue;
        }
        let (name, our, their) = (&our.name, our.opcode.shown(), their.shown());
        out.push(conflict(Severity::Error, format!("{name} has number {our} in ours and {their} in theirs")));
    }
}

/// Numbers of the intrinsics of HLSL, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intrinsics {
    numbers: BTreeMap<String, u32>,
    count: Option<u32>,
}

impl Intrinsics {
    /// Reads `hlsl_intrinsic_opcodes.json`.
    ///
    /// # Errors
    ///
    /// It is not JSON, or has no object `IntrinsicOpCodes` of numbers.
    pub fn read(text: &str) -> Result<Intrinsics, String> {
        let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let object = file.get("IntrinsicOpCodes").and_then(Value::as_object);
        let object = object.ok_or("expected the object IntrinsicOpCodes")?;
        let (mut numbers, mut count) = (BTreeMap::new(), None);
        for (name, value) in object {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            let number = number.ok_or_else(|| format!("{name}: expected a number of 32 bits, found {value}"))?;
            if name == "Num_Intrinsics" {
                count = Some(number);
            } else {
                numbers.insert(name.clone(), number);
            }
        }
        Ok(Intrinsics { numbers, count })
    }

    /// Rules inside one file: no number twice, and the count is one more than the last.
    pub fn check(&self) -> Vec<Conflict> {
        let mut out = Vec::new();
        let mut by_number: BTreeMap<u32, &str> = BTreeMap::new();
        for (name, number) in &self.numbers {
            if let Some(other) = by_number.insert(*number, name) {
                out.push(conflict(Severity::Error, format!("{other} and {name} both have number {number}")));
            }
        }
        let next = by_number.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        if self.count != Some(next) {
            let found = self.count.map_or_else(|| "none".to_owned(), |count| count.to_string());
            out.push(conflict(Severity::Error, format!("Num_Intrinsics: expected {next}, found {found}")));
        }
        out
    }
}

/// What the merge of two files of intrinsics has to decide.
pub fn merge_intrinsics(base: &Intrinsics, ours: &Intrinsics, theirs: &Intrinsics) -> Vec<Conflict> {
    let mut out = Vec::new();
    let used = |of: &Intrinsics, number: u32| {
        let found = of.numbers.iter().find(|(_, other)| **other == number);
        found.map(|(name, _)| name.clone())
    };
    let last = ours.numbers.values().max().copied().unwrap_or(0);
    let mut next = last;
    for (name, number) in theirs.numbers.iter().filter(|(name, _)| !base.numbers.contains_key(*name)) {
        match (ours.numbers.get(name), used(ours, *number)) {
            (Some(our), _) if our == number => {}
            (Some(our), _) => {
                let text = format!("{name} has number {our} in ours and {number} in theirs");
                out.push(conflict(Severity::Error, text));
            }
            (None, Some(our)) => {
                next = next.saturating_add(1);
                let text = format!("{number}: ours is {our}, theirs {name}; theirs can be {next}");
                out.push(conflict(Severity::Error, text));
            }
            (None, None) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::database;
    use crate::ops::table::Database;

    fn with(names: &[&str], change: impl FnOnce(&mut Database)) -> Tables {
        let mut database = database().clone();
        let model = database.tables[1].ops[33].clone();
        for name in names {
            let opcode = Opcode(0x8000_0000 | database.tables[1].ops.len() as u32);
            database.tables[1].ops.push(Op {
                opcode,
                name: (*name).to_owned(),
                class: (*name).to_owned(),
                ..model.clone()
            });
        }
        change(&mut database);
        Tables::of(database).expect("the form holds")
    }

    fn rows(ours: Tables, theirs: Tables) -> Vec<String> {
        let row = |conflict: Conflict| {
            let map = conflict.renumber.map(|(from, to)| format!(" {from:#}={to:#}")).unwrap_or_default();
            format!("{} {}{map}", conflict.severity, conflict.text)
        };
        merge(Tables::bundled(), ours, theirs).into_iter().map(row).collect()
    }

    #[test]
    fn sides_that_changed_other_slots_merge() {
        let ours = with(&["A"], |data| data.tables[1].ops[1].stages.clear());
        let theirs = with(&[], |data| data.tables[1].ops[2].stages.clear());
        assert_eq!(rows(ours, theirs), [""; 0]);
        assert_eq!(rows(ours, ours), [""; 0]);
    }

    #[test]
    fn numbers_that_both_took_are_given_out_again() {
        let found = rows(with(&["A", "B"], |_| {}), with(&["C", "B", "D"], |_| {}));
        assert_eq!(
            found,
            [
                "error 0x80000023 (-2147483613): both add it: ours A (), theirs C () 0x80000023=0x80000025",
                "warning 0x80000025 (-2147483611) D of theirs comes after the ops of ours 0x80000025=0x80000026",
            ]
        );
        let found = rows(with(&["A", "B"], |_| {}), with(&["B"], |_| {}));
        assert_eq!(
            found,
            ["error B has number 0x80000024 (-2147483612) in ours and 0x80000023 (-2147483613) in theirs"]
        );
    }

    #[test]
    fn slots_that_both_changed_are_reported() {
        let fill = |name: &'static str| {
            move |data: &mut Database| {
                let hole = &mut data.tables[1].ops[32];
                (hole.reserved, hole.name) = (false, name.to_owned());
                data.tables[1].ops[33].class = name.to_owned();
            }
        };
        assert_eq!(
            rows(with(&[], fill("A")), with(&[], fill("B"))),
            [
                "error 0x80000020 (-2147483616) ReservedE0: both fill the hole: ours A (), theirs B ()",
                "warning 0x80000021 (-2147483615) DebugBreak: both change it: ours DebugBreak (), theirs DebugBreak ()",
            ]
        );
    }

    #[test]
    fn intrinsics_merge_by_number() {
        let read = |text: &str| Intrinsics::read(&format!("{{\"IntrinsicOpCodes\": {{{text}}}}}")).expect("reads");
        let base = read("\"IOP_a\": 0, \"Num_Intrinsics\": 1");
        let ours = read("\"IOP_a\": 0, \"IOP_b\": 1, \"IOP_c\": 2, \"Num_Intrinsics\": 3");
        let theirs = read("\"IOP_a\": 0, \"IOP_c\": 1, \"IOP_d\": 2, \"IOP_e\": 3, \"Num_Intrinsics\": 3");
        let texts = |all: Vec<Conflict>| all.into_iter().map(|one| one.text).collect::<Vec<_>>();
        assert_eq!(
            texts(merge_intrinsics(&base, &ours, &theirs)),
            ["IOP_c has number 2 in ours and 1 in theirs", "2: ours is IOP_c, theirs IOP_d; theirs can be 3"]
        );
        assert_eq!(texts(theirs.check()), ["Num_Intrinsics: expected 4, found 3"]);
        assert_eq!(texts(read("\"IOP_a\": 1, \"IOP_b\": 1").check()).len(), 2);
        assert!(ours.check().is_empty());
        for (text, why) in
            [("[]", "IntrinsicOpCodes"), ("{\"IntrinsicOpCodes\": {\"a\": -1}}", "32 bits"), ("{", "EOF")]
        {
            assert!(Intrinsics::read(text).is_err_and(|error| error.contains(why)), "{text}");
        }
    }
}
