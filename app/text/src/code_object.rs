//! AMD code objects as text: one of them, and two compared.

use std::io::{self, Write};

use lanescope_core::codeobject::{
    self, CodeObject, Comparison, Content, Note, Pipeline, Predicted, Verdict, comparison_table, form_text,
    pipeline_table, registers_table, remap_table, sections_table, semantics_table, shaders_table, stages_table,
    symbols_table, user_data_table,
};
use lanescope_core::object_assembly::AssemblyComparison;
use lanescope_core::table::Table;
use lanescope_core::text_format::{counted, size};

use super::Style;
use super::page::{Line, Page};

/// Writes what is in an object.
///
/// # Errors
/// Those of `out`.
pub fn write(name: &str, object: &CodeObject, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let title = Line::of(style.strong, name).text("  ");
    let size = size(object.bytes.0);
    page.line(title.text(format!("AMD code object, {size}  ")).styled(style.dim, object.hash.to_string()))?;
    page.blank()?;
    parts(page, object)?;
    for note in &object.notes {
        self::note(page, note)?;
    }
    super::listed_findings(page, &object.findings)
}

/// What an object is, and all of its parts but the notes.
pub(super) fn parts(page: &mut Page<'_>, object: &CodeObject) -> io::Result<()> {
    header(page, object)?;
    for pipeline in &object.pipelines {
        of_pipeline(page, pipeline)?;
    }
    registers(page, object)?;
    section(page, "Sections", "", &sections_table(object))?;
    section(page, "Symbols", "", &symbols_table(object))
}

fn header(page: &mut Page<'_>, object: &CodeObject) -> io::Result<()> {
    let (style, header) = (page.style, &object.header);
    let abi = match header.abi {
        Some(abi) => format!("{abi}, version {}", header.abi_version),
        None => format!("not known (EI_OSABI {}, version {})", header.os_abi, header.abi_version),
    };
    page.prose(super::label(style, "ABI"), &abi)?;
    page.prose(super::label(style, "chip"), &object.chip())?;
    let flags = format!("{}, e_flags {}", header.kind, header.flags);
    page.prose(super::label(style, "ELF"), &flags)?;
    if object.pipelines.is_empty() {
        page.prose(super::label(style, "metadata"), "no PAL pipeline: no user data mapping and no named registers")?;
    }
    Ok(())
}

/// A heading with its table; nothing where the table has no rows.
fn section(page: &mut Page<'_>, title: &str, note: &str, table: &Table) -> io::Result<()> {
    if table.rows.is_empty() {
        return Ok(());
    }
    page.heading(title, note)?;
    page.table(table, 1)
}

fn of_pipeline(page: &mut Page<'_>, pipeline: &Pipeline) -> io::Result<()> {
    section(page, "Pipeline", "", &pipeline_table(pipeline))?;
    section(page, "Shaders", "", &shaders_table(pipeline))?;
    section(page, "Hardware stages", "", &stages_table(pipeline))?;
    let limit = pipeline.user_data_limit.map(|limit| format!("limit {limit}"));
    let spill = pipeline.spill_threshold.map(|spill| format!("entries from {spill} on may be in the spill table"));
    let facts: Vec<String> = limit.into_iter().chain(spill).collect();
    section(page, "User data", &facts.join(", "), &user_data_table(pipeline))?;
    let unmapped: Vec<String> = pipeline
        .user_data
        .iter()
        .filter(|data| data.elements > data.sgprs.len())
        .map(|data| format!("{}: {} of {}", data.stage, data.elements - data.sgprs.len(), data.elements))
        .collect();
    if !unmapped.is_empty() {
        page.prose(Line::from(" "), &format!("Not mapped (0xffffffff): {} elements.", unmapped.join(", ")))?;
    }
    section(page, "Semantics", "not linked yet", &semantics_table(pipeline))
}

fn registers(page: &mut Page<'_>, object: &CodeObject) -> io::Result<()> {
    let mut forms: Vec<codeobject::Form> = object.registers.iter().map(|register| register.form).collect();
    forms.dedup();
    for form in forms {
        let of_form: Vec<_> = object.registers.iter().filter(|register| register.form == form).cloned().collect();
        section(page, "Registers", form_text(form), &registers_table(&of_form))?;
    }
    Ok(())
}

