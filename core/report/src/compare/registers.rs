//! Registers: each value, and the fields that make it differ.

use super::pairing::{Key, pairs};
use super::{Kind, Part, Row, Section, Side};
use lanescope_passes::registers::{Field, From, Register};

/// Compares the registers of two reports; `source` is the index in each report's list.
pub(super) fn section(sides: [Side<'_>; 2]) -> Section {
    let [left, right] = sides.map(|side| side.report.registers.as_slice());
    let name = |register: &Register| Some(format!("{} {} {}", register.stage, register.from, register.name));
    let of_entry: Key<'_, Register> =
        &|register| Some(format!("{:?} {}", register.entry.as_deref().unwrap_or_default(), name(register)?));
    // An entry point may be called otherwise on the other side.
    let of_any: Key<'_, Register> = &name;
    let row = |source @ [l, r]: [Option<usize>; 2]| {
        let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        register(both, source)
    };
    let rows = pairs(left, right, &[of_entry, of_any]).into_iter().filter_map(row).collect();
    Section::new(Part::Registers, [!left.is_empty(), !right.is_empty()], rows)
}

fn register(sides: [Option<&Register>; 2], source: [Option<usize>; 2]) -> Option<Row> {
    let register = sides[1].or(sides[0])?;
    let of = match register.from {
        From::Compute => register.stage.with_entry(register.entry.as_deref()),
        from => format!("{}, {from}", register.stage),
    };
    let mut row = Row::new(&of, register.name.clone(), sides.map(|side| side.map(Register::shown)), source);
    let [left, right] = sides.map(|side| side.map(|register| register.fields.as_slice()).unwrap_or_default());
    let key: Key<'_, Field> = &|field| Some(format!("{} {}", field.lsb, field.name));
    for [l, r] in pairs(left, right, &[key]) {
        let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
        let Some(field) = both[1].or(both[0]) else { continue };
        let name = format!("{} {}", field.name, field.bits());
        let part = Row::both("", &name, both, |field| field.shown().into_owned()).because(field.why.to_string());
        // A register that one side does not write says nothing by its fields.
        row.rows.extend(Some(part).filter(|part| part.kind != Kind::Same && sides.iter().all(Option::is_some)));
    }
    if let [Some(old), Some(new)] = sides {
        let both = [old, new];
        let address = Row::both("", "byte address", both.map(Some), |register| register.byte_address().to_string());
        let driver = both.map(|register| register.driver_value.map(|value| value.to_string()));
        let driver = Row::new("", "with the driver's bits", driver, [None, None]);
        row.rows.extend([address, driver].into_iter().filter(|part| part.kind != Kind::Same));
        // A value that only a back end knows reads the same for all field values.
        if row.kind == Kind::Same && !row.rows.is_empty() {
            row.kind = Kind::Changed;
        }
    }
    Some(row)
}
