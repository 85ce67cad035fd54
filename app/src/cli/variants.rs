//! `lanescope diff --variants`: the variants of one program, each against the first one, and what each macro changes.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::AutoStream;
use lanescope_core::compare::{Comparison, Side, compare};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::hash;
use lanescope_pictures::align::unified;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{OptionArgs, some_stage};
use super::driver_args::AskDrivers;
use super::line_flags;
use super::loading::Loader;
use super::text::{self, Style};
use super::{CliError, Verdict, diff, json};
use crate::corpus::Progress;
use crate::reports;
use crate::variants::{Difference, MacroEffect, Outcome, Variant, Variants, difference, effects};

/// Texts whose diff takes longer are compared coarsely.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is compared, and how.
pub struct Request<'a> {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The file of variants.
    pub variants: &'a Path,
    pub options: &'a OptionArgs,
    pub ask: &'a AskDrivers,
    pub all: bool,
}

/// What `--format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct OfVariants {
    schema: u32,
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The file of variants.
    pub variants_file: PathBuf,
    /// All variants compile, and nothing that is compared differs; the code of their programs may (`same_as`).
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
    /// Why it does not compile.
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
    /// What differs from the base, in short; absent where one of the two does not compile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
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
struct Compiled {
    outcomes: Vec<Outcome>,
    /// Of each variant the macros that no source uses.
    unread: Vec<Vec<String>>,
    programs: Vec<Analysed>,
    /// By what they are made of: the place of a program.
    known: BTreeMap<String, usize>,
}

impl Request<'_> {
    /// Compiles and compares.
    ///
    /// # Errors
    /// A file of variants that is wrong; no variant compiles; something requested is missing.
    pub fn run(&self, as_json: bool) -> Result<Verdict, CliError> {
        if let Some(report) = reports::only_report(&self.files) {
            let why = "--variants: a report is not compiled (expected source files)";
            return Err(CliError::Unusable(format!("{}: {why}", report.display())));
        }
        self.options.check_target()?;
        let variants = Variants::read(self.variants, line_flags::parse).map_err(CliError::Unusable)?;
        let compiled = self.compile(&variants)?;
        if let (true, Some(Outcome::Failed(why))) = (compiled.programs.is_empty(), compiled.outcomes.first()) {
            let count = variants.all.len();
            return Err(CliError::Unusable(format!("none of the {count} variants can be used; the first one: {why}")));
        }
        let page = self.page(&variants, &compiled);
        let driver_failed = compiled.programs.iter().any(|one| one.report.findings.iter().any(diff::is_failure));
        if as_json {
            json::print(&page)?;
        } else {
            let mut out = AutoStream::auto(io::stdout().lock());
            let style = Style::of(out.current_choice());
            text::write_variants(&page, &mut out, style)?;
            out.flush()?;
        }
        Ok(if page.equal && !driver_failed { Verdict::Clean } else { Verdict::Findings })
    }

    fn compile(&self, variants: &Variants) -> Result<Compiled, CliError> {
        let mut loader = self.options.loading().loader();
        let mut out = Compiled::default();
        let to = io::stderr();
        let mut progress = Progress::new(to.is_terminal().then_some(to), variants.all.len() as u64);
        for variant in &variants.all {
            let failed = match self.add(variant, &mut loader, &mut out) {
                Ok(()) => false,
                Err(CliError::Unusable(why)) => {
                    out.outcomes.push(Outcome::Failed(why));
                    out.unread.push(Vec::new());
                    true
                }
                Err(other) => {
                    progress.end();
                    return Err(other);
                }
            };
            progress.add(1, u64::from(failed));
        }
        progress.end();
        Ok(out)
    }

    /// Compiles a variant, and analyses it unless an equal one is known.
    fn add(&self, variant: &Variant, loader: &mut Loader, out: &mut Compiled) -> Result<(), CliError> {
        let mut wanted: LoadOptions = self.options.wanted();
        wanted.conversion = wanted.conversion.and(&variant.flags.conversion);
        wanted.stage = variant.flags.stage.or(wanted.stage);
        if !variant.flags.entries.is_empty() {
            wanted.entries.clone_from(&variant.flags.entries);
        }
        let mut program = loader.load(&self.files, &wanted)?;
        let unread: Vec<String> = program.unread_macros().into_iter().map(str::to_owned).collect();
        // They are of the variant, not of what equal variants have in common.
        program.modules.iter_mut().for_each(|module| module.unread_macros.clear());
        let key = key_of(&program, &wanted);
        let known = key.as_ref().and_then(|key| out.known.get(key).copied());
        let number = match known {
            Some(number) => number,
            None => {
                let mut options = self.options.options_for(&program);
                (options.dxil, options.entry) = (wanted.conversion, wanted.entries);
                let report = self.report(&program, &options)?;
                let number = out.programs.len();
                out.programs.push(Analysed { first: out.outcomes.len(), report });
                out.known.extend(key.map(|key| (key, number)));
                number
            }
        };
        out.outcomes.push(Outcome::Program(number));
        out.unread.push(unread);
        Ok(())
    }

    fn report(&self, program: &Program, options: &Options) -> Result<Report, CliError> {
        let report = lanescope_core::analyse(program, options);
        let mut report = report.map_err(|error| CliError::Unusable(error.to_string()))?;
        some_stage(program, &report)?;
        if self.ask.names_one() {
            self.ask.ask(program, options, self.options.loading(), &mut report)?;
        }
        Ok(report)
    }

    fn page(&self, variants: &Variants, compiled: &Compiled) -> OfVariants {
        let Compiled { outcomes, unread, programs, .. } = compiled;
        let base = compiled.program(0).map(|(_, base)| base);
        // Each program against the base, once.
        let against: Vec<Option<(Difference, Comparison)>> =
            programs.iter().map(|one| base.map(|base| compared(base, one))).collect();
        let numbered = variants.all.iter().enumerate();
        let rows: Vec<VariantRow> = numbered
            .map(|(at, variant)| {
                let own = compiled.program(at);
                let against = own.and_then(|(number, _)| against.get(number)?.as_ref());
                let is_first = at > 0 && own.is_some_and(|(_, own)| own.first == at);
                let filled = |(_, comparison): &(Difference, Comparison)| {
                    let sides = [base?, own?.1].map(|one| Side::from(&one.report));
                    Some(self.filled(comparison, sides, &variant.name))
                };
                VariantRow {
                    difference: against.map(|(difference, _)| difference.clone()),
                    comparison: against.filter(|_| is_first).and_then(filled),
                    ..row(variants, variant, compiled, at)
                }
            })
            .collect();
        let between = |first: usize, second: usize| match (programs.get(first), programs.get(second)) {
            (Some(first), Some(second)) => compared(first, second).0,
            _ => Difference::default(),
        };
        let macros = effects(variants, outcomes, unread, between);
        let equal = rows.iter().all(|row| row.difference.as_ref().is_some_and(Difference::is_empty));
        let (files, variants_file) = (self.files.clone(), self.variants.to_owned());
        OfVariants { schema: 1, files, variants_file, equal, variants: rows, macros }
    }

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

