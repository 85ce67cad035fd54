//! Work on request: rewritten modules, the list of devices, runs, measurements, compilations.

use std::path::PathBuf;

use lanescope_core::cost::fragments::DrawAccesses;
use lanescope_core::cost::{self, Cost};
use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::driver::{DriverSections, Failure};
use lanescope_core::findings::Finding;
use lanescope_core::guessed_layout::GuessedStage;
use lanescope_core::ids::Hash64;
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::Map;
use lanescope_core::program::{Format, StageKind};
use lanescope_core::report::Report;
use lanescope_core::run::graph::{GraphRun, Hit};
use lanescope_core::run::{Place, Probe, Ran};
use lanescope_core::script::ScriptRun;
use lanescope_core::table::Table;
use lanescope_core::workgroup::rewrite::SwizzledStage;
use serde::{Deserialize, Serialize};

use crate::settings::{CompileSettings, RunSettings, Settings, SpeculativeSettings};
use crate::survey::{GuessSurvey, SurveyQuestion};

/// Why a report that was read from a file cannot be rewritten, run or compiled.
pub const OF_REPORT: &str = "A report contains no shaders.";

/// A buffer or an image that a run fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunInput {
    /// Name: its register where it has one, else set and binding.
    pub place: Place,
    /// The variable's name in the shader.
    pub variable: Option<String>,
    /// What it is: `storage buffer`, `image`.
    pub kind: &'static str,
    /// The file that its contents come from.
    pub file: Option<PathBuf>,
}

/// What of a run is given by a text: `scale=2; size=8,8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunText {
    /// Push constants, by the names of their members.
    Push,
    /// Contents of buffers and images, beside the files that are chosen.
    Buffers,
    /// States of samplers.
    Samplers,
    /// What a graphics pipeline draws.
    Draw,
}

impl RunText {
    /// All of them.
    pub const ALL: [RunText; 4] = [RunText::Push, RunText::Buffers, RunText::Samplers, RunText::Draw];

    /// What it gives.
    pub fn title(self) -> &'static str {
        match self {
            RunText::Push => "Push constants",
            RunText::Buffers => "Values",
            RunText::Samplers => "Samplers",
            RunText::Draw => "Draw",
        }
    }

    /// What is typed, before it.
    pub fn label(self) -> &'static str {
        match self {
            RunText::Push => "Values by name, or @FILE; what is not given is filled as usual",
            RunText::Buffers => "Numbers, sizes and files by resource; what is not given is filled as usual",
            RunText::Samplers => "States by sampler; the others keep theirs",
            RunText::Draw => "Parts by name; the others are those of the scene",
        }
    }

    /// An example.
    pub fn example(self) -> &'static str {
        match self {
            RunText::Push => "scale=2; size=8,8",
            RunText::Buffers => "0:1=uint 1,2,3; 0:2=4096",
            RunText::Samplers => "s0=nearest,clamp-to-edge; 0:1=linear",
            RunText::Draw => "vertices=mesh.obj; size=128x128",
        }
    }
}

/// A text that gives something of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedInput {
    /// The names that the text may have, each with what it is. None where the program has nothing of it.
    pub known: Vec<(String, String)>,
    /// What is given.
    pub text: String,
    /// Why the text does not fit the program.
    pub wrong: Option<String>,
}

impl TypedInput {
    const NONE: TypedInput = TypedInput { known: Vec::new(), text: String::new(), wrong: None };

    /// The text, where the program has something for it.
    pub fn given(&self) -> &str {
        if self.known.is_empty() { "" } else { &self.text }
    }
}

/// The texts that give what a run takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedInputs([TypedInput; RunText::ALL.len()]);

impl TypedInputs {
    /// Nothing is given.
    pub const NONE: TypedInputs = TypedInputs([TypedInput::NONE; RunText::ALL.len()]);

    /// The text of one.
    pub fn get(&self, of: RunText) -> &TypedInput {
        &self.0[of as usize]
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, of: RunText) -> &mut TypedInput {
        &mut self.0[of as usize]
    }

    /// All, in order.
    pub fn all(&self) -> impl Iterator<Item = (RunText, &TypedInput)> {
        RunText::ALL.into_iter().zip(&self.0)
    }
}

/// Result of compiling a program's stages speculatively.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeculativelyCompiled {
    /// Which compilers were used.
    pub compile: CompileSettings,
    /// How.
    pub settings: SpeculativeSettings,
    /// The stages with what came of them, one row a driver and stage.
    pub stages: Vec<GuessedStage>,
    /// What did not work: one sentence a driver.
    pub failures: Vec<String>,
    /// Milliseconds from asking to having.
    pub milliseconds: u64,
}

