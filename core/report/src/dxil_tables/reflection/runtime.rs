//! RDAT: library information for the runtime.

use lanescope_dxil::rdat::{Entry, Node, Rdat, Signature};

use super::nodes::nodes;
use super::{columns, numbers, range, size, text};
use crate::dxil_tables::Section;
use crate::dxil_tables::section::codes;
use lanescope_passes::table::Table;

pub fn runtime(rdat: &Rdat) -> Section {
    let mut out = Section::new("RDAT", "runtime data: library information for the runtime");
    out.add(function_table(rdat));
    let of_entries: Vec<(&str, &Entry)> = rdat
        .functions
        .iter()
        .filter_map(|function| Some((function.unmangled.as_str(), function.entry.as_ref()?)))
        .collect();
    entries(&mut out, &of_entries);
    let of_graph: Vec<&Node> = rdat.functions.iter().filter_map(|function| function.node.as_ref()).collect();
    nodes(&mut out, &of_graph);
    out.table(
        "Resources",
        ["Class", "Kind", "Number", "Name", "Space", "First", "Last", "Flags"],
        rdat.resources.iter().map(|resource| {
            [
                resource.class.to_string(),
                resource.kind.to_string(),
                resource.id.to_string(),
                resource.name.clone(),
                resource.space.to_string(),
                resource.lower.to_string(),
                resource.upper.map_or_else(|| "unbounded".to_owned(), |last| last.to_string()),
                resource.flags.join(", "),
            ]
        }),
    );
    out.table(
        "Subobjects",
        ["Name", "Kind", "Says"],
        rdat.subobjects.iter().map(|subobject| {
            let values = subobject.values.iter().filter(|(_, value)| !value.is_empty());
            let values: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
            [subobject.name.clone(), subobject.kind.to_string(), values.join(", ")]
        }),
    );
    out.table(
        "Parts and tables",
        ["Holds", "Type", "Offset", "Bytes", "Rows", "Row bytes"],
        rdat.parts.iter().map(|part| {
            [
                part.name.clone(),
                part.kind.to_string(),
                format!("{:#x}", part.offset),
                part.bytes.to_string(),
                text(part.rows),
                text(part.stride),
            ]
        }),
    );
    out
}

/// The functions that runtime data lists.
pub fn function_table(rdat: &Rdat) -> Table {
    codes(
        "Functions",
        [
            "Name",
            "Kind",
            "Model",
            "Payload",
            "Attributes",
            "Waves",
            "Features",
            "Stages",
            "Resources",
            "Calls",
            "In bitcode",
        ],
        rdat.functions.iter().map(|function| {
            [
                function.unmangled.clone(),
                function.kind.to_string(),
                function.minimum_model.clone(),
                function.payload_bytes.to_string(),
                function.attribute_bytes.to_string(),
                function.wave_lanes.map(|[least, most]| range(least, most)).unwrap_or_default(),
                function.features.join(", "),
                format!("{:#x}", function.stages),
                numbers(&function.resources),
                function.calls.join(", "),
                function.name.clone(),
            ]
        }),
    )
}

fn entries(out: &mut Section, entries: &[(&str, &Entry)]) {
    out.table(
        "Shader infos",
        ["Function", "Threads", "Groupshared", "Payload", "Says"],
        entries.iter().map(|(function, entry)| {
            let values: Vec<String> = entry.values.iter().map(|(name, value)| format!("{name} {value}")).collect();
            [
                (*function).to_owned(),
                entry.threads.map(size).unwrap_or_default(),
                text(entry.groupshared_bytes),
                text(entry.payload_bytes),
                values.join(", "),
            ]
        }),
    );
    let row = |function: &str, list: &str, element: &Signature| {
        [
            function.to_owned(),
            list.to_owned(),
            element.semantic.clone(),
            numbers(&element.indices),
            element.kind.to_string(),
            element.component_type.to_string(),
            element.interpolation.to_string(),
            element.start_row.map_or_else(|| "none".to_owned(), |row| row.to_string()),
            columns(element.start_column, element.columns),
            element.stream.to_string(),
        ]
    };
    out.table(
        "Signature elements",
        ["Function", "List", "Semantic", "Indices", "Kind", "Type", "Interpolation", "Row", "Columns", "Stream"],
        entries.iter().flat_map(|(function, entry)| {
            let lists = [("inputs", &entry.inputs), ("outputs", &entry.outputs), ("patch", &entry.patch)];
            lists.into_iter().flat_map(move |(list, all)| all.iter().map(move |element| row(function, list, element)))
        }),
    );
}
