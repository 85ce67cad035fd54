//! DXIL containers as text: parts, entry points, signatures, resources, what the runtime checks.

use std::io;

use lanescope_core::dxil::container::DigestState;
use lanescope_core::dxil::metadata::EntryPoint;
use lanescope_core::dxil::psv::Psv;
use lanescope_core::dxil::rdat::{Entry, Node, NodeIo};
use lanescope_core::dxil::signature::Element;
use lanescope_core::dxil::{RootSignature, Summary};
use lanescope_core::dxil_tables::{function_table, part_table, resource_table, root_place_table, signature_table};
use lanescope_core::report::Report;
use lanescope_core::text_format::counted;

use super::page::{Line, Page};

/// Columns of the resources that fit a terminal.
const RESOURCES: [&str; 7] = ["Register", "Space", "Count", "Kind", "Name", "Details", "Descriptor"];
/// Columns of the functions that fit a terminal.
const FUNCTIONS: [&str; 6] = ["Name", "Kind", "Model", "Payload", "Attributes", "Features"];

/// `8×8×1 threads`, `1 thread`.
fn threads(size: [u32; 3]) -> String {
    match size {
        [1, 1, 1] => "1 thread".to_owned(),
        [x, y, z] => format!("{x}×{y}×{z} threads"),
    }
}

/// Remarks on op tables that are shown.
const REMARKS: usize = 6;

/// Where the labels of a section end.
const LABEL: usize = 15;

/// Writes a section for every container.
pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    for dxil in report.dxil.iter().flat_map(Summary::all) {
        let path = report.inputs.get(dxil.input).map_or("", |input| &input.path);
        container(page, dxil, path)?;
    }
    Ok(())
}

fn label(page: &Page<'_>, text: &str) -> Line {
    Line::from(" ").styled(page.style.dim, text).to(LABEL)
}

/// Writes a name and its text, unless there is no text.
fn fact(page: &mut Page<'_>, name: &str, text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { page.prose(label(page, name), text) }
}

