//! One program asked of every compiler, of every device and of the interpreter.

use lanescope_core::gpu::{DeviceOptions, interpret};
use lanescope_core::hunt::exact::is_exact;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::reduce::condition::Condition;
use lanescope_core::run::inputs::Inputs;
use lanescope_core::run::{Ran, compare};

use super::Hunt;
use super::found::{Suspect, What};
use super::programs::{Source, changed, least};
use super::state::Counts;
use crate::reducing::Given;
use crate::reducing::compilers::{ended, without_numbers};
use crate::reducing::examiner::{Examiner, Try, UNDEFINED};
use crate::reducing::tests_of::{Compiled, explained};
use crate::worker::{Loader, SET_UP};

/// The interpreter, as a device's name.
pub(super) const INTERPRETER: &str = interpret::NAME;

/// What reads sources, as a compiler's name.
const FRONT_END: &str = "glslang or the validator";

/// Of how many kernels one is compared with its rewritten form.
const REWRITTEN: u64 = 4;

/// What a program showed.
#[derive(Default)]
pub(super) struct Answer {
    pub source: Option<Source>,
    /// The program, where it was loaded; altered, if it was.
    pub program: Option<Program>,
    pub inputs: Inputs,
    pub suspects: Vec<Suspect>,
    pub counts: Counts,
}

/// Asks programs, with children of its own that stay from one to the next.
pub(super) struct Asker<'h> {
    hunt: &'h Hunt,
    loader: Loader,
    examiner: Examiner<'h>,
}

/// Options that change the layout of many workgroups: without them the rewritten form of most kernels is the same.
fn layouts() -> Options {
    Options { force_swizzle: true, reconfig: true, ..Options::default() }
}

/// The same on a command line.
pub(super) const LAYOUTS: [&str; 2] = ["--force-swizzle", "--reconfig"];

/// What every question is asked with.
pub(super) fn given(hunt: &Hunt, program: Program, inputs: Inputs, condition: Condition) -> Given {
    Given {
        program,
        options: layouts(),
        condition,
        compilers: hunt.compilers.clone(),
        versions: hunt.versions.clone(),
        loader: hunt.loader.clone(),
        limits: hunt.limits,
        device: DeviceOptions { device: Some(INTERPRETER.to_owned()), ..DeviceOptions::default() },
        inputs,
        groups: None,
        jobs: 1,
        allow_undefined: false,
        stop: hunt.stop.clone(),
    }
}

