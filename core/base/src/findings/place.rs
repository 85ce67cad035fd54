//! The place that a finding names, and its text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{Component, Id, Location};

/// What a finding is about, below its stage. `Display` gives the text that people read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Place {
    /// A file, or a place in it: `a.frag`, `a.frag, push constants`.
    File {
        /// The file, as the report's inputs or a compiler name it.
        path: String,
        /// The place in it; absent for the whole file.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        inside: Option<Box<Place>>,
    },
    /// A line of a text file: `line 2`, `line 2, column 5`.
    Line {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        column: Option<u32>,
    },
    /// An offset from the start of a binary file: `byte 0x38`, `byte 0x38 (bit 3)`.
    Offset {
        /// The byte.
        byte: u64,
        /// The bit of the byte, in bitcode.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        bit: Option<u8>,
    },
    /// A part of a container, or a place in it: `PSV0`, `PSV0, input 0 (POS)`.
    Part {
        /// The part's four characters.
        part: String,
        /// The place in it; absent for the whole part.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        inside: Option<Box<Place>>,
    },
    /// A member of a container's part, as the part names it: `input 0 (POS)`, `TEXCOORD1`.
    Record {
        /// Its name.
        name: String,
    },
    /// What a pipeline's description says something in: `line 31`, `graphics pipeline 0x…`.
    Description {
        /// The place, in the description's words.
        from: String,
    },
    /// An entry point: `main`, `main, line 12`.
    EntryPoint {
        /// Its name.
        name: String,
        /// The line of its container's disassembly, from 1.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        line: Option<u32>,
        /// The line of the source, where the container has debug information.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        source: Option<SourceLine>,
    },
    /// A descriptor: `set 0 binding 2`, `` `tiles`, set 0 binding 2 ``.
    Descriptor {
        /// The variable's name.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        variable: Option<String>,
        /// The descriptor set.
        set: u32,
        /// The binding.
        binding: u32,
    },
    /// The push constants of a shader.
    PushConstants,
    /// A difference between a guessed layout and the application's, besides descriptors: `target 1`, `constant 4`.
    LayoutItem {
        /// Its name.
        name: String,
    },
    /// An instruction of a module by its number: `instruction #7`, `instruction #7 (word 31)`.
    Instruction {
        /// The index in the module, from 0.
        index: u32,
        /// The offset in 32-bit words from the start of the module.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        word: Option<u32>,
    },
    /// An instruction that ran: `%12 OpLoad, tile.comp:20`.
    Operation {
        /// Its result.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        result: Option<Id>,
        /// The opcode's name.
        opcode: String,
        /// The line of the source, where the module has debug information.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        source: Option<SourceLine>,
    },
    /// Calls of DXIL operations that break a rule in the same words: `main, instruction 3, line 14 and 1 more call`.
    Call {
        /// The function that has the first one.
        function: String,
        /// The index of the first one in the function.
        instruction: usize,
        /// Its line of the disassembly, from 1.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        line: Option<u32>,
        /// The line of the source, where the container has debug information.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        source: Option<SourceLine>,
        /// Number of calls after the first one.
        more: u32,
    },
    /// An interface variable by its name, or by its id where it has none: `uv`, `%12`.
    Variable {
        /// The name.
        name: String,
    },
    /// A built-in input or output: `PrimitiveId`.
    BuiltIn {
        /// The name, without `gl_`.
        name: String,
    },
    /// Components of an interface location: `uv (location 3, component 1)`, `location 3`.
    Slot {
        /// The name of the variable.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        variable: Option<String>,
        /// The location.
        location: Location,
        /// The components; empty for all of the location.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        components: Vec<Component>,
    },
    /// A color attachment, by the location of the output: `location 1`.
    Attachment {
        /// The location.
        location: Location,
    },
    /// A register, by name.
    Register {
        /// The name.
        name: String,
    },
    /// A node of a work graph: `Name[0]`, or with its function: `function (Name[1])`.
    Node {
        /// The function, where the finding is about the node as its function declares it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        function: Option<String>,
        /// The name of the node's id.
        name: String,
        /// The index of the node's id.
        index: u32,
    },
    /// A place of which only the text is known, as in a report of an earlier version.
    Text {
        /// The text.
        text: String,
    },
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SourceLine {
    /// The file, as the module names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Place {
    /// A whole file.
    pub fn file(path: impl Into<String>) -> Place {
        Place::File { path: path.into(), inside: None }
    }

    /// A line of a text file, from 1.
    pub fn line(line: u32) -> Place {
        Place::Line { line, column: None }
    }

    /// A place of a pipeline's description, in its words.
    pub fn description(from: impl Into<String>) -> Place {
        Place::Description { from: from.into() }
    }

    /// A byte of a binary file.
    pub fn byte(byte: u64) -> Place {
        Place::Offset { byte, bit: None }
    }

    /// A whole part of a container.
    pub fn part(part: impl Into<String>) -> Place {
        Place::Part { part: part.into(), inside: None }
    }

    /// An entry point.
    pub fn entry_point(name: impl Into<String>) -> Place {
        Place::EntryPoint { name: name.into(), line: None, source: None }
    }

    /// An instruction of a module, by its index.
    pub fn instruction(index: u32) -> Place {
        Place::Instruction { index, word: None }
    }

    /// An interface variable, by its name.
    pub fn variable(name: impl Into<String>) -> Place {
        Place::Variable { name: name.into() }
    }

    /// A place of which only the text is known.
    pub fn text(text: impl Into<String>) -> Place {
        Place::Text { text: text.into() }
    }

    /// This place of a file.
    pub fn in_file(self, path: impl Into<String>) -> Place {
        Place::File { path: path.into(), inside: Some(Box::new(self)) }
    }

    /// Whether it is a file, or in it. A text alone is one of the file that it begins with.
    pub fn is_of_file(&self, file: &str) -> bool {
        match self {
            Place::File { path, .. } => path == file,
            Place::Text { text } => {
                text.strip_prefix(file).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
            }
            _ => false,
        }
    }

    /// This place of a container's part.
    pub fn in_part(self, part: impl Into<String>) -> Place {
        Place::Part { part: part.into(), inside: Some(Box::new(self)) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { path: name, inside } | Place::Part { part: name, inside } => {
                f.write_str(name)?;
                inside.as_ref().map_or(Ok(()), |inside| write!(f, ", {inside}"))
            }
            Place::Line { line, column } => {
                write!(f, "line {line}")?;
                column.map_or(Ok(()), |column| write!(f, ", column {column}"))
            }
            Place::Offset { byte, bit } => {
                write!(f, "byte {byte:#x}")?;
                bit.map_or(Ok(()), |bit| write!(f, " (bit {bit})"))
            }
            Place::EntryPoint { name, line, source } => {
                f.write_str(name)?;
                line.map_or(Ok(()), |line| write!(f, ", line {line}"))?;
                from_source(f, source.as_ref())
            }
            Place::Descriptor { variable, set, binding } => {
                variable.as_ref().map_or(Ok(()), |name| write!(f, "`{name}`, "))?;
                write!(f, "set {set} binding {binding}")
            }
            Place::PushConstants => f.write_str("push constants"),
            Place::Instruction { index, word } => {
                write!(f, "instruction #{index}")?;
                word.map_or(Ok(()), |word| write!(f, " (word {word})"))
            }
            Place::Operation { result, opcode, source } => {
                result.map_or(Ok(()), |id| write!(f, "%{id} "))?;
                f.write_str(opcode)?;
                from_source(f, source.as_ref())
            }
            Place::Call { function, instruction, line, source, more } => {
                write!(f, "{function}, instruction {instruction}")?;
                line.map_or(Ok(()), |line| write!(f, ", line {line}"))?;
                from_source(f, source.as_ref())?;
                more_calls(f, *more)
            }
            Place::Slot { variable, location, components } => slot(f, variable.as_deref(), *location, components),
            Place::Attachment { location } => write!(f, "location {location}"),
            Place::Node { function, name, index } => match function {
                Some(function) if *index == 0 && function == name => f.write_str(name),
                Some(function) => write!(f, "{function} ({name}[{index}])"),
                None => write!(f, "{name}[{index}]"),
            },
            Place::Record { name }
            | Place::Description { from: name }
            | Place::LayoutItem { name }
            | Place::Variable { name }
            | Place::BuiltIn { name }
            | Place::Register { name }
            | Place::Text { text: name } => f.write_str(name),
        }
    }
}

