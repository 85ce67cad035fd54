//! An open program: the loaded files, the report under its options, and the selection.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use lanescope_core::chip::Chip;
use lanescope_core::codeobject::CodeObject;
use lanescope_core::driver::chips;
use lanescope_core::foreign::plain_name;
use lanescope_core::gpu::Fillable;
use lanescope_core::options::Options;
use lanescope_core::program::{Format, Program};
use lanescope_core::report::Report;
use lanescope_core::run::Place;
use lanescope_core::run::graph::GraphRequest;
use lanescope_core::run::inputs::{PushBlock, SamplerState};
use lanescope_core::target::Target;
use lanescope_inspector::ProgramId;
use lanescope_inspector::debugging::Debugging;
use lanescope_inspector::found::FoundCx;
use lanescope_inspector::layout::ShownTabs;
use lanescope_inspector::mode::Applicable;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::source::SourceText;
use lanescope_inspector::stepping::{GraphCx, StepCommand, StepRequest, Stepping};
use lanescope_inspector::tasks::{RunInput, RunText, TaskResults, TypedInputs, Work};

use super::comparing::Against;
use super::debugger::DebugSession;
use super::history::{Choice, History};
use super::stepper::Stepper;
use crate::outcome::Read;
use lanescope_host::inputs::{self, DrawSource, Filled, Filling, Source};
use lanescope_host::rewriting::NamedFile;
use lanescope_host::session::Remembered;
use lanescope_host::watch::files_of;
use lanescope_host::worker::{Failure, Loaded};

/// Work that belongs to a program; a workgroup is measured one at a time.
pub const PROGRAM_WORK: [Work; 13] = [
    Work::Rewrite,
    Work::Run,
    Work::Measure(0),
    Work::Costs,
    Work::Times,
    Work::Compile,
    Work::CompileSecond,
    Work::SpeculativeCompile,
    Work::Corpus,
    Work::Survey,
    Work::Graph,
    Work::Debug,
    Work::Variants,
];

/// An AMD code object, whose disassembly is the first text of its program.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenObject {
    /// The object.
    pub object: CodeObject,
    /// Why it has no disassembly, where it has none.
    pub no_listing: Option<String>,
}

/// Both settings of one program, analyzed.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The first setting's report.
    pub report: Report,
    /// The second setting's, where two are shown side by side.
    pub other: Option<Report>,
    /// What a run of the program fills.
    pub fillable: Vec<Fillable>,
    /// The samplers that a run makes, with their usual states.
    pub samplers: Vec<(Fillable, SamplerState)>,
    /// What was left out of the options, as text: another state of the files had it, this one cannot.
    pub left_out: Option<String>,
    /// The AMD code object that was opened instead of shaders: the reports are empty.
    pub object: Option<Arc<OpenObject>>,
}

impl Analysis {
    /// Both settings, as the reports were made with them.
    pub fn options(&self) -> (Options, Option<Options>) {
        (self.report.options.clone(), self.other.as_ref().map(|report| report.options.clone()))
    }
}

/// A target that the command line named. The session keeps the one before, until another one is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenTarget {
    /// The target.
    pub target: Target,
    /// The one before.
    pub before: Target,
}

