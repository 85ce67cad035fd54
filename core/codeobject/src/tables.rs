//! The parts of an object as tables.

use lanescope_passes::table::{Cell, Column, Key, Meaning, Part, Table};

use crate::compare::{self, field_text};
use crate::{CodeObject, Form, Holds, Pipeline, Register, Value};

/// The sections.
pub fn sections_table(object: &CodeObject) -> Table {
    let mut out = Table::new([
        Column::right("index"),
        Column::left("name"),
        Column::left("type"),
        Column::left("flags"),
        Column::right("offset"),
        Column::right("bytes"),
        Column::right("align"),
        Column::left("XXH3"),
    ]);
    for section in &object.sections {
        out.row([
            section.index.to_string().into(),
            named(section.name.as_deref()),
            section.kind.as_str().into(),
            section.flags.as_str().into(),
            section.offset.to_string().into(),
            section.size.to_string().into(),
            section.align.to_string().into(),
            section.hash.map_or_else(
                || Cell::of(Meaning::Missing, "not read"),
                |hash| Cell::of(Meaning::Dimmed, hash.to_string()),
            ),
        ]);
    }
    out
}

/// The symbols.
pub fn symbols_table(object: &CodeObject) -> Table {
    let mut out = Table::new([
        Column::left("stage"),
        Column::left("name"),
        Column::left("type"),
        Column::left("binding"),
        Column::left("section"),
        Column::right("value"),
        Column::right("bytes"),
    ]);
    for symbol in &object.symbols {
        out.row([
            symbol.stage.map_or("", |stage| stage.name()).into(),
            named(symbol.name.as_deref()),
            symbol.kind.as_str().into(),
            symbol.binding.as_str().into(),
            symbol.section.as_str().into(),
            symbol.value.to_string().into(),
            symbol.size.to_string().into(),
        ]);
    }
    out
}

fn named(name: Option<&str>) -> Cell {
    name.map_or_else(|| Cell::of(Meaning::Missing, "not readable"), |name| Cell::of(Meaning::Strong, name))
}

/// What a pipeline's metadata says of all of it.
pub fn pipeline_table(pipeline: &Pipeline) -> Table {
    let mut out = Table::new([Column::left("key"), Column::left("value")]);
    if let Some([stable, unique]) = pipeline.hash {
        out.row([Cell::code(".internal_pipeline_hash"), Cell::code(format!("{stable} stable, {unique} unique"))]);
    }
    pipeline.values.leaves("", &mut |path, value| {
        let text = match (path, value) {
            (".spill_threshold", Value::Uint(crate::metadata::NO_SPILL)) => "0xffff (no entry is spilled)".to_owned(),
            _ => value.flow(),
        };
        out.row([Cell::code(path), Cell::code(text)]);
    });
    out
}

/// The API's shaders.
pub fn shaders_table(pipeline: &Pipeline) -> Table {
    let mut out = Table::new([
        Column::left("shader"),
        Column::left("runs as"),
        Column::left("hash, lower half"),
        Column::left("upper half"),
        Column::left("other").optional(),
    ]);
    for shader in &pipeline.shaders {
        let half = |at: usize| {
            shader.hash.and_then(|hash| hash.get(at).copied()).map_or_else(String::new, |half| half.to_string())
        };
        let other = if shader.values.entries().is_empty() { String::new() } else { shader.values.flow() };
        out.row([
            Cell::of(Meaning::Strong, &shader.stage),
            shader.hardware.join(" ").into(),
            Cell::code(half(0)),
            Cell::code(half(1)),
            Cell::code(other),
        ]);
    }
    out
}

/// The hardware stages: a row for each key, a column for each stage.
pub fn stages_table(pipeline: &Pipeline) -> Table {
    let columns = pipeline.stages.iter().map(|stage| Column::left(&stage.name));
    let mut out = Table::new(std::iter::once(Column::left("key")).chain(columns));
    let mut row = |name: &str, cell: &dyn Fn(&crate::Stage) -> Option<String>| {
        let cells: Vec<Option<String>> = pipeline.stages.iter().map(cell).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.map(Cell::code).unwrap_or_default());
            out.row(std::iter::once(Cell::code(name)).chain(cells));
        }
    };
    row("code", &|stage| stage.code.map(|code| format!("{} bytes at {}", code.size, code.offset)));
    let mut keys: Vec<String> = Vec::new();
    for stage in &pipeline.stages {
        for (key, _) in stage.values.entries() {
            let key = key.key();
            if !keys.iter().any(|own| *own == key) {
                keys.push(key.into_owned());
            }
        }
    }
    for key in &keys {
        let value = |stage: &crate::Stage| {
            stage.values.entries().iter().find(|(own, _)| own.key() == *key).map(|(_, value)| value.flow())
        };
        row(key, &value);
    }
    out
}

