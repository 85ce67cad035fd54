//! Work on request: what begins it, and what stops it. Results on a device are in the tests of the window.

use lanescope_core::cost::Tiling;
use lanescope_core::driver::Link;
use lanescope_core::target::Target;
use lanescope_inspector::devices::INTERPRETER;
use lanescope_inspector::settings::{CompileSettings, CostSettings, RunSettings};
use lanescope_inspector::tasks::{CountedCosts, CountedDraw, Work};
use lanescope_inspector::view::ViewId;

use super::super::run::Input;
use super::*;

#[test]
pub fn begins_and_stops_work() {
    let mut bench = Bench::opened("group.comp", COMPUTE);
    let id = Some(bench.program().id);
    for work in
        [Work::Rewrite, Work::Run, Work::Measure(0), Work::Costs, Work::Times, Work::Compile, Work::SpeculativeCompile]
    {
        bench.run(Command::Begin(work));
        assert!(bench.is_busy(&Tag::Task(work, id)), "{work:?}");
        bench.run(Command::Stop(work));
        assert!(!bench.is_busy(&Tag::Task(work, id)), "{work:?}");
    }
    let results = &bench.program().results;
    assert!(!results.run.underway && !results.probe.underway && !results.compiled.underway);
    bench.run(Command::Begin(Work::Devices));
    assert!(bench.state.settings.devices.underway && bench.is_busy(&Tag::Task(Work::Devices, None)));
    bench.run(Command::Stop(Work::Devices));
    assert!(!bench.state.settings.devices.underway);
    bench.run(Command::Begin(Work::Measure(9)));
    assert!(!bench.program().results.probe.underway, "it has no such layout");
}

#[test]
pub fn cancels_all_work() {
    let mut bench = Bench::opened("group.comp", COMPUTE);
    bench.run(Command::Begin(Work::Run));
    bench.run(Command::Reload);
    bench.run(Command::CancelWork);
    assert!(bench.state.running.is_empty() && !bench.program().results.run.underway);
}

#[test]
pub fn runs_a_program_or_its_work_graph() {
    let mut bench = Bench::opened("group.comp", COMPUTE);
    bench.run(Command::Run);
    assert!(bench.program().results.run.underway && bench.state.tabs.shows(ViewId::Run));
    bench.run(Command::CancelWork);
    let mut bench = Bench::graph();
    bench.run(Command::Run);
    assert!(bench.program().results.graph.underway && bench.state.tabs.shows(ViewId::Graph));
    bench.run(Command::CancelWork);
    assert!(!bench.program().results.graph.underway);
}

#[test]
pub fn measures_a_workgroup() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Measure);
    assert_eq!(bench.message(), "Unavailable: this program has no workgroup to measure.");
    let mut bench = Bench::opened("group.comp", COMPUTE);
    bench.run(Command::Measure);
    assert!(bench.program().results.probe.underway && bench.state.tabs.shows(ViewId::Workgroup));
    bench.run(Command::CancelWork);
}

#[test]
pub fn shows_costs() {
    // The sheets of an interface and of a graph are made where they are drawn; the draw's accesses are counted.
    for (mut bench, tab) in [(Bench::opened("lit.frag", FRAGMENT), ViewId::Packing), (Bench::graph(), ViewId::Graph)] {
        bench.run(Command::ShowCosts);
        assert!(bench.state.tabs.shows(tab) && bench.program().results.costs_shown == 1, "{tab:?}");
        assert!(!bench.program().results.costs.underway);
    }
    let vertex = "#version 450\nvoid main() { gl_Position = vec4(0); }\n";
    let mut bench = Bench::opened("group.vert", vertex);
    bench.run(Command::ShowCosts);
    let what = "costs are those of one compute shader, of a fragment shader's interface, or of a work graph";
    assert_eq!(bench.message(), format!("Unavailable: {what}."));
    counts_memory_accesses();
    counts_accesses_of_a_draw();
}