/// A program that is open. Whole: it has a report.
pub struct OpenProgram {
    /// Its number.
    pub id: ProgramId,
    /// Its files; absolute.
    pub paths: Vec<PathBuf>,
    /// The loaded program.
    pub program: Arc<Program>,
    /// The texts that show it.
    pub texts: Vec<SourceText>,
    /// Its reports.
    pub analysis: Analysis,
    /// The first setting as requested; the report follows.
    pub options: Options,
    /// The second setting as requested.
    pub other: Option<Options>,
    /// The target that the command line named for it.
    pub given_target: Option<GivenTarget>,
    /// The options before.
    pub history: History,
    /// The selection.
    pub selection: Selection,
    /// Files that fill buffers and images of its runs.
    pub contents: BTreeMap<Place, PathBuf>,
    /// What its runs fill, with those files.
    pub inputs: Vec<RunInput>,
    /// The texts that give what else its runs take.
    pub typed: TypedInputs,
    /// Results of work on request.
    pub results: TaskResults,
    /// How its work graph was run last.
    pub graph_request: Option<GraphRequest>,
    /// The channel to the child that runs its work graph, while that is stepped.
    pub stepper: Option<Stepper>,
    /// How its work graph and its run are looked at.
    pub stepping: Stepping,
    /// Its debugger as it is shown.
    pub debugging: Debugging,
    /// The session of its debugger.
    pub debugger: Option<DebugSession>,
    /// The last compile request of each setting.
    pub compiling: [Option<Asked>; 2],
    /// The revision that its files were read for.
    pub loaded_at: u64,
    /// The revision since which its work graph is as it is.
    pub graph_revision: u64,
    /// When its files were begun to be read.
    pub read_since: SystemTime,
    /// The files of its rewritten modules.
    pub rewritten_files: Vec<NamedFile>,
    /// Counts up with every change of what is shown, over all programs.
    pub revision: u64,
    /// The file of its variants.
    pub variants_file: Option<PathBuf>,
    /// The program that it is compared with.
    pub against: Option<Against>,
    /// How its tabs were when it was shown last. None: it was never shown.
    pub tabs: Option<ShownTabs>,
    /// A report that was read from a file, without a program.
    pub frozen: bool,
    /// Why the files as they are now do not load; what is shown is older.
    pub stale: Option<Failure>,
    /// Why the options as requested do not fit; the report is older, or leaves out what does not.
    pub misfit: Option<String>,
}

/// What compilers were asked: the revision, the settings, and a chip beside those of the settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The revision of the program.
    pub revision: u64,
    /// What compiles it.
    pub settings: CompileSettings,
    /// A chip beside those of the settings.
    pub also: Option<Chip>,
}

/// Files that were opened, as they were requested.
pub struct Opened {
    /// The request.
    pub request: Remembered,
    /// They are a report.
    pub frozen: bool,
    /// The options are those of the description: no one has changed them yet.
    pub fresh: bool,
    /// When reading began.
    pub since: SystemTime,
    /// What was read.
    pub read: Read,
}

impl OpenProgram {
    /// The chip of the first setting's target, or of the second's, that is compiled for beside the chosen ones: two
    /// targets are compared by what each was compiled to. None where both have the same, where it is chosen already, or
    /// where devices were chosen and no chip.
    pub fn own_target(&self, second: bool, settings: &CompileSettings) -> Option<Chip> {
        let targets = [&self.analysis.report, self.analysis.other.as_ref()?].map(|report| report.options.target);
        let target = targets.get(usize::from(second)).copied().filter(|_| targets[0] != targets[1])?;
        let own = Chip::Amd(target);
        let is_chosen = settings.places(target).contains(&own);
        let no_chips = settings.chips.is_empty() && !settings.devices.is_empty();
        Some(own).filter(|own| !is_chosen && !no_chips && chips().any(|chip| chip == *own))
    }

    /// A program that was just loaded.
    pub fn new(id: ProgramId, opened: Opened, revision: u64) -> OpenProgram {
        let Opened { request, frozen, since: read_since, read: Read { loaded, analysis }, .. } = opened;
        let (options, other) = analysis.options();
        let results = match frozen {
            true => TaskResults::of_report(&analysis.report, revision),
            false => TaskResults::NOTHING,
        };
        let texts = [
            (RunText::Push, request.push),
            (RunText::Buffers, request.buffers),
            (RunText::Samplers, request.samplers),
            (RunText::Draw, request.draw),
        ];
        let mut program = OpenProgram {
            id,
            paths: request.paths,
            program: Arc::new(loaded.program),
            texts: loaded.texts,
            options,
            other,
            given_target: None,
            history: History::default(),
            results,
            misfit: analysis.left_out.clone(),
            analysis,
            selection: request.selection,
            contents: request.contents,
            inputs: Vec::new(),
            typed: TypedInputs::NONE,
            variants_file: None,
            against: None,
            tabs: request.tabs,
            frozen,
            graph_request: None,
            stepper: None,
            stepping: Stepping::NONE,
            debugging: Debugging::NONE,
            debugger: None,
            compiling: [None, None],
            loaded_at: revision,
            graph_revision: revision,
            read_since,
            rewritten_files: Vec::new(),
            revision,
            stale: None,
        };
        for (of, text) in texts {
            program.typed.get_mut(of).text = text;
        }
        program.list_inputs();
        program
    }

    /// Both settings as requested.
    pub(crate) fn choice(&self) -> Choice {
        Choice { options: self.options.clone(), other: self.other.clone() }
    }

