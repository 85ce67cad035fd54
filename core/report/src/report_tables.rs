//! What a report was made of, as tables: files, HLSL registers, stages, specialization constants, changed options.

use lanescope_model::options::{Options, flag};

use crate::report::Report;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

/// The files, in the order in which they were given.
pub fn inputs(report: &Report) -> Table {
    let mut table = Table::new([
        Column::left("Path"),
        Column::left("Holds"),
        Column::right("Bytes"),
        Column::left("Hash").help("XXH3 of the file's bytes"),
        Column::left("Compiler").help("Compiler of the file").optional(),
    ])
    .with_words();
    for input in &report.inputs {
        table.row([
            Cell::of(Meaning::Strong, &input.path),
            input.format.name().into(),
            Cell::code(input.bytes),
            Cell::code(input.hash),
            input.compiler.as_deref().unwrap_or_default().into(),
        ]);
    }
    table
}

/// Where the registers of HLSL went that glslang compiled: at most so many rows of each file.
pub fn hlsl_registers(report: &Report, most: usize) -> Table {
    let columns = [Column::left("Register"), Column::left("Descriptor"), Column::left("File")];
    let mut table = Table::new(columns).with_words();
    for input in &report.inputs {
        for row in input.bindings.iter().take(most) {
            table.row([Cell::code(row.name()), Cell::code(row.place()), input.path.as_str().into()]);
        }
    }
    table
}

/// The stages, in the order of the report.
pub fn stages(report: &Report) -> Table {
    let columns = [
        Column::left("Stage"),
        Column::left("Entry point"),
        Column::left("File"),
        Column::left("Workgroup").help("Invocations in x, y and z").optional(),
        Column::left("LLPC").help("Name of the module in LLPC's dumps").optional(),
        Column::left("AMDVLK")
            .help("Hash of the module and its entry point, as in profiles of applications")
            .optional(),
    ];
    let mut table = Table::new(columns).with_words();
    for stage in &report.stages {
        let size = stage.workgroup_size.map(|[x, y, z]| format!("{x}×{y}×{z}"));
        table.row([
            Cell::of(Meaning::Strong, stage.stage.name()),
            Cell::code(&stage.entry),
            path(report, stage.input).into(),
            size.map(Cell::code).unwrap_or_default(),
            stage.driver_hashes.map(|hashes| Cell::code(hashes.dump_name())).unwrap_or_default(),
            stage.driver_hashes.map(|hashes| Cell::code(hashes.code)).unwrap_or_default(),
        ]);
    }
    table
}

/// The specialization constants. A row's key is the index of its constant.
pub fn constants(report: &Report) -> Table {
    let mut table = Table::new([
        Column::right("Id"),
        Column::left("Name"),
        Column::left("Type"),
        Column::right("Default"),
        Column::right("Value"),
        Column::left(""),
        Column::left("File"),
    ])
    .with_words();
    for (index, constant) in report.spec_constants.iter().enumerate() {
        let set = constant.value != constant.default;
        let cells = [
            constant.id.to_string().into(),
            constant.name.as_deref().unwrap_or("").into(),
            constant.type_name.as_str().into(),
            constant.default.as_str().into(),
            Cell::of(if set { Meaning::Strong } else { Meaning::Plain }, &constant.value),
            Cell::of(Meaning::Strong, if set { "set" } else { "" }),
            Cell::of(Meaning::Dimmed, path(report, constant.input)),
        ];
        table.push(Key::Item(index), cells);
    }
    table
}

/// The options that differ from their defaults.
pub fn options(report: &Report) -> Table {
    let columns = [Column::left("Option"), Column::left("Value"), Column::left("Default")];
    let mut table = Table::new(columns).with_words();
    for option in report.options.differences(&Options::default()) {
        table.row([
            Cell::code(flag(option.name)),
            Cell::of(Meaning::Strong, &option.value),
            Cell::of(Meaning::Dimmed, &option.base),
        ]);
    }
    table
}

/// The path of a file of the report.
fn path(report: &Report, input: usize) -> &str {
    report.inputs.get(input).map_or("", |input| input.path.as_str())
}
