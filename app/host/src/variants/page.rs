//! The variants of one program, compiled, and each against the first one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::compare::{Comparison, Side, compare};
use lanescope_core::load::LoadOptions;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::hash;
use lanescope_core::text_format::counted;
use lanescope_inspector::tasks::ComparedVariants;
use lanescope_pictures::align::unified;
use schemars::JsonSchema;
use serde::Serialize;

use super::table::{effects_table, names, table};
use super::{Difference, MacroEffect, Outcome, Variant, Variants, difference, effects};

/// Texts whose diff takes longer are compared coarsely.
const PATIENCE: Duration = Duration::from_secs(5);
/// Lines of the message of a variant that cannot be used: what was tried, and the first problem.
const MESSAGE_LINES: usize = 2;

/// What `--format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct OfVariants {
    schema: u32,
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The file of variants.
    pub variants_file: PathBuf,
    /// All variants can be used, and nothing that is compared differs; the code of their programs may (`same_as`).
    pub equal: bool,
    /// The variants in the order of the file; the first one is the base.
    pub variants: Vec<VariantRow>,
    /// What each macro with several values changes where it alone differs.
    pub macros: Vec<MacroEffect>,
}

/// A variant against the base.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VariantRow {
    /// Its flags as words of a command line.
    pub name: String,
    /// The macros with several values; null for one that is not defined.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub macros: BTreeMap<String, Option<String>>,
    /// Why it cannot be used: it does not compile, or its compiler or validator failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The first variant whose modules are equal, from 0; absent where this is the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
    /// Packed slots of each interface.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<u32>,
    /// Macros that no source file uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_macros: Vec<String>,
    /// What differs from the base, in short; absent where one of the two cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The number of its program among those that differ.
    #[serde(skip)]
    pub program: Option<usize>,
    /// What differs from the base; only for the first of equal variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// A program of one or more variants.
struct Analysed {
    /// The first variant that has it.
    first: usize,
    report: Report,
}

/// The variants, compiled.
#[derive(Default)]
pub struct Compiled {
    outcomes: Vec<Outcome>,
    /// Of each variant the macros that no source uses.
    unread: Vec<Vec<String>>,
    programs: Vec<Analysed>,
    /// By what they are made of: the place of a program.
    known: BTreeMap<String, usize>,
}

impl OfVariants {
    /// How many variants and programs there are.
    pub fn summary(&self) -> String {
        let programs = self.variants.iter().filter(|row| row.failure.is_none() && row.same_as.is_none()).count();
        let count = counted(self.variants.len(), "variant");
        format!("{count}, {}", counted(programs, "different program"))
    }

    /// The messages of variants that cannot be used, shortened; before each the numbers of the variants that have it.
    pub fn failures(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, Vec<String>)> = Vec::new();
        for (number, row) in (1..).zip(&self.variants) {
            let Some(failure) = &row.failure else { continue };
            let lines = failure.lines().map(str::trim).filter(|line| !line.is_empty()).take(MESSAGE_LINES);
            let text = lines.collect::<Vec<_>>().join(" ");
            match all.iter_mut().find(|(known, _)| *known == text) {
                Some((_, numbers)) => numbers.push(number.to_string()),
                None => all.push((text, vec![number.to_string()])),
            }
        }
        all.into_iter().map(|(text, numbers)| (names(&numbers), text)).collect()
    }

    /// As the window and the terminal show it, with the programs that differ.
    pub fn shown(&self, programs: Vec<(String, Report)>) -> ComparedVariants {
        ComparedVariants {
            file: self.variants_file.clone(),
            summary: self.summary(),
            rows: table(&self.variants),
            macros: effects_table(&self.macros),
            failures: self.failures(),
            programs,
        }
    }
}

/// What is compared, and how it is shown.
pub struct Compared<'a> {
    /// The variants.
    pub variants: &'a Variants,
    /// The files of the program.
    pub files: &'a [PathBuf],
    /// The file of variants.
    pub file: &'a Path,
    /// Rows that are equal are kept too.
    pub all: bool,
}

impl Compared<'_> {
    /// A comparison as it is shown.
    fn filled(&self, comparison: &Comparison, sides: [Side<'_>; 2], name: &str) -> Comparison {
        let mut comparison = comparison.clone();
        if !self.all {
            comparison.keep_changes();
        }
        comparison.fill_diffs(sides, |_, texts| unified(["the base", name], texts[0], texts[1], PATIENCE));
        comparison
    }
}

impl Variant {
    /// What is loaded for it, where these options count for all.
    pub fn wanted(&self, mut of_all: LoadOptions) -> LoadOptions {
        of_all.conversion = of_all.conversion.and(&self.flags.conversion);
        of_all.stage = self.flags.stage.or(of_all.stage);
        if !self.flags.entries.is_empty() {
            of_all.entries.clone_from(&self.flags.entries);
        }
        of_all
    }
}

impl Compiled {
    /// Notes that the next variant cannot be used.
    pub fn fail(&mut self, why: String) {
        self.outcomes.push(Outcome::Failed(why));
        self.unread.push(Vec::new());
    }

    /// Adds the program of the next variant. `report` analyses it, unless an equal one is known.
    ///
    /// # Errors
    /// Those of `report`; nothing is added then.
    pub fn add<E>(
        &mut self,
        mut program: Program,
        wanted: LoadOptions,
        report: impl FnOnce(&Program, LoadOptions) -> Result<Report, E>,
    ) -> Result<(), E> {
        let unread: Vec<String> = program.unread_macros().into_iter().map(str::to_owned).collect();
        // They are of the variant, not of what equal variants have in common.
        program.modules.iter_mut().for_each(|module| module.unread_macros.clear());
        let key = key_of(&program, &wanted);
        let known = key.as_ref().and_then(|key| self.known.get(key).copied());
        let number = match known {
            Some(number) => number,
            None => {
                let report = report(&program, wanted)?;
                let number = self.programs.len();
                self.programs.push(Analysed { first: self.outcomes.len(), report });
                self.known.extend(key.map(|key| (key, number)));
                number
            }
        };
        self.outcomes.push(Outcome::Program(number));
        self.unread.push(unread);
        Ok(())
    }

