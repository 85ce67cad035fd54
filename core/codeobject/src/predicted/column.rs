//! The results as a column beside the registers of the model, and as one line.

use lanescope_passes::registers::ValueColumn;
use lanescope_passes::table::{Cell, Meaning, Part, Table};

use super::table::object;
use super::{Counts, FieldResult, Predicted, Verdict};

impl Predicted {
    /// The object's values beside the registers of the model.
    pub fn column(&self) -> ValueColumn {
        let about = "The value of the code object, and whether the computed value agrees with it";
        let mut out = ValueColumn::new("Object", about);
        for fields in self.fields.chunk_by(|a, b| a.register == b.register) {
            let Some(first) = fields.first() else { continue };
            let differs = fields.iter().any(|field| field.verdict == Verdict::Differs);
            out.set_register(&first.register, of_register(fields), differs);
            for field in fields {
                out.set_field(&field.register, &field.field, of_field(field));
            }
        }
        out
    }

    /// How many fields have each result, in words: `84 agree, 1 differs, 23 not predicted`.
    pub fn counts_text(&self) -> String {
        texts(self.field_counts).join(", ")
    }

    /// The registers that only the object has, each with its fields.
    pub fn only_in_object(&self) -> Table {
        let is_own = |field: &&FieldResult| field.is_only_in_object();
        let fields: Vec<FieldResult> = self.fields.iter().filter(is_own).cloned().collect();
        Predicted { fields, places: Vec::new(), not_loaded: Vec::new(), ..*self }.fields_table(Verdict::NotPredicted)
    }
}

impl FieldResult {
    /// Whether the model has no such field.
    fn is_only_in_object(&self) -> bool {
        self.verdict == Verdict::NotPredicted && self.why.is_none()
    }
}

/// Each count with its word, those that are 0 left out.
fn texts(counts: Counts) -> Vec<String> {
    let Counts { agrees, differs, not_predicted, not_in_object, not_comparable } = counts;
    let verb = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let all = [
        (agrees, verb(agrees, "agrees", "agree")),
        (differs, verb(differs, "differs", "differ")),
        (not_predicted, format!("{not_predicted} not predicted")),
        (not_in_object, format!("{not_in_object} not in the object")),
        (not_comparable, format!("{not_comparable} not comparable")),
    ];
    all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect()
}

/// What differs by field, then the other results: one word where all fields have the same.
fn of_register(fields: &[FieldResult]) -> Cell {
    let is_told = |field: &&FieldResult| matches!(field.verdict, Verdict::Differs | Verdict::NotComparable);
    let told = fields.iter().filter(is_told).map(|field| {
        let name = if field.field.is_empty() { String::new() } else { format!("{} ", field.field) };
        let text = format!("≠ {name}{}", object(field));
        Part { meaning: Meaning::Changed, ..Part::code(text).help(help(field)) }
    });
    let mut parts: Vec<Part> = told.collect();
    let counts = Counts::of(fields.iter().map(|field| field.verdict));
    let rest = texts(Counts { differs: 0, not_comparable: 0, ..counts });
    let only = fields.first().filter(|first| fields.iter().all(|field| field.verdict == first.verdict));
    match (parts.is_empty(), only) {
        (true, Some(first)) => parts.push(Part::of(meaning(first.verdict), first.verdict.name())),
        _ if rest.is_empty() => {}
        _ => parts.push(Part::of(Meaning::Dimmed, rest.join(", "))),
    }
    Cell { parts, list: true, ..Cell::default() }
}

fn of_field(field: &FieldResult) -> Cell {
    let verdict = Part::of(meaning(field.verdict), field.verdict.name()).help(help(field));
    if field.object.is_none() {
        return verdict.into();
    }
    let cause = field.cause.map(|cause| Part::of(Meaning::Changed, format!("({})", cause.name())).help(cause.why()));
    let mut cell = Cell::code(object(field)).and(verdict);
    cell.parts.extend(cause);
    cell
}

/// Where the object has the value, and what a difference follows from.
fn help(field: &FieldResult) -> String {
    let place = match &field.key {
        Some(key) => format!("in the object: {key}"),
        None if field.left_out => "the metadata leaves the field out, so it is 0".to_owned(),
        None => String::new(),
    };
    let cause = field.cause.map(|cause| cause.why().to_owned()).unwrap_or_default();
    let lines = [place, cause];
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn meaning(verdict: Verdict) -> Meaning {
    match verdict {
        Verdict::Agrees => Meaning::Good,
        Verdict::Differs | Verdict::NotComparable => Meaning::Changed,
        Verdict::NotPredicted | Verdict::NotInObject => Meaning::Missing,
    }
}
