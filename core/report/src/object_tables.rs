//! An AMD code object as facts and tables.

use lanescope_base::text_format::size;
use lanescope_codeobject::{
    CodeObject, Comparison, Note, Part, Pipeline, Register, comparison_table, form_text, pipeline_table,
    registers_table, sections_table, semantics_table, shaders_table, stages_table, symbols_table, user_data_table,
};
use lanescope_passes::table::{Align, Cell, Column, Row, Table};

use crate::dxil_tables::Section;

/// What an object has, part by part. Parts without contents are left out.
pub fn sections(object: &CodeObject) -> Vec<Section> {
    let all = [pipeline(object), user_data(object), registers(object), semantics(object), file(object)];
    all.into_iter().filter(|section| !section.is_empty()).collect()
}

/// What two objects have, compared, part by part in the order of the comparison.
pub fn compared_sections(found: &Comparison) -> Vec<Section> {
    let section = |part: &lanescope_codeobject::ComparedSection| {
        let name = match part.name {
            Part::Header => "Header",
            Part::Code => "Code",
            Part::Pipeline => "Pipeline",
            Part::Shaders => "Shaders",
            Part::Stages => "Stages",
            Part::UserData => "User data",
            Part::Registers => "Registers",
            Part::Semantics => "Semantics",
            Part::Notes => "Notes",
        };
        let mut out = Section::new(name, "");
        out.add(as_words(comparison_table(part), "Values"));
        out
    };
    found.sections.iter().map(section).collect()
}

/// A table of the text report as a sheet has it: titles in sentence case, no empty columns. The last column, which takes
/// all space that is left, begins beside the one before.
fn as_words(table: Table, title: &str) -> Table {
    let shown = table.shown();
    let column = |at: &usize| {
        let column = table.columns.get(*at).cloned().unwrap_or_default();
        let align = if Some(at) == shown.last() { Align::Left } else { column.align };
        Column { title: sentence(&column.title), align, ..column }
    };
    let row = |row: &Row| Row {
        cells: shown.iter().map(|at| row.cell(*at).cloned().unwrap_or_default()).collect(),
        ..row.clone()
    };
    let columns: Vec<Column> = shown.iter().map(column).collect();
    let rows = table.rows.iter().map(row).collect();
    Table { columns, rows, ..Table::default() }.titled(sentence(title)).with_words()
}

/// A text with a capital letter first. Hardware stages (`gs`) stay as the metadata has them.
fn sentence(text: &str) -> String {
    if text.len() <= 2 {
        return text.to_owned();
    }
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

fn each(object: &CodeObject, section: &mut Section, title: &str, table: fn(&Pipeline) -> Table) {
    for (at, pipeline) in object.pipelines.iter().enumerate() {
        let title = if at == 0 { title.to_owned() } else { format!("{title}, pipeline {at}") };
        section.add(as_words(table(pipeline), &title));
    }
}

fn pipeline(object: &CodeObject) -> Section {
    let mut out = Section::new("Pipeline", "What the object is, and what its metadata says of pipeline and stages");
    let header = &object.header;
    let abi = match header.abi {
        Some(abi) => format!("{abi}, version {}", header.abi_version),
        None => format!("not known (EI_OSABI {}, version {})", header.os_abi, header.abi_version),
    };
    out.fact("ABI", abi);
    out.fact("Chip", object.chip());
    out.fact("ELF", format!("{}, e_flags {}", header.kind, header.flags));
    out.fact("File", format!("{}, {}", size(object.bytes.0), object.hash));
    if object.pipelines.is_empty() {
        out.fact("Metadata", "no PAL pipeline: no user data mapping and no named registers");
    }
    each(object, &mut out, "Pipeline", pipeline_table);
    each(object, &mut out, "Shaders", shaders_table);
    each(object, &mut out, "Hardware stages", stages_table);
    out
}

fn user_data(object: &CodeObject) -> Section {
    let mut out = Section::new("User data", "What the user SGPRs of each hardware stage hold");
    for pipeline in &object.pipelines {
        if let Some(limit) = pipeline.user_data_limit {
            out.fact("Limit", limit);
        }
        if let Some(spill) = pipeline.spill_threshold {
            out.fact("Spilled", format!("entries from {spill} on may be in the spill table"));
        }
    }
    each(object, &mut out, "User SGPRs", user_data_table);
    // A limit alone is in the pipeline's table.
    if out.tables.is_empty() { Section::default() } else { out }
}

fn registers(object: &CodeObject) -> Section {
    let mut out = Section::new("Registers", "Register values by field; fields that are 0 are left out");
    let mut forms: Vec<_> = object.registers.iter().map(|register| register.form).collect();
    forms.dedup();
    for form in forms {
        let of_form: Vec<Register> =
            object.registers.iter().filter(|register| register.form == form).cloned().collect();
        let title = form_text(form);
        out.add(as_words(registers_table(&of_form), title));
    }
    out
}

fn semantics(object: &CodeObject) -> Section {
    let mut out = Section::new("Semantics", "Exports and inputs of an object that is not linked yet");
    each(object, &mut out, "Exports and inputs", semantics_table);
    out
}

fn file(object: &CodeObject) -> Section {
    let mut out = Section::new("File", "Sections, symbols and notes of the ELF file");
    out.add(as_words(sections_table(object), "Sections"));
    out.add(as_words(symbols_table(object), "Symbols"));
    out.add(as_words(notes(&object.notes), "Notes"));
    out
}

fn notes(all: &[Note]) -> Table {
    let mut out = Table::new([
        Column::right("number"),
        Column::left("owner"),
        Column::right("type"),
        Column::left("name"),
        Column::right("bytes"),
        Column::right("offset"),
    ]);
    for note in all {
        out.row([
            note.index.to_string().into(),
            Cell::code(&note.name),
            note.kind.to_string().into(),
            note.kind_name.unwrap_or_default().into(),
            note.size.to_string().into(),
            Cell::code(note.offset),
        ]);
    }
    out
}
