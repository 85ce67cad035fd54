//! Which entry points of which files make one pipeline.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{LoadError, Problem};
use crate::findings::{Finding, Severity};
use lanescope_model::program::{Format, LoadedDxil, Program, Stage, StageKind};
use lanescope_pipeline::{Pipeline, PipelineKind, StageDescription};
use lanescope_spirv::enums::Decoration;

/// Chooses the entry points. `entries` is empty, or names what is wanted.
pub(super) fn pair(paths: &[PathBuf], program: &Program, entries: &[String]) -> Result<Vec<Stage>, LoadError> {
    let modules = &program.modules;
    for name in entries {
        let points = modules.iter().flat_map(|m| m.module.entry_points()).map(|entry| entry.name.clone());
        // An entry point of a container is known, whether it could be converted or not.
        let unconverted = program.dxil.iter().flat_map(LoadedDxil::unconverted).map(str::to_owned);
        let known: Vec<String> = points.chain(unconverted).collect();
        if !known.contains(name) {
            let path = if let [only] = paths { only.clone() } else { PathBuf::new() };
            return Err(LoadError { path, problem: Problem::MissingEntry { name: name.clone(), known } });
        }
    }
    let mut stages: Vec<Stage> = Vec::new();
    for (input, path) in paths.iter().enumerate() {
        // A further database of a set.
        let is_database = program.inputs.get(input).is_some_and(|input| input.format == Format::Fossilize);
        if is_database && program.pipeline.as_ref().is_some_and(|pipeline| pipeline.origin.input != input) {
            continue;
        }
        let of_file = stages_of(program, input, paths.len(), entries)
            .map_err(|p| LoadError { path: path.clone(), problem: p })?;
        for stage in &of_file {
            let first = stages.iter().find(|other| other.stage == stage.stage);
            let first_input = first.and_then(|first| modules.get(first.module)).map(|module| module.input);
            // Libraries with nodes make one work graph together, each node a compute shader.
            let own_input = modules.get(stage.module).map(|module| module.input);
            let one_graph = stage.stage == StageKind::Compute
                && own_input.is_some_and(|own| has_nodes(program, own))
                && first_input.is_some_and(|first| has_nodes(program, first));
            if first.is_some_and(|other| unique(other.stage)) && !one_graph {
                let first = first_input.and_then(|input| paths.get(input));
                let first = first.map(|path| path.display().to_string()).unwrap_or_default();
                let problem = Problem::SecondOfStage { stage: stage.stage, first };
                return Err(LoadError { path: path.clone(), problem });
            }
        }
        stages.extend(of_file);
    }
    if paths.len() > 1
        && let Some(why) = misfit(&stages)
    {
        return Err(LoadError { path: PathBuf::new(), problem: Problem::DoNotFit { why } });
    }
    check_count(program, &stages)?;
    stages.sort_by_key(|stage| (stage.stage, stage.module, stage.entry_index));
    Ok(stages)
}

/// The most entry points that are analysed at once.
const MAX_STAGES: u64 = 4096;

/// The most resources of all entry points together: the report lists those of its module for each.
const MAX_RESOURCES: u64 = 1 << 20;

/// Refuses more than one report takes: its size grows with the entry points, and with what each declares.
fn check_count(program: &Program, stages: &[Stage]) -> Result<(), LoadError> {
    let mut by_module: BTreeMap<usize, u64> = BTreeMap::new();
    stages.iter().for_each(|stage| *by_module.entry(stage.module).or_default() += 1);
    let resources = by_module.iter().map(|(&module, &stages)| {
        let Some(loaded) = program.modules.get(module).filter(|_| stages > 1) else { return 0 };
        let module = &loaded.module;
        let variables = module.definitions().filter(|inst| inst.is_variable());
        let bound = variables.filter_map(|inst| module.decoration(inst.result()?, None, Decoration::Binding));
        (bound.count() as u64).saturating_mul(stages)
    });
    let counts = [
        (stages.len() as u64, "entry points", MAX_STAGES),
        (resources.fold(0, u64::saturating_add), "resources in all entry points", MAX_RESOURCES),
    ];
    match counts.into_iter().find(|&(count, _, limit)| count > limit) {
        Some((count, what, limit)) => {
            let path = stages.first().and_then(|stage| program.modules.get(stage.module));
            let path = path.and_then(|loaded| program.inputs.get(loaded.input)).map(|input| input.path.clone().into());
            Err(LoadError { path: path.unwrap_or_default(), problem: Problem::ManyEntries { count, what, limit } })
        }
        None => Ok(()),
    }
}

/// Whether an input is a library with nodes of a work graph.
fn has_nodes(program: &Program, input: usize) -> bool {
    let mut programs =
        program.dxil.iter().filter(|loaded| loaded.input == input).filter_map(|l| l.dxil.program.as_ref());
    programs.any(|program| program.dx.entries.iter().any(|entry| entry.properties.node.is_some()))
}

/// Stages that a pipeline has once. Ray tracing pipelines have many of each.
fn unique(stage: StageKind) -> bool {
    stage.is_graphics() || stage == StageKind::Compute
}

