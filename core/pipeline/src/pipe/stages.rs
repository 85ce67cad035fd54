//! The shaders of a file, each with its settings.

use std::collections::BTreeMap;

use super::constants::constants;
use super::keys::{Entry, Keys};
use super::lines::{KeyLine, Section};
use super::nodes::{Mapping, merged};
use super::section::{Form, Kind};
use super::table::{FILE, INFO};
use super::{Shader, Source};
use crate::findings;
use crate::layout::{RootNode, StaticDescriptor, llpc_bit};
use crate::notes::Notes;
use crate::{Setting, StageDescription};
use lanescope_base::StageKind;

/// A stage's Info section, read.
struct Info {
    keys: Keys,
    nodes: Vec<RootNode>,
    static_descriptors: Vec<StaticDescriptor>,
}

/// The stages with their shaders, and the nodes and static descriptors that they have of their own.
pub struct Stages {
    pub stages: Vec<(StageDescription, Shader)>,
    pub nodes: Vec<RootNode>,
    pub static_descriptors: Vec<StaticDescriptor>,
}

/// Reads the stages. Shaders and settings are paired by stage; in ray tracing by their order.
pub fn stages(sections: &[Section], notes: &mut Notes<'_>) -> Stages {
    let mut infos: BTreeMap<usize, Info> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        if let Kind::Info(stage) = section.kind {
            let before = sections[..at].iter().rev().find(|before| before.kind == section.kind);
            if let Some(before) = before.filter(|_| is_once(stage)) {
                let message =
                    format!("[{}] is defined twice and replaces the one at line {}", section.name, before.line);
                notes.add(findings::PIPE_DUPLICATE_SECTION, section.line, message);
            }
            infos.insert(at, info(stage, &section.keys, notes));
        }
    }
    let mut stages: Vec<(StageDescription, Shader)> = Vec::new();
    let mut seen: BTreeMap<StageKind, u32> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        let (stage, form, source) = match section.kind {
            Kind::Source(stage, form) => (stage, form, Source::Text(section.text.clone())),
            Kind::File(stage, form) => match file_name(section, notes) {
                Some((name, line)) => (stage, form, Source::File { name, line }),
                None => continue,
            },
            _ => continue,
        };
        let once = is_once(stage);
        if let Some(first) = seen.get(&stage).filter(|_| once) {
            let message = format!("second {stage} shader; the one at line {first} is used");
            notes.add(findings::PIPE_DUPLICATE_SECTION, section.line, message);
            notes.keep(section.line, section.name.clone(), section.text.clone());
            continue;
        }
        seen.insert(stage, section.line);
        let of_stage = |section: &&Section| section.kind == Kind::Info(stage);
        let pair = if once {
            // The last one wins.
            sections.iter().rposition(|section| of_stage(&section))
        } else {
            let after = &sections[at + 1..];
            let next = after.iter().position(|s| matches!(s.kind, Kind::Source(..) | Kind::File(..)));
            let own = &after[..next.unwrap_or(after.len())];
            own.iter().position(|section| of_stage(&section)).map(|found| at + 1 + found)
        };
        if pair.is_none() {
            let message = format!("[{}] has no Info section; the entry point `main` is assumed", section.name);
            notes.add(findings::PIPE_INFO_UNPAIRED, section.line, message);
        }
        let info = pair.and_then(|at| infos.get(&at));
        stages.push(described(stage, form, source, section, info, notes));
    }
    let own = |(at, info): (&usize, &Info)| Some((sections.get(*at)?.name.clone(), info.nodes.clone()));
    let mapped: Vec<_> = infos.iter().filter_map(own).filter(|(_, nodes)| !nodes.is_empty()).collect();
    let static_descriptors = infos.into_values().flat_map(|info| info.static_descriptors).collect();
    Stages { stages, nodes: merged(mapped, notes), static_descriptors }
}

/// Whether a pipeline has one shader of a stage at most: only ray tracing has several.
fn is_once(stage: StageKind) -> bool {
    stage.is_graphics() || stage == StageKind::Compute
}

fn info(stage: StageKind, lines: &[KeyLine], notes: &mut Notes<'_>) -> Info {
    let mut mapping = Mapping::default();
    let others = mapping.take(lines, notes);
    let keys = Keys::of(&[INFO], others.into_iter(), notes);
    let (nodes, static_descriptors) = mapping.done(llpc_bit(stage), notes);
    Info { keys, nodes, static_descriptors }
}

/// The file that a section names, and in which line.
fn file_name(section: &Section, notes: &mut Notes<'_>) -> Option<(String, u32)> {
    let keys = Keys::of(&[FILE], section.keys.iter(), notes);
    let entry = keys.last("fileName");
    if entry.is_none() {
        let message = format!("[{}] has no fileName", section.name);
        notes.add(findings::PIPE_MISSING_FILE, section.line, message);
    }
    entry.map(|entry| (entry.text.clone(), entry.line))
}

fn described(
    stage: StageKind,
    form: Form,
    source: Source,
    section: &Section,
    info: Option<&Info>,
    notes: &mut Notes<'_>,
) -> (StageDescription, Shader) {
    let name = info.and_then(|info| info.keys.last("entryPoint")).map(|entry| entry.text.clone());
    let (constants, data) = info.map(|info| constants(&info.keys, notes).into_iter().unzip()).unwrap_or_default();
    let setting = |entry: &Entry| Setting::new(format!("line {}", entry.line), &entry.key, entry.shown());
    let is_option = |entry: &&Entry| entry.path != "entryPoint" && !entry.path.starts_with("specConst.");
    let settings = info.iter().flat_map(|info| info.keys.entries.iter().filter(is_option)).map(setting).collect();
    let subgroup = info.and_then(|info| info.keys.int("options.subgroupSize")).filter(|size| *size != 0);
    let text = match (&source, form) {
        (Source::File { name, .. }, _) => format!("file {name}"),
        (_, Form::Glsl) => "GLSL".to_owned(),
        (_, Form::Hlsl) => "HLSL".to_owned(),
        (_, Form::Spvasm | Form::Spv) => "SPIR-V text".to_owned(),
    };
    let description = StageDescription {
        stage,
        entry_assumed: name.is_none(),
        entry: name.unwrap_or_else(|| "main".to_owned()),
        module: None,
        shader: text,
        from: format!("line {}", section.line),
        subgroup_size: subgroup,
        flags: Vec::new(),
        constants,
        settings,
    };
    (description, Shader { line: section.line, form, source, constants: data })
}
