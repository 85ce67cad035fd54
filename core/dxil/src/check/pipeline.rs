//! Compares PSV0 with the metadata.

use std::collections::BTreeSet;

use super::signatures::same_type;
use super::{add, differs, is_indexed_by_vertex, number, numbers};
use crate::file::{Dxil, Program};
use crate::findings::{self, Finding, Place};
use crate::metadata::{EntryPoint, SignatureElement};
use crate::names;
use crate::psv::{Element, LINALG, StageInfo};

/// The part with the data for pipeline state validation.
const PART: &str = "PSV0";

pub(super) fn check(dxil: &Dxil, program: &Program, entry: &EntryPoint, out: &mut Vec<Finding>) {
    let Some(psv) = &dxil.psv else { return };
    let rule = findings::PSV_DIFFERS;
    let kind = names::of(names::KIND, program.header.kind);
    if psv.stage != kind {
        differs(out, rule, &Place::part(PART), "the stage", &psv.stage, kind);
    }
    if let Some(name) = psv.entry.as_ref().filter(|name| **name != entry.name) {
        differs(out, rule, &Place::part(PART), "the entry point", name, &entry.name);
    }
    let properties = &entry.properties;
    if let (Some(here), Some(there)) = (psv.threads, properties.threads)
        && here != there
    {
        differs(out, rule, &Place::part(PART), "the group size", numbers(&here), numbers(&there));
    }
    if let Some(here) = psv.uses_view_id {
        let there = properties.flags >> 21 & 1 == 1;
        if here != there {
            differs(out, rule, &Place::part(PART), "use of the view id", here, there);
        }
    }
    let here = psv.wave_lanes;
    // A size that is required is its own range; a range's end of 0 is none.
    let there = properties.wave_size.map(|[least, most, _]| [least, if most == 0 { least } else { most }]);
    if psv.version > 0 && here != there {
        let text = |lanes: Option<[u32; 2]>| lanes.map_or("any".to_owned(), |[a, b]| format!("{a} to {b}"));
        differs(out, rule, &Place::part(PART), "the wave size", text(here), text(there));
    }
    if psv.unread_bytes == 0 && psv.flags.iter().flatten().any(|flag| flag == LINALG) {
        let message = "the flags say that data of linear algebra follows, but the part ends".to_owned();
        add(out, rule.at(None, Some(Place::part(PART)), message));
    }
    stage(&psv.info, entry, out);
    let lists = [
        ("input", &psv.inputs, &entry.signatures.input),
        ("output", &psv.outputs, &entry.signatures.output),
        ("patch", &psv.patch, &entry.signatures.patch),
    ];
    if psv.version > 0 {
        for (name, part, metadata) in lists {
            elements(name, part, (entry, metadata), out);
        }
    }
    resources(dxil, program, out);
}

fn stage(info: &StageInfo, entry: &EntryPoint, out: &mut Vec<Finding>) {
    let rule = findings::PSV_DIFFERS;
    let properties = &entry.properties;
    let mut same = |what: &str, here: &dyn std::fmt::Display, there: &dyn std::fmt::Display| {
        let (here, there) = (here.to_string(), there.to_string());
        if here != there {
            differs(out, rule, &Place::part(PART), what, here, there);
        }
    };
    match info {
        StageInfo::Geometry { input, output, streams, max_vertices, .. } => {
            if let Some(geometry) = &properties.geometry {
                same("the input primitive", input, &geometry.input);
                same("the topology", output, &geometry.topology);
                same("the stream mask", streams, &geometry.streams);
                same("the number of vertices", &max_vertices.unwrap_or(geometry.max_vertices), &geometry.max_vertices);
            }
        }
        StageInfo::Hull { input_points, output_points, domain, output } => {
            if let Some(hull) = &properties.hull {
                same("the number of input points", input_points, &hull.input_points);
                same("the number of output points", output_points, &hull.output_points);
                same("the domain", domain, &hull.domain);
                same("the output primitive", output, &hull.output);
            }
        }
        StageInfo::Domain { input_points, domain, .. } => {
            if let Some(of) = &properties.domain {
                same("the number of input points", input_points, &of.input_points);
                same("the domain", domain, &of.domain);
            }
        }
        StageInfo::Mesh { payload, max_vertices, max_primitives, topology, .. } => {
            if let Some(mesh) = &properties.mesh {
                same("the payload size", payload, &mesh.payload_bytes);
                same("the number of vertices", max_vertices, &mesh.max_vertices);
                same("the number of primitives", max_primitives, &mesh.max_primitives);
                same("the topology", topology.as_ref().unwrap_or(&mesh.topology), &mesh.topology);
            }
        }
        StageInfo::Amplification { payload } => {
            same("the payload size", payload, &properties.payload_bytes.unwrap_or(0));
        }
        StageInfo::Vertex { .. } | StageInfo::Pixel { .. } | StageInfo::None {} => {}
    }
}