impl<'h> Asker<'h> {
    /// One that asks with what is given, but for the program.
    pub fn new(hunt: &'h Hunt, given: &'h Given) -> Asker<'h> {
        let loader = Loader::new(hunt.loader.clone()).and_time(SET_UP);
        Asker { hunt, loader, examiner: Examiner::new(given) }
    }

    /// Each compiler with its device and its driver's version, by what it makes of a shader that needs nothing.
    ///
    /// # Errors
    /// Why a compiler or a device is not here.
    pub fn check(&mut self) -> Result<Vec<String>, String> {
        let (files, wanted) = least();
        let program = self.loader.load(&files, &wanted).map_err(|error| error.to_string())?.program;
        let mut tried = Try::of(program, Inputs::default(), None);
        let (mut drivers, mut ends) = (Vec::new(), Vec::new());
        for at in 0..self.examiner.compilers.len() {
            for one in self.examiner.compile(at, &mut tried) {
                match &one.result {
                    Ok(made) => drivers.push(format!("{}: {}, {}", self.hunt.name_of(at), made.device, made.driver)),
                    Err(ended) => ends.push(ended.clone()),
                }
            }
        }
        for name in &self.hunt.devices {
            ends.extend(self.examiner.execution(&self.device(name), &mut tried).as_ref().err().cloned());
        }
        match ends.into_iter().find(|ended| ended.missing) {
            Some(ended) => Err(ended.message),
            None => Ok(drivers),
        }
    }

    fn device(&self, name: &str) -> DeviceOptions {
        DeviceOptions { device: Some(name.to_owned()), ..self.examiner.interpreter() }
    }

    /// Asks the program of a number.
    pub fn ask(&mut self, number: u64) -> Answer {
        let source = Source::of(self.hunt, number);
        let mut answer = Answer { inputs: source.inputs.clone(), ..Answer::default() };
        answer.counts.programs = 1;
        let loaded = self.loader.load(&source.files, &source.wanted);
        match loaded {
            Ok(loaded) => self.ask_program(number, loaded.program, source.changes, &mut answer),
            // A foreign shader may be refused for good reasons. A generated one is a program.
            Err(error) if source.is_generated => {
                let message = ended(&error.0).message;
                answer.suspects.push(Suspect { what: What::Source, on: FRONT_END.to_owned(), compiler: None, message });
            }
            Err(error) => {
                *answer.counts.not_loaded.entry(without_numbers(&error.to_string())).or_default() += 1;
            }
        }
        answer.source = Some(source);
        answer
    }

    fn ask_program(&mut self, number: u64, loaded: Program, changes: u32, answer: &mut Answer) {
        let program = self.altered(number, &loaded, changes, answer).unwrap_or(loaded);
        let is_exact = program.modules.iter().all(|loaded| is_exact(&loaded.module));
        let runs = program.stages.iter().all(|stage| stage.stage == StageKind::Compute) && program.stages.len() == 1;
        let mut tried = Try::of(program, answer.inputs.clone(), None);
        for at in 0..self.examiner.compilers.len() {
            self.compile(at, &mut tried, answer);
        }
        if runs && is_exact {
            self.run(number, &mut tried, answer);
        } else {
            answer.counts.inexact += 1;
        }
        answer.program = Some(tried.program);
    }

    /// The program altered, where it is to be, and is valid then.
    fn altered(&mut self, number: u64, loaded: &Program, changes: u32, answer: &mut Answer) -> Option<Program> {
        if changes == 0 {
            return None;
        }
        let altered = changed(loaded, number, changes);
        let tried = altered.map(|program| Try::of(program, Inputs::default(), None));
        let is_valid = |tried: &Try, examiner: &mut Examiner<'_>| {
            (0..tried.program.modules.len()).all(|module| examiner.invalid(tried, module).is_none())
        };
        let valid = tried.filter(|tried| is_valid(tried, &mut self.examiner));
        answer.counts.not_altered += u64::from(valid.is_none());
        valid.map(|tried| tried.program)
    }

    fn compile(&mut self, at: usize, tried: &mut Try, answer: &mut Answer) {
        let on = self.hunt.name_of(at);
        let died = |one: &Compiled| one.result.as_ref().is_err_and(|ended| ended.died);
        let message = |one: &Compiled| one.result.as_ref().err().map(|ended| ended.message.clone());
        let failed = self.examiner.compile(at, tried).iter().find(|one| died(one)).and_then(message);
        if let Some(message) = failed {
            // The child that died had compiled other programs: a new one says whether it is this one.
            tried.compiled.remove(&at);
            if !self.examiner.compile(at, tried).iter().any(died) {
                answer.counts.add_unsteady(&message);
            }
        }
        for one in self.examiner.compile(at, tried) {
            match &one.result {
                Ok(_) => answer.counts.compiled += 1,
                Err(ended) if ended.missing => {
                    *answer.counts.lacking.entry(without_numbers(&ended.message)).or_default() += 1;
                }
                Err(ended) => {
                    let what = if ended.died { What::Crash } else { What::Refusal };
                    let message = ended.message.clone();
                    answer.suspects.push(Suspect { what, on: on.clone(), compiler: Some(at), message });
                }
            }
        }
    }

    fn run(&mut self, number: u64, tried: &mut Try, answer: &mut Answer) {
        let is_rewritten = number.is_multiple_of(REWRITTEN);
        if self.hunt.devices.is_empty() && !is_rewritten {
            return;
        }
        let interpreter = self.examiner.interpreter();
        let reference = match self.examiner.execution(&interpreter, tried) {
            Ok(execution) => execution.clone(),
            Err(ended) => {
                *answer.counts.not_interpreted.entry(without_numbers(&ended.message)).or_default() += 1;
                return;
            }
        };
        let is_undefined = |code: &str| UNDEFINED.contains(&code);
        if reference.run.findings.iter().any(|finding| is_undefined(&finding.code)) {
            answer.counts.undefined += 1;
            return;
        }
        for name in &self.hunt.devices {
            let device = self.device(name);
            if let Err(failed) = self.examiner.execution(&device, tried) {
                let message = failed.message.clone();
                // A process that ran many programs may have nothing left for this one.
                self.examiner.renew(&device, tried);
                if self.examiner.execution(&device, tried).is_ok() {
                    answer.counts.add_unsteady(&message);
                }
            }
            let suspect = |what, message| Suspect { what, on: name.clone(), compiler: None, message };
            match self.examiner.execution(&device, tried) {
                Ok(execution) => {
                    let compared = compare(execution, &reference);
                    let order = execution.run.order_dependent.first();
                    answer.counts.compared += 1;
                    if order.is_none() && !compared.equal {
                        answer.suspects.push(suspect(What::Results, explained(&compared, order)));
                    }
                }
                Err(ended) if ended.missing => {
                    *answer.counts.lacking.entry(without_numbers(&ended.message)).or_default() += 1;
                }
                Err(ended) => answer.suspects.push(suspect(What::Run, ended.message.clone())),
            }
        }
        if is_rewritten {
            match self.examiner.run(&interpreter, true, tried) {
                Ok(ran) => differences(&ran, answer),
                Err(ended) => {
                    let why = format!("rewritten: {}", without_numbers(&ended.message));
                    *answer.counts.not_interpreted.entry(why).or_default() += 1;
                }
            }
        }
    }
}

/// Counts the comparison with the rewritten program, if there was one. A layout that does not change makes none.
fn differences(ran: &Ran, answer: &mut Answer) {
    let Some(compare) = &ran.execution.run.compare else { return };
    answer.counts.rewritten += 1;
    if ran.execution.run.differs() {
        let (on, message) = (INTERPRETER.to_owned(), explained(compare, None));
        answer.suspects.push(Suspect { what: What::Rewritten, on, compiler: None, message });
    }
}
