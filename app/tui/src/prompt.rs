//! What is typed at the bottom of the screen, and what it does.

use lanescope_core::options::Options;
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{Advance, GraphCommand, Replace, record_fields};
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::costs::CostsOf;
use lanescope_inspector::debugging::{DebugCommand, DrawTarget, draws};
use lanescope_inspector::devices;
use lanescope_inspector::settings::{CompileSettings, CostSettings, RunSettings};
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::tasks::RunText;

use super::compilers::{self, chosen_chips, chosen_drivers};
use super::sources;
use super::typed::Typed;
use lanescope_host::flags::conversion::{typed_path, typed_validator};
use lanescope_inspector::view::ViewId;
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;
use lanescope_workbench::state::sources::SourceList;
use lanescope_workbench::update::corpus::sort_by;

/// Fields of a record that are typed at most.
const FIELDS: usize = 64;

/// What is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// A text to search for.
    Search,
    /// A line to go to.
    Line,
    /// A generation to show, or to run to.
    Generation,
    /// The number of workgroups.
    Groups,
    /// The device of runs.
    Device,
    /// The seed of contents.
    Seed,
    /// What else runs take.
    Run(RunText),
    /// The time limit.
    Seconds,
    /// The memory limit.
    Memory,
    /// The limit of steps.
    Steps,
    /// The draw that the costs of an interface are summed up for.
    DrawSize,
    /// The pixel of the scene that is debugged.
    Pixel,
    /// The invocation before the fragments that is debugged.
    Invocation,
    /// A breakpoint of the debugger.
    Break,
    /// A variable that the debugger watches.
    Watch,
    /// A breakpoint of the debugger, and how many of its hits are passed over.
    Ignore,
    /// The condition of a breakpoint at the selected node.
    Breakpoint,
    /// The condition of the records that are listed.
    Filter,
    /// Other fields of the selected record, which waits.
    Record,
    /// The chips to compile for.
    Chips,
    /// The drivers to compile with.
    Drivers,
    /// The macros that are defined before sources.
    Macros,
    /// The folders that are looked through for included files.
    IncludeDirs,
    Validator,
    /// The op tables that DXIL is read with.
    OpcodeTable,
    FeatureNames,
    /// The code of a finding that is explained.
    Explain,
    /// Which rows of a result over many pipelines are shown.
    Rows,
    /// The column that they are sorted by.
    SortBy,
}

/// A prompt that the palette offers where it applies.
#[derive(Debug, Clone, Copy)]
pub struct NamedPrompt {
    pub prompt: Prompt,
    /// What is typed after `:`.
    pub name: &'static str,
    /// What the palette shows.
    pub label: &'static str,
}

const fn named(prompt: Prompt, name: &'static str, label: &'static str) -> NamedPrompt {
    NamedPrompt { prompt, name, label }
}

/// All that the palette offers.
pub const NAMED: [NamedPrompt; 29] = [
    named(Prompt::Groups, "groups", "Set number of workgroups…"),
    named(Prompt::Device, "device", "Set device of runs…"),
    named(Prompt::Seed, "seed", "Set seed of contents…"),
    named(Prompt::Run(RunText::Push), "push-constants", "Set push constants of runs…"),
    named(Prompt::Run(RunText::Buffers), "values", "Set values of buffers and images of runs…"),
    named(Prompt::Run(RunText::Samplers), "samplers", "Set samplers of runs…"),
    named(Prompt::Run(RunText::Draw), "draw", "Set what runs draw…"),
    named(Prompt::Seconds, "time-limit", "Set time limit of runs…"),
    named(Prompt::Memory, "memory-limit", "Set memory limit of runs…"),
    named(Prompt::Steps, "step-limit", "Set step limit of the debugger…"),
    named(Prompt::DrawSize, "draw-size", "Set draw of interface costs…"),
    named(Prompt::Pixel, "debug-pixel", "Debug pixel…"),
    named(Prompt::Invocation, "debug-invocation", "Debug invocation of a stage…"),
    named(Prompt::Break, "debug-break", "Add breakpoint to the debugger…"),
    named(Prompt::Watch, "debug-watch", "Watch variable in the debugger…"),
    named(Prompt::Ignore, "debug-ignore", "Ignore hits of a debugger breakpoint…"),
    named(Prompt::Breakpoint, "break-if", "Add breakpoint with condition…"),
    named(Prompt::Filter, "filter", "Filter records…"),
    named(Prompt::Record, "edit-record", "Edit waiting record…"),
    named(Prompt::Chips, "chips", "Chips to compile for…"),
    named(Prompt::Drivers, "drivers", "Drivers to compile with…"),
    named(Prompt::Macros, "macros", "Macros of sources…"),
    named(Prompt::IncludeDirs, "include-folders", "Include folders of sources…"),
    named(Prompt::Validator, "validator", "Set validator…"),
    named(Prompt::OpcodeTable, "opcode-table", "Set opcode table…"),
    named(Prompt::FeatureNames, "feature-names", "Set feature names…"),
    named(Prompt::Explain, "explain", "Explain a finding code…"),
    named(Prompt::Rows, "filter-rows", "Filter rows…"),
    named(Prompt::SortBy, "sort", "Sort rows by column…"),
];