impl Compiled {
    /// The program of a variant, and its number.
    fn program(&self, variant: usize) -> Option<(usize, &Analysed)> {
        match self.outcomes.get(variant)? {
            Outcome::Program(number) => Some((*number, self.programs.get(*number)?)),
            Outcome::Failed(_) => None,
        }
    }
}

/// A variant's row, without what differs.
fn row(variants: &Variants, variant: &Variant, compiled: &Compiled, at: usize) -> VariantRow {
    let own = compiled.program(at).map(|(_, own)| own);
    let named = variants.macros.iter().zip(&variant.values);
    VariantRow {
        name: variant.name.clone(),
        macros: named.map(|(one, value)| (one.name.clone(), one.values.get(*value).cloned().flatten())).collect(),
        failure: match compiled.outcomes.get(at) {
            Some(Outcome::Failed(why)) => Some(why.clone()),
            _ => None,
        },
        same_as: own.map(|own| own.first).filter(|first| *first != at),
        slots: own.map(slots).unwrap_or_default(),
        unread_macros: compiled.unread.get(at).cloned().unwrap_or_default(),
        difference: None,
        comparison: None,
    }
}

/// What a program is made of; the same for equal variants. None if it cannot be written down.
fn key_of(program: &Program, wanted: &LoadOptions) -> Option<String> {
    let modules = program.modules.iter().map(|one| {
        let words: Vec<[u8; 4]> = one.module.words().iter().map(|word| word.to_le_bytes()).collect();
        (one.input, hash(words.as_flattened()), &one.broken_rules, one.version_assumed)
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