fn container(page: &mut Page<'_>, dxil: &Summary, path: &str) -> io::Result<()> {
    let what = match (&dxil.kind, &dxil.shader_model) {
        (Some(kind), Some(model)) => format!("{kind}, shader model {model}"),
        _ => "no readable program".to_owned(),
    };
    page.heading("DXIL", &format!("{path}: {what}"))?;
    if dxil.bare_bitcode {
        let text = "none: LLVM bitcode without a container has no parts, signatures, PSV0 or digest";
        fact(page, "container", text)?;
    }
    let digest = &dxil.container.digest;
    let meaning = match digest {
        DigestState::Valid => "signed, contents unchanged",
        DigestState::Debug => "signed with the debug variant, contents unchanged",
        DigestState::Preview => "validated for a preview shader model",
        DigestState::Bypass => "bypass: the runtime skips the check",
        DigestState::Missing => "not validated",
        DigestState::Wrong => "does not match the contents",
        DigestState::Absent => "",
    };
    if *digest != DigestState::Absent {
        fact(page, "digest", &format!("{digest} ({meaning}), {}", dxil.container.hash))?;
        fact(page, "runtime", &dxil.container.runtime)?;
    }
    let versions = [("DXIL", &dxil.dxil_version), ("validator", &dxil.validator_version)];
    let versions = versions.iter().filter_map(|(name, version)| Some(format!("{name} {}", version.as_ref()?)));
    fact(page, "versions", &versions.collect::<Vec<_>>().join(", "))?;
    let own = dxil.compiler_version.as_ref().map(|own| format!("{} {} {}", own.version, own.commit, own.custom));
    let compilers: Vec<String> = dxil.compiler.iter().cloned().chain(own).collect();
    fact(page, "compiler", &compilers.join("; "))?;
    let hash = dxil.shader_hash.as_ref();
    let matches = |matches| if matches == Some(false) { " (hash does not match the bitcode)" } else { "" };
    let hash = hash.map(|hash| format!("{}{}", hash.md5, matches(hash.matches)));
    fact(page, "shader hash", &hash.unwrap_or_default())?;
    fact(page, "PDB", dxil.debug_name.as_deref().unwrap_or_default())?;
    fact(page, "features", &dxil.features.join(", "))?;
    fact(page, "flags", &dxil.flags.join(", "))?;
    if let Some(module) = &dxil.module {
        let text = format!(
            "{}: {} with {}, {}, {}, {}",
            counted(module.bytes, "byte"),
            counted(module.functions, "function"),
            counted(module.instructions, "instruction"),
            counted(module.declarations, "declaration"),
            counted(module.types, "type"),
            counted(module.metadata, "metadata node")
        );
        fact(page, "bitcode", &text)?;
    }
    if let Some(table) = &dxil.op_table {
        let text = format!(
            "{}: {} stable and {} experimental slots, models up to {}, released up to {}",
            table.file, table.stable, table.experimental, table.highest_shader_model, table.released_shader_model
        );
        fact(page, "op table", &text)?;
        for remark in table.remarks.iter().take(REMARKS) {
            fact(page, "", remark)?;
        }
        if let Some(more) = table.remarks.len().checked_sub(REMARKS).filter(|more| *more > 0) {
            fact(page, "", &format!("and {} (`lanescope opcodes diff` lists them)", counted(more, "more note")))?;
        }
    }
    sources(page, dxil)?;
    parts(page, dxil)?;
    entries(page, dxil)?;
    for (name, elements) in [
        ("input signature", &dxil.signatures.input),
        ("output signature", &dxil.signatures.output),
        ("patch constant or primitive signature", &dxil.signatures.patch),
    ] {
        signature(page, name, elements)?;
    }
    resources(page, dxil)?;
    if let Some(psv) = &dxil.psv {
        pipeline(page, psv)?;
    }
    runtime(page, dxil)?;
    if let Some(root) = &dxil.root_signature {
        root_signature(page, root, dxil.root_signature_from.as_deref())?;
        page.table(&root_place_table(dxil, None), 1)?;
    }
    Ok(())
}

fn title(page: &mut Page<'_>, text: &str) -> io::Result<()> {
    page.blank()?;
    page.line(Line::from(" ").styled(page.style.strong, text))
}

fn parts(page: &mut Page<'_>, dxil: &Summary) -> io::Result<()> {
    if dxil.bare_bitcode {
        return Ok(());
    }
    title(page, &format!("parts ({})", counted(dxil.container.bytes, "byte")))?;
    page.table(&part_table(dxil), 1)
}

fn entries(page: &mut Page<'_>, dxil: &Summary) -> io::Result<()> {
    if dxil.entry_points.is_empty() {
        return Ok(());
    }
    title(page, "entry points")?;
    for (index, entry) in dxil.entry_points.iter().enumerate() {
        let converted = dxil.conversions.get(index);
        let name = converted.map_or(&entry.name, |converted| &converted.name);
        let first = Line::from(" ").styled(page.style.strong, name).to(LABEL.max(name.chars().count() + 3));
        let spirv = match converted.map(|converted| (converted.module.is_some(), converted.has_source_lines)) {
            Some((true, None)) => ", converted to SPIR-V",
            Some((true, Some(true))) => ", converted to SPIR-V with lines of the source",
            Some((true, Some(false))) => {
                ", converted to SPIR-V without lines of the source, which the converter does not keep"
            }
            Some((false, _)) => ", not converted",
            None => "",
        };
        page.prose(first, &format!("{}{}{spirv}", entry.kind, properties(entry)))?;
        if let Some(of) = &entry.properties.node {
            node(page, of)?;
        }
    }
    Ok(())
}

