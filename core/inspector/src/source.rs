//! Texts of the source view.

use std::collections::BTreeSet;

use lanescope_core::program::StageKind;
use lanescope_core::report::Report;
use serde::{Deserialize, Serialize};

use crate::selection::{Code, Varying};

/// Where the instructions of a SPIR-V module are in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// Index of the module.
    pub module: usize,
    /// Its stages.
    pub stages: Vec<StageKind>,
    /// Lines (from 0), each with an instruction that is in it or comes from it; in order.
    pub lines: Vec<(usize, u32)>,
}

impl Instructions {
    /// The instructions of a line, in order.
    pub fn of_line(&self, line: usize) -> impl Iterator<Item = u32> {
        let from = self.lines.partition_point(|(other, _)| *other < line);
        let rest = self.lines.get(from..).unwrap_or_default();
        rest.iter().take_while(move |(other, _)| *other == line).map(|(_, instruction)| *instruction)
    }

    /// A line as a selection; `None` if it has no instruction.
    pub fn code(&self, line: usize) -> Option<Code> {
        let instructions: Vec<u32> = self.of_line(line).collect();
        (!instructions.is_empty()).then_some(Code { module: self.module, instructions })
    }

    /// The first line of what is selected.
    pub fn first_line(&self, code: &Code) -> Option<usize> {
        let found = self.lines.iter().find(|(_, instruction)| code.holds(self.module, [*instruction].into_iter()));
        found.map(|(line, _)| *line)
    }
}

/// One text that the source view can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// Name: `lit.frag`, `lit.frag (SPIR-V)`.
    pub title: String,
    /// Its language.
    pub language: Language,
    /// Index of the file that it shows.
    pub input: usize,
    /// What it is to that file.
    pub role: TextRole,
    /// The text.
    pub text: String,
    /// Lines (from 0) that declare or use a varying, by its place as written.
    pub marks: Vec<(Varying, usize)>,
    /// The lines of a module's instructions, where they are known.
    pub instructions: Option<Instructions>,
}

impl SourceText {
    /// The stages that it shows: those of its module, else those of its file.
    pub fn stages(&self, report: &Report) -> Vec<StageKind> {
        match &self.instructions {
            Some(instructions) => instructions.stages.clone(),
            None => report.stages.iter().filter(|row| row.input == self.input).map(|row| row.stage).collect(),
        }
    }
}

/// What a text is to the file that it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextRole {
    /// The file's own text, or one that the file carries.
    Source,
    /// A container's program, disassembled.
    Listing,
    /// The file's bytes.
    Bytes,
    /// A module that the file became, by its index.
    Module(usize),
}

/// A form of a program's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextForm {
    /// GLSL, HLSL, WGSL or Slang.
    Source,
    /// The disassembly of a container.
    Listing,
    /// Bytes.
    Bytes,
    /// SPIR-V, as a file holds it or as a file became it.
    Module,
}

impl TextForm {
    /// The form of a text.
    pub fn of(text: &SourceText) -> TextForm {
        match (text.role, text.language) {
            (TextRole::Source, Language::Spvasm) | (TextRole::Module(_), _) => TextForm::Module,
            (TextRole::Source, _) => TextForm::Source,
            (TextRole::Listing, _) => TextForm::Listing,
            (TextRole::Bytes, _) => TextForm::Bytes,
        }
    }

    /// The forms that a program has: its kind, as far as texts go.
    pub fn all_of(texts: &[SourceText]) -> BTreeSet<TextForm> {
        texts.iter().map(TextForm::of).collect()
    }
}

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// GLSL.
    Glsl,
    /// WGSL.
    Wgsl,
    /// SPIR-V assembly.
    Spvasm,
    /// DXIL as it is disassembled here, and bytes in hexadecimal.
    Dxil,
    /// Assembly and the intermediate forms of a driver's compiler.
    Isa,
}
