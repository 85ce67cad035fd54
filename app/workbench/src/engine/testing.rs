//! Compilers for tests: without a driver, or with the software device.

use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::{
    Compilation, CompileOptions, CompiledPipeline, Executable, Failure, Link, Outcome, Statistic, Value, Version,
};
use lanescope_core::gpu::{DeviceOptions, Inputs, run_graph};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphRequest, GraphRun};

use crate::state::program::OpenProgram;
use lanescope_host::drivers::{
    self, Answer, Ask, SpeculativeAnswer, SpeculativeRequest, compile_speculatively_with, partial,
};
use lanescope_host::worker::{WorkerError, answer};

/// A run of a work graph on the software device, with one record of zeros for an entry point.
pub fn graph_run(program: &OpenProgram, entry: &str) -> GraphRun {
    let device = DeviceOptions { device: Some("llvmpipe".to_owned()), ..DeviceOptions::default() };
    let graph = program.analysis.report.graph.as_ref().expect("a graph");
    let inputs = input::counted(1, graph, InputOptions { entry: Some(entry), stride: None, count: None });
    let request = GraphRequest { inputs: inputs.expect("a record"), ..GraphRequest::default() };
    let run = run_graph(&device, &program.program.dxil[0].dxil, graph, &request, &Inputs::default());
    // Its name differs from one version of Mesa to the next.
    GraphRun { device: "llvmpipe".to_owned(), ..run.expect("it runs") }
}

/// A compiler that makes one executable a stage and dies on the packed version.
pub fn compile(program: &Program, options: &Options, ask: &Ask) -> Answer {
    let mut answer = Answer::default();
    let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage).collect();
    for (with, of) in ask.drivers.iter().flat_map(|with| ask.versions.iter().map(move |of| (with, *of))) {
        if of == Version::Swizzled {
            // A pair has no workgroup.
            continue;
        }
        if of == Version::Packed {
            let (compiler, fate) = ("paper".to_owned(), Outcome::Died("SIGILL".to_owned()));
            let place = with.chip.map(|chip| chip.to_string()).unwrap_or_default();
            let (stages, icd) = (stages.clone(), None);
            answer.failures.push(Failure { compiler, of, stages, fate, place, icd, missing: false, repro: None });
            continue;
        }
        let executable = |stage: &lanescope_core::program::StageKind| Executable {
            name: stage.to_string(),
            description: format!("gloss at {:?}", options.no_pack),
            stages: vec![*stage],
            subgroup_size: 64,
            statistics: vec![Statistic {
                name: "Slots".to_owned(),
                description: "whether it packs".to_owned(),
                value: Value::Uint(u64::from(!options.no_pack)),
            }],
            texts: Vec::new(),
        };
        let executables = stages.iter().map(executable).collect();
        let pipeline = CompiledPipeline { stages: stages.clone(), entries: Vec::new(), nanoseconds: 1, executables };
        let compilation = Compilation {
            device: "paper".to_owned(),
            driver: "by hand".to_owned(),
            chip: with.chip,
            icd: None,
            of,
            link: if with.apart { Link::Apart } else { Link::Whole },
            pipelines: vec![pipeline],
            peak_memory: None,
            handed_on: Vec::new(),
            notes: Vec::new(),
        };
        answer.compiled.push(drivers::Compiled { compilation, kept: false });
    }
    answer
}

/// The work of the child, done here: a device that every machine with Mesa has, in a chip's place.
pub fn speculate(program: &Program, options: &Options, ask: &SpeculativeRequest) -> SpeculativeAnswer {
    let mut stages = partial(program, options, &mut Vec::new());
    let device = ask.with.with.device.clone().unwrap_or_else(|| "llvmpipe".to_owned());
    let with = CompileOptions { chip: None, device: Some(device), validate: true, ..CompileOptions::default() };
    let ask = SpeculativeRequest { with: SpeculativeOptions { with, ..ask.with.clone() }, ..ask.clone() };
    let reply = |request: &lanescope_host::worker::Request| Ok::<_, WorkerError>(answer(request, &mut |_| None));
    let failed = compile_speculatively_with(program, options, &mut stages, &ask, reply).err();
    SpeculativeAnswer { stages, failed }
}
