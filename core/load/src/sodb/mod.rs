//! State object databases of D3D12: the containers of the requested group, with what its object says of them.

mod graph;
mod state;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::error::{LoadError, Problem};
use super::file_types::file_type;
use super::{LoadOptions, dxil, file};
use crate::findings::{self, Finding, Place};
use lanescope_base::foreign::plain_name;
use lanescope_base::ids::{Bytes, Hex};
use lanescope_dxil::Dxil;
use lanescope_model::program::{Format, Input, LoadedDxil, Program, StageKind};
use lanescope_pipeline::vulkan::GroupType;
use lanescope_pipeline::{Application, Kept, Origin, Pipeline, PipelineKind, RayTracing, StageDescription};
use lanescope_sodb::{Database, Group, GroupKind, Listing, Record, STAGES, libraries, looks_like, nested};

/// Groups that a message names.
const NAMED: usize = 3;
/// Containers of one group.
const MAX_CONTAINERS: usize = 4096;
/// Bytes of the containers of one group.
const MAX_BYTES: u64 = lanescope_base::files::MAX_FILE;
/// Facts of one object that are kept as written.
const MAX_KEPT: usize = 4096;

/// Whether a file is a database: by its first bytes, or by its name where those are not there.
pub fn is_state_objects(path: &Path) -> bool {
    let mut head = [0u8; lanescope_sodb::HEAD];
    let read = file::open(path).ok().and_then(|file| file.take(head.len() as u64).read(&mut head).ok());
    let named = file_type(path).is_some_and(|row| row.format == Some(Format::StateObjects));
    looks_like(&head[..read.unwrap_or(0)]) || (named && path.is_file())
}

/// Opens a database.
///
/// # Errors
/// A file that is none.
pub fn state_objects(path: &Path) -> Result<Database, LoadError> {
    let of_path = |problem| LoadError { path: path.to_owned(), problem };
    // Devices and the like are not for SQLite.
    drop(file::open(path).map_err(of_path)?);
    Database::open(path).map_err(|fault| of_path(Problem::StateObjects(fault)))
}

/// Lists the groups of a database that match a text; all where it is empty.
///
/// # Errors
/// A file that is not a database.
pub fn list_state_objects(path: &Path, text: &str) -> Result<Listing, LoadError> {
    let problem = |fault| LoadError { path: path.to_owned(), problem: Problem::StateObjects(fault) };
    state_objects(path)?.list(text).map_err(problem)
}

/// A group with its containers, before they are converted.
pub(super) struct Opened {
    /// What the object says besides its shaders.
    pub pipeline: Pipeline,
    /// Its containers, each with what it is called: a stage, or the number of a library.
    pub containers: Vec<(Dxil, String)>,
    /// The key of the group.
    name: String,
    /// For each stage of the description the index of its container, if it can be read.
    pub stages: Vec<Option<usize>>,
    /// Overrides of a work graph.
    pub overrides: Option<lanescope_model::overrides::Overrides>,
}

/// Opens the group that is wanted; the only one where none is.
pub(super) fn load(path: &Path, wanted: &LoadOptions) -> Result<Opened, Problem> {
    let database = match wanted.given.get(path) {
        Some(given) => Database::of_bytes(&given.0, &path.to_string_lossy()).map_err(Problem::StateObjects)?,
        None => state_objects(path).map_err(|error| error.problem)?,
    };
    let key = wanted.pipeline.as_deref();
    let all: Vec<&Group> = match key {
        Some(key) => database.named(key),
        None => database.groups().iter().collect(),
    };
    let group = match (all.as_slice(), key) {
        ([only], _) => *only,
        ([], Some(key)) => {
            return Err(Problem::GroupMissing { why: format!("no group has the key {}", plain_name(key)) });
        }
        ([], None) => return Err(Problem::GroupMissing { why: "the database contains no groups".to_owned() }),
        (many, _) => {
            let names: Vec<&str> = many.iter().map(|group| group.name.as_str()).take(NAMED).collect();
            let more = if many.len() > NAMED { ", …" } else { "" };
            return Err(Problem::ManyGroups { count: many.len(), names: names.join(", ") + more });
        }
    };
    let mut opened = open(&database, group, &path.to_string_lossy())?;
    opened.pipeline.findings.splice(0..0, database.findings.iter().cloned());
    Ok(opened)
}

