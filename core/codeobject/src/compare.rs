//! Two code objects, part by part: chip, code, pipeline, shaders, stages, user data, registers by field, semantics, and all
//! other metadata. Values are paired by name.

use std::collections::BTreeMap;

use lanescope_base::named_enum;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{CodeObject, Content, Pipeline};

named_enum!(
    /// A part of an object.
    Part {
        /// ABI and chip.
        Header = "header",
        /// Sections, and code of the hardware stages.
        Code = "code",
        /// Pipeline: hashes, limits, type.
        Pipeline = "pipeline",
        /// The API's shaders.
        Shaders = "shaders",
        /// Hardware stages.
        Stages = "stages",
        /// What user SGPRs hold.
        UserData = "user data",
        /// Registers by field.
        Registers = "registers",
        /// Semantics of exports and inputs.
        Semantics = "semantics",
        /// Notes that are none of these.
        Notes = "notes",
    }
);

/// Two objects, compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Nothing differs.
    pub equal: bool,
    /// The parts, each one once.
    pub sections: Vec<Section>,
}

/// A part of two objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Section {
    /// The part.
    pub name: Part,
    /// Nothing in it differs.
    pub equal: bool,
    /// How many values it has in either object: where none, there was nothing to compare.
    pub values: usize,
    /// Its values: those that differ, or all of them.
    pub rows: Vec<Difference>,
}

/// A value of two objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// What it is: `SPI_PS_INPUT_CNTL_0.OFFSET`, `ps s1`.
    pub name: String,
    /// The value of the first object; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
    /// The value of the second object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

impl Difference {
    /// Whether both objects have the same value.
    pub fn is_equal(&self) -> bool {
        self.left == self.right
    }

    /// The sign of the change: changed, removed, added, or the same.
    pub fn sign(&self) -> &'static str {
        match (&self.left, &self.right) {
            (Some(left), Some(right)) if left != right => "≠",
            (Some(_), None) => "−",
            (None, Some(_)) => "+",
            _ => "=",
        }
    }
}

impl Comparison {
    /// Leaves out every value that is the same on both sides.
    pub fn keep_changes(&mut self) {
        self.sections.iter_mut().for_each(|section| section.rows.retain(|row| !row.is_equal()));
    }
}

impl Section {
    /// How many of its values differ.
    pub fn differences(&self) -> usize {
        self.rows.iter().filter(|row| !row.is_equal()).count()
    }
}

/// Compares two objects.
pub fn compare(left: &CodeObject, right: &CodeObject) -> Comparison {
    let section = |part: &Part| {
        let rows = paired(values(left, *part), values(right, *part));
        Section { name: *part, equal: rows.iter().all(Difference::is_equal), values: rows.len(), rows }
    };
    let sections: Vec<Section> = Part::ALL.iter().map(section).collect();
    Comparison { equal: sections.iter().all(|section| section.equal), sections }
}

/// Pairs values of one name: those of the left side in their order, then those that only the right side has. The n-th value
/// of a name is paired with the n-th one.
fn paired(left: Vec<(String, String)>, right: Vec<(String, String)>) -> Vec<Difference> {
    let numbered = |values: Vec<(String, String)>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let number = |(name, value): (String, String)| {
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            ((name, *count), value)
        };
        values.into_iter().map(number).collect::<Vec<_>>()
    };
    let (left, right) = (numbered(left), numbered(right));
    let mut of_right: BTreeMap<(String, usize), String> = right.iter().cloned().collect();
    let mut out = Vec::new();
    for (key, value) in left {
        let right = of_right.remove(&key);
        out.push(Difference { name: key.0, left: Some(value), right });
    }
    for (key, _) in right {
        if let Some(value) = of_right.remove(&key) {
            out.push(Difference { name: key.0, left: None, right: Some(value) });
        }
    }
    out
}

/// The values of a part, by name.
fn values(object: &CodeObject, part: Part) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut add = |name: String, value: String| out.push((name, value));
    match part {
        Part::Header => {
            let header = &object.header;
            let abi = header.abi.map_or_else(|| format!("EI_OSABI {}", header.os_abi), |abi| abi.name().to_owned());
            add("abi".to_owned(), format!("{abi} {}", header.abi_version));
            add("type".to_owned(), header.kind.clone());
            add("chip".to_owned(), object.chip());
            add("flags".to_owned(), header.flags.to_string());
        }
        Part::Code => code(object, &mut add),
        Part::Notes => notes(object, &mut add),
        Part::Registers => {
            // Words of user data are in that part.
            for register in object.registers.iter().filter(|register| !register.is_user_data()) {
                let name = register.shown();
                match register.value.filter(|_| register.fields.is_empty()) {
                    Some(value) => add(name.clone(), value.to_string()),
                    None => {
                        for field in register.fields.iter().filter(|field| !field.is_zero()) {
                            let dot =
                                if field.name.is_empty() || field.name.starts_with(['.', '[']) { "" } else { "." };
                            add(format!("{name}{dot}{}", field.name), field_text(field));
                        }
                    }
                }
                if let Some(bits) = register.other_bits {
                    add(format!("{name}, other bits"), bits.to_string());
                }
            }
        }
        _ => object.pipelines.iter().for_each(|pipeline| of_pipeline(pipeline, part, &mut add)),
    }
    out
}