/// Result of compiling every pipeline of a database speculatively.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledCorpus {
    /// What was asked.
    pub question: CorpusQuestion,
    /// Results of each driver: its chip or device, and the rows.
    pub places: Vec<(String, Rows)>,
    /// Milliseconds from asking to having.
    pub milliseconds: u64,
}

/// What is asked of a whole database: another question has another answer.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusQuestion {
    /// The databases' hashes.
    pub files: Vec<Hash64>,
    /// How layouts are guessed, in options that leave everything else to the pipelines.
    pub guess: Options,
    /// Which compilers are used.
    pub compile: CompileSettings,
    /// How.
    pub ahead: SpeculativeSettings,
}

impl CorpusQuestion {
    /// The question that a report and the settings ask now.
    pub fn of(report: &Report, compile: &CompileSettings, ahead: &SpeculativeSettings) -> CorpusQuestion {
        let SurveyQuestion { files, guess } = SurveyQuestion::of(report);
        CorpusQuestion { files, guess, compile: compile.clone(), ahead: ahead.clone() }
    }
}

/// Results of drivers' compilers for a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// How they were asked.
    pub settings: CompileSettings,
    /// The driver sections of the program's report.
    pub sections: DriverSections,
    /// Failed compilations.
    pub failures: Vec<Failure>,
    /// Pipelines that were made, and how many of them were kept from an earlier time.
    pub pipelines: [usize; 2],
    /// Milliseconds from asking to having, children and disk included.
    pub milliseconds: u64,
    /// Milliseconds from the last change of a file to the frame that shows this, where a change requested it.
    pub since_saved: Option<u64>,
}

/// The variants of a program, compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedVariants {
    /// The file that lists them.
    pub file: PathBuf,
    /// How many there are: `4 variants, 3 different programs`.
    pub summary: String,
    /// A row for each. Its key is the number of its program, where that is compared with the base.
    pub rows: Table,
    /// What each value of a macro changes.
    pub macros: Table,
    /// Messages of those that do not compile, each with the numbers of the variants.
    pub failures: Vec<(String, String)>,
    /// The programs that differ, by the flags of their first variants. The first one is the base where the first variant
    /// compiles.
    pub programs: Vec<(String, Report)>,
}

/// The memory accesses of a compute shader, counted in each layout.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedCosts {
    /// What was asked.
    pub question: CostQuestion,
    /// What came of it.
    pub cost: Cost,
}

/// The memory accesses of a graphics pipeline's draw, counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedDraw {
    /// What was asked.
    pub question: CostQuestion,
    /// What came of it.
    pub accesses: DrawAccesses,
}

/// The layouts of a compute shader's workgroup, timed.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedCosts {
    /// What was asked. The accesses beside the times are counted in waves of the device.
    pub question: CostQuestion,
    /// What came of it.
    pub measured: cost::Measured,
}

/// What is asked of the accesses of a compute shader, or of a draw: another question has another answer.
#[derive(Debug, Clone, PartialEq)]
pub struct CostQuestion {
    /// The revision of the program.
    pub revision: u64,
    /// How they are counted.
    pub counting: cost::Settings,
    /// The seed of contents that nothing gives; zeros where absent.
    pub seed: Option<u64>,
    /// Files that fill buffers and images.
    files: Vec<(Place, PathBuf)>,
    /// What else is given.
    texts: [String; RunText::ALL.len()],
}

impl CostQuestion {
    /// Whether there is one compute shader whose accesses are counted.
    pub fn applies(report: &Report) -> bool {
        let compute = report.workgroup.iter().filter(|layout| layout.stage == StageKind::Compute);
        report.graph.is_none() && compute.count() == 1
    }

    /// The question that a program with these inputs asks now.
    pub fn of(revision: u64, settings: &Settings, inputs: &[RunInput], typed: &TypedInputs) -> CostQuestion {
        let files = inputs.iter().filter_map(|input| Some((input.place, input.file.clone()?)));
        let run = &settings.run;
        CostQuestion {
            revision,
            counting: settings.costs.counting(),
            // Addresses from pseudorandom indices lie beyond their buffers: contents are zero until a seed is chosen.
            seed: (!run.zeros && run.fill != 0).then_some(run.fill),
            files: files.collect(),
            texts: RunText::ALL.map(|of| typed.get(of).given().to_owned()),
        }
    }

