//! Which instructions of the shader, and which of its source lines, each line of an assembly comes from.

use std::collections::BTreeMap;

use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::IsaFacts;
use lanescope_core::driver::origin::Origin;
use lanescope_core::driver::origin::nearest::{for_estimates, nearest};
use lanescope_inspector::selection::{Code, Selection};
use lanescope_inspector::source::{Instructions, SourceText, TextRole};

use lanescope_core::table::one_line;

/// What the lines of a text come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// Index of the stage's module, where it is shown.
    module: Option<usize>,
    /// By line, from 0.
    of_line: BTreeMap<usize, From>,
}

/// What one line comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct From {
    /// Instructions of the module, in order.
    instructions: Vec<u32>,
    /// Where they are, as text.
    about: Option<String>,
    /// Whether that is certain; an estimate otherwise.
    certain: bool,
}

/// The origins of a row's lines; `texts` show the program.
pub fn origins(row: &DriverStage, facts: &IsaFacts, texts: &[SourceText]) -> Origins {
    let of_stage = texts.iter().filter_map(|text| text.instructions.as_ref());
    let module = of_stage.filter(|text| text.stages.contains(&row.stage)).map(|text| text.module).next();
    let places = Places::of(texts, module);
    let from = |origin: &Origin, certain: bool| {
        let named = || origin.lines.first().map(|line| format!("{} line {}", one_line(&line.file), line.line));
        // The module may name a file that is not shown.
        From { instructions: origin.spirv.clone(), about: places.place(&origin.spirv).or_else(named), certain }
    };
    let line = |instruction: usize| facts.instructions.get(instruction).map(|found| found.line as usize);
    let certain =
        row.origins.iter().filter_map(|origin| Some((line(origin.instruction as usize)?, from(origin, true))));
    let of_line: BTreeMap<usize, From> = certain.collect();
    let estimates = nearest(for_estimates(&row.origins), facts);
    let estimated = (0..).zip(&estimates).filter_map(|(instruction, found)| {
        let found = found.filter(|found| !found.certain)?;
        Some((line(instruction)?, from(found.origin, false)))
    });
    // A certain origin may have no source line, and be between two that have.
    let estimated = estimated.filter(|(line, _)| !of_line.contains_key(line)).collect::<Vec<_>>();
    Origins { module, of_line: of_line.into_iter().chain(estimated).collect() }
}

impl Origins {
    /// A line as a selection, estimates included; `None` if nothing is known of its origin or it is not shown.
    pub fn code(&self, line: usize) -> Option<Code> {
        Some(Code { module: self.module?, instructions: self.of_line.get(&line)?.instructions.clone() })
    }

    /// The lines of which anything is known, estimates included.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.of_line.keys().copied()
    }

    /// Whether the origin of a line is an estimate: that of the nearer of the certain ones around it.
    pub fn is_estimate(&self, line: usize) -> bool {
        self.of_line.get(&line).is_some_and(|from| !from.certain)
    }

    /// Whether a line comes from what is selected; estimates do not count.
    pub fn is_marked(&self, selection: &Selection, line: usize) -> bool {
        self.holds(selection, line) && !self.is_estimate(line)
    }

    /// Whether a line is estimated to come from what is selected.
    pub fn is_estimated(&self, selection: &Selection, line: usize) -> bool {
        self.holds(selection, line) && self.is_estimate(line)
    }

    fn holds(&self, selection: &Selection, line: usize) -> bool {
        let Some(((code, module), from)) = selection.code.as_ref().zip(self.module).zip(self.of_line.get(&line)) else {
            return false;
        };
        code.holds(module, from.instructions.iter().copied())
    }

    /// The lines that come from what is selected; estimates do not count.
    pub fn marked(&self, selection: &Selection) -> impl Iterator<Item = usize> {
        self.of_line.keys().copied().filter(|line| self.is_marked(selection, *line))
    }

    /// How many lines are estimated to come from what is selected.
    pub fn estimated(&self, selection: &Selection) -> usize {
        self.of_line.keys().filter(|line| self.is_estimated(selection, **line)).count()
    }

    /// Whether what is selected is of this stage's module.
    pub fn is_here(&self, code: &Code) -> bool {
        self.module == Some(code.module)
    }

    /// Whether there is a text for what a line comes from.
    pub fn has_about(&self, line: usize) -> bool {
        self.of_line.get(&line).is_some_and(|from| from.about.is_some())
    }

    /// What a line comes from, as text: its source line where the module has lines, else that of its listing. An
    /// estimate is said to be one.
    pub fn about(&self, line: usize) -> Option<String> {
        let from = self.of_line.get(&line)?;
        let about = from.about.as_deref()?;
        Some(if from.certain { about.to_owned() } else { format!("an estimate, the nearer of two: {about}") })
    }
}

