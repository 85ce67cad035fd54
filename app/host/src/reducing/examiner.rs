//! One try at a time: is it a program, is it valid, does the condition hold, is it defined.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::analyse;
use lanescope_core::driver::pipelines;
use lanescope_core::driver::versions;
use lanescope_core::findings::Severity;
use lanescope_core::gpu::{DeviceOptions, Inputs, interpret};
use lanescope_core::program::Program;
use lanescope_core::reduce::change::undefined_by_text;
use lanescope_core::reduce::condition::Test;
use lanescope_core::reduce::subject::Subject;
use lanescope_core::report::Report;
use lanescope_core::run::{Execution, Ran};
use lanescope_inspector::settings::Passes;

use super::compilers::{Compiler, Ended, ended};
use super::pool::Accepts;
use super::results::module_files;
use super::tests_of::Compiled;
use super::{Given, RUN, ReduceError, named};
use crate::worker::{Loader, Reply, Request, RunRequest, SET_UP};

/// Findings of the interpreter that no try may show if the program does not: undefined behaviour, and what may come of it.
pub(crate) const UNDEFINED: [&str; 12] =
    ["E001", "E002", "E003", "E004", "E005", "E006", "E007", "E008", "E009", "E010", "E011", "E012"];

/// Instructions that a try may always take in the interpreter.
const LEAST_STEPS: u64 = 10_000;

/// What the program itself shows, with which tries are compared.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    /// By code: how many findings of severity warning or error its report has.
    findings: BTreeMap<String, usize>,
    /// Codes of undefined behaviour in the interpreter.
    pub undefined: BTreeSet<String>,
    /// Whether the interpreter runs it.
    pub definedness: Definedness,
    /// Instructions that the interpreter ran of it.
    pub(super) steps: u64,
    /// How the compilers ended that did not compile it.
    pub(super) ended: Vec<Ended>,
    /// What the validator says of its modules.
    pub(super) rejections: Vec<String>,
    /// Which of two assignments of slots reads more, by their names.
    pub(super) orders: BTreeSet<SlotOrder>,
    /// Sources are what becomes smaller, and they are a program.
    loads: bool,
    /// By module: the undefined behaviour that its text shows.
    text: Vec<Option<Vec<usize>>>,
}

/// Two assignments of slots, and how their numbers of slots compare.
pub(super) type SlotOrder = (String, String, std::cmp::Ordering);

/// How undefined behaviour is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Definedness {
    /// Each accepted try ran in the interpreter.
    #[default]
    Interpreted,
    /// By each module's text alone: why the interpreter does not run the program.
    ByText(String),
    /// The interpreter was not asked: that was wanted, or the sources are no program.
    NotAsked,
}

/// What was seen of a try.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// Whether the condition holds; `None` where something that it needs has no answer.
    pub holds: Option<bool>,
    /// What each test saw.
    pub lines: Vec<String>,
}

impl Seen {
    /// What is said of the smallest program, with a word if the condition does not hold when it is asked again.
    pub fn at_the_end(mut self) -> Vec<String> {
        if self.holds != Some(true) {
            self.lines.push("asked again at the end, the condition does not hold: it is not steady".to_owned());
        }
        self.lines
    }
}

/// What the first look at the program gives.
pub(crate) struct First {
    pub seen: Seen,
    pub baseline: Baseline,
}

/// Judges tries, with children of its own.
pub(crate) struct Examiner<'g> {
    pub given: &'g Given,
    pub baseline: Option<&'g Baseline>,
    loader: Loader,
    pub compilers: Vec<Compiler>,
    devices: BTreeMap<String, Loader>,
    /// Tries are loaded from sources: their modules were not changed step by step.
    pub reads_sources: bool,
}

/// One try, with what was asked about it.
pub(crate) struct Try {
    pub program: Program,
    pub groups: Option<[u32; 3]>,
    pub inputs: Inputs,
    /// By compiler.
    pub compiled: BTreeMap<usize, Vec<Compiled>>,
    pub report: Option<Report>,
    /// The runs of the program itself, by device.
    pub executions: BTreeMap<String, Result<Execution, Ended>>,
    /// How loading its sources ended, where they are what becomes smaller and are no program.
    pub not_loaded: Option<NotLoaded>,
    /// The files that a program of the user's is given: of its modules, or of its sources.
    pub files: Vec<(String, Vec<u8>)>,
}

