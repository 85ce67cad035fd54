//! One pipeline out of a database, with everything that it refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use super::database::{Database, Object};
use super::index::Place;
use super::json::Json;
use super::member::Members;
use super::objects::{Objects, attachments, layout};
use super::pnext::{Chain, FLAGS_2, LIBRARIES, LIBRARY_FLAGS, SUBGROUP_SIZE};
use super::{Key, Tag, base64, state};
use crate::constant::bytes_of;
use crate::findings;
use crate::notes::Notes;
use crate::{Application, Constant, Fault, Library, Pipeline, PipelineKind, StageDescription, StageMask};
use lanescope_base::Format;
use lanescope_base::ids::Hex;

const MAX_STAGES: usize = 256;
const MAX_LIBRARIES: usize = 65_536;
/// The maximum nesting of libraries.
const MAX_DEPTH: usize = 16;
/// Bases that are read for one pipeline and its libraries.
const MAX_BASES: usize = 256;
/// Objects that are read for one pipeline's libraries.
const MAX_READ: usize = 4096;
/// Bytes of all objects that are read for one pipeline, inflated, with the words of its modules: each module counts
/// once.
const MAX_INFLATED: u64 = 256 << 20;
const MAX_CONSTANTS: usize = 4096;
const MAX_NAME: usize = 65_536;

/// A pipeline and the words of its stages' modules.
#[derive(Debug)]
pub struct Opened {
    /// The description; its stages have no module yet.
    pub pipeline: Pipeline,
    /// Its stages, in their order.
    pub stages: Vec<OpenedStage>,
    /// The words of the modules that its stages name, each once, or why there are none.
    pub modules: Vec<Result<Vec<u32>, String>>,
}

/// The module of a stage.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedStage {
    /// Index of its module in [`Opened::modules`].
    pub module: usize,
    /// The bytes of the stage's constants, in their order.
    pub constants: Vec<Vec<u8>>,
}

/// Reads a pipeline.
///
/// # Errors
/// A pipeline whose own entry cannot be read. What is wrong with objects that it refers to is a finding.
pub fn open<R: Read + Seek>(database: &Database<R>, place: &Place) -> Result<Opened, Fault> {
    open_within(database, place, MAX_INFLATED)
}

/// The same with that many bytes of objects.
pub(super) fn open_within<R: Read + Seek>(database: &Database<R>, place: &Place, bytes: u64) -> Result<Opened, Fault> {
    let mut notes = Notes::of(database.file_name(place));
    let mut objects = Objects::of(database, bytes);
    let object = objects.read(place, &mut notes)?;
    let kind = match place.tag {
        Tag::Graphics => PipelineKind::Graphics,
        Tag::RayTracing => PipelineKind::RayTracing,
        _ => PipelineKind::Compute,
    };
    let mut pipeline = Pipeline::new(Format::Fossilize, kind);
    pipeline.origin.version = Some(u32::from(database.version));
    pipeline.origin.hash = Some(Hex(place.hash));
    pipeline.origin.application = application(database, &mut notes);
    let seen = BTreeSet::from([place.hash]);
    let mut reader = Reader {
        database,
        objects,
        tag: place.tag,
        pipeline,
        stages: Vec::new(),
        modules: Vec::new(),
        known: BTreeMap::new(),
        seen,
        derived: Vec::new(),
        is_blend_known: false,
    };
    reader.take(&object, None, 0, &mut notes);
    reader.bases(&mut notes);
    let Reader { mut pipeline, stages, modules, .. } = reader;
    if pipeline.layout.from.is_none() {
        notes.add_at(findings::FOZ_MISSING_REF, &object.name, "the pipeline has no layout");
    }
    (pipeline.findings, pipeline.kept) = notes.done();
    Ok(Opened { pipeline, stages, modules })
}

fn application<R: Read + Seek>(database: &Database<R>, notes: &mut Notes<'_>) -> Option<Application> {
    let place = database.of(Tag::Application).first()?;
    let object = database.object(place, notes).ok()?;
    let members = Members::of(&object.json, &object.name);
    let info = members.object("applicationInfo", notes)?;
    let version = info.word("apiVersion", notes).filter(|version| *version != 0);
    let api = version.map(|v| format!("{}.{}.{}", v >> 22 & 0x7f, v >> 12 & 0x3ff, v & 0xfff));
    let text = |member, notes: &mut Notes<'_>| info.text(member, notes).map(clip).filter(|text| !text.is_empty());
    let out = Application { name: text("applicationName", notes), engine: text("engineName", notes), api };
    (out != Application::default()).then_some(out)
}

