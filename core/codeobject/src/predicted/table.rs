//! The results as tables.

use lanescope_passes::registers::DATA;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Part, Table};

use super::{Counts, FieldResult, PlaceResult, Predicted, Verdict};
use crate::user_data::Holds;

impl Predicted {
    /// How many fields and locations have each result.
    pub fn counts_table(&self) -> Table {
        let mut out = Table::new([
            Column::left(""),
            Column::right("agree"),
            Column::right("differ"),
            Column::right("not predicted"),
            Column::right("not in the object"),
            Column::right("not comparable"),
        ]);
        let mut row = |name: &str, counts: Counts| {
            let Counts { agrees, differs, not_predicted, not_in_object, not_comparable } = counts;
            let plain = |count: usize| Cell::from(count.to_string());
            let changed = |count: usize| if count > 0 { plain(count).meaning(Meaning::Changed) } else { plain(count) };
            out.row([
                name.into(),
                plain(agrees),
                changed(differs),
                plain(not_predicted),
                plain(not_in_object),
                plain(not_comparable),
            ]);
        };
        row("register fields", self.field_counts);
        if !self.places.is_empty() {
            row("locations", self.place_counts);
        }
        out
    }

    /// The fields that differ, and those that cannot be compared.
    pub fn differing_table(&self) -> Table {
        let mut out = Table::new([
            Column::left("register"),
            Column::left("field"),
            Column::right("predicted"),
            Column::right("object"),
            Column::left("cause").optional(),
            Column::left("why predicted"),
            Column::left("in the object").optional(),
        ]);
        let of = |field: &&FieldResult| matches!(field.verdict, Verdict::Differs | Verdict::NotComparable);
        for field in self.fields.iter().filter(of) {
            let key = match &field.key {
                Some(key) => Cell::code(key).meaning(Meaning::Dimmed),
                None if field.left_out => Cell::of(Meaning::Dimmed, "left out"),
                None => Cell::default(),
            };
            let cause = field.cause.map(|cause| Cell::of(Meaning::Changed, cause.name()).help(cause.why()));
            let cells = [
                Cell::code(&field.register),
                Cell::code(&field.field),
                Cell::code(predicted(field)),
                Cell::code(object(field)).meaning(Meaning::Changed),
                cause.unwrap_or_default(),
                field.why.as_deref().unwrap_or_default().into(),
                key,
            ];
            out.push(Key::Register(field.register.clone()), cells);
        }
        out
    }

    /// The fields with a result, one row for each register. Fields that are 0 on both sides are counted only.
    pub fn fields_table(&self, verdict: Verdict) -> Table {
        let mut out = Table::new([Column::left("register"), Column::left("fields")]);
        let of: Vec<&FieldResult> = self.fields.iter().filter(|field| field.verdict == verdict).collect();
        for register in of.chunk_by(|a, b| a.register == b.register) {
            let (zeros, set): (Vec<&&FieldResult>, Vec<_>) = register.iter().partition(|field| field.is_zero());
            let mut parts: Vec<Part> = set.iter().map(|field| Part::code(field.text())).collect();
            if !zeros.is_empty() {
                let text = match (zeros.as_slice(), set.is_empty()) {
                    ([only], _) => only.text(),
                    (several, true) => format!("{} fields, all 0", several.len()),
                    (several, false) => format!("{} others, all 0", several.len()),
                };
                parts.push(Part::of(Meaning::Dimmed, text));
            }
            let name = register.first().map_or("", |field| &field.register);
            out.push(Key::Register(name.to_owned()), [Cell::code(name), Cell { parts, list: true, ..Cell::default() }]);
        }
        out
    }

    /// The locations.
    pub fn places_table(&self) -> Table {
        let mut out = Table::new([
            Column::left(""),
            Column::right("location"),
            Column::left("predicted"),
            Column::left("object"),
            Column::left("result"),
        ]);
        for place in &self.places {
            let PlaceResult { side, semantic, verdict, predicted, object } = place;
            let slots: Vec<String> = predicted.iter().map(|slot| format!("slot {slot}")).collect();
            let result = match verdict {
                Verdict::Agrees => Meaning::Dimmed,
                Verdict::Differs | Verdict::NotComparable => Meaning::Changed,
                Verdict::NotPredicted | Verdict::NotInObject => Meaning::Missing,
            };
            out.row([
                side.name().into(),
                Cell::code(crate::Value::Uint(*semantic).flow()),
                Cell::code(slots.join(", ")),
                Cell::code(object.map_or_else(String::new, |slot| format!("slot {slot}"))),
                Cell::of(result, verdict.name()),
            ]);
        }
        out
    }
}

fn predicted(field: &FieldResult) -> String {
    field.predicted.map_or_else(String::new, |value| shown(field, value))
}

pub(super) fn object(field: &FieldResult) -> String {
    match (&field.object, field.object.as_ref().and_then(crate::Value::field)) {
        (_, Some(number)) if u32::try_from(number).is_ok() => shown(field, number as u32),
        (Some(value), _) => value.flow(),
        (None, _) => String::new(),
    }
}

/// A field's value, as the register report shows it: large ones in hexadecimal, of user data what it means.
fn shown(field: &FieldResult, value: u32) -> String {
    if field.field == DATA {
        return Holds::of(u64::from(value)).map_or_else(|| "not mapped".to_owned(), Holds::text);
    }
    if value > 0xfff { format!("0x{value:x}") } else { value.to_string() }
}

impl FieldResult {
    /// The field with its value: of the object, where it has one.
    fn text(&self) -> String {
        let value = if self.object.is_some() { object(self) } else { predicted(self) };
        if self.field.is_empty() || self.field == DATA { value } else { format!("{}={value}", self.field) }
    }

    fn is_zero(&self) -> bool {
        self.field != DATA && self.is_number_zero()
    }

    fn is_number_zero(&self) -> bool {
        match &self.object {
            Some(value) => value.field() == Some(0),
            None => self.predicted == Some(0),
        }
    }
}