/// Opens one group.
pub(super) fn open(database: &Database, group: &Group, file: &str) -> Result<Opened, Problem> {
    let object = database.object(group).map_err(Problem::StateObjects)?;
    let kind = lanescope_sodb::kind(&object);
    let mut reading = Reading {
        file,
        bytes: 0,
        out: Opened {
            pipeline: Pipeline::new(Format::StateObjects, pipeline_kind(kind)),
            containers: Vec::new(),
            name: group.name.clone(),
            stages: Vec::new(),
            overrides: None,
        },
    };
    reading.out.pipeline.origin = origin(database, group);
    let place = format!("group {}", group.name);
    if let Some(version) = group.version.filter(|version| *version < 1) {
        reading.find(findings::SODB_VERSION, &place, None, format!("its version is {version}; expected 1 or more"));
    }
    if object.table() == "pipeline_states" {
        reading.pipeline_state(&object)?;
    } else {
        reading.state_object(&object)?;
    }
    reading.keep(&place, "kind", kind.name().replace('_', " "));
    reading.out.pipeline.kept.truncate(MAX_KEPT);
    Ok(reading.out)
}

fn pipeline_kind(kind: GroupKind) -> PipelineKind {
    match kind {
        GroupKind::Graphics => PipelineKind::Graphics,
        GroupKind::Compute => PipelineKind::Compute,
        GroupKind::Collection
        | GroupKind::RayTracing
        | GroupKind::WorkGraph
        | GroupKind::Executable
        | GroupKind::Unknown => PipelineKind::StateObject,
    }
}

fn origin(database: &Database, group: &Group) -> Origin {
    let application = database.application.as_ref().map(|one| Application {
        name: Some(plain_name(&one.name)),
        engine: one.engine.as_deref().map(plain_name),
        api: None,
    });
    Origin {
        format: Format::StateObjects,
        input: 0,
        version: group.version.and_then(|version| u32::try_from(version).ok()),
        hash: None,
        application,
        libraries: Vec::new(),
    }
}

/// A group while it is read.
struct Reading<'f> {
    file: &'f str,
    /// Bytes of containers so far.
    bytes: u64,
    out: Opened,
}

