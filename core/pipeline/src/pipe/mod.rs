//! LLPC's `.pipe` text: shaders, resource mapping and state of one pipeline, in sections.
//!
//! The reader never stops at the first defect: what can be kept is kept, and each defect is a finding with its line.
//! It reads what LLPC reads, reports where LLPC would read something else than what is written, and keeps what it does
//! not know. It opens no file: shaders in separate files are named, and the loader reads them.
//!
//! Facts are those of LLPC's interface 76.2.

mod constants;
mod keys;
mod lines;
mod nodes;
mod section;
mod stages;
mod state;
mod table;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use keys::Keys;
use lines::Section;
use nodes::Mapping;
pub use section::Form;
pub(crate) use section::{Kind, kind_of as section_kind};
use table::{FRAGMENT_OUTPUT, LIBRARY, VERSION, VERTEX_INPUT};

use super::layout::{NodeType, RootNode, StageMask};
use super::notes::Notes;
use super::{Fault, Pipeline, PipelineKind};
use crate::findings;
use lanescope_base::{Format, StageKind};

/// The interface version whose keys are known.
const NEWEST: u32 = 76;
/// The last version in whose files the old numbering of stages was seen.
const OLD_NUMBERING: u32 = 58;

/// A `.pipe` file, read.
#[derive(Debug)]
pub struct PipeFile {
    /// The description; stages have no module yet.
    pub pipeline: Pipeline,
    /// The shaders of its stages, in their order.
    pub shaders: Vec<Shader>,
    /// Other files of the same kind that it is linked from.
    pub libraries: Vec<LibraryFile>,
}

/// The shader of a stage.
#[derive(Debug)]
#[non_exhaustive]
pub struct Shader {
    /// The line of its section.
    pub line: u32,
    /// The language.
    pub form: Form,
    /// Its text, or where that is.
    pub source: Source,
    /// The bytes of its constants, in their order.
    pub constants: Vec<Vec<u8>>,
}

/// The location of a shader's text.
#[derive(Debug)]
pub enum Source {
    /// Here.
    Text(String),
    /// In another file.
    File {
        /// Its name, as written.
        name: String,
        /// The line that names it.
        line: u32,
    },
}

/// Another file that a pipeline is linked from.
#[derive(Debug)]
pub struct LibraryFile {
    /// Its part: `preRaster`, `fragment`, `colorExport`.
    pub part: String,
    /// Its name.
    pub name: String,
    /// The line that names it.
    pub line: u32,
}

/// Whether a text looks like one: a line that starts a known section.
pub fn looks_like(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"[")).any(|line| {
        let name = line.split(|byte| matches!(byte, b']' | b',')).next().unwrap_or_default();
        std::str::from_utf8(name).is_ok_and(|name| section::kind_of(name) != Kind::Unknown)
    })
}

