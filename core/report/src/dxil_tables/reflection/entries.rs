//! Entry points as the program's metadata has them.

use lanescope_base::text_format::counted;
use lanescope_dxil::metadata::{EntryPoint, SignatureElement};

use super::nodes::nodes;
use super::{columns, numbers, range, size, text};
use crate::dxil_tables::Section;

pub fn entry_points(entries: &[EntryPoint]) -> Section {
    let mut out = Section::new("Entry points", "from the program's metadata");
    out.table(
        "Entry points",
        ["Name", "Kind", "Threads", "Wave size", "Properties", "Flags", "Function"],
        entries.iter().map(|entry| {
            let of = &entry.properties;
            let waves = of.wave_size.map(|[least, most, preferred]| match (most, preferred) {
                (0, _) => least.to_string(),
                (most, 0) => range(least, most),
                _ if least == most => least.to_string(),
                _ => format!("{}, preferred {preferred}", range(least, most)),
            });
            [
                entry.name.clone(),
                entry.kind.to_string(),
                of.threads.map(size).unwrap_or_default(),
                waves.unwrap_or_default(),
                properties(entry).join(", "),
                of.flag_names.join(", "),
                entry.function.clone().unwrap_or_default(),
            ]
        }),
    );
    let row = |entry: &EntryPoint, list: &str, element: &SignatureElement| {
        [
            entry.name.clone(),
            list.to_owned(),
            element.id.to_string(),
            element.semantic.clone(),
            numbers(&element.indices),
            element.kind.to_string(),
            element.component_type.to_string(),
            element.interpolation.to_string(),
            element.register.map_or_else(|| "none".to_owned(), |register| register.to_string()),
            element.rows.to_string(),
            columns(element.column, element.columns),
            text(element.used.as_ref()),
            element.stream.to_string(),
        ]
    };
    out.table(
        "Signatures",
        [
            "Entry point",
            "List",
            "Number",
            "Semantic",
            "Indices",
            "Kind",
            "Type",
            "Interpolation",
            "Register",
            "Rows",
            "Columns",
            "Used",
            "Stream",
        ],
        entries.iter().flat_map(|entry| {
            let of = &entry.signatures;
            let lists = [("inputs", &of.input), ("outputs", &of.output), ("patch", &of.patch)];
            lists.into_iter().flat_map(move |(list, all)| all.iter().map(move |element| row(entry, list, element)))
        }),
    );
    nodes(&mut out, &entries.iter().filter_map(|entry| entry.properties.node.as_ref()).collect::<Vec<_>>());
    out
}

/// Facts of some kinds of entry points.
fn properties(entry: &EntryPoint) -> Vec<String> {
    let of = &entry.properties;
    let mut out = Vec::new();
    if let Some(gs) = &of.geometry {
        out.push(format!("{} to {}", gs.input, gs.topology));
        out.push(format!("up to {}", counted(gs.max_vertices, "vertex")));
        out.push(counted(gs.instances, "instance"));
        out.push(format!("streams {:#x}", gs.streams));
    }
    if let Some(hs) = &of.hull {
        out.push(format!("{} to {}", hs.domain, hs.output));
        out.push(format!("{} points to {}", hs.input_points, hs.output_points));
        out.push(format!("{} factors up to {}", hs.partitioning, hs.max_factor));
        out.push(format!("patch function {}", hs.patch_function));
    }
    if let Some(ds) = &of.domain {
        out.push(format!("{} of {}", ds.domain, counted(ds.input_points, "point")));
    }
    if let Some(ms) = &of.mesh {
        let vertices = counted(ms.max_vertices, "vertex");
        out.push(format!("up to {} of {vertices}", counted(ms.max_primitives, &ms.topology)));
        out.push(format!("payload {}", counted(ms.payload_bytes, "byte")));
    }
    let bytes = [
        ("payload", of.payload_bytes),
        ("attributes", of.attribute_bytes),
        ("max groupshared", of.groupshared_limit),
        ("root signature", of.root_signature_bytes),
    ];
    out.extend(bytes.iter().filter_map(|(what, bytes)| Some(format!("{what} {}", counted((*bytes)?, "byte")))));
    out.extend(of.binding_space.map(|space| format!("bindings in space {space}")));
    out
}