impl Reading<'_> {
    fn find(
        &mut self,
        rule: &'static findings::Rule,
        place: &str,
        stage: Option<StageKind>,
        message: impl Into<String>,
    ) {
        let place = Place::description(place).in_file(self.file);
        self.out.pipeline.findings.push(rule.at(stage, Some(place), message));
    }

    fn fault(&mut self, fault: lanescope_sodb::Fault) {
        self.find(fault.rule, &fault.place, None, fault.message);
    }

    fn keep(&mut self, from: &str, name: &str, text: impl Into<String>) {
        self.out.pipeline.kept.push(Kept { from: from.to_owned(), name: name.to_owned(), text: text.into() });
    }

    /// The row that a column names; one that is missing is noted.
    fn row<'d>(&mut self, record: &Record<'d>, column: &str) -> Option<Record<'d>> {
        record.named_row(column).unwrap_or_else(|fault| {
            self.fault(fault);
            None
        })
    }

    /// Reads a container. What is wrong with it is a finding.
    fn container(&mut self, bytecode: &Record<'_>, stage: Option<StageKind>) -> Result<Option<usize>, Problem> {
        let place = bytecode.place();
        self.bytes = self.bytes.saturating_add(bytecode.data_size("Bytecode").unwrap_or_default());
        if self.bytes > MAX_BYTES {
            return Err(Problem::TooLarge { bytes: self.bytes, limit: MAX_BYTES });
        }
        let bytes = match bytecode.data("Bytecode") {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                self.find(findings::SODB_NOT_DXIL, &place, stage, "it has no bytes");
                return Ok(None);
            }
            Err(fault) => {
                self.fault(fault);
                return Ok(None);
            }
        };
        if !bytes.starts_with(b"DXBC") {
            let message = "expected a container that starts with `DXBC`; found other bytes";
            self.find(findings::SODB_NOT_DXIL, &place, stage, message);
            return Ok(None);
        }
        match Dxil::read(bytes) {
            Ok(dxil) => {
                let number = self.out.containers.len() + 1;
                let name = stage.map_or_else(|| format!("library {number}"), |stage| stage.name().to_owned());
                self.out.containers.push((dxil, name));
                Ok(Some(self.out.containers.len() - 1))
            }
            Err(fault) => {
                self.find(findings::SODB_NOT_DXIL, &place, stage, format!("{fault} ({})", fault.rule.code));
                Ok(None)
            }
        }
    }

    fn pipeline_state(&mut self, object: &Record<'_>) -> Result<(), Problem> {
        for (column, stage) in STAGES {
            let Some(bytecode) = self.row(object, column) else { continue };
            let container = self.container(&bytecode, Some(stage))?;
            self.out.stages.push(container);
            self.out.pipeline.stages.push(StageDescription {
                stage,
                entry: String::new(),
                entry_assumed: false,
                module: None,
                shader: bytecode.place(),
                from: format!("{} {column}", object.place()),
                subgroup_size: None,
                flags: Vec::new(),
                constants: Vec::new(),
                settings: Vec::new(),
            });
        }
        let state::Described { state, kept, faults } = state::read(object);
        self.out.pipeline.state = state;
        self.out.pipeline.kept.extend(kept);
        faults.into_iter().for_each(|fault| self.fault(fault));
        self.pipeline_root_signature(object);
        Ok(())
    }

    /// The root signature of a pipeline state applies to all its shaders, whatever their containers have.
    fn pipeline_root_signature(&mut self, object: &Record<'_>) {
        let Some(row) = self.row(object, "RootSignature") else { return };
        let is_read = |dxil: &Dxil| dxil.applied_root_signature().is_some_and(|root| root.is_read());
        if let Ok(Some(bytes)) = row.data("value") {
            let own = self.out.containers.iter().map(|(dxil, place)| {
                let dxil = dxil.clone().with_root_signature(&row.place(), &bytes).ok().filter(is_read)?;
                Some((dxil, place.clone()))
            });
            if let Some(with) = own.collect::<Option<Vec<_>>>().filter(|with| !with.is_empty()) {
                self.out.containers = with;
                return;
            }
        }
        // What does not apply is kept as it is written, or with the reason.
        self.root_signature(object, "RootSignature", "root signature");
    }

    fn root_signature(&mut self, owner: &Record<'_>, column: &str, name: &str) {
        let Some(row) = self.row(owner, column) else { return };
        let text = match row.data("value") {
            Ok(Some(bytes)) => match lanescope_dxil::root_signature(&bytes) {
                Ok(root) => parameters(&root),
                Err(why) => format!("cannot be read: {why}"),
            },
            Ok(None) => "no bytes".to_owned(),
            Err(fault) => return self.fault(fault),
        };
        self.keep(&row.place(), name, text);
    }

    fn state_object(&mut self, object: &Record<'_>) -> Result<(), Problem> {
        let all = libraries(object);
        if all.len() > MAX_CONTAINERS {
            let (count, limit) = (all.len() as u64, MAX_CONTAINERS as u64);
            return Err(Problem::ManyEntries { count, what: "libraries", limit });
        }
        for library in &all {
            self.container(library, None)?;
        }
        let mut groups = Vec::new();
        for part in nested(object) {
            self.part(&part, &mut groups);
        }
        let read: Vec<&Dxil> = self.out.containers.iter().map(|(dxil, _)| dxil).collect();
        let graph = graph::read(object, &read);
        self.out.overrides = graph.overrides;
        for (place, what) in graph.not_applied {
            self.find(findings::SODB_NOT_APPLIED, &place, None, format!("{what}: not applied"));
        }
        Ok(())
    }

    /// What one state object says, its own or one inside.
    fn part(&mut self, part: &Record<'_>, groups: &mut Vec<String>) {
        let list = |table: &str| part.list(table);
        for row in list("so_to_dxil_lib_associations") {
            self.row(&row, "DxilLibKey");
            self.export(&row);
        }
        for row in list("so_to_existing_so_associations") {
            self.row(&row, "ExistingStateObjectKey");
            self.export(&row);
        }
        self.row(part, "AddToStateObjectParent");
        for row in list("so_to_global_rs_associations") {
            self.root_signature(&row, "RootSignatureKey", "global root signature");
        }
        for row in list("so_to_local_rs_associations") {
            self.root_signature(&row, "RootSignatureKey", "local root signature");
        }
        for row in list("so_to_hit_group_associations") {
            let Some(group) = self.row(&row, "HitGroupKey") else { continue };
            let name = plain_name(group.text("HitGroupExport").unwrap_or_default());
            let import =
                |column: &str, what: &str| group.text(column).map(|name| format!("{what} {}", plain_name(name)));
            let shaders = [
                import("AnyHitShaderImport", "any hit"),
                import("ClosestHitShaderImport", "closest hit"),
                import("IntersectionShaderImport", "intersection"),
            ];
            let ty = if group.number("Type") == Some(1) { GroupType(2) } else { GroupType(1) };
            let shaders: Vec<String> = shaders.into_iter().flatten().collect();
            groups.push(name.clone());
            self.keep(&group.place(), &format!("hit group {name}"), format!("{ty}: {}", shaders.join(", ")));
        }
        let mut rays = RayTracing::default();
        for row in list("so_to_rt_shader_config_associations") {
            let Some(config) = self.row(&row, "ShaderConfigKey") else { continue };
            let sizes = ["MaxPayloadSizeInBytes", "MaxAttributeSizeInBytes"].map(|column| config.word(column));
            if let [Some(payload), Some(attributes)] = sizes {
                rays.interface = Some([payload, attributes]);
                rays.from = config.place();
            }
        }
        for row in list("so_to_rt_pipeline_config_associations") {
            let Some(config) = self.row(&row, "PipelineConfigKey") else { continue };
            let Some(depth) = config.word("MaxTraceRecursionDepth") else { continue };
            rays.max_depth = depth;
            rays.from = config.place();
        }
        if !rays.from.is_empty() {
            let state = &mut self.out.pipeline.state;
            let known = state.ray_tracing.get_or_insert_with(|| rays.clone());
            known.interface = known.interface.or(rays.interface);
            known.max_depth = known.max_depth.max(rays.max_depth);
        }
        for row in list("so_to_generic_program_associations") {
            let Some(program) = self.row(&row, "GenericProgramKey") else { continue };
            let name = plain_name(program.text("ProgramName").unwrap_or_default());
            let strings = program.list("string_associations");
            let exports: Vec<String> = strings.iter().filter_map(|row| row.text("Value")).map(plain_name).collect();
            self.keep(&program.place(), &format!("program {name}"), exports.join(", "));
            let state::Described { kept, faults, .. } = state::read(&program);
            self.out.pipeline.kept.extend(kept);
            faults.into_iter().for_each(|fault| self.fault(fault));
        }
        for row in list("so_to_work_graph_associations") {
            let Some(graph) = self.row(&row, "WorkGraphKey") else { continue };
            let name = format!("work graph {}", plain_name(graph.text("ProgramName").unwrap_or_default()));
            let nodes = graph.list("work_graph_to_work_graph_node_associations").len();
            self.keep(&graph.place(), &name, format!("{nodes} nodes are listed"));
        }
        for row in list("so_to_dxil_subobject_to_exports_associations") {
            let Some(one) = self.row(&row, "DxilSubobjectToExportsAssociationKey") else { continue };
            let name = plain_name(one.text("SubobjectToAssociate").unwrap_or_default());
            let strings = one.list("string_associations");
            let exports: Vec<String> = strings.iter().filter_map(|row| row.text("Value")).map(plain_name).collect();
            self.keep(&one.place(), &format!("association of {name}"), exports.join(", "));
        }
    }

    /// An export that renames or selects; entry points keep the names of their library.
    fn export(&mut self, row: &Record<'_>) {
        let Some(export) = self.row(row, "ExportKey") else { return };
        let name = plain_name(export.text("Name").unwrap_or_default());
        let of = export.text("ExportToRename").filter(|of| !of.is_empty()).map(plain_name);
        let text = of.as_ref().map_or("under its own name".to_owned(), |of| format!("of {of}"));
        self.keep(&export.place(), &format!("export {name}"), text);
        // Of a shader that is not in a library `*` is the only entry point.
        if of.is_some_and(|of| of != "*" && of != name) {
            let message = format!("the export is named {name}: entry points keep the names of their library");
            self.find(findings::SODB_NOT_APPLIED, &export.place(), None, message);
        }
    }
}

