//! What the shown program is compared with, and both sides of that.

use std::path::{Path, PathBuf};

use lanescope_core::chip::Chip;
use lanescope_core::compare::Side;
use lanescope_core::driver::DriverStage;
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_inspector::comparing::{Comparing, ObjectSide, Partner};
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::tasks::{Compiled, Task};

use super::State;
use super::program::{OpenObject, OpenProgram};

/// What a program is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Against {
    /// Which it is.
    pub with: Partner,
    /// Its files, where it is another program.
    pub paths: Option<Vec<PathBuf>>,
}

/// Two programs to compare once both are open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRequest {
    /// The files of the one that is shown.
    pub shown: Vec<PathBuf>,
    /// The files of the one that it is compared with.
    pub with: Vec<PathBuf>,
    /// The comparison is shown then.
    pub show: bool,
}

/// Names of both sides and of all partners.
pub struct ComparisonNames {
    /// Possible partners.
    pub partners: Vec<(Partner, String)>,
    names: [String; 2],
    titles: [String; 2],
}

impl ComparisonNames {
    /// Names for the shown program.
    pub fn new(state: &State) -> ComparisonNames {
        let Some(shown) = state.program() else {
            let none = || [String::new(), String::new()];
            return ComparisonNames { partners: Vec::new(), names: none(), titles: none() };
        };
        let programs = &state.programs;
        let alike = |title: &str| programs.iter().filter(|program| program.title() == title).count() > 1;
        let name = |program: &OpenProgram| {
            let title = program.title();
            let folder = program.paths.first().and_then(|path| path.parent()).and_then(|folder| folder.file_name());
            match folder {
                Some(folder) if alike(&title) => format!("{}/{title}", folder.to_string_lossy()),
                _ => title,
            }
        };
        let others = programs.iter().filter(|program| program.id != shown.id);
        let others = others.map(|program| (Partner::Program(program.id), name(program)));
        let second = shown.other.is_some().then(|| (Partner::SecondSetting, "the second setting".to_owned()));
        let variants = shown.variants_file.as_deref().map(|file| (Partner::Variants, variants_of(file)));
        let partners: Vec<_> = second.into_iter().chain(others).chain(variants).chain(one_variant(shown)).collect();
        let with = shown.against.as_ref().map(|against| against.with);
        let names = match with {
            Some(Partner::SecondSetting) => ["first setting".to_owned(), "second setting".to_owned()],
            Some(Partner::Variants) => [String::new(), name(shown)],
            Some(Partner::Variant(number)) => {
                let of = |at: usize| shown.results.variants.done()?.programs.get(at).map(|(flags, _)| named(flags));
                [of(0).unwrap_or_default(), of(number).unwrap_or_default()]
            }
            Some(with) => {
                let other = partners.iter().find(|(partner, _)| *partner == with).map(|(_, name)| name.clone());
                [other.unwrap_or_default(), name(shown)]
            }
            None => [String::new(), name(shown)],
        };
        // What is of the shown program has its name in a heading too.
        let titles = match with {
            Some(Partner::SecondSetting) => names.each_ref().map(|setting| format!("{}, {setting}", name(shown))),
            Some(Partner::Variant(_)) => names.each_ref().map(|flags| format!("{} {flags}", name(shown))),
            _ => names.clone(),
        };
        ComparisonNames { partners, names, titles }
    }