fn properties(entry: &EntryPoint) -> String {
    let of = &entry.properties;
    let mut out = String::new();
    let mut add = |text: String| out.push_str(&format!(", {text}"));
    if let Some([x, y, z]) = of.threads {
        add(threads([x, y, z]));
    }
    match of.wave_size {
        Some([least, most, _]) if least == most || most == 0 => add(format!("wave size {least}")),
        Some([least, most, preferred]) => add(format!("wave size {least} to {most}, preferred {preferred}")),
        None => {}
    }
    if let Some(gs) = &of.geometry {
        add(format!(
            "{} to {}, {}, {}, streams {:#x}",
            gs.input,
            gs.topology,
            counted(gs.max_vertices, "vertex"),
            counted(gs.instances, "instance"),
            gs.streams
        ));
    }
    if let Some(hs) = &of.hull {
        add(format!(
            "{} {} to {}, {} to {}, factor up to {}",
            hs.domain,
            hs.partitioning,
            hs.output,
            hs.input_points,
            counted(hs.output_points, "point"),
            hs.max_factor
        ));
    }
    if let Some(ds) = &of.domain {
        add(format!("{}, {}", ds.domain, counted(ds.input_points, "point")));
    }
    if let Some(ms) = &of.mesh {
        let vertices = counted(ms.max_vertices, "vertex");
        add(format!("{} of {vertices}", counted(ms.max_primitives, &ms.topology)));
    }
    if let Some(bytes) = of.payload_bytes.filter(|bytes| *bytes > 0) {
        add(format!("payload of {}", counted(bytes, "byte")));
    }
    if let Some(bytes) = of.attribute_bytes.filter(|bytes| *bytes > 0) {
        add(format!("attributes of {}", counted(bytes, "byte")));
    }
    if !of.flag_names.is_empty() {
        add(of.flag_names.join(", "));
    }
    out
}

fn node(page: &mut Page<'_>, node: &Node) -> io::Result<()> {
    let mut text = format!("node {}[{}], {}", node.name, node.index, node.launch);
    let size = |[x, y, z]: [u32; 3]| format!("{x}×{y}×{z}");
    for (name, value) in [("grid", node.grid), ("grid up to", node.max_grid)] {
        if let Some(value) = value {
            text.push_str(&format!(", {name} {}", size(value)));
        }
    }
    if node.program_entry {
        text.push_str(", program entry");
    }
    if let Some(depth) = node.max_recursion {
        text.push_str(&format!(", recursion up to {depth}"));
    }
    if let Some((name, index)) = &node.shares_input_of {
        text.push_str(&format!(", shares the input of {name}[{index}]"));
    }
    page.prose(Line::from("   "), &text)?;
    for (sign, ios) in [("←", &node.inputs), ("→", &node.outputs)] {
        for io in ios {
            page.prose(Line::from(format!("   {sign} ").as_str()), &node_io(io))?;
        }
    }
    Ok(())
}

fn node_io(io: &NodeIo) -> String {
    let mut text = match &io.target {
        Some((name, index)) => format!("{name}[{index}] {}", io.kind),
        None => io.kind.to_string(),
    };
    if let Some(records) = io.max_records.filter(|records| *records > 0) {
        text.push_str(&format!(", up to {}", counted(records, "record")));
    }
    if let Some(bytes) = io.record_bytes.filter(|bytes| *bytes > 0) {
        text.push_str(&format!(", {} each", counted(bytes, "byte")));
    }
    if let Some(size) = io.array_size.filter(|size| *size > 0) {
        text.push_str(&if size == u32::MAX { ", unbounded array".to_owned() } else { format!(", array of {size}") });
    }
    if io.sparse {
        text.push_str(", sparse");
    }
    if let Some((offset, kind, components)) = &io.grid {
        text.push_str(&format!(", grid of {components} {kind} at byte {offset}"));
    }
    text
}

fn signature(page: &mut Page<'_>, name: &str, elements: &[Element]) -> io::Result<()> {
    if elements.is_empty() {
        return Ok(());
    }
    title(page, name)?;
    page.table(&signature_table(elements), 1)
}

