//! PSV0 and RTS0: validation data for the runtime, and the root signature.

use lanescope_base::text_format::counted;
use lanescope_dxil::RootSignature;
use lanescope_dxil::psv::{Element, Psv, StageInfo};
use lanescope_passes::table::Table;

use super::{columns, numbers, range, size, text, yes};
use crate::dxil_tables::Section;

pub fn pipeline(psv: &Psv) -> Section {
    let mut out = Section::new("PSV0", "pipeline state validation: checked by the runtime at pipeline creation");
    out.fact("version", format!("{} ({})", psv.version, counted(psv.info_bytes, "byte")));
    out.fact("stage", &psv.stage);
    out.fact("entry point", psv.entry.as_deref().unwrap_or_default());
    for (what, value) in stage_info(&psv.info) {
        out.fact(what, value);
    }
    out.fact("threads", psv.threads.map(size).unwrap_or_default());
    out.fact("wave size", psv.wave_lanes.map(|[least, most]| range(least, most)).unwrap_or_default());
    out.fact("reads the view index", text(psv.uses_view_id.map(|uses| if uses { "yes" } else { "no" })));
    out.fact("groupshared bytes", text(psv.groupshared_bytes));
    out.fact("flags", psv.flags.as_deref().unwrap_or_default().join(", "));
    if psv.unread_bytes > 0 {
        out.fact("not read", counted(psv.unread_bytes, "byte"));
    }
    out.table(
        "Bindings",
        ["Type", "Kind", "Space", "First", "Last", "64-bit atomics"],
        psv.resources.iter().map(|binding| {
            [
                binding.binding.to_string(),
                text(binding.kind.as_ref()),
                binding.space.to_string(),
                binding.lower.to_string(),
                binding.upper.map_or_else(|| "unbounded".to_owned(), |last| last.to_string()),
                yes(binding.atomic64),
            ]
        }),
    );
    let patch = if psv.stage == "mesh" { "Primitive outputs" } else { "Patch constants" };
    for (title, list) in [("Inputs", &psv.inputs), ("Outputs", &psv.outputs), (patch, &psv.patch)] {
        elements(&mut out, title, list);
    }
    out.table(
        "Dependencies",
        ["From", "To", "Components"],
        psv.dependencies.iter().map(|row| [row.from.clone(), row.to.clone(), row.components.clone()]),
    );
    out
}

fn elements(out: &mut Section, title: &str, elements: &[Element]) {
    out.table(
        title,
        ["Semantic", "Indices", "Kind", "Type", "Interpolation", "Row", "Columns", "Dynamic", "Stream"],
        elements.iter().map(|element| {
            [
                element.semantic.clone(),
                numbers(&element.indices),
                element.kind.to_string(),
                element.component_type.to_string(),
                element.interpolation.to_string(),
                element.start_row.map_or_else(|| "none".to_owned(), |row| row.to_string()),
                columns(element.start_column, element.columns),
                element.dynamic.to_string(),
                element.stream.to_string(),
            ]
        }),
    );
}

fn stage_info(info: &StageInfo) -> Vec<(&'static str, String)> {
    let yes_or_no = |is: &bool| (if *is { "yes" } else { "no" }).to_owned();
    match info {
        StageInfo::Vertex { writes_position } => vec![("writes position", yes_or_no(writes_position))],
        StageInfo::Hull { input_points, output_points, domain, output } => vec![
            ("control points in", input_points.to_string()),
            ("control points out", output_points.to_string()),
            ("domain", domain.to_string()),
            ("output", output.to_string()),
        ],
        StageInfo::Domain { input_points, writes_position, domain } => vec![
            ("control points in", input_points.to_string()),
            ("domain", domain.to_string()),
            ("writes position", yes_or_no(writes_position)),
        ],
        StageInfo::Geometry { input, output, streams, writes_position, max_vertices } => vec![
            ("input", input.to_string()),
            ("output", output.to_string()),
            ("streams", format!("{streams:#x}")),
            ("writes position", yes_or_no(writes_position)),
            ("max vertices", text(*max_vertices)),
        ],
        StageInfo::Pixel { writes_depth, per_sample } => {
            vec![("writes depth", yes_or_no(writes_depth)), ("runs per sample", yes_or_no(per_sample))]
        }
        StageInfo::Mesh { groupshared, groupshared_by_view, payload, max_vertices, max_primitives, topology } => vec![
            ("groupshared bytes used", groupshared.to_string()),
            ("of these per view", groupshared_by_view.to_string()),
            ("payload bytes", payload.to_string()),
            ("max vertices", max_vertices.to_string()),
            ("max primitives", max_primitives.to_string()),
            ("topology", text(topology.as_ref())),
        ],
        StageInfo::Amplification { payload } => vec![("payload bytes", payload.to_string())],
        StageInfo::None {} => Vec::new(),
    }
}

pub fn root_signature(root: &RootSignature, places: Table) -> Section {
    let mut out = Section::new("RTS0", "root signature: how a command list binds resources");
    out.fact("version", &root.version);
    out.fact("flags", format!("{:#x}", root.flags));
    if let Some(dwords) = root.dwords() {
        out.fact("root arguments", format!("{dwords} of 64 dwords"));
    }
    let flags = |flags: Option<u32>| flags.map(|flags| format!("{flags:#x}")).unwrap_or_default();
    out.table(
        "Parameters",
        ["Number", "Dword", "Dwords", "Kind", "Visibility", "Register", "Space", "Constants", "Ranges", "Flags"],
        root.parameters.iter().enumerate().map(|(number, of)| {
            [
                number.to_string(),
                of.dword.to_string(),
                text(of.dwords),
                of.kind.to_string(),
                of.visibility.to_string(),
                text(of.register),
                text(of.space),
                text(of.constants),
                if of.ranges.is_empty() { String::new() } else { of.ranges.len().to_string() },
                flags(of.flags),
            ]
        }),
    );
    out.table(
        "Descriptor ranges",
        ["Parameter", "Class", "Count", "Register", "Space", "Offset", "Flags"],
        root.parameters.iter().enumerate().flat_map(|(number, of)| {
            of.ranges.iter().map(move |range| {
                [
                    number.to_string(),
                    range.class.to_string(),
                    range.count.map_or_else(|| "unbounded".to_owned(), |count| count.to_string()),
                    range.register.to_string(),
                    range.space.to_string(),
                    range.begin.map_or_else(|| "append".to_owned(), |begin| begin.to_string()),
                    flags(range.flags),
                ]
            })
        }),
    );
    out.table(
        "Static samplers",
        [
            "Register",
            "Space",
            "Visibility",
            "Filter",
            "Address",
            "LOD bias",
            "Anisotropy",
            "Comparison",
            "Border",
            "Levels",
        ],
        root.samplers.iter().map(|sampler| {
            [
                format!("s{}", sampler.register),
                sampler.space.to_string(),
                sampler.visibility.to_string(),
                format!("{:#x}", sampler.filter),
                sampler.address.join(", "),
                sampler.lod_bias.to_string(),
                sampler.max_anisotropy.to_string(),
                sampler.comparison.to_string(),
                sampler.border.to_string(),
                format!("{} to {}", sampler.lod[0], sampler.lod[1]),
            ]
        }),
    );
    out.add(places);
    out
}