fn note(page: &mut Page<'_>, note: &Note) -> io::Result<()> {
    let kind = note.kind_name.map(|name| format!(" {name}")).unwrap_or_default();
    let about = format!("{}, type {}{kind}, {} at {}", note.name, note.kind, counted(note.size, "byte"), note.offset);
    page.heading(&format!("Note {}", note.index), &about)?;
    match &note.content {
        Content::Metadata { tree } => {
            for (indent, text) in tree.lines(page.width().saturating_sub(1)) {
                page.line(Line::default().to(indent + 1).text(text))?;
            }
            Ok(())
        }
        Content::Text { text } => text.lines().try_for_each(|line| page.line(Line::from(" ").text(line))),
        Content::Fields { fields } => {
            let fields: Vec<String> = fields.iter().map(|field| format!("{} {}", field.name, field.value)).collect();
            page.prose(Line::from(" "), &fields.join(", "))
        }
        Content::Pairs { pairs } => {
            let pairs = pairs.iter().map(|[address, value]| format!("{:#x}={value}", address.0));
            page.prose(Line::from(" "), &pairs.collect::<Vec<_>>().join(", "))
        }
        Content::Bytes { bytes } => {
            let words =
                bytes.0.chunks(4).map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            page.prose(Line::from(" "), &words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Writes two objects, compared.
///
/// # Errors
/// Those of `out`.
pub fn write_comparison(
    comparison: &Comparison,
    assembly: &AssemblyComparison,
    names: [&str; 2],
    out: &mut dyn Write,
    style: Style,
) -> io::Result<()> {
    compared(&mut Page::new(out, style), comparison, assembly, names)
}

/// The parts of two objects, compared.
pub(super) fn compared(
    page: &mut Page<'_>,
    comparison: &Comparison,
    assembly: &AssemblyComparison,
    names: [&str; 2],
) -> io::Result<()> {
    let style = page.style;
    for (side, name) in ["A", "B"].iter().zip(names) {
        page.line(Line::of(style.strong, side).text(format!("  {name}")))?;
    }
    page.blank()?;
    for section in &comparison.sections {
        let look = if section.equal { style.dim } else { style.warning };
        let verdict = match section.differences() {
            0 if section.values == 0 => "none in either".to_owned(),
            0 => "the same".to_owned(),
            count => format!("differs: {}", counted(count, "value")),
        };
        page.line(Line::from(format!("{:10}  ", section.name.name())).styled(look, verdict))?;
    }
    let look = if assembly.equal == Some(true) { style.dim } else { style.warning };
    page.line(Line::from(format!("{:10}  ", "assembly")).styled(look, assembly.verdict()))?;
    for compared in &comparison.sections {
        section(page, compared.name.name(), "", &comparison_table(compared))?;
    }
    if let Some(diff) = &assembly.diff {
        page.heading("assembly", "without encodings and addresses")?;
        diff.lines().try_for_each(|line| page.line(Line::from(line)))?;
    }
    Ok(())
}

/// Writes what is predicted for shaders, beside what an object has. `names` are those of the object and of the shaders.
///
/// # Errors
/// Those of `out`.
pub fn write_predicted(
    names: [&str; 2],
    object: &CodeObject,
    predicted: &Predicted,
    out: &mut dyn Write,
    style: Style,
) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let [name, files] = names;
    page.prose(super::label(style, "shaders"), files)?;
    page.prose(super::label(style, "object"), name)?;
    page.prose(super::label(style, "target"), &format!("{}, the object's chip", object.chip()))?;
    if !predicted.not_loaded.is_empty() {
        let stages = predicted.not_loaded.join(", ");
        page.prose(super::label(style, "without"), &format!("{stages}: in the object, not among the files"))?;
    }
    page.blank()?;
    page.table(&predicted.counts_table(), 0)?;
    section(page, "Differ", "", &predicted.differing_table())?;
    section(page, "Locations", "not linked yet", &predicted.places_table())?;
    let left_out = predicted.fields.iter().filter(|field| field.left_out && field.verdict == Verdict::Agrees).count();
    let note = if left_out > 0 { format!("{left_out} are 0: the metadata leaves them out") } else { String::new() };
    section(page, "Agree", &note, &predicted.fields_table(Verdict::Agrees))?;
    section(page, "Not predicted", "values of the object", &predicted.fields_table(Verdict::NotPredicted))?;
    section(page, "Not in the object", "predicted values", &predicted.fields_table(Verdict::NotInObject))?;
    if object.findings.is_empty() { Ok(()) } else { super::listed_findings(page, &object.findings) }
}

/// Writes what user SGPRs hold before and after an object was repacked.
///
/// # Errors
/// Those of `out`.
pub fn write_remap(before: &CodeObject, after: &CodeObject, out: &mut dyn Write, style: Style) -> io::Result<()> {
    Page::new(out, style).table(&remap_table(before, after), 1)
}