fn clip(text: &str) -> String {
    text.chars().take(MAX_NAME).collect()
}

struct Reader<'d, R> {
    database: &'d Database<R>,
    objects: Objects<'d, R>,
    tag: Tag,
    pipeline: Pipeline,
    stages: Vec<OpenedStage>,
    modules: Vec<Result<Vec<u32>, String>>,
    /// Modules that were read, by their index; none stands for a stage that names no module.
    known: BTreeMap<Option<u64>, usize>,
    /// Pipelines that were read: a library may be reached twice, but not through itself.
    seen: BTreeSet<u64>,
    /// Derivatives among them: their key, their name, and what they are derived from.
    derived: Vec<(Option<u64>, String, Key)>,
    /// A part has described blending.
    is_blend_known: bool,
}

impl<R: Read + Seek> Reader<'_, R> {
    /// Reads a pipeline; `part` names the library, if it is one.
    fn take(&mut self, object: &Object, part: Option<Key>, depth: usize, notes: &mut Notes<'_>) {
        let pipeline = Members::of(&object.json, &object.name);
        let chain = Chain::of(&pipeline, notes);
        let flags = chain.get(FLAGS_2).and_then(|next| next.number("flags", notes));
        let flags = flags.or_else(|| pipeline.number("flags", notes));
        let parts = chain.get(LIBRARY_FLAGS).and_then(|next| next.word("flags", notes));
        match part {
            None => self.pipeline.state.flags = flags,
            Some(key) => self.pipeline.origin.libraries.push(Library {
                hash: Some(Hex(key.0)),
                name: None,
                parts: parts.map(part_names).unwrap_or_default(),
            }),
        }
        if self.pipeline.layout.from.is_none()
            && let Some(key) = pipeline.key("layout", notes)
        {
            self.pipeline.layout = layout(&mut self.objects, key, &object.name, notes);
        }
        let before = self.stages.len();
        self.stages(&pipeline, notes);
        match self.tag {
            Tag::Graphics => {
                let has_output = parts.is_some_and(|parts| parts & FRAGMENT_OUTPUT != 0);
                self.graphics(&pipeline, &chain, has_output, notes);
            }
            Tag::RayTracing => {
                // A library's groups name its own stages.
                let own = state::ray_tracing(&pipeline, before..self.stages.len(), notes);
                match &mut self.pipeline.state.ray_tracing {
                    Some(known) => known.groups.extend(own.groups),
                    none => *none = Some(own),
                }
                self.pipeline.state.dynamic.extend(state::dynamic(&pipeline, notes));
            }
            _ => {}
        }
        chain.keep_others(&object.name, notes);
        let own = part.map(|key| key.0).or(self.pipeline.origin.hash.map(|hash| hash.0));
        if let Some(base) = base_of(&object.json, &object.name, notes) {
            self.derived.push((own, object.name.clone(), base));
        }
        let mut libraries = chain.get(LIBRARIES).map(|next| next.keys("libraries", MAX_LIBRARIES, notes));
        if libraries.is_none() {
            let info = pipeline.object("libraryInfo", notes);
            libraries = info.map(|info| info.keys("libraries", MAX_LIBRARIES, notes));
        }
        for key in libraries.unwrap_or_default().into_iter().flatten() {
            self.library(key, &object.name, depth, notes);
        }
    }

    /// Follows derivatives to their bases, and those to their own: Fossilize does not replay a pipeline without its base.
    /// Each base is read once, after all that the pipeline is made of.
    fn bases(&mut self, notes: &mut Notes<'_>) {
        let mut read = BTreeSet::new();
        for (own, mut by, base) in std::mem::take(&mut self.derived) {
            let mut met: BTreeSet<u64> = own.into_iter().collect();
            let mut next = Some(base);
            while let Some(key) = next {
                if !met.insert(key.0) {
                    let message = format!("base pipeline {key} is derived from this one, or is itself");
                    notes.add_at(findings::FOZ_CYCLE, &by, message);
                    break;
                }
                if !read.insert(key.0) {
                    break;
                }
                if read.len() > MAX_BASES {
                    let message = format!("base pipeline {key} is not read: more than {MAX_BASES} bases");
                    return notes.add_at(findings::FOZ_SIZE_LIMIT, &by, message);
                }
                let Some(base) = self.objects.fetch(self.tag, key, &by, notes) else { break };
                next = base_of(&base.json, &base.name, &mut Notes::of(""));
                by = base.name;
            }
        }
    }

    fn library(&mut self, key: Key, by: &str, depth: usize, notes: &mut Notes<'_>) {
        if !self.seen.insert(key.0) {
            let message = format!("library {key} is referenced more than once; it is used once");
            return notes.add_at(findings::FOZ_CYCLE, by, message);
        }
        if depth >= MAX_DEPTH || self.seen.len() > MAX_READ {
            let message = format!("library {key} is not read: more than {MAX_DEPTH} levels or {MAX_READ} libraries");
            return notes.add_at(findings::FOZ_SIZE_LIMIT, by, message);
        }
        if let Some(object) = self.objects.fetch(self.tag, key, by, notes) {
            self.take(&object, Some(key), depth + 1, notes);
        }
    }

    fn stages(&mut self, pipeline: &Members<'_>, notes: &mut Notes<'_>) {
        let mut stages = pipeline.objects("stages", MAX_STAGES, notes);
        stages.extend(pipeline.object("stage", notes));
        for stage in stages {
            if self.stages.len() >= MAX_STAGES {
                let message = format!("more than {MAX_STAGES} stages in all libraries");
                return notes.add_at(findings::FOZ_SIZE_LIMIT, pipeline.name, message);
            }
            let bit = stage.word("stage", notes).unwrap_or(0);
            let Some(kind) = StageMask::of_vulkan(bit).iter().next().filter(|_| bit.is_power_of_two()) else {
                let message = format!("`stage` is {bit:#x}, expected one stage bit");
                notes.add_at(findings::FOZ_JSON_TYPE, pipeline.name, message);
                continue;
            };
            let name = stage.text("name", notes).map(clip);
            let key = stage.key("module", notes);
            let (constants, data) = constants(&stage, notes);
            let chain = Chain::of(&stage, notes);
            let size = chain.get(SUBGROUP_SIZE).and_then(|next| next.word("requiredSubgroupSize", notes));
            chain.keep_others(&format!("{}, {kind} stage", pipeline.name), notes);
            let flags = stage.word("flags", notes).unwrap_or(0);
            let module = self.module(key);
            self.stages.push(OpenedStage { module, constants: data });
            self.pipeline.stages.push(StageDescription {
                stage: kind,
                entry_assumed: name.is_none(),
                entry: name.unwrap_or_else(|| "main".to_owned()),
                module: None,
                shader: key.map_or_else(|| "no module".to_owned(), |key| format!("module {key}")),
                from: pipeline.name.to_owned(),
                subgroup_size: size,
                flags: stage_flags(flags),
                constants,
                settings: Vec::new(),
            });
        }
    }

    /// The index of a module, which is read where no stage before names it.
    fn module(&mut self, key: Option<Key>) -> usize {
        let known = key.map(|key| key.0);
        if let Some(index) = self.known.get(&known) {
            return *index;
        }
        let words = match key {
            Some(key) => self.words(key),
            None => Err("the stage has no module".to_owned()),
        };
        self.modules.push(words);
        self.known.insert(known, self.modules.len() - 1);
        self.modules.len() - 1
    }

    fn words(&mut self, key: Key) -> Result<Vec<u32>, String> {
        let place = self
            .database
            .find(Tag::Module, key.0)
            .ok_or_else(|| format!("foz.missing-ref: shader module {key} is not in the database"))?;
        self.objects.words(place).map_err(|fault| format!("{}: {fault}", fault.rule.code))
    }

    /// Takes the state of a pipeline or of a library, which has the part of the outputs or not.
    fn graphics(&mut self, pipeline: &Members<'_>, chain: &Chain<'_>, has_output: bool, notes: &mut Notes<'_>) {
        let own = state::graphics(pipeline, notes);
        let drawn = match pipeline.key("renderPass", notes) {
            Some(key) => {
                let subpass = pipeline.word("subpass", notes).unwrap_or(0);
                attachments(&mut self.objects, key, subpass, pipeline.name, notes)
            }
            None => state::rendering(pipeline, chain, notes),
        };
        let state = &mut self.pipeline.state;
        fn take<T>(mine: &mut Option<T>, theirs: Option<T>) {
            if mine.is_none() {
                *mine = theirs;
            }
        }
        take(&mut state.vertex_input, own.vertex_input);
        take(&mut state.topology, own.topology);
        take(&mut state.primitive_restart, own.primitive_restart);
        take(&mut state.patch_control_points, own.patch_control_points);
        take(&mut state.viewports, own.viewports);
        take(&mut state.raster, own.raster);
        take(&mut state.multisample, own.multisample);
        take(&mut state.depth_stencil, own.depth_stencil);
        // A library's part says of attachments only what it is about: of their formats the part of the outputs,
        // regardless of other parts; of blending the part that has that state.
        match (&mut state.attachments, drawn) {
            (Some(known), Some(drawn)) if has_output && !self.is_blend_known => {
                let others = std::mem::replace(known, drawn);
                known.add(others);
            }
            (Some(known), Some(drawn)) => known.add(drawn),
            (known @ None, drawn) => *known = drawn,
            (Some(_), None) => {}
        }
        if !self.is_blend_known {
            self.is_blend_known = state::blend(pipeline, &mut state.attachments, notes);
        }
        for dynamic in own.dynamic {
            if !state.dynamic.contains(&dynamic) {
                state.dynamic.push(dynamic);
            }
        }
    }
}