    /// The question that a graphics pipeline with these inputs asks now: its draw is that of a run.
    pub fn of_draw(revision: u64, settings: &Settings, inputs: &[RunInput], typed: &TypedInputs) -> CostQuestion {
        let run = &settings.run;
        let seed = (!run.zeros).then_some(run.fill);
        CostQuestion { seed, ..CostQuestion::of(revision, settings, inputs, typed) }
    }
}

/// Work on request, with its last result.
#[derive(Debug, Clone, PartialEq)]
pub struct Task<T> {
    /// It is being done.
    pub underway: bool,
    /// Its last result or failure.
    pub answer: Option<Answer<T>>,
}

/// The result of work, with its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// Revision of the program.
    pub revision: u64,
    /// Counts the answers to this.
    pub number: u64,
    /// The settings.
    pub settings: RunSettings,
    /// Its result or failure.
    pub result: Result<T, String>,
}

impl<T> Task<T> {
    /// Never requested.
    pub const NEVER: Task<T> = Task { underway: false, answer: None };

    /// Stores the result of the work.
    pub fn take(&mut self, revision: u64, settings: RunSettings, result: Result<T, String>) {
        let number = self.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1));
        *self = Task { underway: false, answer: Some(Answer { revision, number, settings, result }) };
    }

    /// Its result, if it succeeded.
    pub fn done(&self) -> Option<&T> {
        self.answer.as_ref()?.result.as_ref().ok()
    }

    /// Why it failed.
    pub fn failed(&self) -> Option<&str> {
        self.answer.as_ref()?.result.as_ref().err().map(String::as_str)
    }
}

impl Task<ComparedVariants> {
    /// What is said where the variants are of another state of the program.
    pub const OLD: &str = "The files or the options have changed since the variants were compiled.";

    /// Whether they are of another state of the program.
    pub fn is_old(&self, revision: u64) -> bool {
        !self.underway && self.answer.as_ref().is_some_and(|answer| answer.revision != revision)
    }
}

impl Task<Compiled> {
    /// What did not compile and whose assembly is not fully understood, as findings, while that is of the program and
    /// the settings as they are now.
    pub fn findings(&self, revision: u64, settings: &CompileSettings) -> Vec<Finding> {
        let fresh = self.done().filter(|_| self.is_fresh(revision, settings));
        fresh.map(|compiled| compiled.sections.findings.clone()).unwrap_or_default()
    }

    /// Whether what was answered, if anything was, is of the program and the settings as they are now.
    pub fn is_fresh(&self, revision: u64, settings: &CompileSettings) -> bool {
        self.answer.as_ref().is_some_and(|answer| {
            let asked = answer.result.as_ref().ok().map(|compiled| &compiled.settings);
            answer.revision == revision && asked.is_none_or(|asked| asked.is_same_question(settings))
        })
    }
}

/// The run of an Amber script.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptRan {
    /// What came of it.
    pub run: ScriptRun,
    /// What the script requires of a device, which a run does not check.
    pub unchecked: Vec<String>,
}

/// Whether a program is of an Amber script: *Run* runs the whole script.
pub fn is_script(report: &Report) -> bool {
    report.inputs.iter().any(|input| input.format == Format::Amber)
}

/// What is requested of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskResults {
    /// Its modules, rewritten.
    pub rewriting: Task<Rewriting>,
    /// Its run, with that of the rewritten program.
    pub run: Task<Ran>,
    /// The run of the script that it is of. That it is under way is noted with its own run.
    pub script: Task<ScriptRan>,
    /// Its workgroup, measured.
    pub probe: Task<Probe>,
    /// Its memory accesses, counted.
    pub costs: Task<CountedCosts>,
    /// The memory accesses of its draw, counted.
    pub draw: Task<CountedDraw>,
    /// The times of its layouts on a device.
    pub times: Task<TimedCosts>,
    /// Counts up each time that a command asks to show them.
    pub costs_shown: u64,
    /// Results of drivers' compilers.
    pub compiled: Task<Compiled>,
    /// The same under the second setting, where that is compared.
    pub second: Task<Compiled>,
    /// Result of compiling its stages speculatively.
    pub speculative: Task<SpeculativelyCompiled>,
    /// Results of that for every pipeline of its database.
    pub corpus: Task<CompiledCorpus>,
    /// What guesses achieve over all pipelines of its database.
    pub survey: Task<GuessSurvey>,
    /// Its variants.
    pub variants: Task<ComparedVariants>,
    /// Its work graph's run.
    pub graph: Task<GraphRun>,
    /// State of that run while it is stepped generation by generation.
    pub stepping: Option<StepState>,
    /// The file of records that was read last.
    pub records: Option<RecordsFile>,
}