/// The stages of a file. Inputs after the files are the containers of a database.
fn stages_of(program: &Program, file: usize, files: usize, entries: &[String]) -> Result<Vec<Stage>, Problem> {
    // A state object has no stages: its libraries are opened as files are.
    let of_group = program.pipeline.as_deref().filter(|pipeline| pipeline.kind == PipelineKind::StateObject);
    let is_database = of_group.is_some_and(|pipeline| pipeline.origin.input == file);
    let has = |input: usize| input == file || (is_database && input >= files);
    let is_described = |pipeline: &&Pipeline| pipeline.origin.input == file && !is_database;
    if let Some(pipeline) = program.pipeline.as_deref().filter(is_described) {
        return described(program, pipeline, entries);
    }
    let modules = program.modules.iter().enumerate().filter(|(_, loaded)| has(loaded.input));
    let points = modules.flat_map(|(module, loaded)| {
        loaded.module.entry_points().iter().enumerate().map(move |(entry_index, point)| (module, entry_index, point))
    });
    let shaders: Vec<Stage> = points
        .clone()
        .filter_map(|(module, entry_index, point)| {
            point.stage.map(|stage| Stage { stage, entry: point.name.clone(), module, entry_index })
        })
        .collect();
    // A container whose entry points cannot be converted is still shown.
    if shaders.is_empty() && !program.dxil.iter().any(|loaded| has(loaded.input)) {
        let count = points.count();
        let found = if count == 0 { String::new() } else { format!("; it has {count} kernels") };
        return Err(Problem::NoEntry { found });
    }
    let wanted: Vec<Stage> = shaders.iter().filter(|stage| entries.contains(&stage.entry)).cloned().collect();
    let of_input = || program.dxil.iter().filter(|loaded| has(loaded.input));
    let is_wanted = |name: &str| entries.iter().any(|entry| entry == name);
    if wanted.is_empty() && of_input().flat_map(LoadedDxil::unconverted).any(is_wanted) {
        return Ok(Vec::new());
    }
    let is_chosen = !wanted.is_empty();
    let mut kept = if is_chosen { wanted } else { shaders };
    // A library is shown alone, though it is not known which of its entry points make a pipeline.
    let is_shown = !is_chosen && files == 1 && (is_database || of_input().any(|loaded| loaded.dxil.is_library()));
    if is_shown && has_two(&kept) {
        kept.retain(|stage| !stage.stage.is_graphics());
    }
    for &stage in StageKind::ALL.iter().filter(|stage| stage.is_graphics()) {
        let names: Vec<&str> = kept.iter().filter(|s| s.stage == stage).map(|s| s.entry.as_str()).collect();
        if names.len() > 1 {
            return Err(Problem::Ambiguous {
                stage,
                count: names.len(),
                names: names.into_iter().map(str::to_owned).collect(),
            });
        }
    }
    Ok(kept)
}

/// Whether several entry points are of one graphics stage.
fn has_two(stages: &[Stage]) -> bool {
    let count = |stage: &Stage| stages.iter().filter(|other| other.stage == stage.stage).count();
    stages.iter().any(|stage| stage.stage.is_graphics() && count(stage) > 1)
}

/// The stages that a description names: one entry point of each of its modules.
fn described(program: &Program, pipeline: &Pipeline, entries: &[String]) -> Result<Vec<Stage>, Problem> {
    let stage = |stage: &StageDescription| {
        let module = stage.module?;
        let points = program.modules.get(module)?.module.entry_points();
        let entry_index = points.iter().position(|p| p.stage == Some(stage.stage) && p.name == stage.entry)?;
        Some(Stage { stage: stage.stage, entry: stage.entry.clone(), module, entry_index })
    };
    let stages: Vec<Stage> = pipeline.stages.iter().filter_map(stage).collect();
    // Containers that cannot be converted are still shown.
    let has_containers = pipeline.origin.format == Format::StateObjects && !program.dxil.is_empty();
    if stages.is_empty() && !has_containers {
        let broken = pipeline.findings.iter().find(|finding| finding.severity == Severity::Error);
        let why = match broken {
            Some(finding) => format!("{}{}", place(finding), finding.message),
            None if pipeline.is_part_without_shaders() => "it is a library part without shaders".to_owned(),
            None if pipeline.stages.is_empty() && pipeline.origin.format == Format::Pipe => {
                "it has no shader section".to_owned()
            }
            None if pipeline.stages.is_empty() => "it has no stages".to_owned(),
            None => "no stage has a module".to_owned(),
        };
        return Err(Problem::NoStage { why });
    }
    let wanted: Vec<Stage> = stages.iter().filter(|stage| entries.contains(&stage.entry)).cloned().collect();
    Ok(if wanted.is_empty() { stages } else { wanted })
}

fn place(finding: &Finding) -> String {
    finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default()
}

/// Why the stages of several files make no pipeline, if they do not.
fn misfit(stages: &[Stage]) -> Option<String> {
    use StageKind::{Compute, Mesh, Task, Vertex};
    let has = |kind| stages.iter().any(|stage| stage.stage == kind);
    let graphics = stages.iter().any(|stage| stage.stage.is_graphics());
    let ray_tracing = stages.iter().any(|stage| !stage.stage.is_graphics() && stage.stage != Compute);
    let found = || {
        let mut kinds: Vec<&str> = stages.iter().map(|stage| stage.stage.name()).collect();
        kinds.dedup();
        kinds.join(" + ")
    };
    if has(Compute) && (graphics || ray_tracing) {
        return Some(format!("{}: a compute shader cannot be combined with other stages", found()));
    }
    if graphics && ray_tracing {
        return Some(format!("{}: graphics and ray tracing stages cannot be combined", found()));
    }
    let vertex_side = [Vertex, StageKind::TessControl, StageKind::TessEval, StageKind::Geometry];
    if (has(Mesh) || has(Task)) && vertex_side.into_iter().any(has) {
        return Some(format!("{}: mesh shading has no vertex, tessellation or geometry stage", found()));
    }
    if has(Task) && !has(Mesh) {
        return Some(format!("{}: a task shader needs a mesh shader", found()));
    }
    if has(Vertex) && has(StageKind::TessControl) != has(StageKind::TessEval) {
        return Some(format!("{}: tessellation needs both a control and an evaluation shader", found()));
    }
    None
}