impl Prompt {
    /// What stands before the typed text.
    pub fn title(self) -> &'static str {
        match self {
            Prompt::Search => "/",
            Prompt::Line => "Line: ",
            Prompt::Generation => "Generation: ",
            Prompt::Groups => "Workgroups, x y z (empty: auto): ",
            Prompt::Device => "Device: its number or name, or `interpreter` (empty: the first): ",
            Prompt::Seed => "Seed: ",
            Prompt::Run(RunText::Push) => "Push constants, as `scale=2; size=8,8` or `@FILE` (empty: filled): ",
            Prompt::Run(RunText::Buffers) => "Values, as `0:1=uint 1,2,3; 0:2=4096` (empty: filled): ",
            Prompt::Run(RunText::Samplers) => "Samplers, as `s0=nearest,clamp-to-edge` (empty: as usual): ",
            Prompt::Run(RunText::Draw) => "Draw, as `vertices=mesh.obj; size=128x128` (empty: the scene): ",
            Prompt::Seconds => "Time limit in seconds: ",
            Prompt::Memory => "Memory limit in MiB: ",
            Prompt::Steps => "Most instructions of all waves in the debugger: ",
            Prompt::DrawSize => "Vertices and triangles of the draw, as `1000000 500000` (empty: these): ",
            Prompt::Pixel => "Pixel of the scene, x y (empty: the middle): ",
            Prompt::Invocation => "Stage and numbers, as `vertex 4`, `tess_control 1 2`, `mesh 1 0 0`: ",
            Prompt::Break => "Break at, as `lit.comp:12`, `%42 if i > 3`, `sum >= 100`: ",
            Prompt::Watch => "Stop where this variable changes: ",
            Prompt::Ignore => "Breakpoint and hits to ignore, as `1 10`: ",
            Prompt::Breakpoint => "Condition, as `tile >= 16` (empty: any record): ",
            Prompt::Filter => "Records with, as `tile >= 16` (empty: all): ",
            Prompt::Record => "Fields: ",
            Prompt::Chips => "Chips, as `gfx1030,gfx1100` or `all` (empty: the target's): ",
            Prompt::Drivers => "Manifests of Vulkan drivers, with commas (empty: the loader's choice): ",
            Prompt::Macros => "Macros, as `DEBUG SIZE=4 'TYPE=vec4 x'` (empty: none): ",
            Prompt::IncludeDirs => "Include folders, with blanks between them (empty: none): ",
            Prompt::Validator => "Path of spirv-val, or auto for the newest on PATH (empty: built in): ",
            Prompt::OpcodeTable => "Op tables, a JSON file, hctdb.py or a folder of DXC (empty: of this build): ",
            Prompt::FeatureNames => "Names of private ops, a JSON file (empty: none): ",
            Prompt::Explain => "Finding code, as P002: ",
            Prompt::Rows => "Rows with, as `fragment & VGPRs >= 64` (empty: all): ",
            Prompt::SortBy => "Column, - before it for the largest first (empty: order of the file): ",
        }
    }

    /// The text that is there at first.
    pub fn begins(self, state: &State) -> String {
        if let (Prompt::Rows, Some(page)) = (self, state.corpus_in_front()) {
            return page.filter.clone();
        }
        if let Some(list) = self.source_list() {
            return sources::text(state, list);
        }
        let Some(program) = state.program() else { return String::new() };
        match self {
            Prompt::Groups => {
                let words = program.options.groups.map(|groups| groups.map(|side| side.to_string()).join(" "));
                words.unwrap_or_default()
            }
            Prompt::Device => state.settings.run.device.clone().unwrap_or_default(),
            Prompt::Validator => program.options.validator.clone().unwrap_or_default(),
            Prompt::OpcodeTable => program.options.dxil.opcode_table.clone().unwrap_or_default(),
            Prompt::FeatureNames => program.options.dxil.feature_names.clone().unwrap_or_default(),
            Prompt::Seed => state.settings.run.fill.to_string(),
            Prompt::Run(of) => program.typed.get(of).text.clone(),
            Prompt::Seconds => state.settings.run.seconds.to_string(),
            Prompt::Memory => state.settings.run.memory.to_string(),
            Prompt::Steps => state.settings.run.steps.to_string(),
            Prompt::DrawSize => {
                let CostSettings { vertices, triangles, .. } = state.settings.costs;
                format!("{vertices} {triangles}")
            }
            Prompt::Chips => {
                let names = state.settings.compile.chips.iter().map(|chip| chip.name());
                names.collect::<Vec<_>>().join(",")
            }
            Prompt::Drivers => {
                let paths = state.settings.compile.icds.iter().map(|icd| icd.display().to_string());
                paths.collect::<Vec<_>>().join(",")
            }
            Prompt::Pixel => match program.debugging.target {
                target @ DrawTarget::Pixel(_) => target.text(),
                DrawTarget::Stage(..) => String::new(),
            },
            Prompt::Invocation => {
                let first = || DrawTarget::of(&program.analysis.report).into_iter().nth(1);
                let target = match program.debugging.target {
                    target @ DrawTarget::Stage(..) => Some(target),
                    DrawTarget::Pixel(_) => first(),
                };
                target.map(DrawTarget::text).unwrap_or_default()
            }
            Prompt::Record => waiting(program).map(|waiting| waiting.text()).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// What is chosen now, for prompts that the list of options shows.
    pub fn now(self, state: &State) -> Option<String> {
        match self {
            Prompt::Chips => Some(compilers::places(state)),
            Prompt::Drivers => Some(compilers::drivers(state)),
            Prompt::Validator => {
                let set = state.program()?.options.validator.clone();
                Some(set.unwrap_or_else(|| "built in".to_owned()))
            }
            Prompt::OpcodeTable => {
                let set = state.program()?.options.dxil.opcode_table.clone();
                Some(set.unwrap_or_else(|| "of this build".to_owned()))
            }
            Prompt::FeatureNames => {
                let set = state.program()?.options.dxil.feature_names.clone();
                Some(set.unwrap_or_else(|| "none".to_owned()))
            }
            Prompt::Macros | Prompt::IncludeDirs => {
                let text = sources::text(state, self.source_list()?);
                Some(if text.is_empty() { "none".to_owned() } else { text })
            }
            _ => None,
        }
    }

    /// Whether it changes an option.
    pub fn is_option(self) -> bool {
        use Prompt::{Chips, Drivers, FeatureNames, IncludeDirs, Macros, OpcodeTable, Validator};
        matches!(self, Chips | Drivers | Macros | IncludeDirs | Validator | OpcodeTable | FeatureNames)
    }

    /// The list of what sources are compiled with that it changes.
    fn source_list(self) -> Option<SourceList> {
        match self {
            Prompt::Macros => Some(SourceList::Macros),
            Prompt::IncludeDirs => Some(SourceList::IncludeDirs),
            _ => None,
        }
    }

    /// Whether there is anything to type for.
    pub fn applies(self, state: &State) -> bool {
        if let Some(page) = state.corpus_in_front() {
            return match self {
                Prompt::Rows => true,
                Prompt::SortBy => page.part == CorpusPart::Rows,
                Prompt::Line => true,
                _ => false,
            };
        }
        if self.source_list().is_some() {
            return sources::applies(state);
        }
        let Some(program) = state.program() else { return matches!(self, Prompt::Explain | Prompt::Search) };
        let graph = program.analysis.report.graph.as_ref();
        match self {
            Prompt::Search | Prompt::Line | Prompt::Explain => true,
            Prompt::Generation => graph.is_some(),
            Prompt::Groups => graph.is_none() && !program.analysis.report.workgroup.is_empty(),
            Prompt::Run(of) => !program.typed.get(of).known.is_empty(),
            Prompt::Device | Prompt::Seed | Prompt::Validator => !program.frozen,
            Prompt::Seconds | Prompt::Memory | Prompt::Steps => !program.frozen,
            Prompt::DrawSize => {
                !program.frozen && CostsOf::program(&program.analysis.report) == Some(CostsOf::Interface)
            }
            Prompt::OpcodeTable | Prompt::FeatureNames => !program.frozen && !program.program.dxil.is_empty(),
            Prompt::Chips | Prompt::Drivers => !program.frozen && !program.analysis.report.stages.is_empty(),
            Prompt::Pixel | Prompt::Invocation => !program.frozen && draws(&program.analysis.report),
            Prompt::Break | Prompt::Watch => program.debugging.stop.is_some(),
            Prompt::Ignore => program.debugging.stop.as_ref().is_some_and(|stop| !stop.breakpoints.is_empty()),
            Prompt::Breakpoint => program.stepping.node.is_some(),
            Prompt::Filter => program.results.graph.done().is_some(),
            Prompt::Record => waiting(program).is_some(),
            Prompt::Macros | Prompt::IncludeDirs | Prompt::Rows | Prompt::SortBy => false,
        }
    }

    /// What a text does, for prompts that change the program or how it runs.
    pub fn typed(self, state: &State, text: &str) -> Typed {
        let text = text.trim();
        if self == Prompt::Explain {
            return Typed::Do(vec![Command::Explain(text.to_owned())]);
        }
        if let Some(page) = state.corpus_in_front() {
            let command = match self {
                Prompt::SortBy => sort_by(page, text).map(CorpusCommand::Sort),
                _ => Ok(CorpusCommand::Filter(text.to_owned())),
            };
            return command.map_or_else(Typed::Wrong, |command| Typed::Do(vec![Command::Corpus(command)]));
        }
        if let Some(list) = self.source_list() {
            return sources::typed(state, list, text);
        }
        let Some(program) = state.program() else { return Typed::Do(Vec::new()) };
        let run = |settings: RunSettings| Typed::Do(vec![Command::SetRunSettings(settings)]);
        let now = state.settings.run.clone();
        match self {
            Prompt::Search | Prompt::Line | Prompt::Explain | Prompt::Rows | Prompt::SortBy => Typed::Do(Vec::new()),
            Prompt::Macros | Prompt::IncludeDirs => Typed::Do(Vec::new()),
            Prompt::Generation => generation(program, text),
            Prompt::Groups => match groups(text) {
                Ok(groups) => {
                    Typed::Do(vec![Command::SetOptions(Box::new(Options { groups, ..program.options.clone() }))])
                }
                Err(why) => Typed::Wrong(why),
            },
            Prompt::Validator => match typed_validator(text) {
                Ok(validator) => {
                    Typed::Do(vec![Command::SetOptions(Box::new(Options { validator, ..program.options.clone() }))])
                }
                Err(why) => Typed::Wrong(why),
            },
            Prompt::OpcodeTable | Prompt::FeatureNames => match typed_path(text) {
                Ok(path) => {
                    let mut options = program.options.clone();
                    match self {
                        Prompt::FeatureNames => options.dxil.feature_names = path,
                        _ => options.dxil.opcode_table = path,
                    }
                    Typed::Do(vec![Command::SetOptions(Box::new(options))])
                }
                Err(why) => Typed::Wrong(why),
            },
            Prompt::Device => match devices::typed(&state.settings, text) {
                Ok(device) => run(RunSettings { device, ..now }),
                Err(why) => Typed::Wrong(why),
            },
            Prompt::Seed => match text.parse() {
                Ok(fill) => run(RunSettings { fill, zeros: false, ..now }),
                Err(_) => Typed::Wrong(format!("Not a seed: `{text}` (expected a number)")),
            },
            Prompt::Run(of) => match program.check_text(of, text) {
                Ok(()) => Typed::Do(vec![Command::SetRunText(of, text.to_owned())]),
                Err(why) => Typed::Wrong(why),
            },
            Prompt::Seconds => match text.parse() {
                Ok(seconds @ 1..=3600) => run(RunSettings { seconds, ..now }),
                _ => Typed::Wrong(format!("Not a time limit: `{text}` (expected 1 to 3600 seconds)")),
            },
            Prompt::Memory => match text.parse() {
                Ok(memory) if RunSettings::MEMORY.contains(&memory) => run(RunSettings { memory, ..now }),
                _ => Typed::Wrong(format!("Not a memory limit: `{text}` (expected 64 to 1048576 MiB)")),
            },
            Prompt::Steps => match text.parse() {
                Ok(steps) if RunSettings::STEPS.contains(&steps) => run(RunSettings { steps, ..now }),
                _ => Typed::Wrong(format!("Not a step limit: `{text}` (expected 1000 to 1000000000000)")),
            },
            Prompt::DrawSize => match draw_size(text) {
                Ok([vertices, triangles]) => {
                    let costs = CostSettings { vertices, triangles, ..state.settings.costs.clone() };
                    Typed::Do(vec![Command::SetCostSettings(costs)])
                }
                Err(why) => Typed::Wrong(why),
            },
            Prompt::Chips => compile(chosen_chips(state, text)),
            Prompt::Drivers => compile(chosen_drivers(state, text)),
            Prompt::Pixel => {
                let words = text.split([' ', ',']).filter(|word| !word.is_empty());
                match words.map(str::parse).collect::<Result<Vec<u32>, _>>().as_deref() {
                    Ok([]) => debug(DrawTarget::Pixel(None)),
                    Ok(&[x, y]) => debug(DrawTarget::Pixel(Some([x, y]))),
                    _ => Typed::Wrong(format!("Not a pixel: `{text}` (expected x y)")),
                }
            }
            Prompt::Invocation => DrawTarget::parse(text).map_or_else(Typed::Wrong, debug),
            Prompt::Break | Prompt::Watch if text.is_empty() => Typed::Do(Vec::new()),
            Prompt::Break => Typed::Do(vec![Command::Debug(DebugCommand::AddBreakpoint(text.to_owned()))]),
            Prompt::Watch => Typed::Do(vec![Command::Debug(DebugCommand::Watch(text.to_owned()))]),
            Prompt::Ignore => {
                let words = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>();
                match words.as_deref() {
                    Ok(&[number, count]) => {
                        let number = usize::try_from(number).unwrap_or(usize::MAX);
                        Typed::Do(vec![Command::Debug(DebugCommand::Ignore(number, count))])
                    }
                    _ => Typed::Wrong(format!("Not a breakpoint and a count: `{text}` (expected two numbers)")),
                }
            }
            Prompt::Breakpoint => Typed::Do(vec![Command::Step(StepCommand::AddBreakpoint(text.to_owned()))]),
            Prompt::Filter => Typed::Filter(text.to_owned()),
            Prompt::Record => match waiting(program).map(|waiting| waiting.replaced(text)) {
                Some(Ok(replace)) => Typed::Do(vec![Command::ControlRun(GraphCommand::Replace(replace))]),
                Some(Err(why)) => Typed::Wrong(why),
                None => Typed::Wrong("No record that waits is selected.".to_owned()),
            },
        }
    }
}

/// Changes how compilers are run.
fn compile(settings: Result<CompileSettings, String>) -> Typed {
    settings.map_or_else(Typed::Wrong, |settings| Typed::Do(vec![Command::SetCompileSettings(settings)]))
}

/// Debugs a part of a draw.
fn debug(target: DrawTarget) -> Typed {
    Typed::Do(vec![Command::Show(ViewId::Debug), Command::Debug(DebugCommand::Target(target))])
}

/// `4 4 1`, `4,4`, `16`; nothing for the automatic number.
fn groups(text: &str) -> Result<Option<[u32; 3]>, String> {
    let words: Vec<&str> = text.split([' ', ',', '×', 'x']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Ok(None);
    }
    let wrong = || format!("Not a number of workgroups: `{text}` (expected x y z, each 1 to 65535)");
    let mut sides = [1; 3];
    if words.len() > sides.len() {
        return Err(wrong());
    }
    for (side, word) in sides.iter_mut().zip(words) {
        *side = word.parse().ok().filter(|side| (1..=65_535).contains(side)).ok_or_else(wrong)?;
    }
    Ok(Some(sides))
}

/// `1000000 500000`, `3,1`: vertices and triangles; those of the command line where nothing is typed.
fn draw_size(text: &str) -> Result<[u32; 2], String> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    match words.map(str::parse).collect::<Result<Vec<u32>, _>>().as_deref() {
        Ok([]) => Ok([CostSettings::DEFAULT.vertices, CostSettings::DEFAULT.triangles]),
        Ok(&[vertices, triangles]) => Ok([vertices, triangles]),
        _ => Err(format!("Not a draw: `{text}` (expected vertices and triangles, each 0 to 4294967295)")),
    }
}