fn counts_accesses_of_a_draw() {
    let vertex = "#version 450
layout(location = 0) in vec4 position; layout(location = 0) out vec2 uv;
void main() { gl_Position = position; uv = position.xy; }
";
    let fragment = "#version 450
layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color; layout(binding = 0) uniform sampler2D image;
void main() { color = texture(image, uv); }
";
    let mut bench = Bench::new();
    let files = [("draw.vert", vertex), ("draw.frag", fragment)].map(|(name, text)| bench.file(name, text));
    bench.open(&[&files[0], &files[1]]);
    let count = |bench: &mut Bench| {
        bench.run(Command::ShowCosts);
        bench.until("it is counted", |state| state.program().is_some_and(|it| !it.results.draw.underway));
        bench.program().results.draw.done().expect("a result").clone()
    };
    let tiled = count(&mut bench);
    assert!(bench.state.tabs.shows(ViewId::Packing) && !bench.program().results.costs.underway);
    let of = |counted: &CountedDraw| counted.accesses.fragment.clone().expect("a fragment shader");
    assert_eq!((of(&tiled).accesses.len(), of(&tiled).contents.as_str()), (1, "pseudorandom, seed 0"));
    let linear = CostSettings { tiling: Tiling::Linear, ..CostSettings::DEFAULT };
    bench.run(Command::SetCostSettings(linear));
    let counted = count(&mut bench);
    assert_eq!((of(&counted).tiling, counted.question == tiled.question), (Tiling::Linear, false));
    // Without a vertex shader there is no draw: the answer says so.
    let mut bench = Bench::opened("draw.frag", fragment);
    let alone = count(&mut bench).accesses;
    assert!(alone.fragment.is_none() && alone.not_counted[0].contains("drawing needs a vertex shader"), "{alone:?}");
}

fn counts_memory_accesses() {
    let rows = "#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0, rgba8) uniform readonly image2D source;
layout(binding = 1) buffer Out { vec4 texel[]; };
void main() {
    texel[gl_LocalInvocationIndex] = imageLoad(source, ivec2(gl_LocalInvocationID.xy));
}
";
    let mut bench = Bench::opened("rows.comp", rows);
    let count = |bench: &mut Bench| {
        bench.run(Command::ShowCosts);
        bench.until("it is counted", |state| state.program().is_some_and(|it| !it.results.costs.underway));
        bench.program().results.costs.done().expect("a result").clone()
    };
    let tiled = count(&mut bench);
    assert!(bench.state.tabs.shows(ViewId::Workgroup));
    assert_eq!((tiled.cost.accesses.len(), tiled.cost.contents.as_str()), (2, "zeros"));
    // Another tiling is another question, and so is a seed.
    let linear = CostSettings { tiling: Tiling::Linear, pitch: 4096, ..CostSettings::DEFAULT };
    bench.run(Command::SetCostSettings(linear));
    let counted = count(&mut bench);
    let lines = |counted: &CountedCosts| counted.cost.layouts[0].accesses[0].lines_128;
    assert_eq!((lines(&tiled), lines(&counted)), (2, 4), "of the image, in one wave of 64");
    assert_ne!(tiled.question, counted.question);
    bench.run(Command::SetRunSettings(RunSettings { fill: 7, ..RunSettings::DEFAULT }));
    assert_eq!(count(&mut bench).cost.contents, "pseudorandom, seed 7");
    // One that does not end is stopped.
    let endless = rows.replace("void main() {", "void main() {\n    while (texel[0].x == 0.0) texel[1].x += 1.0;");
    let mut bench = Bench::opened("endless.comp", &endless);
    bench.run(Command::ShowCosts);
    bench.run(Command::Stop(Work::Costs));
    assert!(!bench.program().results.costs.underway);
}

#[test]
pub fn times_layouts() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::TimeLayouts);
    assert_eq!(bench.message(), "Unavailable: layouts are timed of one compute shader.");
    let rows = "#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) buffer Out { vec4 texel[]; };
void main() {
    texel[gl_LocalInvocationIndex] += 1.0;
}
";
    let mut bench = Bench::opened("rows.comp", rows);
    bench.run(Command::TimeLayouts);
    assert!(bench.program().results.times.underway && bench.state.tabs.shows(ViewId::Workgroup));
    bench.until("they are timed", |state| state.program().is_some_and(|it| !it.results.times.underway));
    let answer = bench.program().results.times.answer.clone().expect("an answer");
    let timed = answer.result.expect("it runs");
    assert!(timed.measured.device.contains("llvmpipe"), "{}", timed.measured.device);
    assert_eq!(timed.measured.layouts.iter().filter(|one| one.spread().is_some()).count(), 4);
    // Nothing is counted for the waves of the chip that is modelled.
    assert!(bench.program().results.costs.answer.is_none());
    // The interpreter is no device to time.
    let device = Some(INTERPRETER.to_owned());
    bench.run(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    bench.run(Command::TimeLayouts);
    assert!(bench.program().results.times.underway);
    bench.run(Command::Stop(Work::Times));
    assert!(!bench.program().results.times.underway);
}

