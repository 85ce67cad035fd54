//! The DXIL op tables as text.

use std::io::{self, Write};

use lanescope_core::dxil::Summary;
use lanescope_core::dxil::ops::{Database, Op, SpirvConversion, TableKind, database};
use lanescope_core::dxil_tables::op_use_table;
use lanescope_core::report::Report;
use lanescope_core::table::{Cell, Column, Meaning, Table, Width};
use lanescope_core::text_format::counted;

use super::page::Page;
use super::{Style, label};

/// Columns that the stages have beside the longest name.
const STAGES: usize = 24;

/// Writes ops as tables, or the one that was found with its operands.
///
/// # Errors
///
/// Those of `out`.
pub fn write(ops: &[&Op], database: &Database, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    page.prose(label(style, "tables"), &source_text(database))?;
    match ops {
        [only] => details(page, only),
        [] => page.line("no op matches".into()),
        _ => TableKind::ALL.iter().try_for_each(|kind| list(page, *kind, ops)),
    }
}

/// Where tables are from, with their size.
pub(crate) fn source_text(database: &Database) -> String {
    let source = &database.source;
    let released = source.released_shader_model;
    match &source.file {
        Some(_) => format!("{}, {} slots, models up to {released} released", source.short(), database.op_count),
        None => format!("{} at {}", source.project, source.short()),
    }
}

fn list(page: &mut Page<'_>, kind: TableKind, ops: &[&Op]) -> io::Result<()> {
    let ops: Vec<_> = ops.iter().filter(|op| op.opcode.table() == Some(kind)).collect();
    if ops.is_empty() {
        return Ok(());
    }
    let reserved = ops.iter().filter(|op| op.reserved).count();
    let holes = if reserved > 0 { format!(", {reserved} reserved") } else { String::new() };
    let title = if kind == TableKind::Stable { "Stable ops" } else { "Experimental ops" };
    page.heading(title, &format!("FeatureID {}, {}{holes}", kind.feature(), ops.len() - reserved))?;
    let mut table = Table::new([
        Column::left("hex"),
        Column::right("opcode"),
        Column::left("name"),
        Column::right("model"),
        Column::left("stages").width(Width::AtMost(STAGES)),
    ]);
    for op in ops {
        let numbers = [format!("{:#}", op.opcode), op.opcode.to_string()].map(|text| Cell::of(Meaning::Dimmed, text));
        let rest = match op.since {
            None => [Cell::of(Meaning::Dimmed, "reserved"), Cell::default(), Cell::default()],
            // Names matter most: stages are shortened, and shown in full with the op.
            Some(since) => [Cell::of(Meaning::Strong, &op.name), since.to_string().into(), stages(op).into()],
        };
        table.row(numbers.into_iter().chain(rest));
    }
    page.table(&table, 1)
}

pub(crate) fn details(page: &mut Page<'_>, op: &Op) -> io::Result<()> {
    let style = page.style;
    page.heading(if op.reserved { "Reserved opcode" } else { &op.name }, &format!("{:#} ({})", op.opcode, op.opcode))?;
    let table = op.opcode.table().map_or("", TableKind::name);
    page.prose(
        label(style, "table"),
        &format!("{table}, FeatureID {}, index {}", op.opcode.feature(), op.opcode.index()),
    )?;
    let Some(since) = op.since else { return Ok(()) };
    let linked = op.since_translated.map(|model| format!(", translated for {model} and later")).unwrap_or_default();
    let version = op.dxil_version.map(|version| format!(", DXIL {version}")).unwrap_or_default();
    page.prose(label(style, "since"), &format!("shader model {since}{version}{linked}"))?;
    page.prose(label(style, "stages"), &stages(op))?;
    let mut overloads = Vec::new();
    for overload in &op.overloads {
        let vectors = overload.vector_of.iter().map(|scalar| format!("<{scalar}>"));
        let all: Vec<_> = overload.scalar.iter().map(|scalar| scalar.name().to_owned()).chain(vectors).collect();
        overloads.push(all.join(" "));
    }
    let callee = op.function_prefix.as_deref().unwrap_or("");
    page.prose(label(style, "callee"), &format!("{callee}  (class {})", op.class))?;
    page.prose(
        label(style, "overload"),
        &if overloads.is_empty() { "none".to_owned() } else { overloads.join(" × ") },
    )?;
    let legend = |symbol| database().type_legend.get(&symbol).map_or("", String::as_str);
    page.prose(label(style, "returns"), legend(op.returns))?;
    if let Some(category) = &op.category {
        page.prose(label(style, "group"), category)?;
    }
    page.prose(label(style, "SPIR-V"), SpirvConversion::of(op).text())?;
    page.blank()?;
    let mut table = Table::new([Column::right(""), Column::left("operand"), Column::left(""), Column::left("type")]);
    for operand in op.operands.iter().skip(1) {
        table.row([
            operand.position.to_string().into(),
            Cell::of(Meaning::Strong, &operand.name),
            Cell::of(Meaning::Dimmed, if operand.immediate { "constant" } else { "" }),
            legend(operand.type_symbol).into(),
        ]);
    }
    page.table(&table, 1)
}

fn stages(op: &Op) -> String {
    let names: Vec<_> = op.stages.iter().filter(|stage| op.allowed_in(**stage)).map(|stage| stage.name()).collect();
    if names.is_empty() { "any".to_owned() } else { names.join(" ") }
}

/// Writes the ops that a container's program calls, by table.
///
/// # Errors
///
/// Those of the page.
pub fn uses(page: &mut Page<'_>, report: &Report, summary: &Summary) -> io::Result<()> {
    if summary.ops.is_empty() {
        return Ok(());
    }
    let path = report.inputs.get(summary.input).map_or("", |input| input.path.as_str());
    let calls: usize = summary.ops.iter().map(|op| op.count).sum();
    let note = if summary.others.is_empty() && report.inputs.len() < 2 { String::new() } else { format!("{path}: ") };
    page.heading("DXIL ops", &format!("{note}{}, {}", counted(summary.ops.len(), "op"), counted(calls, "call")))?;
    page.table(&op_use_table(&summary.ops), 1)
}