/// Shows a generation; a paused run goes on to one that it has not reached.
fn generation(program: &OpenProgram, text: &str) -> Typed {
    let Ok(number) = text.parse::<u32>() else {
        return Typed::Wrong(format!("Not a generation: `{text}` (expected a number)"));
    };
    let Some(run) = program.results.graph.done() else {
        return Typed::Wrong("The graph was not run; s begins a run that is paused.".to_owned());
    };
    // Of several starts the one that is shown.
    let start = program.stepping.generation(run).map_or(0, |shown| shown.dispatch);
    let is_it = |at: &usize| run.generations.get(*at).is_some_and(|is| (is.dispatch, is.number) == (start, number));
    if let Some(at) = (0..run.generations.len()).find(is_it) {
        return Typed::Do(vec![Command::Step(StepCommand::ShowGeneration(at))]);
    }
    let last = run.generations.last().filter(|last| last.dispatch == start && last.number < number);
    match last.filter(|_| program.results.is_graph_paused()) {
        Some(last) => {
            let generations = Some(number - last.number);
            let breakpoints = program.stepping.active(&run.graph);
            let show = Command::Step(StepCommand::ShowGeneration(run.generations.len() - 1));
            Typed::Do(vec![show, Command::ControlRun(GraphCommand::Go(Advance { generations, breakpoints }))])
        }
        None => Typed::Wrong(format!("The run has no generation {number}.")),
    }
}

