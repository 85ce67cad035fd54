//! One tint for a source line and the instructions from it.
//!
//! Lines of a module's source that an instruction of some assembly certainly comes from take turns with the tints, in the
//! order of the source; so text and assembly agree, whichever compiler's code is shown. Estimates have a line of a certain
//! one, so they need no other.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::driver::DriverStage;
use lanescope_inspector::selection::Code;
use lanescope_inspector::source::{SourceText, TextRole};

use super::Origins;

/// How many tints there are before they repeat.
pub const TINTS: usize = 5;

/// A line with a tint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tinted {
    /// The source of the line, among those of the module: 0 is the first.
    pub source: usize,
    /// The line in it, from 0; in the module's listing where it has no source.
    pub line: usize,
    /// The tint, below [`TINTS`].
    pub tint: usize,
}

/// The tints of a program's texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tints {
    /// By module and instruction.
    of: BTreeMap<(usize, u32), Tinted>,
}

impl Tints {
    /// The tints for what compilers returned.
    pub fn of(rows: &[DriverStage], texts: &[SourceText]) -> Tints {
        let mut reached: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for row in rows {
            let mut of_stage = texts.iter().filter_map(|text| text.instructions.as_ref());
            let Some(text) = of_stage.find(|text| text.stages.contains(&row.stage)) else { continue };
            let reached = reached.entry(text.module).or_default();
            reached.extend(row.origins.iter().flat_map(|origin| origin.spirv.iter().copied()));
        }
        let mut of = BTreeMap::new();
        for (module, reached) in reached {
            let lines = lines_of(module, texts);
            let own: BTreeSet<(usize, usize)> =
                reached.iter().filter_map(|instruction| lines.get(instruction).copied()).collect();
            let sources: BTreeSet<usize> = lines.values().map(|(text, _)| *text).collect();
            let tints: BTreeMap<(usize, usize), usize> = own.into_iter().zip((0..TINTS).cycle()).collect();
            let tinted = lines.into_iter().filter_map(|(instruction, at)| {
                let source = sources.iter().position(|source| *source == at.0)?;
                Some(((module, instruction), Tinted { source, line: at.1, tint: *tints.get(&at)? }))
            });
            of.extend(tinted);
        }
        Tints { of }
    }

    /// The tint of instructions: that of the first line that has one.
    pub fn of_code(&self, code: &Code) -> Option<Tinted> {
        code.instructions.iter().filter_map(|instruction| self.of.get(&(code.module, *instruction)).copied()).min()
    }

    /// The tints of an assembly's lines, by their number from 0.
    pub fn of_assembly(&self, origins: &Origins) -> BTreeMap<usize, Tinted> {
        let tinted = |line: usize| Some((line, self.of_code(&origins.code(line)?)?));
        origins.lines().filter_map(tinted).collect()
    }

    /// The tint of a line of a text.
    pub fn of_line(&self, text: &SourceText, line: usize) -> Option<Tinted> {
        if self.of.is_empty() {
            return None;
        }
        self.of_code(&text.instructions.as_ref()?.code(line)?)
    }

    /// Whether no line has a tint.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

/// The text and the line where each instruction of a module is: in its sources, or in its listing where it has none.
fn lines_of(module: usize, texts: &[SourceText]) -> BTreeMap<u32, (usize, usize)> {
    let of = |source: bool| {
        let mut lines = BTreeMap::new();
        for (number, text) in texts.iter().enumerate() {
            let Some(instructions) = text.instructions.as_ref().filter(|of| of.module == module) else { continue };
            if (text.role == TextRole::Source) == source {
                for (line, instruction) in &instructions.lines {
                    lines.entry(*instruction).or_insert((number, *line));
                }
            }
        }
        lines
    };
    let sources = of(true);
    if sources.is_empty() { of(false) } else { sources }
}

#[cfg(test)]
mod tests {
    use super::super::origins;
    use super::*;
    use crate::gallery;
    use lanescope_core::program::StageKind;

    #[test]
    fn a_line_and_its_instructions_share_a_tint() {
        let (compiled, texts) = (gallery::compiled(), gallery::lit_texts());
        let rows = &compiled.sections.stages;
        let tints = Tints::of(rows, &texts);
        let row = rows.iter().find(|row| row.stage == StageKind::Fragment).expect("it was compiled");
        let facts = row.read_text().expect("it is read");
        let from = origins(row, &facts, &texts);
        let source = texts.iter().find(|text| {
            text.role == TextRole::Source && text.instructions.as_ref().is_some_and(|of| of.stages.contains(&row.stage))
        });
        let source = source.expect("the gallery has its source");
        let (mut certain, mut estimated) = (0, 0);
        for line in 0..row.isa.as_deref().map_or(0, |text| text.lines().count()) {
            let Some(code) = from.code(line) else { continue };
            let Some(tinted) = tints.of_code(&code) else { continue };
            assert_eq!(tints.of_line(source, tinted.line), Some(tinted), "line {line}");
            *(if from.is_estimate(line) { &mut estimated } else { &mut certain }) += 1;
        }
        assert!(certain > 5 && estimated > 5, "{certain} {estimated}");
        // Lines that follow each other in the source have different ones.
        let own: BTreeSet<Tinted> =
            (0..source.text.lines().count()).filter_map(|line| tints.of_line(source, line)).collect();
        let own: Vec<Tinted> = own.into_iter().collect();
        assert!(own.len() > 2 && own.windows(2).all(|pair| pair[0].tint != pair[1].tint), "{own:?}");
    }

    #[test]
    fn a_module_without_source_has_the_lines_of_its_listing() {
        let compiled = gallery::compiled();
        let texts: Vec<SourceText> =
            gallery::lit_texts().into_iter().filter(|text| text.role != TextRole::Source).collect();
        let tints = Tints::of(&compiled.sections.stages, &texts);
        let listing = texts.iter().find(|text| text.instructions.is_some()).expect("a listing");
        assert!((0..listing.text.lines().count()).any(|line| tints.of_line(listing, line).is_some()));
        assert!(Tints::of(&[], &texts).is_empty() && Tints::of(&compiled.sections.stages, &[]).is_empty());
    }
}