#[test]
fn runs_in_the_interpreter_with_findings() {
    let race = "#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() {
    at[0] = gl_LocalInvocationIndex;
}
";
    let mut bench = Bench::opened("race.comp", race);
    let device = Some(INTERPRETER.to_owned());
    bench.run(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    bench.run(Command::Run);
    bench.until("it ran", |state| state.program().is_some_and(|it| it.results.run.done().is_some()));
    let ran = bench.program().results.run.done().expect("a result");
    assert_eq!(ran.execution.run.device, INTERPRETER);
    let codes: Vec<_> = ran.execution.run.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["E001"]);
    let input = Input::new(&bench.state, bench.program());
    assert!(input.device.is_interpreter());
    assert_eq!(input.on_device().device.device, None, "measurements and work graphs use the first device");
}

#[test]
pub fn compiles_a_program() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Compile);
    assert!(bench.state.tabs.shows(ViewId::Isa));
    bench.until("it compiles", |state| state.program().is_some_and(|it| it.results.compiled.done().is_some()));
}

#[test]
fn compiles_the_shown_program_once_unless_that_is_switched_off() {
    let compiled = |bench: &Bench| bench.program().results.compiled.answer.as_ref().map(|answer| answer.number);
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.settle();
    assert_eq!(compiled(&bench), Some(0), "without a request");
    assert!(bench.state.tabs.shows(ViewId::Packing), "and without another tab");
    bench.run(Command::ShowTab(ViewId::Isa));
    bench.settle();
    assert_eq!(compiled(&bench), Some(0));
    let automatic = bench.state.settings.compile.clone();
    let chosen = CompileSettings { chips: vec![Target::Gfx1100.into()], ..automatic };
    bench.run(Command::SetCompileSettings(chosen.clone()));
    bench.settle();
    assert_eq!(compiled(&bench), Some(1), "for the new chip");
    bench.run(Command::SetCompileSettings(CompileSettings { automatic: false, link: Link::Apart, ..chosen }));
    bench.settle();
    assert_eq!(compiled(&bench), Some(1), "switched off");
}

#[test]
pub fn compiles_speculatively() {
    let mut bench = Bench::opened("group.comp", COMPUTE);
    bench.run(Command::CompileSpeculatively);
    assert!(bench.program().results.speculative.underway && bench.state.tabs.shows(ViewId::GuessedLayout));
    bench.run(Command::CancelWork);
    for command in [Command::CompileCorpus, Command::SurveyGuesses] {
        bench.run(command);
        assert_eq!(bench.message(), "Not loaded from a Fossilize database.");
    }
    bench.run(Command::OpenPipeline(vec![sample("effects.foz")], "58dd3e41aad4d928".to_owned()));
    bench.until("it opens", |state| state.programs.len() == 2);
    bench.run(Command::CompileCorpus);
    assert!(bench.program().results.corpus.underway);
    bench.run(Command::CancelWork);
    assert!(!bench.program().results.corpus.underway);
    bench.run(Command::SurveyGuesses);
    assert!(bench.program().results.survey.underway && bench.state.tabs.shows(ViewId::GuessedLayout));
    bench.until("it is known", |state| !state.programs[1].results.survey.underway);
    let survey = bench.program().results.survey.done().expect("guessed");
    // As `guess-layout --corpus effects.foz` with --search, --timeline and --vary.
    let best = &survey.searched[0].guesses[0];
    assert_eq!((survey.searched.len(), best.guess.flags().as_str()), (1, "--guessed-color unorm8"));
    assert_eq!((best.stages, best.hits, best.usable, best.wasted()), (5, 3, 3, 2));
    assert_eq!((survey.timelines[0].all.shaders, survey.timelines[0].all.last), (5, 5));
    assert_eq!((survey.variants.len(), survey.failures.len()), (3, 0));
    let [guesses, caches, maps] = survey.sections();
    assert_eq!((guesses.tables.len(), caches.tables.len(), maps.facts.len()), (1, 1, 2));
    // A pipeline that was opened by its name is one of the same database.
    let mut named = sample("effects.foz").into_os_string();
    named.push("@58dd3e41aad4d928");
    let mut bench = Bench::new();
    bench.open(&[named.as_ref()]);
    bench.run(Command::SurveyGuesses);
    bench.until("it is known", |state| !state.programs[0].results.survey.underway);
    let survey = bench.program().results.survey.done().expect("guessed");
    assert_eq!((survey.searched[0].guesses[0].stages, survey.searched[0].application.as_str()), (5, "effects.foz"));
}
