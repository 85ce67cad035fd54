//! Why the fields of a register have their values.

use lanescope_core::registers::pairs::{Pair, Pairs, same_field};
use lanescope_core::registers::{Field, Register};
use lanescope_core::report::Report;

use super::{Part, nearest};

/// A register, with all fields or one.
pub(super) fn register(report: &Report, name: &str, field: Option<&str>) -> Result<Vec<Part>, String> {
    let all = &report.registers;
    let pairs = Pairs::new(all);
    let mut parts = Vec::new();
    for (stage, of_stage) in pairs.by_stage(all) {
        for (pair, register) in of_stage.into_iter().filter(|(_, one)| one.name.eq_ignore_ascii_case(name)) {
            parts.extend(explained(report, pair, register, &stage, field)?);
        }
    }
    if parts.is_empty() {
        let known = nearest(name, all.iter().map(|register| register.name.to_string()));
        return Err(format!("no register `{name}` for {}: the registers are {known}", report.options.target));
    }
    Ok(parts)
}

fn explained(
    report: &Report,
    pair: &Pair,
    register: &Register,
    stage: &str,
    field: Option<&str>,
) -> Result<Vec<Part>, String> {
    let all = &report.registers;
    let mut head = Part::new(format!("{} of {stage}, {}", register.name, register.target));
    head.fact("byte address", register.byte_address().to_string());
    match (pair.unpacked(all), pair.packed(all)) {
        (Some(before), after) => {
            head.fact("original", before.shown());
            head.fact("packed", after.map_or_else(|| "not written".to_owned(), Register::shown));
        }
        (None, _) => head.fact("value", register.shown()),
    }
    if let Some(value) = register.driver_value {
        head.fact("with the bits that the driver adds", value.to_string());
    }
    let wanted = |one: &&Field| field.is_none_or(|field| one.name.eq_ignore_ascii_case(field));
    let fields: Vec<&Field> = register.fields.iter().filter(wanted).collect();
    if let (true, Some(field)) = (fields.is_empty(), field) {
        let known = nearest(field, register.fields.iter().map(|field| field.name.to_string()));
        return Err(format!("no field `{field}` in {}: its fields are {known}", register.name));
    }
    let mut parts = vec![head];
    for field in fields {
        let mut part = Part::new(format!("{} {}", field.name, field.bits()));
        let before = pair.packed(all).and(same_field(pair.unpacked(all), field));
        match before.filter(|before| before.value != field.value) {
            Some(before) => {
                part.fact("original", before.shown());
                part.fact("packed", field.shown());
            }
            None => part.fact("value", field.shown()),
        }
        part.notes.extend((!field.why.is_empty()).then(|| field.why.to_string()));
        parts.push(part);
    }
    Ok(parts)
}