    /// Why the first variant cannot be used, where none can.
    pub fn none_usable(&self) -> Option<String> {
        match self.outcomes.first() {
            Some(Outcome::Failed(why)) if self.programs.is_empty() => {
                let count = self.outcomes.len();
                Some(format!("none of the {count} variants can be used; the first one: {why}"))
            }
            _ => None,
        }
    }

    /// The programs that differ, by the flags of their first variants.
    pub fn into_programs(self, variants: &Variants) -> Vec<(String, Report)> {
        let name = |first: usize| variants.all.get(first).map(|one| one.name.clone()).unwrap_or_default();
        self.programs.into_iter().map(|one| (name(one.first), one.report)).collect()
    }

    /// The reports of the programs that differ.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        self.programs.iter().map(|one| &one.report)
    }

    /// The variants of a program, each against the first one.
    pub fn page(&self, of: &Compared<'_>) -> OfVariants {
        let (Compiled { outcomes, unread, programs, .. }, variants) = (self, of.variants);
        let base = self.program(0).map(|(_, base)| base);
        // Each program against the base, once.
        let against: Vec<Option<(Difference, Comparison)>> =
            programs.iter().map(|one| base.map(|base| compared(base, one))).collect();
        let numbered = variants.all.iter().enumerate();
        let rows: Vec<VariantRow> = numbered
            .map(|(at, variant)| {
                let own = self.program(at);
                let against = own.and_then(|(number, _)| against.get(number)?.as_ref());
                let is_first = at > 0 && own.is_some_and(|(_, own)| own.first == at);
                let filled = |(_, comparison): &(Difference, Comparison)| {
                    let sides = [base?, own?.1].map(|one| Side::from(&one.report));
                    Some(of.filled(comparison, sides, &variant.name))
                };
                VariantRow {
                    difference: against.map(|(difference, _)| difference.clone()),
                    comparison: against.filter(|_| is_first).and_then(filled),
                    ..self.row(variants, variant, at)
                }
            })
            .collect();
        let between = |first: usize, second: usize| match (programs.get(first), programs.get(second)) {
            (Some(first), Some(second)) => compared(first, second).0,
            _ => Difference::default(),
        };
        let macros = effects(variants, outcomes, unread, between);
        let equal = rows.iter().all(|row| row.difference.as_ref().is_some_and(Difference::is_empty));
        let (files, variants_file) = (of.files.to_vec(), of.file.to_owned());
        OfVariants { schema: 1, files, variants_file, equal, variants: rows, macros }
    }

    /// The program of a variant, and its number.
    fn program(&self, variant: usize) -> Option<(usize, &Analysed)> {
        match self.outcomes.get(variant)? {
            Outcome::Program(number) => Some((*number, self.programs.get(*number)?)),
            Outcome::Failed(_) => None,
        }
    }

    /// A variant's row, without what differs.
    fn row(&self, variants: &Variants, variant: &Variant, at: usize) -> VariantRow {
        let own = self.program(at).map(|(_, own)| own);
        let named = variants.macros.iter().zip(&variant.values);
        VariantRow {
            name: variant.name.clone(),
            macros: named.map(|(one, value)| (one.name.clone(), one.values.get(*value).cloned().flatten())).collect(),
            failure: match self.outcomes.get(at) {
                Some(Outcome::Failed(why)) => Some(why.clone()),
                _ => None,
            },
            same_as: own.map(|own| own.first).filter(|first| *first != at),
            slots: own.map(slots).unwrap_or_default(),
            unread_macros: self.unread.get(at).cloned().unwrap_or_default(),
            difference: None,
            program: self.program(at).map(|(number, _)| number),
            comparison: None,
        }
    }
}

/// What a program is made of; the same for equal variants. None if it cannot be written down.
fn key_of(program: &Program, wanted: &LoadOptions) -> Option<String> {
    let modules = program.modules.iter().map(|one| {
        let words: Vec<[u8; 4]> = one.module.words().iter().map(|word| word.to_le_bytes()).collect();
        (one.input, hash(words.as_flattened()), &one.broken_rules, one.version_assumed, &one.warnings)
    });
    let containers = program.dxil.iter().map(|one| (one.input, hash(one.dxil.file()), &one.warnings, &one.bindings));
    let inputs = program.inputs.iter().map(|one| (&one.compiler, &one.bindings));
    let [modules, containers, inputs] = [
        serde_json::to_string(&modules.collect::<Vec<_>>()),
        serde_json::to_string(&containers.collect::<Vec<_>>()),
        serde_json::to_string(&inputs.collect::<Vec<_>>()),
    ];
    let loading = serde_json::to_string(&(&wanted.entries, wanted.stage));
    Some(format!("{} {} {} {}", modules.ok()?, containers.ok()?, inputs.ok()?, loading.ok()?))
}

fn compared(base: &Analysed, one: &Analysed) -> (Difference, Comparison) {
    let sides = [Side::from(&base.report), Side::from(&one.report)];
    let comparison = compare(sides[0], sides[1]);
    let short = difference(&comparison, [&base.report.findings, &one.report.findings]);
    (short, comparison)
}

fn slots(one: &Analysed) -> Vec<u32> {
    Side::from(&one.report).interfaces().iter().map(|packing| packing.slots.after).collect()
}