fn resources(page: &mut Page<'_>, dxil: &Summary) -> io::Result<()> {
    if dxil.resources.is_empty() {
        return Ok(());
    }
    title(page, "resources")?;
    page.table(&resource_table(dxil).only(&RESOURCES), 1)
}

fn pipeline(page: &mut Page<'_>, psv: &Psv) -> io::Result<()> {
    title(page, &format!("pipeline state validation, version {}", psv.version))?;
    let mut facts = vec![format!("{} shader", psv.stage)];
    if let Some(entry) = &psv.entry {
        facts.push(format!("entry {entry}"));
    }
    if let Some([x, y, z]) = psv.threads {
        facts.push(threads([x, y, z]));
    }
    if let Some([least, most]) = psv.wave_lanes {
        facts.push(format!("waves of {least} to {most} lanes"));
    }
    if psv.uses_view_id == Some(true) {
        facts.push("reads the view index".to_owned());
    }
    match &psv.flags {
        Some(flags) if flags.is_empty() => facts.push("no flags".to_owned()),
        Some(flags) => facts.push(format!("flags {}", flags.join(" "))),
        None => {}
    }
    facts.extend((psv.unread_bytes > 0).then(|| format!("{} not read", counted(psv.unread_bytes, "byte"))));
    facts.push(counted(psv.resources.len(), "binding"));
    facts.push(format!("{} + {} + {} elements", psv.inputs.len(), psv.outputs.len(), psv.patch.len()));
    page.prose(Line::from(" "), &facts.join(", "))?;
    for dependency in &psv.dependencies {
        let first = label(page, &dependency.from);
        page.prose(first, &format!("→ {} {}", dependency.to, dependency.components))?;
    }
    Ok(())
}

fn runtime(page: &mut Page<'_>, dxil: &Summary) -> io::Result<()> {
    let Some(rdat) = &dxil.rdat else { return Ok(()) };
    title(page, "runtime data")?;
    let tables = rdat.parts.iter().map(|part| match (part.rows, part.stride) {
        (Some(rows), Some(stride)) => format!("{} {rows} × {stride}", part.name),
        _ => format!("{} {}", part.name, counted(part.bytes, "byte")),
    });
    page.prose(Line::from(" "), &tables.collect::<Vec<_>>().join(", "))?;
    page.table(&function_table(rdat).only(&FUNCTIONS), 1)?;
    for (function, entry) in rdat.functions.iter().filter_map(|function| Some((function, function.entry.as_ref()?))) {
        let first = Line::from(" ").styled(page.style.strong, &function.unmangled).text("  ");
        page.prose(first, &shader_info(entry))?;
    }
    for subobject in &rdat.subobjects {
        let values = subobject.values.iter().filter(|(_, value)| !value.is_empty());
        let values: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
        let first = Line::from(" ").styled(page.style.strong, &subobject.name).text("  ");
        page.prose(first, &format!("{}: {}", subobject.kind, values.join(", ")))?;
    }
    Ok(())
}

/// What the experimental op tables say about an entry point.
fn shader_info(entry: &Entry) -> String {
    let mut facts =
        vec![format!("{} + {} + {} signature elements", entry.inputs.len(), entry.outputs.len(), entry.patch.len())];
    facts.extend(entry.threads.map(threads));
    facts.extend(entry.groupshared_bytes.map(|bytes| format!("groupshared {}", counted(bytes, "byte"))));
    facts.extend(entry.payload_bytes.map(|bytes| format!("payload of {}", counted(bytes, "byte"))));
    facts.extend(entry.values.iter().map(|(name, value)| format!("{name} {value}")));
    facts.join(", ")
}