/// What user SGPRs hold.
pub fn user_data_table(pipeline: &Pipeline) -> Table {
    let mut out = Table::new([
        Column::left("stage"),
        Column::left("SGPR"),
        Column::left("register"),
        Column::left("dword address"),
        Column::left("value"),
        Column::left("holds"),
    ]);
    for data in &pipeline.user_data {
        for sgpr in &data.sgprs {
            let meaning = match sgpr.holds {
                Holds::Entry { .. } => Meaning::Strong,
                Holds::Unknown => Meaning::Changed,
                _ => Meaning::Plain,
            };
            out.row([
                data.stage.name().into(),
                Cell::code(format!("s{}", sgpr.sgpr)),
                sgpr.register.as_ref().map(Cell::code).unwrap_or_default(),
                sgpr.address.map(|address| Cell::code(address).meaning(Meaning::Dimmed)).unwrap_or_default(),
                Cell::code(sgpr.value).meaning(Meaning::Dimmed),
                Cell::of(meaning, sgpr.holds.text()),
            ]);
        }
    }
    out
}

/// What user SGPRs hold before and after the object was repacked.
pub fn remap_table(before: &CodeObject, after: &CodeObject) -> Table {
    let mut out = Table::new(["stage", "SGPR", "register", "before", "after"].map(Column::left));
    let sgprs = |object: &CodeObject| {
        let data = object.pipelines.iter().flat_map(|pipeline| &pipeline.user_data);
        data.flat_map(|data| data.sgprs.iter().map(|sgpr| (data.stage, sgpr.clone()))).collect::<Vec<_>>()
    };
    for ((stage, before), (_, after)) in sgprs(before).into_iter().zip(sgprs(after)) {
        let meaning = if before.holds == after.holds { Meaning::Dimmed } else { Meaning::Changed };
        out.row([
            stage.name().into(),
            Cell::code(format!("s{}", before.sgpr)),
            before.register.map(Cell::code).unwrap_or_default(),
            before.holds.text().into(),
            Cell::of(meaning, after.holds.text()),
        ]);
    }
    out
}

/// Registers with the fields that are not 0.
pub fn registers_table(registers: &[Register]) -> Table {
    let mut out = Table::new([
        Column::left("register"),
        Column::left("dword address"),
        Column::left("value").optional(),
        Column::left("fields"),
    ]);
    for register in registers {
        let address = match register.address {
            Some(address) => Cell::code(address).meaning(Meaning::Dimmed),
            None => Cell::default(),
        };
        let value = register.value.map(Cell::code).unwrap_or_default();
        let name = match register.name.is_empty() {
            true => Cell::of(Meaning::Missing, "not in the table"),
            false => Cell::code(&register.name),
        };
        out.push(Key::Register(register.name.clone()), [name, address, value, fields(register)]);
    }
    out
}

/// The fields that are not 0.
fn fields(register: &Register) -> Cell {
    let set = register.fields.iter().filter(|field| !field.is_zero());
    let text = |field: &crate::RegisterField| match field.name.is_empty() {
        true => field_text(field),
        false => format!("{}={}", field.name, field_text(field)),
    };
    let mut parts: Vec<Part> = set.map(|field| Part::code(text(field))).collect();
    if let Some(bits) = register.other_bits {
        parts.push(Part::of(Meaning::Changed, format!("other bits {bits}")));
    }
    match parts.is_empty() {
        true if register.fields.is_empty() => Cell::default(),
        true => Cell::of(Meaning::Dimmed, "all 0"),
        false => Cell { parts, list: true, ..Cell::default() },
    }
}

/// The registers of a form, in words.
pub fn form_text(form: Form) -> &'static str {
    match form {
        Form::Numbers => "words of .registers",
        Form::Graphics => "fields of .graphics_registers",
        Form::Compute => "fields of .compute_registers",
        Form::Pairs => "pairs of a note of type 12",
        Form::Config => "words of .AMDGPU.config",
    }
}

/// Semantics of exports and inputs.
pub fn semantics_table(pipeline: &Pipeline) -> Table {
    let mut out =
        Table::new([Column::left(""), Column::right("semantic"), Column::left("place"), Column::left("element")]);
    let outputs = pipeline.outputs.iter().map(|output| ("export", output, format!("slot {}", output.index)));
    let inputs = pipeline.inputs.iter().map(|input| ("input", input, format!("interpolant {}", input.index)));
    for (what, semantic, place) in outputs.chain(inputs) {
        out.row([
            what.into(),
            Cell::code(Value::Uint(semantic.semantic).flow()),
            place.into(),
            Cell::code(semantic.value.flow()).meaning(Meaning::Dimmed),
        ]);
    }
    out
}

/// The values of a part of two objects.
pub fn comparison_table(section: &compare::Section) -> Table {
    let mut out = Table::new(["", "value", "A", "B"].map(Column::left));
    for row in &section.rows {
        let meaning = if row.is_equal() { Meaning::Dimmed } else { Meaning::Changed };
        let side = |side: &Option<String>| side.as_ref().map(Cell::code).unwrap_or_default();
        out.row([Cell::of(meaning, row.sign()), Cell::code(&row.name), side(&row.left), side(&row.right)]);
    }
    out
}