/// Reads a file. `name` is what findings call it.
///
/// # Errors
/// A file that contains no section at all.
pub fn read(name: &str, bytes: &[u8]) -> Result<PipeFile, Fault> {
    let fault = |rule, place: &str, message: &str| Fault { rule, place: place.to_owned(), message: message.to_owned() };
    if let Some(at) = bytes.iter().take(1 << 16).position(|byte| *byte == 0) {
        let message = "found a zero byte, expected text";
        return Err(fault(findings::PIPE_NOT_TEXT, &format!("byte {at:#x}"), message));
    }
    let mut notes = Notes::of(name);
    let sections = lines::sections(bytes, &mut notes);
    if sections.is_empty() {
        let message = "no section found: expected `[VsGlsl]`, `[CsInfo]` or another section at the start of a line";
        return Err(fault(findings::PIPE_EMPTY, "line 1", message));
    }
    let stages::Stages { stages, nodes, static_descriptors } = stages::stages(&sections, &mut notes);
    let present: BTreeSet<StageKind> = stages.iter().map(|(stage, _)| stage.stage).collect();
    let kind = kind(&sections, &mut notes);
    let mut pipeline = Pipeline::new(Format::Pipe, kind);
    let mut libraries = Vec::new();
    let (descriptions, shaders): (Vec<_>, Vec<_>) = stages.into_iter().unzip();
    pipeline.stages = descriptions;
    let mut mapping = Mapping::default();
    let mut done: Vec<Kind> = Vec::new();
    for section in &sections {
        keep_text(section, &mut notes);
        let repeated = done.contains(&section.kind) && !section.kind.may_repeat();
        done.push(section.kind);
        if repeated {
            for line in &section.keys {
                notes.keep(line.line, lines::clip(&line.key), lines::clip(&line.value));
            }
            continue;
        }
        let of = |table, notes: &mut Notes<'_>| Keys::of(&[table], section.keys.iter(), notes);
        match section.kind {
            Kind::Version => pipeline.origin.version = of(VERSION, &mut notes).int("version"),
            Kind::ResourceMapping => {
                for line in mapping.take(&section.keys, &mut notes) {
                    keys::refuse(line, keys::Refusal::Unknown, &mut notes);
                }
                mapping.line.get_or_insert(section.line);
            }
            Kind::GraphicsState | Kind::ComputeState | Kind::RayTracingState => {
                state_section(section, &mut pipeline, &mut notes);
            }
            Kind::VertexInput => {
                let keys = of(VERTEX_INPUT, &mut notes);
                pipeline.state.vertex_input = Some(state::vertex_input(&keys, section.line, &mut notes));
            }
            Kind::GraphicsLibrary => {
                for entry in of(LIBRARY, &mut notes).entries {
                    libraries.push(LibraryFile { part: entry.path, name: entry.text, line: entry.line });
                }
            }
            Kind::FragmentOutput => {
                for entry in of(FRAGMENT_OUTPUT, &mut notes).entries {
                    notes.keep(entry.line, "FsOutput.data", entry.text);
                }
            }
            _ => {}
        }
    }
    let stated = mapping.line;
    let whole = mapping.done(0, &mut notes);
    let given = if stated.is_some() { whole } else { (nodes, static_descriptors) };
    (pipeline.layout.nodes, pipeline.layout.static_descriptors) = given;
    pipeline.layout.from = stated
        .map(|line| format!("line {line}"))
        .or_else(|| pipeline.layout.nodes.first().map(|root| format!("{} (by stage)", root.node.from)));
    version(&pipeline, &sections, &mut notes);
    visibility(&pipeline, &present, &mut notes);
    (pipeline.findings, pipeline.kept) = notes.done();
    Ok(PipeFile { pipeline, shaders, libraries })
}

/// Keeps what is text and no shader.
fn keep_text(section: &Section, notes: &mut Notes<'_>) {
    if matches!(section.kind, Kind::Text | Kind::Dead | Kind::Unknown) {
        notes.keep(section.line, format!("[{}]", section.name), section.text.trim_end());
    }
}

fn state_section(section: &Section, pipeline: &mut Pipeline, notes: &mut Notes<'_>) {
    let keys = Keys::of(&table::state(section.kind), section.keys.iter(), notes);
    let kind = match section.kind {
        Kind::GraphicsState => PipelineKind::Graphics,
        Kind::ComputeState => PipelineKind::Compute,
        _ => PipelineKind::RayTracing,
    };
    match kind {
        PipelineKind::Graphics => state::graphics(&keys, section.line, &mut pipeline.state),
        PipelineKind::RayTracing => {
            let ray_tracing = state::ray_tracing(&keys, section.line, pipeline.stages.len(), notes);
            pipeline.state.ray_tracing = Some(ray_tracing);
        }
        _ => {}
    }
    pipeline.settings.extend(state::settings(kind, &keys));
}

fn kind_of_stage(stage: StageKind) -> PipelineKind {
    match stage {
        StageKind::Compute => PipelineKind::Compute,
        stage if stage.is_graphics() => PipelineKind::Graphics,
        _ => PipelineKind::RayTracing,
    }
}