/// A field's value with its name: `2 (ITERATED_SAMPLE)`.
pub(crate) fn field_text(field: &crate::RegisterField) -> String {
    match &field.meaning {
        Some(meaning) => format!("{} ({meaning})", field.value.flow()),
        None => field.value.flow(),
    }
}

fn code(object: &CodeObject, add: &mut impl FnMut(String, String)) {
    // Names and notes have parts of their own.
    let is_content = |kind: &str| !matches!(kind, "STRTAB" | "SYMTAB" | "NOTE");
    for section in object.sections.iter().filter(|section| is_content(&section.kind)) {
        let name = section.name.clone().unwrap_or_else(|| format!("section {}", section.index));
        add(format!("{name}, bytes"), section.size.to_string());
        if let Some(hash) = section.hash {
            add(format!("{name}, XXH3"), hash.to_string());
        }
    }
    for stage in object.pipelines.iter().flat_map(|pipeline| &pipeline.stages) {
        if let Some(code) = stage.code.filter(|code| code.size > 0) {
            add(format!("{}, bytes of code", stage.name), code.size.to_string());
        }
    }
}

fn of_pipeline(pipeline: &Pipeline, part: Part, add: &mut impl FnMut(String, String)) {
    match part {
        Part::Pipeline => {
            if let Some([stable, unique]) = pipeline.hash {
                add(".internal_pipeline_hash, stable".to_owned(), stable.to_string());
                add(".internal_pipeline_hash, unique".to_owned(), unique.to_string());
            }
            pipeline.values.leaves("", &mut |path, value| add(path.to_owned(), value.flow()));
        }
        Part::Shaders => {
            for shader in &pipeline.shaders {
                let stage = &shader.stage;
                if let Some([lower, upper]) = shader.hash {
                    add(format!("{stage} hash"), format!("{upper} {lower}"));
                }
                add(format!("{stage} runs as"), shader.hardware.join(" "));
                shader.values.leaves("", &mut |path, value| add(format!("{stage} {path}"), value.flow()));
            }
        }
        Part::Stages => {
            for stage in &pipeline.stages {
                stage.values.leaves("", &mut |path, value| add(format!("{} {path}", stage.name), value.flow()));
            }
        }
        Part::UserData => {
            for data in &pipeline.user_data {
                for sgpr in &data.sgprs {
                    let holds = match sgpr.holds {
                        crate::Holds::Unknown => sgpr.value.to_string(),
                        holds => holds.text(),
                    };
                    add(format!("{} s{}", data.stage, sgpr.sgpr), holds);
                }
            }
        }
        Part::Semantics => {
            for output in &pipeline.outputs {
                add(format!("export {}", output.semantic), format!("slot {}", output.index));
            }
            for input in &pipeline.inputs {
                add(format!("interpolant {}", input.index), format!("semantic {}", input.semantic));
            }
        }
        Part::Header | Part::Code | Part::Registers | Part::Notes => {}
    }
}

/// What of the notes is in no other part.
fn notes(object: &CodeObject, add: &mut impl FnMut(String, String)) {
    for note in &object.notes {
        let name = format!("{} {}", note.name.trim_end_matches('\0'), note.kind);
        match &note.content {
            Content::Metadata { tree } => {
                for (key, value) in tree.entries() {
                    let key = key.key();
                    if key != "amdpal.pipelines" || object.pipelines.is_empty() {
                        value.leaves(&key, &mut |path, value| add(path.to_owned(), value.flow()));
                    }
                }
            }
            Content::Text { text } => add(name, text.clone()),
            Content::Fields { fields } => {
                fields.iter().for_each(|field| add(format!("{name} {}", field.name), field.value.clone()));
            }
            // They are registers.
            Content::Pairs { .. } => {}
            Content::Bytes { bytes } => add(name, crate::value::digits(&bytes.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_values_by_name_and_number() {
        let values = |all: &[(&str, &str)]| all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let rows = paired(values(&[("a", "1"), ("b", "2"), ("a", "3")]), values(&[("a", "1"), ("a", "4"), ("c", "5")]));
        let shown: Vec<String> = rows.iter().map(|row| format!("{} {}", row.sign(), row.name)).collect();
        assert_eq!(shown, ["= a", "− b", "≠ a", "+ c"]);
    }
}