/// Where the instructions of a module are: its sources, then its listing.
struct Places<'a> {
    texts: Vec<(&'a str, Vec<&'a str>, BTreeMap<u32, usize>)>,
}

impl<'a> Places<'a> {
    fn of(texts: &'a [SourceText], module: Option<usize>) -> Places<'a> {
        let mut shown: Vec<_> = texts
            .iter()
            .filter_map(|text| Some((text, text.instructions.as_ref()?)))
            .filter(|(_, instructions)| Some(instructions.module) == module)
            .collect();
        shown.sort_by_key(|(text, _)| text.role != TextRole::Source);
        let one = |(text, instructions): (&'a SourceText, &'a Instructions)| {
            let mut lines = BTreeMap::new();
            for (line, instruction) in &instructions.lines {
                lines.entry(*instruction).or_insert(*line);
            }
            (text.title.as_str(), text.text.lines().collect(), lines)
        };
        Places { texts: shown.into_iter().map(one).collect() }
    }

    /// `lit.frag line 12: color = …`.
    fn place(&self, instructions: &[u32]) -> Option<String> {
        self.texts.iter().find_map(|(title, text, lines)| {
            let line = instructions.iter().filter_map(|instruction| lines.get(instruction)).min()?;
            let shown = text.get(*line).map_or("", |line| line.trim());
            let cut: String = shown.chars().take(CHARACTERS_AT_MOST).collect();
            let more = if cut.len() < shown.len() { " …" } else { "" };
            Some(format!("{} line {}: {}{more}", one_line(title), line + 1, one_line(&cut)))
        })
    }
}

/// Where code is, as text.
pub fn place(code: &Code, texts: &[SourceText]) -> Option<String> {
    Places::of(texts, Some(code.module)).place(&code.instructions)
}

/// Largest number of characters of a quoted line.
const CHARACTERS_AT_MOST: usize = 80;

#[cfg(test)]
mod tests {
    use lanescope_core::driver::isa::read;
    use lanescope_core::program::StageKind;

    use super::*;
    use crate::gallery;

    #[test]
    fn origins_are_source_lines_or_listing_lines() {
        let (compiled, texts) = (gallery::compiled(), gallery::lit_texts());
        let row =
            compiled.sections.stages.iter().find(|row| row.stage == StageKind::Fragment).expect("it was compiled");
        let facts = read(row.isa.as_deref().expect("a text"), row.stage);
        let with = origins(row, &facts, &texts);
        let origin = row.origins.first().expect("the gallery tells some");
        let line = facts.instructions[origin.instruction as usize].line as usize;
        assert_eq!(
            with.about(line).as_deref(),
            Some(
                "lit_surface.frag in lit_surface.spv line 17: vec3 base = texture(albedo, texcoord).rgb * vertex_color.rgb;"
            )
        );
        let code = with.code(line).expect("it is shown");
        let selection = Selection { code: Some(code.clone()), ..Selection::default() };
        assert!(with.is_marked(&selection, line) && with.is_here(&code));
        assert!(with.marked(&selection).any(|other| other == line));
        let listing: Vec<_> = texts.iter().filter(|text| text.role != TextRole::Source).cloned().collect();
        let about = origins(row, &facts, &listing).about(line);
        assert!(about.as_deref().is_some_and(|about| about.contains("(SPIR-V) line ")), "{about:?}");
        // Another module's instruction of that number is another one.
        let other = Selection { code: Some(Code { module: code.module + 1, ..code }), ..Selection::default() };
        assert!(!with.is_marked(&other, line));
        assert_eq!(origins(row, &facts, &[]).code(line), None);
    }

    #[test]
    fn estimates_are_said_to_be_ones() {
        let (compiled, texts) = (gallery::compiled(), gallery::lit_texts());
        let row =
            compiled.sections.stages.iter().find(|row| row.stage == StageKind::Fragment).expect("it was compiled");
        let facts = row.read_text().expect("it is read");
        let with = origins(row, &facts, &texts);
        let line = (0..400).find(|line| with.is_estimate(*line)).expect("between two certain ones");
        let code = with.code(line).expect("a click selects it");
        let selection = Selection { code: Some(code), ..Selection::default() };
        assert!(with.is_estimated(&selection, line) && !with.is_marked(&selection, line));
        assert!(with.estimated(&selection) > 0 && with.marked(&selection).all(|other| other != line));
        assert!(with.about(line).is_some_and(|about| about.starts_with("an estimate, the nearer of two: ")));
    }
}