/// The selected record, where it waits.
pub struct Waiting<'a> {
    run: usize,
    record: u64,
    ty: &'a lanescope_core::graph::RecordType,
    bytes: &'a [u8],
}

/// The selected record, if it waits in a paused run.
pub fn waiting(program: &OpenProgram) -> Option<Waiting<'_>> {
    let stepping = &program.stepping;
    let run = program.results.graph.done().filter(|_| program.results.is_graph_paused())?;
    let generation = stepping.generation(run).filter(|generation| generation.waiting)?;
    let node = generation.nodes.get(stepping.shown)?;
    let record = stepping.record?;
    let ty = run.graph.nodes.get(node.node)?.record()?;
    let bytes = run.records_of(generation, node).get(record)?.get(..ty.bytes as usize)?;
    Some(Waiting { run: stepping.shown, record, ty, bytes })
}

impl Waiting<'_> {
    /// Its fields: `tile=3 place.x=0.5`.
    pub fn text(&self) -> String {
        let (fields, _) = record_fields(self.ty, FIELDS);
        let fields =
            fields.iter().map(|field| format!("{}={}", field.name, field.values(self.bytes).replace(", ", ",")));
        fields.collect::<Vec<_>>().join(" ")
    }

    /// The record with these fields; those that are not named stay.
    ///
    /// # Errors
    /// A name or a value that does not fit.
    pub fn replaced(&self, text: &str) -> Result<Replace, String> {
        let (fields, _) = record_fields(self.ty, FIELDS);
        let mut bytes = self.bytes.to_vec();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}`: expected NAME=VALUE"))?;
            let field = fields.iter().find(|field| field.name == name);
            let field = field.ok_or_else(|| format!("the record has no field `{name}`"))?;
            let values: Vec<&str> = value.split(',').collect();
            let offsets: Vec<u64> = field.leaf.offsets().collect();
            if values.len() != offsets.len() {
                return Err(format!("{name}: expected {} values, found {}", offsets.len(), values.len()));
            }
            for (value, offset) in values.into_iter().zip(offsets) {
                let offset = usize::try_from(offset).map_err(|_| format!("{name}: too far into the record"))?;
                let put = field.scalar().put(&mut bytes, offset, value);
                put.map_err(|why| format!("{name}: `{value}`: {why}"))?;
            }
        }
        Ok(Replace { run: self.run, record: self.record, bytes: Blob(bytes) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_size_of_a_draw() {
        assert_eq!(draw_size("64 2"), Ok([64, 2]));
        assert_eq!(draw_size("64, 2"), Ok([64, 2]));
        assert_eq!(draw_size(""), Ok([1_000_000, 500_000]));
        for wrong in ["64", "1 2 3", "a b", "-1 2", "4294967296 1"] {
            assert!(draw_size(wrong).is_err_and(|why| why.contains(wrong)), "{wrong}");
        }
    }

    #[test]
    fn reads_numbers_of_workgroups() {
        assert_eq!(groups("4 4 1"), Ok(Some([4, 4, 1])));
        assert_eq!(groups("8x2"), Ok(Some([8, 2, 1])));
        assert_eq!(groups(" "), Ok(None));
        for wrong in ["0", "a", "1 2 3 4", "70000"] {
            assert!(groups(wrong).is_err(), "{wrong}");
        }
    }
}