/// How loading ended.
#[derive(Debug, Clone)]
pub(crate) struct NotLoaded {
    /// The compiler's end.
    pub ended: Ended,
    /// The validator refused what it made.
    pub is_invalid: bool,
}

impl Try {
    /// A try that is a program.
    pub fn of(program: Program, inputs: Inputs, groups: Option<[u32; 3]>) -> Try {
        let files = module_files(&program);
        let (compiled, executions) = (BTreeMap::new(), BTreeMap::new());
        Try { program, groups, inputs, compiled, report: None, executions, not_loaded: None, files }
    }

    /// A try whose sources were loaded, or not.
    pub fn of_sources(
        loaded: Result<Program, NotLoaded>,
        (inputs, groups): (Inputs, Option<[u32; 3]>),
        files: Vec<(String, Vec<u8>)>,
    ) -> Try {
        let (program, not_loaded) = match loaded {
            Ok(program) => (program, None),
            Err(ended) => (Program::default(), Some(ended)),
        };
        Try { files, not_loaded, ..Try::of(program, inputs, groups) }
    }
}

/// The program with a subject's modules; `None` if an entry point of it is gone.
pub(super) fn program_of(given: &Given, subject: &Subject) -> Option<Program> {
    let mut program = given.program.clone();
    for (loaded, module) in program.modules.iter_mut().zip(&subject.modules) {
        loaded.module = module.clone();
    }
    for stage in &mut program.stages {
        let entries = program.modules.get(stage.module)?.module.entry_points();
        let is_it =
            |entry: &lanescope_core::spirv::EntryPoint| entry.stage == Some(stage.stage) && entry.name == stage.entry;
        stage.entry_index = entries.iter().position(is_it)?;
    }
    Some(program)
}

/// What a subject runs with.
pub(super) fn inputs_of(given: &Given, subject: &Subject) -> Inputs {
    let mut inputs = given.inputs.clone();
    inputs.buffers.retain(|input| subject.inputs.contains(&named(input)));
    inputs
}

impl<'g> Examiner<'g> {
    /// One that has nothing to compare with yet.
    pub fn new(given: &'g Given) -> Examiner<'g> {
        let compiler = |with| Compiler::new(with, given.limits, &given.stop);
        Examiner {
            given,
            baseline: None,
            loader: Loader::new(given.loader.clone()),
            compilers: given.compilers.iter().map(compiler).collect(),
            devices: BTreeMap::new(),
            reads_sources: false,
        }
    }

    /// One that compares with what the program shows.
    pub fn with(given: &'g Given, baseline: &'g Baseline) -> Examiner<'g> {
        Examiner { baseline: Some(baseline), ..Examiner::new(given) }
    }

