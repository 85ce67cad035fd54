//! Reflection of a container, part by part, as facts and tables.

mod entries;
mod nodes;
mod pipeline;
mod runtime;

use std::collections::BTreeMap;

use lanescope_base::text_format::counted;
use lanescope_dxil::partial_program::PartialProgram;
use lanescope_dxil::{Name, Summary};

use super::Section;
use super::direct3d::{partial_program_table, root_place_table};
use super::section::codes;
use lanescope_passes::table::Table;

pub use runtime::function_table;

const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// Every part that says something.
pub fn sections(summary: &Summary) -> Vec<Section> {
    let mut out = Vec::new();
    out.extend(summary.psv.as_ref().map(pipeline::pipeline));
    out.extend(summary.rdat.as_ref().map(runtime::runtime));
    let places = |root| pipeline::root_signature(root, root_place_table(summary, None));
    out.extend(summary.root_signature.as_ref().map(places));
    out.extend(PartialProgram::of(summary).map(|known| {
        let mut section = Section::new("Partial program", "what a driver knows when it compiles this shader as a part");
        section.add(partial_program_table(&known));
        section
    }));
    out.push(entries::entry_points(&summary.entry_points));
    out.push(structures(summary));
    out.push(origin(summary));
    out.retain(|section| !section.is_empty());
    out
}

/// The resources, and what the program needs.
pub fn resources(summary: &Summary) -> Section {
    let mut out = Section::new("Resources", "bound resources and required device features");
    let list = |names: &[Name]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    out.fact("features", list(&summary.features));
    out.fact("shader flags", list(&summary.flags));
    out.add(resource_table(summary));
    out
}

/// The resources, each with the descriptor that it was bound to.
pub fn resource_table(summary: &Summary) -> Table {
    // Of several bindings of one register the first one counts.
    let rows = summary.bindings.iter().rev().filter(|row| !row.counter);
    let descriptors: BTreeMap<(&str, u32, u32), String> =
        rows.map(|row| ((row.class.as_str(), row.space, row.lower), row.place())).collect();
    codes(
        "Resources",
        ["Register", "Space", "Class", "Kind", "Name", "Count", "Descriptor", "Details"],
        summary.resources.iter().map(|resource| {
            let mut details = Vec::new();
            details.extend(resource.element_type.as_ref().map(|of| format!("of {of}")));
            details.extend(resource.stride.map(|stride| format!("stride {stride}")));
            details.extend(resource.bytes.map(|bytes| counted(bytes, "byte")));
            details.extend(resource.samples.map(|samples| counted(samples, "sample")));
            details.extend(resource.sampler.as_ref().map(Name::to_string));
            details.extend(resource.flags.iter().map(Name::to_string));
            let descriptor = descriptors.get(&(&*resource.class, resource.space, resource.lower));
            [
                resource.register.clone(),
                resource.space.to_string(),
                resource.class.to_string(),
                resource.kind.to_string(),
                resource.name.clone(),
                resource.count.map_or_else(|| "unbounded".to_owned(), |count| count.to_string()),
                descriptor.cloned().unwrap_or_default(),
                details.join(", "),
            ]
        }),
    )
}

fn structures(summary: &Summary) -> Section {
    let mut out = Section::new("Structures", "structures as declared in the source");
    out.table(
        "Structures",
        ["Structure", "Bytes", "Members"],
        summary.types.iter().map(|ty| [ty.name.clone(), ty.bytes.to_string(), ty.fields.len().to_string()]),
    );
    out.table(
        "Members",
        ["Structure", "Member", "Offset", "Type", "Components", "Matrix", "Semantic"],
        summary.types.iter().flat_map(|ty| {
            ty.fields.iter().map(move |field| {
                let matrix = field.matrix.as_ref();
                let matrix = matrix.map(|(rows, columns, order)| format!("{rows}×{columns} {order}"));
                [
                    ty.name.clone(),
                    field.name.clone(),
                    text(field.offset),
                    text(field.component_type.as_ref()),
                    text(field.components),
                    matrix.unwrap_or_default(),
                    field.semantic.clone().unwrap_or_default(),
                ]
            })
        }),
    );
    out
}

