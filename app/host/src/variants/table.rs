//! Variants as tables: a row for each variant, and what each value of a macro changes.

use lanescope_core::compare::{Kind, Part};
use lanescope_core::table::{Cell, Column, Key, Meaning, Table, Width};
use lanescope_core::text_format::counted;

use super::{Difference, MacroEffect, Slots, ValueEffect, VariantRow};

/// Names of a list that are written out.
const NAMES: usize = 8;

/// A row for each variant.
pub fn table(rows: &[VariantRow]) -> Table {
    let mut out = Table::new([
        Column::left("No."),
        Column::left("Variant").width(Width::AtMost(44)),
        Column::left("Result"),
        Column::left("Slots").optional(),
        Column::right("Scalars").help("Names of scalars of interfaces that were added, removed or moved").optional(),
        Column::right("Registers").help("Names of registers whose value differs").optional(),
        Column::left("Others").help("Other sections that differ").optional(),
        Column::left("Findings").help("Findings that were added, removed or changed").optional(),
        Column::left("Unused macros").optional(),
    ])
    .with_words();
    let base = rows.first().map(|row| row.slots.as_slice()).unwrap_or_default();
    for (number, row) in (1..).zip(rows) {
        out.row(cells(number, row, base));
        // The base is program 0 where it compiles; else there is nothing to compare with.
        if let (Some(program), Some(_), Some(last)) = (row.program, &row.difference, out.rows.last_mut())
            && program > 0
        {
            last.key = Key::Item(program);
        }
    }
    out
}

fn cells(number: usize, row: &VariantRow, base: &[u32]) -> Vec<Cell> {
    let none = Difference::default();
    let difference = row.difference.as_ref().unwrap_or(&none);
    let (meaning, result) = match (number, row.same_as, &row.failure, &row.difference) {
        (_, _, Some(_), _) => (Meaning::Changed, "cannot be used".to_owned()),
        (1, ..) => (Meaning::Strong, "the base".to_owned()),
        (_, Some(same), ..) => (Meaning::Dimmed, format!("as {}", same + 1)),
        (_, _, _, None) => (Meaning::Missing, "no base".to_owned()),
        (_, _, _, Some(difference)) if difference.is_empty() => (Meaning::Plain, "code only".to_owned()),
        _ => (Meaning::Changed, "differs".to_owned()),
    };
    let list = |slots: &[u32]| slots.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let slots = match row.failure.is_none() {
        true if !difference.slots.is_empty() => {
            Cell::code(format!("{} → {}", list(base), list(&row.slots))).meaning(Meaning::Changed)
        }
        true => list(&row.slots).into(),
        false => Cell::default(),
    };
    let number_of = |count: usize| if count == 0 { Cell::default() } else { Cell::code(count) };
    let others: Vec<&str> = difference.others.keys().map(|part| part.name()).collect();
    let findings: Vec<String> =
        difference.findings.iter().map(|one| format!("{}{}", one.kind.sign(), one.code)).collect();
    vec![
        number.to_string().into(),
        Cell::code(if row.name.is_empty() { "(no flags)" } else { row.name.as_str() }),
        Cell::of(meaning, result),
        slots,
        number_of(difference.moved.len()),
        number_of(difference.registers.len()),
        others.join(", ").into(),
        Cell::code(findings.join(" ")),
        row.unread_macros.join(", ").into(),
    ]
}

/// A row for each value of a macro but its first.
pub fn effects_table(macros: &[MacroEffect]) -> Table {
    let mut out = Table::new([
        Column::left("Macro"),
        Column::left("Value").help("The first value, and the one against it"),
        Column::left("Changes").help("Over all pairs of variants that differ in this macro alone"),
    ])
    .with_words();
    for one in macros {
        if one.values.is_empty() {
            out.row([Cell::code(&one.name), Cell::default(), "has one value".into()]);
        }
        for effect in &one.values {
            out.row([Cell::code(&one.name), Cell::code(step(effect)), Cell::code(what_changes(effect, one.unread))]);
        }
    }
    out
}

/// Both values: `undefined → 1`.
pub fn step(effect: &ValueEffect) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "undefined".to_owned());
    format!("{} → {}", value(&effect.before), value(&effect.after))
}

/// What a value changes: `packed slots 3 → 4; SPI_PS_IN_CONTROL (in 2 of 4 pairs)`.
pub fn what_changes(effect: &ValueEffect, unread: bool) -> String {
    let ValueEffect { pairs, equal, differ, failed, difference, .. } = effect;
    let compared = pairs - failed.iter().sum::<usize>();
    let mut parts = Vec::new();
    let own = match compared {
        0 => None,
        _ if equal == pairs && unread => Some("nothing: no source file uses the macro".to_owned()),
        compared if *equal == compared => Some("nothing: the modules are equal".to_owned()),
        _ if *differ == 0 => Some("code only: nothing of the layout".to_owned()),
        _ => Some(summary(difference)),
    };
    parts.extend(own.map(|own| match *differ {
        0 => own,
        differ if differ == *pairs => own,
        differ => format!("{own} (in {differ} of {})", counted(*pairs, "pair")),
    }));
    let [first, second, both] = failed.map(|count| format!("in {count} of {}", counted(*pairs, "pair")));
    let sides = [(failed[0], "with the first value", first), (failed[1], "with this value", second)];
    for (count, which, text) in sides.into_iter().chain([(failed[2], "with either value", both)]) {
        if count > 0 {
            parts.push(format!("cannot be used {which} {text}"));
        }
    }
    parts.join("; ")
}

fn summary(difference: &Difference) -> String {
    let mut parts = Vec::new();
    if difference.keeps_layout() {
        parts.push("nothing of the layout".to_owned());
    }
    parts.extend(of_slots(&difference.slots));
    if !difference.moved.is_empty() {
        parts.push(format!("scalars {}", names(&difference.moved)));
    }
    if !difference.registers.is_empty() {
        parts.push(names(&difference.registers));
    }
    for (part, rows) in &difference.others {
        let label = if *part == Part::Isa { "assembly" } else { part.name() };
        parts.push(if rows.is_empty() { label.to_owned() } else { format!("{label} ({})", names(rows)) });
    }
    let finding = |kind, label: &str| {
        let mut codes: Vec<String> = Vec::new();
        for one in difference.findings.iter().filter(|one| one.kind == kind) {
            if !codes.contains(&one.code) {
                codes.push(one.code.clone());
            }
        }
        (!codes.is_empty()).then(|| format!("{label} {}", names(&codes)))
    };
    parts.extend(finding(Kind::Changed, "changes finding"));
    parts.extend(finding(Kind::Added, "adds finding"));
    parts.extend(finding(Kind::Removed, "removes finding"));
    parts.join(", ")
}

/// `packed slots 3 → 4`, for each interface and each change of it.
fn of_slots(slots: &[Slots]) -> Option<String> {
    let number = |slots: &Option<String>| slots.clone().unwrap_or_else(|| "none".to_owned());
    let first = slots.first()?;
    let one_interface = slots.iter().all(|one| one.of == first.of);
    let text = |one: &Slots| {
        let of = if one_interface { String::new() } else { format!(" of {}", one.of) };
        format!("{} → {}{of}", number(&one.before), number(&one.after))
    };
    Some(format!("packed slots {}", names(&slots.iter().map(text).collect::<Vec<_>>())))
}

/// The first names, and how many more there are.
pub fn names(all: &[String]) -> String {
    let shown = all.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