    /// This one, which compares from now on.
    pub fn comparing(self, baseline: &'g Baseline) -> Examiner<'g> {
        Examiner { baseline: Some(baseline), ..self }
    }

    /// What the program itself shows.
    pub fn first(&mut self, subject: &Subject) -> Result<First, ReduceError> {
        let tried = self.tried(subject).ok_or_else(|| ReduceError::Program("a stage has no module".to_owned()))?;
        self.first_of(tried)
    }

    /// The same of sources.
    pub fn first_of(&mut self, mut tried: Try) -> Result<First, ReduceError> {
        let findings = serious(&analyse(&tried.program, &self.given.options)?);
        let seen = self.seen_of(&mut tried);
        let compiled = tried.compiled.values().flatten().filter_map(|one| one.result.as_ref().err());
        let ended = compiled.chain(tried.not_loaded.as_ref().map(|not_loaded| &not_loaded.ended)).cloned().collect();
        let rejects = |test: &&Test| matches!(test, Test::ValidatorRejects(_));
        let rejections = match self.given.condition.tests().iter().any(rejects) {
            true => (0..tried.program.modules.len()).filter_map(|module| self.invalid(&tried, module)).collect(),
            false => Vec::new(),
        };
        let mut baseline = Baseline {
            findings,
            ended,
            rejections,
            orders: self.orders(&mut tried),
            loads: tried.not_loaded.is_none(),
            text: by_text(&tried.program),
            ..Baseline::default()
        };
        if self.given.allow_undefined || tried.not_loaded.is_some() {
            baseline.definedness = Definedness::NotAsked;
        } else {
            match self.undefined(&mut tried) {
                Ok(codes) => {
                    baseline.undefined = codes;
                    let interpreter = self.interpreter();
                    let ran = self.execution(&interpreter, &mut tried).as_ref().ok();
                    baseline.steps = ran.and_then(|ran| ran.run.interpreter.as_ref()).map_or(0, |run| run.steps);
                }
                Err(why) => baseline.definedness = Definedness::ByText(why),
            }
        }
        Ok(First { seen, baseline })
    }

    /// What a try shows.
    pub fn seen(&mut self, subject: &Subject) -> Seen {
        match self.tried(subject) {
            Some(mut tried) => self.seen_of(&mut tried),
            None => Seen::default(),
        }
    }

    /// Whether a try shows what is looked for, is valid, and is as defined as the program.
    pub fn accepts(&mut self, subject: &Subject) -> bool {
        self.tried(subject).is_some_and(|tried| self.accepts_try(tried))
    }

    /// The same of sources.
    pub fn accepts_try(&mut self, mut tried: Try) -> bool {
        if tried.not_loaded.is_some() {
            // What is a program stays one.
            let may_fail = self.baseline.is_none_or(|baseline| !baseline.loads);
            return may_fail && self.seen_of(&mut tried).holds == Some(true);
        }
        let rejects = |test: &&Test| matches!(test, Test::ValidatorRejects(_));
        let may_be_invalid = self.given.condition.tests().iter().any(rejects);
        if !may_be_invalid && (0..tried.program.modules.len()).any(|module| self.invalid(&tried, module).is_some()) {
            return false;
        }
        let Ok(report) = analyse(&tried.program, &self.given.options) else { return false };
        let known = self.baseline.map(|baseline| &baseline.findings);
        let is_known = |(code, count): (&String, &usize)| known.is_none_or(|known| known.get(code) >= Some(count));
        if !serious(&report).iter().all(is_known) {
            return false;
        }
        tried.report = Some(report);
        self.seen_of(&mut tried).holds == Some(true) && self.is_as_defined(&mut tried)
    }

    fn is_as_defined(&mut self, tried: &mut Try) -> bool {
        let Some(baseline) = self.baseline.filter(|baseline| baseline.definedness != Definedness::NotAsked) else {
            return true;
        };
        let text = by_text(&tried.program);
        let no_more = |(now, before): (&Option<Vec<usize>>, &Option<Vec<usize>>)| match (now, before) {
            (Some(now), Some(before)) => now.iter().zip(before).all(|(now, before)| now <= before),
            (now, before) => now.is_some() || before.is_none(),
        };
        if self.reads_sources && !(text.len() == baseline.text.len() && text.iter().zip(&baseline.text).all(no_more)) {
            return false;
        }
        if baseline.definedness != Definedness::Interpreted {
            return true;
        }
        self.undefined(tried).is_ok_and(|codes| codes.is_subset(&baseline.undefined))
    }

    fn tried(&self, subject: &Subject) -> Option<Try> {
        let inputs = inputs_of(self.given, subject);
        Some(Try::of(program_of(self.given, subject)?, inputs, subject.groups))
    }

    pub fn seen_of(&mut self, tried: &mut Try) -> Seen {
        let mut lines = Vec::new();
        let condition = self.given.condition.clone();
        let holds = condition.holds(&mut |test| {
            let (answer, line) = self.ask(test, tried);
            let line = format!("{test}: {}", line.lines().map(str::trim).collect::<Vec<_>>().join(" "));
            if !lines.contains(&line) {
                lines.push(line);
            }
            answer
        });
        Seen { holds, lines }
    }

    /// What the validator says of a module that it refuses.
    pub fn invalid(&mut self, tried: &Try, module: usize) -> Option<String> {
        let loaded = tried.program.modules.get(module)?;
        let name = format!("module {module}");
        let text = self.loader.disassemble(&loaded.module, &name, Some(&loaded.validity()));
        text.err().map(|error| error.to_string())
    }

    /// The report of a try.
    pub fn report<'t>(&self, tried: &'t mut Try) -> Option<&'t Report> {
        if tried.report.is_none() {
            tried.report = analyse(&tried.program, &self.given.options).ok();
        }
        tried.report.as_ref()
    }

    /// What a compiler makes of a try: of each version, each pipeline.
    pub fn compile<'t>(&mut self, compiler: usize, tried: &'t mut Try) -> &'t [Compiled] {
        let Try { program, compiled, .. } = tried;
        let options = &self.given.options;
        compiled.entry(compiler).or_insert_with(|| {
            let mut out = Vec::new();
            for version in versions(program, options, &self.given.versions) {
                let made = match version.program {
                    Ok(made) => made,
                    Err(why) => {
                        out.push(Compiled { of: version.of, program: None, result: Err(Ended::refused(why)) });
                        continue;
                    }
                };
                for pipeline in pipelines(&made) {
                    let result = self.compilers[compiler].compile(&pipeline, version.of, options);
                    out.push(Compiled { of: version.of, program: Some(pipeline), result });
                }
            }
            out
        })
    }

    /// Runs a try on a device; with `rewritten`, the rewritten program beside it.
    pub fn run(&mut self, device: &DeviceOptions, rewritten: bool, tried: &Try) -> Result<Ran, Ended> {
        let name = device.device.clone().unwrap_or_default();
        let device = DeviceOptions { timeout: device.timeout.min(RUN), ..device.clone() };
        let request = Request::Run(Box::new(RunRequest {
            program: tried.program.clone(),
            against: None,
            rewritten: rewritten.then_some(Passes::ALL),
            options: self.given.options.clone(),
            device: device.clone(),
            groups: tried.groups,
            inputs: tried.inputs.clone(),
        }));
        let child = self.devices.entry(name).or_insert_with(|| Loader::new(self.given.loader.clone()));
        match child.ask_within(&request, device.timeout.saturating_mul(2).saturating_add(SET_UP)) {
            Ok(Reply::Ran(ran)) => Ok(*ran),
            Ok(_) => Err(Ended::refused(crate::worker::OTHER_ANSWER.to_owned())),
            // The whole message: it says what was being done.
            Err(error) => Err(Ended { message: error.to_string(), ..ended(&error) }),
        }
    }

    /// Ends the child of a device: the next run on it has a new one, and a try that failed on it can run again.
    pub fn renew(&mut self, device: &DeviceOptions, tried: &mut Try) {
        let name = device.device.clone().unwrap_or_default();
        self.devices.remove(&name);
        tried.executions.remove(&name);
    }

    /// The run of the try itself on a device.
    pub fn execution<'t>(&mut self, device: &DeviceOptions, tried: &'t mut Try) -> &'t Result<Execution, Ended> {
        let name = device.device.clone().unwrap_or_default();
        if !tried.executions.contains_key(&name) {
            let ran = self.run(device, false, tried).map(|ran| ran.execution);
            tried.executions.insert(name.clone(), ran);
        }
        &tried.executions[&name]
    }

    /// The interpreter, as a device.
    ///
    /// A try takes about as many instructions as the program at most; one that takes more has loops that do not end soon.
    pub fn interpreter(&self) -> DeviceOptions {
        let known = self.baseline.filter(|baseline| baseline.definedness == Definedness::Interpreted);
        let max_steps = known.map(|baseline| baseline.steps.saturating_mul(2).max(LEAST_STEPS));
        DeviceOptions { device: Some(interpret::NAME.to_owned()), timeout: RUN, max_steps, ..DeviceOptions::default() }
    }

    /// Undefined behaviour that the interpreter sees, by code; an error if it does not run the program.
    fn undefined(&mut self, tried: &mut Try) -> Result<BTreeSet<String>, String> {
        let interpreter = self.interpreter();
        let execution = self.execution(&interpreter, tried).as_ref().map_err(|ended| ended.message.clone())?;
        let codes = execution.run.findings.iter().map(|finding| finding.code.clone());
        Ok(codes.filter(|code| UNDEFINED.contains(&code.as_str())).collect())
    }
}

/// By module: the undefined behaviour that its text shows.
fn by_text(program: &Program) -> Vec<Option<Vec<usize>>> {
    program.modules.iter().map(|loaded| undefined_by_text(&loaded.module)).collect()
}

/// By code: how many of a report's findings are more than notes.
fn serious(report: &Report) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.severity != Severity::Note) {
        *out.entry(finding.code.clone()).or_default() += 1;
    }
    out
}

impl Accepts<Subject> for Examiner<'_> {
    fn accepts(&mut self, subject: &Subject) -> bool {
        Examiner::accepts(self, subject)
    }
}