    /// The part that is saved in the session.
    pub fn remembered(&self) -> Remembered {
        let given = self.given_target.filter(|given| given.target == self.options.target);
        let target = given.map_or(self.options.target, |given| given.before);
        Remembered {
            paths: self.paths.clone(),
            options: Options { target, ..self.options.clone() },
            other: self.other.clone(),
            selection: self.selection.clone(),
            contents: self.contents.clone(),
            push: self.typed.get(RunText::Push).text.clone(),
            buffers: self.typed.get(RunText::Buffers).text.clone(),
            samplers: self.typed.get(RunText::Samplers).text.clone(),
            draw: self.typed.get(RunText::Draw).text.clone(),
            against: self.against.as_ref().and_then(|against| against.paths.clone()),
            tabs: self.tabs.clone(),
        }
    }

    /// Lists what runs fill, once the program, its report or the files have changed.
    pub(crate) fn list_inputs(&mut self) {
        let one = |fillable: &Fillable| {
            let place = Place::of(&self.program, fillable.set, fillable.binding);
            let (variable, file) = (fillable.variable.clone(), self.contents.get(&place).cloned());
            RunInput { place, variable, kind: fillable.kind, file }
        };
        self.inputs = self.analysis.fillable.iter().map(one).collect();
        for of in RunText::ALL {
            let known = self.known(of);
            let input = self.typed.get_mut(of);
            input.known = known;
            input.wrong = match input.given() {
                "" => None,
                text => inputs::check(of, text, &self.program).err(),
            };
        }
    }

    /// The names that a text of its runs may have, each with what it is. A work graph's push constants are the
    /// converter's, and it has no samplers of its own.
    fn known(&self, of: RunText) -> Vec<(String, String)> {
        let is_graph = self.analysis.report.graph.is_some();
        let place = |one: &Fillable| {
            let place = Place::of(&self.program, one.set, one.binding);
            one.variable.as_ref().map_or_else(|| place.to_string(), |name| format!("{place} ({name})"))
        };
        match of {
            _ if self.frozen => Vec::new(),
            RunText::Push | RunText::Samplers | RunText::Draw if is_graph => Vec::new(),
            RunText::Push => {
                let mut members: Vec<_> = PushBlock::of(&self.program).iter().flat_map(PushBlock::members).collect();
                members.dedup();
                members
            }
            RunText::Buffers => self.analysis.fillable.iter().map(|one| (place(one), one.kind.to_owned())).collect(),
            RunText::Samplers => {
                let about = |(one, usual): &(Fillable, SamplerState)| (place(one), format!("{}: {usual}", one.kind));
                self.analysis.samplers.iter().map(about).collect()
            }
            RunText::Draw if self.program.stages.iter().any(|stage| stage.stage.is_graphics()) => {
                DrawSource::PARTS.iter().map(|(name, takes)| ((*name).to_owned(), (*takes).to_owned())).collect()
            }
            RunText::Draw => Vec::new(),
        }
    }