fn elements(
    list: &str,
    part: &[Element],
    (entry, metadata): (&EntryPoint, &[SignatureElement]),
    out: &mut Vec<Finding>,
) {
    let rule = findings::PSV_DIFFERS;
    if part.len() != metadata.len() {
        let what = format!("the number of {list} elements");
        differs(out, rule, &Place::part(PART), &what, part.len(), metadata.len());
        return;
    }
    for (index, (here, there)) in part.iter().zip(metadata).enumerate() {
        let place = Place::Record { name: format!("{list} {index} ({})", there.semantic) }.in_part(PART);
        let mut same = |what: &str, here: String, there: String| {
            if here != there {
                differs(out, rule, &place, what, here, there);
            }
        };
        // System values go without their name.
        if here.kind == "none" {
            same("the semantic", here.semantic.to_ascii_lowercase(), there.semantic.to_ascii_lowercase());
        }
        same("the semantic kind", here.kind.to_string(), there.kind.to_string());
        let indices = match there.indices.get(..there.rows as usize) {
            Some(rows) if is_indexed_by_vertex(entry, there) => rows,
            _ => &there.indices,
        };
        same("the semantic indices", numbers(&here.indices), numbers(indices));
        same("the interpolation", here.interpolation.to_string(), there.interpolation.to_string());
        same("the number of columns", here.columns.to_string(), there.columns.to_string());
        same("the first row", number(here.start_row), number(there.register));
        if there.register.is_some() {
            same("the first column", here.start_column.to_string(), there.column.to_string());
        }
        same("the stream", here.stream.to_string(), there.stream.to_string());
        if !same_type(&here.component_type, &there.component_type) {
            same("the component type", here.component_type.to_string(), there.component_type.to_string());
        }
    }
}

fn resources(dxil: &Dxil, program: &Program, out: &mut Vec<Finding>) {
    let Some(psv) = &dxil.psv else { return };
    let rule = findings::PSV_DIFFERS;
    let all = &program.dx.resources.0;
    let known: BTreeSet<(&str, u32, u32, u32)> = all
        .iter()
        .map(|resource| (&*resource.class, resource.space, resource.lower, resource.upper_number()))
        .collect();
    for binding in &psv.resources {
        let class = binding.binding.split('_').next().unwrap_or_default();
        let key = (class, binding.space, binding.lower, binding.upper.unwrap_or(u32::MAX));
        if !known.contains(&key) {
            let upper = binding.upper.map_or("∞".to_owned(), |upper| upper.to_string());
            let message = format!(
                "{} {}..{upper} of space {} is in PSV0, but not in the metadata",
                binding.binding, binding.lower, binding.space
            );
            add(out, rule.at(None, Some(Place::part(PART)), message));
        }
    }
    if psv.resources.len() != all.len() {
        differs(out, rule, &Place::part(PART), "the number of resources", psv.resources.len(), all.len());
    }
}
