//! The variants of a program: choosing their file, compiling them, and their comparison.

use std::path::PathBuf;

use lanescope_core::analyse;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::{ComparedVariants, Work};

use super::compare;
use super::effects::{Dialog, Effects};
use super::open::{absolute, dialog_folder, open_dialog, show_program};
use super::options::is_frozen;
use super::run::{Input, begin, tag};
use crate::engine::Engine;
use crate::outcome::{Outcome, Refusal, WorkOutcome, WorkResult};
use crate::state::State;
use crate::state::program::OpenProgram;
use lanescope_host::jobs::Control;
use lanescope_host::variants::{Compared, Compiled, Variants};

/// What is said of work that ended before its end.
const STOPPED: &str = "stopped";

/// Asks for a file of variants.
pub(super) fn choose_file(state: &mut State, effects: &mut Effects) {
    if is_frozen(state, "it has no variants") {
        return;
    }
    if let Some(id) = state.program().map(|program| program.id) {
        let folder = dialog_folder(state);
        open_dialog(state, effects, Dialog::Files(Purpose::Variants(id), folder));
    }
}

/// Compiles the variants of a file, and shows the comparison. Does nothing where the program was closed meanwhile.
pub(super) fn take_file(state: &mut State, effects: &mut Effects, id: ProgramId, file: PathBuf) {
    let Some(index) = state.programs.iter().position(|program| program.id == id) else {
        state.messages.info("The program of these variants is closed.");
        return;
    };
    if index != state.active {
        show_program(state, effects, index);
    }
    let file = absolute(&[file]).pop();
    if let Some(program) = state.programs.get_mut(index) {
        program.variants_file = file;
    }
    compare::compare_with(state, effects, Some(Partner::Variants));
    begin(state, effects, Work::Variants);
}

pub(super) fn begin_variants(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some((paths, file)) = state.program().and_then(|one| Some((one.paths.clone(), one.variants_file.clone()?)))
    else {
        return false;
    };
    let Input { id, title, options, settings, revision, .. } = input;
    let work = tag(Work::Variants, Some(id));
    effects.cancel(state, work.clone());
    effects.start(state, work, format!("compiling variants of {title}"), move |engine, job| {
        let done = compiled(engine, &paths, file, &options, job).map(Box::new);
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Variants(done) }))
    });
    true
}

/// Takes the result. A variant that was compared with the base is one of another result.
pub(super) fn take_variants(
    program: &mut OpenProgram,
    revision: u64,
    settings: RunSettings,
    done: Result<ComparedVariants, String>,
) {
    program.results.variants.take(revision, settings, done);
    if let Some(against) = &mut program.against
        && matches!(against.with, Partner::Variant(_))
    {
        against.with = Partner::Variants;
    }
}

/// Compiles the variants of a file, one after the other in one child.
///
/// Errors: a file of variants that is wrong, of which none compiles, or that was stopped.
fn compiled(
    engine: &Engine,
    paths: &[PathBuf],
    file: PathBuf,
    options: &Options,
    job: &Control<Outcome>,
) -> Result<ComparedVariants, String> {
    let variants = Variants::read(&file)?;
    let (mut loader, mut out) = (engine.loader(job), Compiled::default());
    for (number, variant) in (1..).zip(&variants.all) {
        if job.is_cancelled() {
            return Err(STOPPED.to_owned());
        }
        job.progress(format!("{number} of {}", variants.all.len()));
        let wanted = variant.wanted(LoadOptions::of(options));
        let added = match loader.load(paths, &wanted).map_err(Refusal::from) {
            Ok(loaded) => out.add(loaded.program, wanted, |program, wanted| {
                let own = Options { dxil: wanted.conversion, entry: wanted.entries, ..options.clone() };
                analyse(program, &own).map_err(|error| error.to_string())
            }),
            Err(Refusal::Cancelled) => return Err(STOPPED.to_owned()),
            Err(Refusal::Failed(failure)) => Err(failure.to_string()),
        };
        if let Err(why) = added {
            out.fail(why);
        }
    }
    if let Some(why) = out.none_usable() {
        return Err(format!("{}: {why}", file.display()));
    }
    let page = out.page(&Compared { variants: &variants, files: paths, file: &file, all: false });
    Ok(page.shown(out.into_programs(&variants)))
}