    /// Whether a text fits the program.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check_text(&self, of: RunText, text: &str) -> Result<(), String> {
        inputs::check(of, text, &self.program)
    }

    /// What fills its runs.
    pub fn filled(&self) -> Filled {
        let text = |of| self.typed.get(of).given().to_owned();
        let folder = self.paths.first().and_then(|path| path.parent());
        Filled {
            fillings: self.fillings(),
            buffers: text(RunText::Buffers),
            samplers: text(RunText::Samplers),
            push: text(RunText::Push),
            draw: text(RunText::Draw),
            folder: folder.map(Path::to_owned).unwrap_or_default(),
        }
    }

    /// The files that fill buffers and images of its runs.
    fn fillings(&self) -> Vec<Filling> {
        let fillings = self.inputs.iter().filter_map(|input| {
            let source = Source::File(input.file.clone()?);
            Some(Filling { place: input.place, element: None, source })
        });
        fillings.collect()
    }

    /// Name: `lit.vert + lit.frag`, `game.foz@5b1e0c44`.
    pub fn title(&self) -> String {
        let is_group = self.program.inputs.iter().any(|input| input.format == Format::StateObjects);
        if let Some(key) = self.options.pipeline.as_ref().filter(|_| is_group) {
            return format!("{}@{}", title(&self.paths), plain_name(key));
        }
        let digits = self.options.pipeline.as_ref().and_then(|name| name.rsplit(':').next());
        match digits.and_then(|digits| digits.get(..8)) {
            Some(digits) => format!("{}@{digits}", title(&self.paths)),
            None => title(&self.paths),
        }
    }

    /// The target, and how many options differ from the default: `gfx1030, 1 option changed`. The chip of an AMD code object.
    pub fn target_line(&self) -> String {
        if let Some(open) = &self.analysis.object {
            let object = &open.object;
            return object.header.chip.clone().unwrap_or_else(|| object.chip());
        }
        let target = self.options.target.name();
        match self.options.differences(&Options::default()).len() {
            0 => target.to_owned(),
            1 => format!("{target}, 1 option changed"),
            more => format!("{target}, {more} options changed"),
        }
    }

    /// The views that have something to show for it.
    pub fn applicable(&self) -> Applicable {
        match self.analysis.object {
            Some(_) => Applicable::of_object(),
            None => Applicable::of(&self.analysis.report, self.frozen).with_launch(self.debugging.launch.is_some()),
        }
    }

    /// The name that its saved files begin with.
    pub fn stem(&self) -> Option<String> {
        Some(self.paths.last()?.file_stem().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// The files whose change changes it.
    pub fn watched(&self) -> impl Iterator<Item = PathBuf> {
        files_of(&self.paths, &self.program)
    }

    /// Takes the result of a reload. The selection is kept, except for instructions, which have changed.
    pub(crate) fn renew(&mut self, loaded: Loaded, analysis: Analysis, revision: u64) {
        self.selection.code = None;
        self.program = Arc::new(loaded.program);
        self.texts = loaded.texts;
        self.misfit.clone_from(&analysis.left_out);
        self.analysis = analysis;
        self.revision = revision;
        self.loaded_at = revision;
        self.graph_revision = revision;
        self.stale = None;
        self.list_inputs();
    }

    /// What was found in it.
    pub fn found<'a>(&'a self, compile: &'a CompileSettings) -> FoundCx<'a> {
        FoundCx {
            report: &self.analysis.report,
            results: &self.results,
            debugging: &self.debugging,
            revision: self.revision,
            graph_revision: self.graph_revision,
            compile,
        }
    }

    /// The names of all entry points of its modules.
    pub fn entry_names(&self) -> BTreeSet<String> {
        let modules = self.program.modules.iter();
        modules.flat_map(|loaded| loaded.module.entry_points().iter().map(|entry| entry.name.clone())).collect()
    }

    /// The work graph with what is known of its runs.
    pub fn graph(&self) -> Option<GraphCx<'_>> {
        let graph = self.analysis.report.graph.as_ref()?;
        Some(GraphCx { graph, revision: self.graph_revision, results: &self.results, frozen: self.frozen })
    }

    /// Takes what has changed of the work graph and its run.
    pub(crate) fn follow_run(&mut self) {
        let OpenProgram { analysis, graph_revision, results, frozen, stepping, .. } = self;
        if let Some(graph) = &analysis.report.graph {
            stepping.follow(&GraphCx { graph, revision: *graph_revision, results, frozen: *frozen });
        }
    }

    /// Steps its work graph. Returns the request to the device that this leads to.
    pub(crate) fn step(&mut self, command: StepCommand) -> Option<StepRequest> {
        self.follow_run();
        let OpenProgram { analysis, graph_revision, results, frozen, stepping, .. } = self;
        let graph = analysis.report.graph.as_ref()?;
        stepping.update(&GraphCx { graph, revision: *graph_revision, results, frozen: *frozen }, command)
    }
}

/// The name of programs that were open together: `lit.vert + lit.frag and 2 more`.
pub fn session_title(programs: &[Remembered]) -> String {
    match programs {
        [] => "no programs".to_owned(),
        [only] => title(&only.paths),
        [first, rest @ ..] => format!("{} and {} more", title(&first.paths), rest.len()),
    }
}

/// The name of files together: `lit.vert + lit.frag`.
pub fn title(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    paths.iter().map(name).collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_programs_by_their_files() {
        for (paths, expected) in
            [(&["/a/lit.vert", "/a/lit.frag"][..], "lit.vert + lit.frag"), (&["/a/x.comp"], "x.comp"), (&["/"], "/")]
        {
            let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
            assert_eq!(title(&paths), expected);
        }
    }
}
