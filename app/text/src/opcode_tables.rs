//! One opcode in all forms, and what differs between op tables.

use std::io::{self, Write};

use lanescope_core::dxil::ops::compare::Change;
use lanescope_core::dxil::ops::{Opcode, Partition, Tables, free_from, history, is_free};
use lanescope_core::findings::Severity;
use lanescope_core::table::{Cell, Column, Meaning, Table};
use lanescope_core::text_format::counted;

use super::page::{Line, Page};
use super::{Style, label, opcodes};

/// Columns of the labels of partitions.
const LABEL: usize = 14;

/// Writes one number: its forms, how each proposal divides it, and the op that it is in the tables.
///
/// # Errors
///
/// Those of `out`.
pub fn write_opcode(opcode: Opcode, tables: Tables, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    page.prose(label(style, "tables"), &opcodes::source_text(tables.database()))?;
    page.heading("Opcode", &format!("{opcode:#}"))?;
    page.prose(label(style, "unsigned"), &opcode.0.to_string())?;
    page.prose(label(style, "signed"), &format!("{opcode}, as LLVM text has it"))?;
    page.blank()?;
    let bytes: Vec<String> = opcode.0.to_be_bytes().iter().map(|byte| format!("{byte:08b}")).collect();
    page.line(Line::from(" ").styled(style.dim, "bits").to(LABEL).text(bytes.join(" ")))?;
    for partition in Partition::ALL {
        let line = Line::from(" ").styled(style.dim, partition.name()).to(LABEL);
        page.line(line.text(partition.drawn()).text("  ").text(partition.describe(opcode)))?;
    }
    page.blank()?;
    match tables.op(opcode) {
        Ok(op) => {
            page.prose(label(style, "op"), &op.name)?;
            opcodes::details(page, op)
        }
        Err(no_op) => page.prose(label(style, "op"), &format!("none: {no_op}")),
    }
}

/// Writes what differs between an old and a new pair of tables.
///
/// # Errors
///
/// Those of `out`.
pub fn write_changes(changes: &[Change], of: [Tables; 2], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    for (name, tables) in ["old", "new"].into_iter().zip(of) {
        page.prose(label(style, name), &opcodes::source_text(tables.database()))?;
    }
    if changes.is_empty() {
        return page.line("the tables do not differ".into());
    }
    page.heading("Differences", &counted(changes.len(), "difference"))?;
    let mut table = Table::new([
        Column::left(""),
        Column::left("rule"),
        Column::left("hex"),
        Column::left("name"),
        Column::left("difference"),
    ]);
    for change in changes {
        table.row([
            Cell::of(Meaning::Severity(change.severity), change.severity.name()),
            change.rule.name().into(),
            Cell::of(Meaning::Dimmed, format!("{:#}", change.opcode)),
            Cell::of(Meaning::Strong, &change.name),
            change.text.as_str().into(),
        ]);
    }
    page.table(&table, 1)?;
    let moved: Vec<String> =
        changes.iter().filter_map(|change| Some(format!("--map {:#}={:#}", change.opcode, change.moved?))).collect();
    if !moved.is_empty() {
        page.blank()?;
        page.prose(label(style, "renumber"), &format!("lanescope opcodes {} DIR", moved.join(" ")))?;
    }
    let errors = changes.iter().filter(|change| change.severity == Severity::Error).count();
    page.prose(label(style, "errors"), &errors.to_string())
}

/// Writes what numbers were in the versions of the bundled tables.
///
/// # Errors
///
/// Those of `out`.
pub fn write_history(numbers: &[Opcode], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let source = &history().source;
    let commits = format!("{} {}, {} to {}", source.project, source.file, source.first, source.last);
    page.prose(label(style, "source"), &commits)?;
    for number in numbers {
        let slot = Tables::bundled().slot(*number);
        let name = slot.filter(|slot| !slot.reserved).map_or("reserved", |slot| &slot.name);
        page.heading(&format!("{number:#} ({number})"), name)?;
        let Some(of) = history().of(*number) else {
            page.prose(label(style, "changes"), "none: one name, class and list of operands since the first commit")?;
            continue;
        };
        let mut table = Table::new(["date", "commit", "pull", "name", "operands"].map(Column::left));
        for state in &of.states {
            let result = state.returns.as_deref().map(|returns| format!(" → {returns}")).unwrap_or_default();
            table.row([
                state.date.as_str().into(),
                Cell::of(Meaning::Dimmed, &state.commit),
                Cell::of(Meaning::Dimmed, state.pull.map(|pull| format!("#{pull}")).unwrap_or_default()),
                Cell::of(Meaning::Strong, state.name.as_deref().unwrap_or("reserved")),
                format!("({}){result}", state.operands.join(", ")).into(),
            ]);
        }
        page.table(&table, 1)?;
        if let Some(model) = of.reserved().and_then(|state| state.reserved_in) {
            let free = free_from(model);
            let state = if is_free(model, Tables::bundled()) { "it may, but it is discouraged" } else { "not yet" };
            page.prose(label(style, "reserved"), &format!("while shader model {model} was in work"))?;
            page.prose(label(style, "reuse"), &format!("from shader model {free} on: {state}"))?;
        }
    }
    Ok(())
}
