//! Rows as lines with the columns of `fossilize-replay --enable-pipeline-stats`, one for each executable; as CSV.

use std::collections::HashMap;

use super::row::{DriverRow, Kind, Row};
use super::shader::Shader;
use lanescope_driver::{Value, Version};
use lanescope_passes::table::{Formulas, csv_field, one_line};

/// The columns before the statistics.
pub const FIXED_COLUMNS: [&str; 9] = [
    "Database",
    "Pipeline type",
    "Pipeline hash",
    "PSO wall duration (ns)",
    "PSO duration (ns)",
    "Stage duration (ns)",
    "Executable name",
    "Subgroup size",
    HASH,
];

/// A column of fossilize-replay that drivers report as a statistic.
const HASH: &str = "Driver pipeline hash";

/// The columns of a result: what its rows have. Collected in a first pass, written in a second one.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    statistics: Vec<String>,
    index: HashMap<String, usize>,
    places: Vec<(String, &'static str)>,
    has_failures: bool,
    formulas: Formulas,
}

impl Columns {
    /// No columns yet, for lines in which formulas are guarded or not.
    pub fn with(formulas: Formulas) -> Columns {
        Columns { formulas, ..Columns::default() }
    }

    /// Takes the next row.
    pub fn add(&mut self, row: &Row) {
        self.has_failures |= row.has_failed();
        for driver in &row.drivers {
            let place = (driver.place.clone(), driver.variant.name());
            if !self.places.contains(&place) {
                self.places.push(place);
            }
        }
        for value in row.values().iter().filter(|value| value.driver.is_none()) {
            self.add_statistic(value.name);
        }
        row.drivers.iter().flat_map(DriverRow::slot_values).for_each(|(name, _)| self.add_statistic(name));
        for executable in row.drivers.iter().flat_map(|driver| &driver.executables) {
            executable.statistics.0.iter().for_each(|(name, _)| self.add_statistic(name));
        }
    }

    fn add_statistic(&mut self, name: &str) {
        if name != HASH && !self.index.contains_key(name) {
            self.index.insert(name.to_owned(), self.statistics.len());
            self.statistics.push(name.to_owned());
        }
    }

    fn has_places(&self) -> bool {
        self.places.len() > 1
    }

    /// The titles of the columns. Those for chip and variant follow the statistics where a result has several, then one
    /// for the reasons of failures if any.
    pub fn titles(&self) -> Vec<&str> {
        let mut titles: Vec<&str> = FIXED_COLUMNS.to_vec();
        titles.extend(self.statistics.iter().map(String::as_str));
        if self.has_places() {
            titles.extend(["Device", "Variant"]);
        }
        if self.has_failures {
            titles.push("Failure");
        }
        titles
    }

    /// The fields of a row by column: a line for each of its shaders.
    pub fn fields<'r>(&self, row: &'r Row) -> Vec<Vec<Field<'r>>> {
        let kind = match row.kind {
            Kind::Graphics => "GRAPHICS",
            Kind::Compute => "COMPUTE",
            Kind::RayTracing => "RAYTRACING",
            Kind::Other => "",
        };
        let number = |number: Option<u64>| number.map_or(Field::Empty, |number| Field::Number(Value::Uint(number)));
        let line = |shader: Shader<'r>| {
            let load = row.times.map(|times| times.load.saturating_add(times.passes));
            let mut fields = vec![
                Field::text(&row.database),
                Field::text(kind),
                Field::text(&row.hash),
                number(shader.time.or(load)),
                number(shader.time),
                Field::Empty,
                Field::text(shader.name),
                number(shader.subgroup),
                Field::Empty,
            ];
            fields.resize(FIXED_COLUMNS.len() + self.statistics.len(), Field::Empty);
            for (name, value) in shader.values {
                let at = if name == HASH { Some(FIXED_COLUMNS.len() - 1) } else { None };
                let at = at.or_else(|| self.index.get(name).map(|at| at + FIXED_COLUMNS.len()));
                if let Some(field) = at.and_then(|at| fields.get_mut(at)) {
                    *field = Field::Number(value);
                }
            }
            if self.has_places() {
                let variant = shader.variant.map(Version::name).unwrap_or_default();
                fields.extend([Field::text(shader.place), Field::text(variant)]);
            }
            if self.has_failures {
                fields.push(Field::text(shader.failure));
            }
            fields
        };
        row.shaders().into_iter().map(line).collect()
    }

    /// The header as CSV.
    pub fn header(&self) -> String {
        line(self.titles(), self.formulas)
    }

    /// The lines of a row as CSV.
    pub fn lines(&self, row: &Row) -> String {
        let text = |field: Field<'_>| match field {
            Field::Empty => String::new(),
            Field::Text(text) => text.to_owned(),
            Field::Number(value) => plain(value),
        };
        let lines = self.fields(row).into_iter();
        lines
            .map(|fields| {
                let fields: Vec<String> = fields.into_iter().map(text).collect();
                line(fields.iter().map(String::as_str), self.formulas)
            })
            .collect()
    }
}

/// A field of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'r> {
    /// Nothing.
    Empty,
    /// A text.
    Text(&'r str),
    /// A number.
    Number(Value),
}

impl<'r> Field<'r> {
    fn text(text: &'r str) -> Field<'r> {
        if text.is_empty() { Field::Empty } else { Field::Text(text) }
    }
}

/// A value for other programs: Booleans are 0 and 1.
fn plain(value: Value) -> String {
    match value {
        Value::Bool(value) => u8::from(value).to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Hash(value) => value.0.to_string(),
    }
}

/// A line; lines end as those of fossilize-replay do.
fn line<'f>(fields: impl IntoIterator<Item = &'f str>, formulas: Formulas) -> String {
    let field = |text: &str| csv_field(&formulas.field(&one_line(text)));
    fields.into_iter().map(field).collect::<Vec<_>>().join(",") + "\n"
}