fn from_source(f: &mut fmt::Formatter<'_>, source: Option<&SourceLine>) -> fmt::Result {
    source.map_or(Ok(()), |source| write!(f, ", {}:{}", source.file, source.line))
}

fn more_calls(f: &mut fmt::Formatter<'_>, more: u32) -> fmt::Result {
    match more {
        0 => Ok(()),
        1 => f.write_str(" and 1 more call"),
        more => write!(f, " and {more} more calls"),
    }
}

fn slot(
    f: &mut fmt::Formatter<'_>,
    variable: Option<&str>,
    location: Location,
    components: &[Component],
) -> fmt::Result {
    variable.map_or(Ok(()), |name| write!(f, "{name} ("))?;
    write!(f, "location {location}")?;
    for (at, component) in components.iter().enumerate() {
        match (at, components.len()) {
            (0, 1) => write!(f, ", component {component}")?,
            (0, _) => write!(f, ", components {component}")?,
            _ => write!(f, ", {component}")?,
        }
    }
    variable.map_or(Ok(()), |_| f.write_str(")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_their_places() {
        for place in [Place::file("a"), Place::line(1).in_file("a"), Place::text("a"), Place::text("a, line 1")] {
            assert!(place.is_of_file("a"), "{place}");
        }
        for place in [Place::file("a, b"), Place::line(1), Place::text("ab"), Place::part("a")] {
            assert!(!place.is_of_file("a"), "{place}");
        }
    }

    #[test]
    fn prints_places_as_people_read_them() {
        let node = |function: Option<&str>, name: &str, index| Place::Node {
            function: function.map(str::to_owned),
            name: name.to_owned(),
            index,
        };
        let slot = |variable: Option<&str>, components: &[u8]| Place::Slot {
            variable: variable.map(str::to_owned),
            location: Location(3),
            components: components.iter().copied().map(Component).collect(),
        };
        let call = |line, more| Place::Call { function: "main".to_owned(), instruction: 3, line, source: None, more };
        let operation = |result, source| Place::Operation { result, opcode: "OpLoad".to_owned(), source };
        let source = SourceLine { file: "tile.comp".to_owned(), line: 20 };
        let record = Place::Record { name: "input 0 (POS)".to_owned() };
        let bit = Place::Offset { byte: 0x38, bit: Some(3) };
        for (place, text) in [
            (Place::file("a.frag"), "a.frag"),
            (Place::PushConstants.in_file("a.frag"), "a.frag, push constants"),
            (Place::Line { line: 2, column: Some(5) }.in_file("a.hlsl"), "a.hlsl, line 2, column 5"),
            (Place::line(2), "line 2"),
            (bit.in_part("DXIL").in_file("a.dxil"), "a.dxil, DXIL, byte 0x38 (bit 3)"),
            (Place::byte(16), "byte 0x10"),
            (record.in_part("PSV0"), "PSV0, input 0 (POS)"),
            (Place::description("graphics pipeline 0x1"), "graphics pipeline 0x1"),
            (Place::EntryPoint { name: "main".to_owned(), line: Some(12), source: None }, "main, line 12"),
            (Place::Descriptor { variable: None, set: 0, binding: 2 }, "set 0 binding 2"),
            (Place::Descriptor { variable: Some("t".to_owned()), set: 0, binding: 2 }, "`t`, set 0 binding 2"),
            (Place::Instruction { index: 7, word: Some(31) }, "instruction #7 (word 31)"),
            (Place::instruction(7), "instruction #7"),
            (operation(Some(Id(12)), Some(source)), "%12 OpLoad, tile.comp:20"),
            (operation(None, None), "OpLoad"),
            (call(Some(14), 0), "main, instruction 3, line 14"),
            (call(Some(14), 1), "main, instruction 3, line 14 and 1 more call"),
            (call(None, 2), "main, instruction 3 and 2 more calls"),
            (slot(Some("uv"), &[1]), "uv (location 3, component 1)"),
            (slot(Some("uv"), &[0, 1, 2]), "uv (location 3, components 0, 1, 2)"),
            (slot(Some("uv"), &[]), "uv (location 3)"),
            (slot(None, &[0]), "location 3, component 0"),
            (Place::Attachment { location: Location(1) }, "location 1"),
            (node(None, "A", 0), "A[0]"),
            (node(Some("A"), "A", 0), "A"),
            (node(Some("A"), "A", 1), "A (A[1])"),
            (node(Some("f"), "A", 0), "f (A[0])"),
        ] {
            assert_eq!(place.to_string(), text);
            let json = serde_json::to_string(&place).expect("serializes");
            assert_eq!(serde_json::from_str::<Place>(&json).expect("reads"), place, "{json}");
        }
    }
}