/// Where the program comes from: compiler, hash, PDB, sources.
fn origin(summary: &Summary) -> Section {
    let mut out = Section::new("Origin", "the compiler, the PDB, the sources");
    out.fact("compiler", summary.compiler.as_deref().unwrap_or_default());
    if let Some(own) = &summary.compiler_version {
        out.fact("compiler version", format!("{} {} {}", own.version, own.commit, own.custom).trim());
        out.fact("its flags", format!("{:#x}, {} since the release", own.flags, counted(own.commits, "commit")));
    }
    if let Some(hash) = &summary.shader_hash {
        let matches = match hash.matches {
            Some(true) => "hash matches",
            Some(false) => "hash does not match",
            None => "its bitcode is not in the file",
        };
        let sources = if hash.includes_source { ", sources included" } else { "" };
        out.fact("shader hash", format!("{} ({matches}{sources})", hash.md5));
    }
    out.fact("PDB", summary.debug_name.as_deref().unwrap_or_default());
    if let Some(module) = &summary.debug_module {
        let counts = [
            counted(module.bytes, "byte"),
            counted(module.instructions, "instruction"),
            format!("{} with their line", module.located),
        ];
        out.fact("debug bitcode", counts.join(", "));
    }
    if let Some(pdb) = &summary.pdb {
        out.fact("PDB file", counted(pdb.bytes, "byte"));
        out.fact("PDB identity", &pdb.hash);
    }
    if let Some(info) = &summary.debug_info {
        let packed = if info.compressed { ", compressed" } else { "" };
        out.fact("PDB contents", counted(info.bytes, "byte") + packed);
        out.fact("PDB name", &info.name);
        out.fact("PDB hash", &info.hash);
        if info.container_bytes > 0 {
            out.fact("container inside", counted(info.container_bytes, "byte"));
        }
        if let Some((number, bytes)) = info.toolchain {
            out.fact("toolchain", format!("{number}, {}", counted(bytes, "byte")));
        }
        let rows = info.libraries.iter().map(|(name, bytes)| [name.clone(), bytes.to_string()]);
        out.table("Libraries that were linked", ["Name", "Bytes"], rows);
    }
    if let Some(sources) = &summary.sources {
        let arguments: Vec<String> =
            sources.arguments.iter().map(|(name, value)| format!("{name} {value}").trim().to_owned()).collect();
        out.fact("main source", sources.main.as_deref().unwrap_or_default());
        out.fact("arguments", arguments.join(" "));
        out.fact("defines", sources.defines.join(" "));
        let rows = sources.files.iter().map(|file| [file.name.clone(), file.bytes.to_string()]);
        out.table("Sources", ["Name", "Bytes"], rows);
    }
    out
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn yes(is: bool) -> String {
    if is { "yes".to_owned() } else { String::new() }
}

fn numbers(all: &[u32]) -> String {
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// `8×8×1`.
fn size([x, y, z]: [u32; 3]) -> String {
    format!("{x}×{y}×{z}")
}

/// `4 to 64`; one number where both are the same.
fn range(least: impl ToString + PartialEq, most: impl ToString + PartialEq) -> String {
    let (least, most) = (least.to_string(), most.to_string());
    if least == most { least } else { format!("{least} to {most}") }
}

/// `yz` for two columns from the second one on.
fn columns(first: u32, count: u32) -> String {
    LETTERS.iter().skip(first as usize).take(count as usize).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use lanescope_dxil::Dxil;

    use super::*;
    use lanescope_passes::table::Cell;

    fn all(name: &str, bytes: &[u8]) -> String {
        let summary = Dxil::read(bytes.to_vec()).expect("a bundled sample is a container").summary(0);
        let mut out = format!("{name}\n");
        for section in sections(&summary).iter().chain([&resources(&summary)]) {
            let _ = writeln!(out, "\n== {}: {}", section.name, section.about);
            for (what, value) in section.facts.iter().filter(|(_, value)| !value.is_empty()) {
                let _ = writeln!(out, "{what}: {value}");
            }
            for table in &section.tables {
                let titles: Vec<&str> = table.columns.iter().map(|column| column.title.as_str()).collect();
                let _ = writeln!(out, "-- {}\n{}", table.title, titles.join(" | "));
                for row in &table.rows {
                    assert_eq!(row.cells.len(), table.columns.len());
                    let texts: Vec<_> = row.cells.iter().map(Cell::text).collect();
                    let _ = writeln!(out, "{}", texts.join(" | "));
                }
            }
        }
        out
    }

    #[test]
    fn shows_parts_as_tables() {
        let samples: [(&str, &[u8]); 4] = [
            ("tessellated_patch.hs", include_bytes!("../../../../../samples/dxil/tessellated_patch.hs.dxil")),
            ("brick_wall.ms", include_bytes!("../../../../../samples/dxil/brick_wall.ms.dxil")),
            ("02_quadtree_recursion", include_bytes!("../../../../../samples/work_graphs/02_quadtree_recursion.dxil")),
            ("preview_hits.lib", include_bytes!("../../../../../samples/dxil/preview_hits.lib.dxil")),
        ];
        for (name, bytes) in samples {
            insta::assert_snapshot!(name.replace('.', "_"), all(name, bytes));
        }
    }
}