/// A run of a work graph that is stepped generation by generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// It computes.
    Working,
    /// Paused before its last generation, with the breakpoint that stopped it.
    Standing(Option<Hit>),
}

/// A file of records for a work graph.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordsFile {
    /// Another number, another file.
    pub number: u64,
    /// Its path.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl TaskResults {
    /// Nothing yet.
    pub const NOTHING: TaskResults = TaskResults {
        rewriting: Task::NEVER,
        run: Task::NEVER,
        script: Task::NEVER,
        probe: Task::NEVER,
        costs: Task::NEVER,
        draw: Task::NEVER,
        times: Task::NEVER,
        costs_shown: 0,
        compiled: Task::NEVER,
        speculative: Task::NEVER,
        corpus: Task::NEVER,
        survey: Task::NEVER,
        variants: Task::NEVER,
        graph: Task::NEVER,
        stepping: None,
        records: None,
        second: Task::NEVER,
    };

    /// Whether the run of the work graph is paused: it waits for a command, and nothing computes.
    pub fn is_graph_paused(&self) -> bool {
        matches!(self.stepping, Some(StepState::Standing(_)))
    }

    /// Where the run of the work graph is paused, if it is: `Paused before generation 1`.
    pub fn paused_text(&self) -> Option<String> {
        let next = self.graph.done().filter(|_| self.is_graph_paused())?.generations.last()?;
        let start = if next.dispatch > 0 { format!(" of start {}", next.dispatch) } else { String::new() };
        Some(format!("Paused before generation {}{start}", next.number))
    }

    /// Results in a report that was read from a file: those of compilers, and an error for all others.
    pub fn of_report(report: &Report, revision: u64) -> TaskResults {
        fn never<T>(task: &mut Task<T>, revision: u64) {
            task.take(revision, RunSettings::DEFAULT, Err(OF_REPORT.to_owned()));
        }
        let mut results = TaskResults::NOTHING;
        never(&mut results.rewriting, revision);
        never(&mut results.run, revision);
        never(&mut results.probe, revision);
        never(&mut results.costs, revision);
        never(&mut results.speculative, revision);
        never(&mut results.corpus, revision);
        never(&mut results.survey, revision);
        never(&mut results.variants, revision);
        never(&mut results.second, revision);
        let compiled = Compiled {
            settings: CompileSettings::DEFAULT,
            sections: report.drivers(),
            failures: Vec::new(),
            pipelines: [0, 0],
            milliseconds: 0,
            since_saved: None,
        };
        results.compiled.take(revision, RunSettings::DEFAULT, Ok(compiled));
        results
    }
}

/// The rewritten program, as texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rewriting {
    /// The modules, in the order in which they were loaded.
    pub modules: Vec<RewrittenModule>,
    /// What packing did, one an interface between two stages, the fragment shader's last.
    pub packing: Vec<Map>,
    /// What the swizzle did, one a compute, task or mesh stage.
    pub workgroup: Vec<SwizzledStage>,
    /// The stages that no pass changed.
    #[serde(default)]
    pub unchanged: Vec<UnchangedStage>,
}

/// A stage that stays as it was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnchangedStage {
    /// The stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// Why no pass changed it.
    pub why: String,
}

/// One module before and after, as SPIR-V assembly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RewrittenModule {
    /// Its file: `lit.frag`.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageKind>,
    /// As it was loaded.
    pub original: String,
    /// As rewritten; the same text where no pass changed it.
    pub rewritten: String,
}

/// Work that can be requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// List the devices.
    Devices,
    /// Rewrite the modules.
    Rewrite,
    /// Run the program, and the rewritten one.
    Run,
    /// Measure the workgroup of the layout of that index.
    Measure(usize),
    /// Count the memory accesses of the compute shader.
    Costs,
    /// Time the layouts of the compute shader's workgroup.
    Times,
    /// Compile the program with drivers' compilers.
    Compile,
    /// Compile its stages ahead of their pipelines.
    SpeculativeCompile,
    /// Do so for every pipeline of its database.
    Corpus,
    /// Find out what guesses achieve over all pipelines of its database.
    Survey,
    /// Run the work graph.
    Graph,
    /// Compile it under the second setting.
    CompileSecond,
    /// Carry out a command of the debugger.
    Debug,
    /// Compile its variants.
    Variants,
}