/// The parameters of a root signature in a few words: `cbv b0, table (srv t0 to t3)`.
fn parameters(root: &lanescope_dxil::RootSignature) -> String {
    let letter = |class: &str| match class {
        "cbv" | "constants" => "b",
        "srv" => "t",
        "uav" => "u",
        _ => "s",
    };
    let place = |class: &str, register: u32, space: u32| match space {
        0 => format!("{class} {}{register}", letter(class)),
        space => format!("{class} {}{register} space{space}", letter(class)),
    };
    let all: Vec<String> = root
        .parameters
        .iter()
        .map(|one| match (&*one.kind, one.register) {
            ("constants", Some(register)) => {
                let count = one.constants.unwrap_or(0);
                format!("{} × {}", place("constants", register, one.space.unwrap_or(0)), count)
            }
            (kind, Some(register)) => place(kind, register, one.space.unwrap_or(0)),
            (kind, None) => {
                let range = |range: &lanescope_dxil::parts::Range| {
                    let count = range.count.map_or("unbounded".to_owned(), |count| count.to_string());
                    format!("{} × {count}", place(&range.class, range.register, range.space))
                };
                format!("{kind} ({})", one.ranges.iter().map(range).collect::<Vec<_>>().join(", "))
            }
        })
        .collect();
    let samplers = match root.samplers.len() {
        0 => String::new(),
        count => format!("; {count} static samplers"),
    };
    let all = if all.is_empty() { "no parameters".to_owned() } else { all.join(", ") };
    format!("version {}, flags {:#x}: {all}{samplers}", root.version, root.flags)
}