fn root_signature(page: &mut Page<'_>, root: &RootSignature, from: Option<&str>) -> io::Result<()> {
    let dwords = root.dwords().map(|dwords| format!(", {dwords} of 64 dwords")).unwrap_or_default();
    let from = from.map(|from| format!(", from {from}")).unwrap_or_default();
    title(page, &format!("root signature {}, flags {:#x}{dwords}{from}", root.version, root.flags))?;
    for (index, parameter) in root.parameters.iter().enumerate() {
        let mut text = format!("{} for {}", parameter.kind, parameter.visibility);
        if let (Some(register), Some(space)) = (parameter.register, parameter.space) {
            text.push_str(&format!(", register {register}, space {space}"));
        }
        if let Some(count) = parameter.constants {
            text.push_str(&format!(", {}", counted(count, "constant")));
        }
        for range in &parameter.ranges {
            let count = range.count.map_or("∞".to_owned(), |count| count.to_string());
            text.push_str(&format!("; {count} {} from {}, space {}", range.class, range.register, range.space));
        }
        // `[1] 2–3`: the parameter, and the dwords that it has.
        let place = match parameter.dwords {
            Some(0 | 1) => parameter.dword.to_string(),
            Some(dwords) => format!("{}–{}", parameter.dword, parameter.dword.saturating_add(dwords - 1)),
            None => "?".to_owned(),
        };
        page.prose(label(page, &format!("[{index}] dword {place}")), &text)?;
    }
    for sampler in &root.samplers {
        let text = format!(
            "static sampler for {}: filter {:#x}, {}, up to {}× anisotropy",
            sampler.visibility,
            sampler.filter,
            sampler.address.join("/"),
            sampler.max_anisotropy
        );
        page.prose(label(page, &format!("s{} space {}", sampler.register, sampler.space)), &text)?;
    }
    Ok(())
}

/// Sources in the container, and the contents of a PDB.
fn sources(page: &mut Page<'_>, dxil: &Summary) -> io::Result<()> {
    if let Some(module) = &dxil.debug_module {
        let text = format!(
            "{}: {}, {} with their line, {}",
            counted(module.bytes, "byte"),
            counted(module.instructions, "instruction"),
            module.located,
            counted(module.metadata, "metadata node")
        );
        fact(page, "debug bitcode", &text)?;
    }
    if let Some(pdb) = &dxil.pdb {
        let hash = if pdb.hash.is_empty() { String::new() } else { format!(", hash {}", pdb.hash) };
        fact(page, "PDB file", &format!("{}{hash}", counted(pdb.bytes, "byte")))?;
    }
    if let Some(info) = &dxil.debug_info {
        let mut facts = vec![counted(info.bytes, "byte") + if info.compressed { ", compressed" } else { "" }];
        let container =
            (info.container_bytes > 0).then(|| format!("container with {}", counted(info.container_bytes, "byte")));
        let libraries =
            info.libraries.iter().map(|(name, bytes)| format!("library {name} ({})", counted(*bytes, "byte")));
        let toolchain =
            info.toolchain.map(|(number, bytes)| format!("toolchain {number} ({})", counted(bytes, "byte")));
        facts.extend([&info.name, &info.hash].into_iter().filter(|text| !text.is_empty()).cloned());
        facts.extend(container.into_iter().chain(toolchain).chain(libraries));
        fact(page, "PDB contents", &facts.join(", "))?;
    }
    let Some(sources) = &dxil.sources else { return Ok(()) };
    let main = |name: &str| if sources.main.as_deref() == Some(name) { ", main" } else { "" };
    let files =
        sources.files.iter().map(|file| format!("{} ({}{})", file.name, counted(file.bytes, "byte"), main(&file.name)));
    let files: Vec<String> = files.collect();
    fact(page, "sources", &files.join(", "))?;
    fact(page, "defines", &sources.defines.join(" "))?;
    let arguments = sources.arguments.iter();
    let arguments: Vec<String> = arguments.map(|(name, value)| format!("{name} {value}").trim().to_owned()).collect();
    fact(page, "arguments", &arguments.join(" "))
}