/// The pipeline that one is derived from.
pub(super) fn base_of(json: &Json, name: &str, notes: &mut Notes<'_>) -> Option<Key> {
    Members::of(json, name).key("basePipelineHandle", notes)
}

/// The part of a graphics pipeline library that draws: VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT.
const FRAGMENT_OUTPUT: u32 = 8;

/// The parts of a graphics pipeline library.
fn part_names(flags: u32) -> Vec<String> {
    let names = ["vertex_input", "pre_rasterization", "fragment_shader", "fragment_output"];
    (0..).zip(names).filter(|(bit, _)| flags >> bit & 1 == 1).map(|(_, name)| name.to_owned()).collect()
}

const STAGE_FLAGS: [(u32, &str); 2] = [(1, "varying subgroup size"), (2, "full subgroups")];

/// The number of a stage's flags.
pub fn stage_flags_of(names: &[String]) -> u32 {
    let number = |name: &String| match STAGE_FLAGS.iter().find(|(_, known)| known == name) {
        Some((bit, _)) => *bit,
        None => name.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0),
    };
    names.iter().map(number).fold(0, |all, bits| all | bits)
}

fn stage_flags(flags: u32) -> Vec<String> {
    let mut out: Vec<String> =
        STAGE_FLAGS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| (*name).to_owned()).collect();
    if flags & !3 != 0 {
        out.push(format!("{:#x}", flags & !3));
    }
    out
}