/// Puts a group into the program, whose files are so many. Each container is an input of its own, after the files:
/// [`add_inputs`]. They are converted with the others; [`set_stages`] then gives the stages their modules.
pub(super) fn take(opened: Opened, index: usize, files: usize, program: &mut Program) -> Result<Placed, Problem> {
    if let Some(first) = &program.pipeline {
        let first = program.inputs.get(first.origin.input).map(|input| input.path.clone()).unwrap_or_default();
        return Err(Problem::SecondDescription { first });
    }
    let Opened { mut pipeline, containers, name, stages, overrides } = opened;
    pipeline.origin.input = index;
    let first = program.dxil.len();
    let mut inputs = Vec::with_capacity(containers.len());
    for (number, (dxil, what)) in containers.into_iter().enumerate() {
        let (bytes, hash) = (Bytes(dxil.file().len() as u64), lanescope_base::ids::hash(dxil.file()));
        inputs.push((index, Input::new(format!("@{name}: {what}"), Format::Dxil, bytes, hash)));
        program.dxil.push(dxil::unconverted(files + number, dxil, None, Vec::new()));
    }
    program.pipeline = Some(Box::new(pipeline));
    program.overrides = overrides.unwrap_or_default();
    Ok(Placed { stages: stages.into_iter().map(|stage| Some(stage? + first)).collect(), inputs })
}

/// The containers of a description.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// Of each stage the index among the program's containers.
    stages: Vec<Option<usize>>,
    /// Each container as an input, with that of its database.
    inputs: Vec<(usize, Input)>,
}

/// Adds the containers to the inputs: `a.sodb@lit: vertex`.
pub(super) fn add_inputs(placed: &mut Placed, program: &mut Program) {
    for (index, input) in std::mem::take(&mut placed.inputs) {
        let file = program.inputs.get(index).map(|file| file.path.clone()).unwrap_or_default();
        program.inputs.push(Input { path: file + &input.path, ..input });
    }
}

/// Gives the stages of a description the modules that their containers became.
pub(super) fn set_stages(placed: &Placed, program: &mut Program) {
    let Program { pipeline: Some(pipeline), dxil, modules, inputs, .. } = program else { return };
    let file = inputs.get(pipeline.origin.input).map_or("", |input| input.path.as_str());
    let mut found: Vec<Finding> = Vec::new();
    for (stage, container) in pipeline.stages.iter_mut().zip(&placed.stages) {
        let Some(loaded) = container.and_then(|at| dxil.get(at)) else { continue };
        let LoadedDxil { dxil, entries, .. } = loaded;
        stage.entry = dxil
            .program
            .as_ref()
            .and_then(|program| program.dx.entries.first())
            .map_or_else(|| "main".to_owned(), |entry| dxil.entry_name(entry).to_owned());
        let module = entries.iter().find_map(|entry| entry.module);
        let point = module.and_then(|at| modules.get(at)).and_then(|loaded| loaded.module.entry_points().first());
        if let Some(point) = point {
            stage.entry.clone_from(&point.name);
            if point.stage == Some(stage.stage) {
                stage.module = module;
            } else {
                let other = point.stage.map_or("kernel", StageKind::name);
                let message = format!("the container has a {other} shader; expected {}", stage.stage);
                let place = Place::description(&stage.from).in_file(file);
                found.push(findings::SODB_STAGE.at(Some(stage.stage), Some(place), message));
            }
        }
    }
    pipeline.findings.extend(found);
}

/// A database as an input of a program.
pub(super) fn input(path: &Path, wanted: &LoadOptions) -> Result<Input, Problem> {
    let (size, hash) = match wanted.given.get(path) {
        Some(given) => (given.0.len() as u64, xxhash_rust::xxh3::xxh3_64(&given.0)),
        None => super::foz::hash(path)?,
    };
    Ok(Input::new(path.to_string_lossy().into_owned(), Format::StateObjects, Bytes(size), Hex(hash)))
}

/// A file and a key, where a path that does not exist is a database's, an `@` and a key: `a.sodb@lit`.
pub fn of_database(path: &Path) -> Option<(PathBuf, String)> {
    if path.exists() {
        return None;
    }
    let (file, key) = path.to_str()?.rsplit_once('@')?;
    let file = PathBuf::from(file);
    let is_database = || is_state_objects(&file) || super::foz::is_database(&file);
    (!key.is_empty() && file.is_file() && is_database()).then(|| (file, key.to_owned()))
}