/// The kind that the file describes; a stage or a section that does not belong to it is a finding.
fn kind(sections: &[Section], notes: &mut Notes<'_>) -> PipelineKind {
    if sections.iter().any(|section| section.kind == Kind::GraphicsLibrary) {
        return PipelineKind::Library;
    }
    let of_section = |section: &Section| match section.kind {
        Kind::GraphicsState => Some(PipelineKind::Graphics),
        Kind::ComputeState => Some(PipelineKind::Compute),
        Kind::RayTracingState => Some(PipelineKind::RayTracing),
        _ => None,
    };
    let stated = sections.iter().find_map(|section| Some((of_section(section)?, section)));
    let of_stage = |section: &Section| match section.kind {
        Kind::Source(stage, _) | Kind::File(stage, _) | Kind::Info(stage) => Some(stage),
        _ => None,
    };
    let mut stages = sections.iter().filter_map(of_stage);
    let guessed = if stages.clone().any(|stage| stage == StageKind::Compute) {
        PipelineKind::Compute
    } else {
        stages.next().map_or(PipelineKind::Graphics, kind_of_stage)
    };
    let kind = stated.as_ref().map_or(guessed, |(kind, _)| *kind);
    for section in sections {
        let belongs = of_stage(section).map(kind_of_stage).or_else(|| of_section(section));
        if belongs.is_some_and(|other| other != kind) {
            let message = format!("[{}] in the description of a {kind} pipeline; LLPC refuses the file", section.name);
            notes.add(findings::PIPE_STAGE_CONFLICT, section.line, message);
        }
    }
    if kind == PipelineKind::RayTracing
        && stated.is_none()
        && let Some(section) = sections.first()
    {
        let message =
            "ray tracing shaders without [RayTracingPipelineState], which LLPC needs to detect the pipeline kind";
        notes.add(findings::PIPE_STAGE_CONFLICT, section.line, message);
    }
    kind
}

fn version(pipeline: &Pipeline, sections: &[Section], notes: &mut Notes<'_>) {
    let line = sections.iter().find(|section| section.kind == Kind::Version).map_or(1, |section| section.line);
    if let Some(version) = pipeline.origin.version.filter(|version| *version > NEWEST) {
        let message = format!("version {version} is newer than {NEWEST}, the newest supported one");
        notes.add(findings::PIPE_VERSION_NEW, line, message);
    }
}

/// The stages of a mask in the numbering before task and mesh shaders.
fn old_numbering(mask: u32) -> StageMask {
    let old = [
        StageKind::Vertex,
        StageKind::TessControl,
        StageKind::TessEval,
        StageKind::Geometry,
        StageKind::Fragment,
        StageKind::Compute,
    ];
    (0..).zip(old).filter(|(n, _)| mask >> n & 1 == 1).map(|(_, stage)| stage).collect()
}

/// Masks that name no stage of the file: perhaps they were written in the old numbering.
fn visibility(pipeline: &Pipeline, present: &BTreeSet<StageKind>, notes: &mut Notes<'_>) {
    if present.is_empty() {
        return;
    }
    let asked = |root: &&RootNode| root.node.ty != Some(NodeType::StreamOutPointer);
    let roots: Vec<&RootNode> = pipeline.layout.nodes.iter().filter(asked).collect();
    let names_none = |root: &&&RootNode| !root.stages.iter().any(|stage| present.contains(&stage));
    let only_present = |root: &&RootNode| {
        let stages = old_numbering(root.visibility);
        !stages.is_empty() && stages.iter().all(|stage| present.contains(&stage)) && root.visibility < 64
    };
    let old_version = pipeline.origin.version.is_none_or(|version| version < OLD_NUMBERING);
    let Some(first) = roots.iter().find(names_none) else { return };
    if old_version && roots.iter().all(only_present) {
        let message = format!(
            "visibility {} contains no stage of this pipeline; in the numbering before task and mesh shaders it is {}",
            first.visibility,
            old_numbering(first.visibility)
        );
        return notes.add_at(findings::PIPE_VISIBILITY_OLD, &first.node.from, message);
    }
    for root in roots.iter().filter(names_none) {
        let message = format!("visibility {} contains no stage of this pipeline", root.visibility);
        notes.add_at(findings::PIPE_VISIBILITY_EMPTY, &root.node.from, message);
    }
}
