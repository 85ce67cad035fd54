//! Where a source declares what reports are about. Only the text is read: what a compiler makes of it decides whether a
//! declaration counts.

pub mod built_ins;
pub mod constants;
mod glsl;
mod hlsl;
mod hlsl_nodes;
mod hlsl_sides;
pub mod plain;
pub mod sections;
pub mod tokens;
mod wgsl;

use std::ops::Range;
use std::path::Path;

use lanescope_core::load::file_types::{self, FileKind};
use lanescope_core::program::Format;

use tokens::{Syntax, Token};

pub use hlsl_sides::Sides;

/// The largest text that is looked at, in bytes.
const MAX_TEXT: usize = 4 << 20;

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The bytes of its name; of a workgroup size those of all of it.
    pub range: Range<usize>,
    /// What it declares.
    pub what: Declared,
}

/// What a declaration declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// A variable of an interface, or a member of one.
    Varying {
        /// The block or the variable that it is a member of: names that a compiler may give it.
        of: Vec<String>,
        /// Its name.
        name: String,
        /// Whether it is an output; absent where the text alone does not say.
        is_output: Option<bool>,
        /// The semantic, where it has one.
        semantic: Option<Semantic>,
    },
    /// A descriptor.
    Descriptor {
        /// The names that a compiler may give it.
        names: Vec<String>,
        /// Its set and its binding, where they are written as numbers.
        place: Option<(u32, u32)>,
    },
    /// The size of a workgroup.
    WorkgroupSize {
        /// The function that it is of; absent where it is that of the whole text.
        entry: Option<String>,
    },
    /// A node of a work graph.
    Node {
        /// Its function.
        function: String,
    },
    /// An output of a node.
    NodeOutput {
        /// The node's function.
        function: String,
        /// How many outputs stand before it.
        output: usize,
    },
}

/// The semantics that a declaration has: one for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Semantic {
    /// The name, without the index.
    pub name: String,
    /// The index of the first row.
    pub index: u32,
    /// Rows: elements of an array, rows of a matrix, or both. Absent where the text does not say it in numbers.
    pub rows: Option<u32>,
    /// What it is declared in.
    pub holder: Holder,
}

/// What a declaration with a semantic is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// A structure, by name.
    Structure(String),
    /// The parameters of a function.
    Parameter {
        /// Its name.
        function: String,
        /// Whether the parameter is read, and whether it is written.
        sides: [bool; 2],
    },
    /// Something else.
    Unknown,
}

impl Semantic {
    /// Whether a row has this name, `TEXCOORD1`. Names are compared as HLSL does, without case.
    pub fn has_row(&self, row: &str) -> bool {
        let digits = row.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = row.get(digits.len()..).and_then(|index| index.parse().ok()).unwrap_or(0);
        let end = self.rows.and_then(|rows| self.index.checked_add(rows));
        self.name.eq_ignore_ascii_case(digits) && end.is_some_and(|end| (self.index..end).contains(&index))
    }
}

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// GLSL.
    Glsl,
    /// HLSL or Slang.
    Hlsl,
    /// WGSL.
    Wgsl,
}

impl Language {
    /// That of sources of a format; none where it is not a language with declarations.
    pub fn of(format: Format) -> Option<Language> {
        match format {
            Format::Glsl => Some(Language::Glsl),
            Format::Hlsl | Format::Slang => Some(Language::Hlsl),
            Format::Wgsl => Some(Language::Wgsl),
            _ => None,
        }
    }

    /// That of a file by its name alone; none where the name does not say it, and of files that hold several texts.
    pub fn of_name(path: &Path) -> Option<Language> {
        match file_types::file_kind(path)? {
            FileKind::Glsl => Some(Language::Glsl),
            _ => Language::of(file_types::format_by_name(path)?),
        }
    }

    /// The tokens of a text, which is short enough.
    pub fn tokens(self, text: &str) -> Vec<Token<'_>> {
        let wgsl = self == Language::Wgsl;
        let syntax = Syntax { directives: !wgsl, nested: wgsl };
        if text.len() > MAX_TEXT { Vec::new() } else { tokens::tokens(text, syntax) }
    }

    /// The declarations of a text, in its order.
    pub fn declarations(self, text: &str) -> Vec<Declaration> {
        let tokens = self.tokens(text);
        match self {
            Language::Glsl => glsl::declarations(&tokens),
            Language::Hlsl => hlsl::declarations(&tokens),
            Language::Wgsl => wgsl::declarations(&tokens),
        }
    }
}

/// A number, as it is written in decimal or hexadecimal, with or without a suffix.
fn number(text: &str) -> Option<u32> {
    let text = text.trim_end_matches(['u', 'U', 'i']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text of each declaration, and what it declares.
    pub fn found(language: Language, text: &str) -> Vec<String> {
        let shown = |one: Declaration| {
            let own = &text[one.range.clone()];
            match one.what {
                Declared::Varying { of, name, is_output, semantic } => {
                    let semantic = semantic.map_or(String::new(), |Semantic { name, index, rows, .. }| {
                        format!(" {name}+{index}×{}", rows.map_or("?".to_owned(), |rows| rows.to_string()))
                    });
                    let side = is_output.map_or("varying", |is_output| if is_output { "out" } else { "in" });
                    assert_eq!(own, name);
                    of.iter().map(String::as_str).chain([own]).collect::<Vec<_>>().join("/") + " " + side + &semantic
                }
                Declared::Descriptor { names, place } => {
                    let place = place.map_or(String::new(), |(set, binding)| format!(" {set}.{binding}"));
                    format!("{own}: {}{place}", names.join("/"))
                }
                Declared::WorkgroupSize { entry } => format!("size {own} {}", entry.unwrap_or_default()),
                Declared::Node { function } => format!("{own}: node {function}"),
                Declared::NodeOutput { function, output } => format!("{own}: node {function} output {output}"),
            }
        };
        language.declarations(text).into_iter().map(shown).collect()
    }

    proptest! {
        /// Any text is read without an error, and what it declares is in it.
        #[test]
        fn any_text_is_read(words in proptest::collection::vec(prop_oneof![
            Just("layout("), Just("location=0"), Just(")"), Just(" in "), Just(" out "), Just("vec3 a"), Just(","),
            Just(";"), Just("{"), Just("}"), Just("["), Just("]"), Just("@location(0) "), Just("b : TEXCOORD0"),
            Just(" : register(t0)"), Just("@group(0) @binding(1) "), Just("var<uniform> c: f32"), Just("numthreads("),
            Just("local_size_x=8"), Just("uniform "), Just("#x\n"), Just("="), Just("\u{1f600}"),
        ], 0..30)) {
            let text = words.concat();
            for language in [Language::Glsl, Language::Hlsl, Language::Wgsl] {
                let mut end = 0;
                for one in language.declarations(&text) {
                    prop_assert!(text.get(one.range.clone()).is_some_and(|own| !own.is_empty()));
                    prop_assert!(one.range.start >= end);
                    end = one.range.start;
                }
            }
        }
    }
}
