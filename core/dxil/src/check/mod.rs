//! Findings about a container: its defects, and where its parts disagree.

mod groupshared;
mod pipeline;
mod root_signature;
mod runtime;
mod signatures;
#[cfg(test)]
mod tests;

use super::container::DigestState;
use super::file::{Dxil, Program};
use super::metadata::{EntryPoint, SignatureElement};
use super::names;
use crate::findings::{self, Finding, Place, Rule};
use crate::ops::{LAST_WITH_NODES, Version};

/// The most findings of one rule about one file: a broken file can break a rule a thousand times.
const MOST: usize = 32;

impl Dxil {
    /// The findings about this file: `path` is what their places start with, `input` the file that lines are of.
    pub fn findings(&self, path: &str, input: usize) -> Vec<Finding> {
        findings(self, path, input)
    }

    /// Whether the program's shader model is newer than the released ones of its op table, and known.
    pub fn is_preview(&self) -> bool {
        let header = self.program.as_ref().map(|program| &program.header);
        header.is_some_and(|header| self.tables().is_preview(Version { major: header.major, minor: header.minor }))
    }
}

fn findings(dxil: &Dxil, path: &str, input: usize) -> Vec<Finding> {
    let mut out: Vec<Finding> = Vec::new();
    for fault in &dxil.faults {
        add(&mut out, fault.finding());
    }
    if let Some(program) = &dxil.program {
        model(dxil, program, &mut out);
        graph(program, &mut out);
        metadata(program, &mut out);
        names_are_plain(program, &mut out);
        // Without a container there are no parts to compare with.
        let single = program.header.kind != 6 && !dxil.is_bare();
        if let Some(entry) = program.dx.entries.first().filter(|_| single) {
            signatures::check(dxil, entry, &mut out);
            pipeline::check(dxil, program, entry, &mut out);
        }
        groupshared::check(dxil, program, &mut out);
        runtime::check(dxil, program, &mut out);
    }
    root_signature::check(dxil, &mut out);
    out.extend(dxil.ops(input).findings);
    let unknown = names::of_bits(names::FEATURES, dxil.features.unwrap_or(0)).1;
    if unknown != 0 {
        let message = format!("feature bits {unknown:#x} are not known");
        out.push(findings::UNKNOWN_FEATURES.at(None, Some(Place::part("SFI0")), message));
    }
    for finding in &mut out {
        let place = finding.place.take();
        finding.place = Some(place.map_or_else(|| Place::file(path), |place| place.in_file(path)));
    }
    out
}

/// Adds a finding, unless there are enough of its kind.
fn add(out: &mut Vec<Finding>, finding: Finding) {
    if out.iter().filter(|other| other.code == finding.code).count() < MOST {
        out.push(finding);
    }
}

/// Adds a disagreement between two parts.
fn differs(
    out: &mut Vec<Finding>,
    rule: &Rule,
    place: &Place,
    what: &str,
    here: impl std::fmt::Display,
    there: impl std::fmt::Display,
) {
    add(out, rule.at(None, Some(place.clone()), format!("{what} is {here}, expected {there} as in the metadata")));
}

/// Whether an element has an index for each vertex or primitive, and one row.
///
/// Compilers write a mesh shader's output so where its semantic is at the parameter. The parts have one register: PSV0 in
/// an element with as many indices as rows, OSG1 and PSG1 in as many elements as there are indices, or rows. The runtime
/// takes such shaders.
fn is_indexed_by_vertex(entry: &EntryPoint, element: &SignatureElement) -> bool {
    entry.properties.mesh.is_some() && element.indices.len() > element.rows as usize
}

/// `0, 1, 2`; `none` for none.
fn numbers(all: &[u32]) -> String {
    let all: Vec<String> = all.iter().map(u32::to_string).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// `4`, or `none`.
fn number(number: Option<u32>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

fn model(dxil: &Dxil, program: &Program, out: &mut Vec<Finding>) {
    let header = &program.header;
    if let Some(model) = program.dx.model
        && (model.kind, model.major, model.minor) != (header.kind, header.major, header.minor)
    {
        let kind = |kind: u32| names::of(names::KIND, kind);
        let message = format!(
            "the program header has {} {}, the metadata {} {}",
            kind(header.kind),
            header.model(),
            kind(model.kind),
            names::model(model.major, model.minor)
        );
        out.push(findings::MODEL_DIFFERS.at(None, Some(Place::part(program.part.to_string())), message));
    }
    let preview = dxil.is_preview();
    let state = dxil.container.digest.state;
    let marked = state == DigestState::Preview;
    let validated = matches!(state, DigestState::Preview | DigestState::Valid | DigestState::Debug);
    if marked != preview && (validated || preview) {
        let message = format!(
            "shader model {} is {}, the digest is {state}",
            header.model(),
            if preview { "not released" } else { "released" },
        );
        out.push(findings::PREVIEW_DIFFERS.at(None, None, message));
    }
}

/// Work graphs end with shader model 6.9.
fn graph(program: &Program, out: &mut Vec<Finding>) {
    let header = &program.header;
    let model = Version { major: header.major, minor: header.minor };
    if model <= LAST_WITH_NODES || header.minor == 15 {
        return;
    }
    let nodes = program.dx.entries.iter().filter(|entry| entry.properties.node.is_some());
    let nodes: Vec<&str> = nodes.take(8).map(|entry| entry.name.as_str()).collect();
    if !nodes.is_empty() {
        let message = format!(
            "shader model {} has no work graphs, but the library has nodes: {}",
            header.model(),
            nodes.join(", ")
        );
        out.push(findings::GRAPH_AFTER_6_9.at(None, None, message));
    }
}

fn metadata(program: &Program, out: &mut Vec<Finding>) {
    for name in &program.dx.unknown {
        let message = format!("named metadata `{name}` is not allowed in a final program");
        add(out, findings::UNKNOWN_METADATA.at(None, Some(Place::part(program.part.to_string())), message));
    }
}

fn names_are_plain(program: &Program, out: &mut Vec<Finding>) {
    // Names that start with \01 are mangled by the compiler: that byte tells LLVM to leave them unchanged.
    let odd = |name: &str| name.trim_start_matches("\\01").contains('\\');
    for (_, name) in program.module.names.iter().filter(|(_, name)| odd(name)) {
        let message = format!("name {name} is shown with escapes");
        add(out, findings::ODD_NAME.at(None, Some(Place::part(program.part.to_string())), message));
    }
}