/// A stage's constants, and the bytes of each.
fn constants(stage: &Members<'_>, notes: &mut Notes<'_>) -> (Vec<Constant>, Vec<Vec<u8>>) {
    let Some(info) = stage.object("specializationInfo", notes) else { return (Vec::new(), Vec::new()) };
    let data = match info.text("data", notes).map(base64::decode) {
        Some(Ok(data)) => data,
        Some(Err(why)) => {
            notes.add_at(findings::FOZ_BASE64, stage.name, format!("`data` of the constants: {why}"));
            Vec::new()
        }
        None => Vec::new(),
    };
    let stated = info.number("dataSize", notes);
    if let Some(stated) = stated.filter(|stated| *stated != data.len() as u64) {
        let message = format!("`data` of the constants has {} bytes, but dataSize is {stated}", data.len());
        notes.add_at(findings::FOZ_BASE64, stage.name, message);
    }
    let mut rows = Vec::new();
    for entry in info.objects("mapEntries", MAX_CONSTANTS, notes) {
        let id = entry.word("constantID", notes).unwrap_or(0);
        let offset = entry.number("offset", notes).unwrap_or(0);
        let size = entry.number("size", notes).unwrap_or(0);
        let bytes = bytes_of(&data, id, offset, size).unwrap_or_else(|why| {
            notes.add_at(findings::FOZ_SPEC_RANGE, stage.name, why);
            Vec::new()
        });
        let shown = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        rows.push((Constant { id, offset, size, value: None, wrong_size: false, bytes: shown }, bytes));
    }
    rows.into_iter().unzip()
}