    /// Inputs of views.
    pub fn comparing<'a>(&'a self, state: &'a State) -> Comparing<'a> {
        let ([a, b], [title_a, title_b]) = (&self.names, &self.titles);
        let titles = [title_a.as_str(), title_b.as_str()];
        let mut out = Comparing { partners: &self.partners, names: [a, b], titles, ..Comparing::NOTHING };
        let Some(shown) = state.program() else { return out };
        let settings = &state.settings.compile;
        match shown.against.as_ref().map(|against| against.with) {
            None => {}
            Some(Partner::SecondSetting) => {
                let Some(other) = &shown.analysis.other else { return out };
                let results = &shown.results;
                let second = results.second.done().map(|compiled| compiled.sections.stages.as_slice());
                out.with = Some(Partner::SecondSetting);
                let drivers = of_targets(shown, other, [driver_rows(shown), second.unwrap_or(&other.driver)]);
                let first = &shown.analysis.report;
                out.sides =
                    Some([(first, drivers[0]), (other, drivers[1])].map(|(report, driver)| Side { report, driver }));
                out.shown = 0;
                // Of one program, so the keys of two programs cannot mix.
                out.key = [shown.revision, u64::MAX, answers(&results.compiled), answers(&results.second)];
                out.compiling = results.compiled.underway || results.second.underway;
                out.stale = [&results.compiled, &results.second].iter().any(|task| is_stale(shown, task, settings));
            }
            Some(Partner::Variants) => out.with = Some(Partner::Variants),
            Some(with @ Partner::Variant(number)) => {
                let Some(done) = shown.results.variants.done() else { return out };
                let of = |at: usize| done.programs.get(at).map(|(_, report)| Side { report, driver: &report.driver });
                let (Some(base), Some(one)) = (of(0), of(number)) else { return out };
                out.with = Some(with);
                out.sides = Some([base, one]);
                // Of one program, and of no other kind of partner.
                let answer = answers(&shown.results.variants);
                out.key = [shown.revision, u64::MAX - 1, answer, number as u64];
            }
            Some(with @ Partner::Program(id)) => {
                let Some(other) = state.programs.iter().find(|program| program.id == id) else { return out };
                out.with = Some(with);
                if let Some(object) = &other.analysis.object {
                    match (object_side(other), object_side(shown)) {
                        (Some(other), Some(own)) => out.objects = Some([other, own]),
                        _ => out.object = Some(&object.object),
                    }
                    out.key = [other.revision, shown.revision, 0, 0];
                    return out;
                }
                out.sides = Some([side(other), side(shown)]);
                out.shown = 1;
                let [old, new] = [other, shown].map(|program| answers(&program.results.compiled));
                out.key = [other.revision, shown.revision, old, new];
                out.compiling = [other, shown].iter().any(|program| program.results.compiled.underway);
                let is_stale = |program: &OpenProgram| is_stale(program, &program.results.compiled, settings);
                out.stale = is_stale(other) || is_stale(shown);
            }
        }
        // What compilers returned is compared once both sides have it: one alone differs in everything.
        if let Some(sides) = &mut out.sides
            && sides.iter().any(|side| side.driver.is_empty())
        {
            sides.iter_mut().for_each(|side| side.driver = &[]);
        }
        out
    }
}

/// The name of the variants of a file.
fn variants_of(file: &Path) -> String {
    format!("variants of {}", file.file_name().unwrap_or(file.as_os_str()).display())
}

/// The variant that is compared with the base, while it is.
fn one_variant(shown: &OpenProgram) -> Option<(Partner, String)> {
    let with = shown.against.as_ref()?.with;
    let Partner::Variant(number) = with else { return None };
    let (flags, _) = shown.results.variants.done()?.programs.get(number)?;
    Some((with, format!("variant {}", named(flags))))
}

/// The flags of a variant, as its name.
fn named(flags: &str) -> String {
    if flags.is_empty() { "(no flags)".to_owned() } else { flags.to_owned() }
}

/// The code object that a program is.
fn object_side(program: &OpenProgram) -> Option<ObjectSide<'_>> {
    let OpenObject { object, no_listing } = program.analysis.object.as_deref()?;
    let listing = match no_listing {
        Some(why) => Err(why.as_str()),
        None => Ok(program.texts.first()?.text.as_str()),
    };
    Some(ObjectSide { object, listing })
}

fn side(program: &OpenProgram) -> Side<'_> {
    Side { report: &program.analysis.report, driver: driver_rows(program) }
}

/// Results of two settings: where these have different targets, those of each one's own target, since both were compiled
/// for all chosen chips.
fn of_targets<'a>(shown: &OpenProgram, other: &Report, drivers: [&'a [DriverStage]; 2]) -> [&'a [DriverStage]; 2] {
    let targets = [&shown.analysis.report, other].map(|report| report.options.target);
    let own = |side: usize| of_target(drivers.get(side).copied()?, *targets.get(side)?);
    match [own(0), own(1)] {
        [Some(first), Some(second)] if targets[0] != targets[1] => [first, second],
        _ => drivers,
    }
}

/// The results for a target, which follow each other; none where there are none.
fn of_target(all: &[DriverStage], target: Target) -> Option<&[DriverStage]> {
    let is_own = |stage: &DriverStage| stage.target == Some(Chip::Amd(target));
    let (first, last) = (all.iter().position(is_own)?, all.iter().rposition(is_own)?);
    all.get(first..=last).filter(|own| own.iter().all(is_own))
}

/// Results of compilers for a program: what was requested here, else what its report holds.
fn driver_rows(program: &OpenProgram) -> &[DriverStage] {
    let compiled = program.results.compiled.done().map(|compiled| compiled.sections.stages.as_slice());
    compiled.unwrap_or(&program.analysis.report.driver)
}

/// Whether the results are of another state or other settings of a program. Never true for a report.
fn is_stale(program: &OpenProgram, task: &Task<Compiled>, settings: &CompileSettings) -> bool {
    !program.frozen && task.done().is_some() && !task.is_fresh(program.revision, settings)
}

/// Counts the answers of compilers.
fn answers<T>(task: &Task<T>) -> u64 {
    task.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1))
}
