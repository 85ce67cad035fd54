//! Explanations of a report, as the window shows them at the pointer: why a varying is in its slot, an invocation in its
//! lane, a field at its value.

mod descriptor;
mod lane;
mod node;
mod register;
mod varying;

use std::fmt::Write as _;

use lanescope_core::report::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Names that an error lists.
const NAMED: usize = 24;

/// What is to be explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A varying by its variable's name, or by location and component as written: `texcoord`, `3.x`, `3`.
    Varying(String),
    /// An attribute slot of the fragment shader, after packing.
    Slot(u32),
    /// A lane of a workgroup: `WAVE.LANE`, or a lane of wave 0.
    Lane(String),
    /// An invocation of a workgroup: `X,Y,Z`.
    Invocation(String),
    /// A register by its name, and one of its fields.
    Register {
        /// The register.
        name: String,
        /// The field; all where absent.
        field: Option<String>,
    },
    /// A descriptor by its variable's name, or as `SET:BINDING`.
    Descriptor(String),
    /// A node of a work graph, by its id.
    Node(String),
}

/// An explanation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// Its parts: the scalars of a varying, the fields of a register.
    pub parts: Vec<Part>,
}

/// A part of an explanation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// What it is about.
    pub about: String,
    /// Names and values.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
    /// Sentences: reasons, steps of a calculation, findings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// A name with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Part {
    fn new(about: impl Into<String>) -> Part {
        Part { about: about.into(), ..Part::default() }
    }

    fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push(Fact { name: name.into(), value: value.into() });
    }
}

impl Explained {
    /// The explanation as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            // Text in memory can be written.
            let _ = writeln!(out, "{}", part.about);
            let width = part.facts.iter().map(|fact| fact.name.chars().count()).max().unwrap_or(0).min(30);
            for Fact { name, value } in &part.facts {
                let _ = writeln!(out, "  {name:width$}  {value}");
            }
            for note in &part.notes {
                let _ = writeln!(out, "  {note}");
            }
        }
        out
    }
}

/// Explains a part of a report.
///
/// # Errors
/// The report has nothing of that name; the message lists what it has.
pub fn explain(report: &Report, question: &Question) -> Result<Explained, String> {
    let parts = match question {
        Question::Varying(name) => varying::varying(report, name),
        Question::Slot(slot) => varying::slot(report, *slot),
        Question::Lane(lane) => lane::lane(report, lane),
        Question::Invocation(invocation) => lane::invocation(report, invocation),
        Question::Register { name, field } => register::register(report, name, field.as_deref()),
        Question::Descriptor(name) => descriptor::descriptor(report, name),
        Question::Node(name) => node::node(report, name),
    }?;
    Ok(Explained { parts })
}

/// The names that an error lists, those nearest to a name first.
fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> String {
    let mut known: Vec<String> = known.into_iter().collect();
    known.sort();
    known.dedup();
    let likeness = |other: &String| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    known.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    let more = known.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed: Vec<&str> = known.iter().take(NAMED).map(String::as_str).collect();
    match listed.is_empty() {
        true => "none".to_owned(),
        false => format!("{}{more}", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_listed_first() {
        let known = ["SPI_PS_INPUT_ENA", "COMPUTE_NUM", "SPI_PS_INPUT_ADDR"].map(str::to_owned);
        let listed = nearest("spi_ps_input_add", known);
        assert!(listed.starts_with("SPI_PS_INPUT_ADDR, "), "{listed}");
        assert_eq!(nearest("x", Vec::new()), "none");
        let many = nearest("x", (0..40).map(|number| number.to_string()));
        assert!(many.ends_with(" and 16 more"), "{many}");
    }

    #[test]
    fn text_has_facts_in_columns() {
        let mut part = Part::new("x");
        part.fact("a", "1");
        part.fact("long", "2");
        part.notes.push("note".to_owned());
        let explained = Explained { parts: vec![part] };
        assert_eq!(explained.text(), "x\n  a     1\n  long  2\n  note\n");
    }
}
