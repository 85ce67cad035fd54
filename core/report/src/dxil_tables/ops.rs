//! The ops that a program calls, and their calls.

use lanescope_base::findings::Severity;
use lanescope_dxil::ops::TableKind;
use lanescope_dxil::uses::{OpUse, Site, SiteOperand};

use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

/// Lines of the disassembly that are listed for an op.
const LINES: usize = 6;

/// The ops that a program calls; a row's key is the index of its op.
pub fn op_use_table(ops: &[OpUse]) -> Table {
    let mut table = Table::new([
        Column::left("Table"),
        Column::left("Op"),
        Column::left("Hex"),
        Column::right("Opcode"),
        Column::left("Class"),
        Column::right("Since"),
        Column::right("Calls"),
        Column::left("At line"),
    ])
    .with_words();
    for (index, op) in ops.iter().enumerate() {
        let [kind, name, hex, opcode, class, since] = identity(op);
        let lines = op.sites.iter().take(LINES).filter_map(|site| site.line).map(|line| line.to_string());
        let lines = lines.collect::<Vec<_>>().join(", ");
        let more = if op.sites.len() > LINES { ", …" } else { "" };
        let kind = match op.table {
            Some(TableKind::Stable) => Cell::of(Meaning::Dimmed, kind),
            Some(TableKind::Experimental) => Cell::of(Meaning::Changed, kind),
            None => Cell::of(Meaning::Severity(Severity::Error), kind),
        };
        let name = if name.is_empty() { "no op has this opcode".to_owned() } else { name };
        let cells = [
            kind,
            Cell::of(Meaning::Strong, name),
            hex.into(),
            Cell::of(Meaning::Dimmed, opcode),
            Cell::of(Meaning::Dimmed, class),
            since.into(),
            op.count.to_string().into(),
            Cell::of(Meaning::Dimmed, lines + more),
        ];
        table.push(Key::Item(index), cells);
    }
    table
}

/// The calls of one op, `most` of them at most; a row's key is the index of its call.
pub fn site_table(op: &OpUse, most: usize) -> Table {
    let mut table = Table::new(SITE.map(Column::left)).with_words();
    for (index, site) in op.sites.iter().take(most).enumerate() {
        table.push(Key::Item(index), site_texts(site).map(Cell::code));
    }
    table
}

/// All calls of ops, each with its op: for the clipboard and for files.
pub fn op_calls_table(ops: &[OpUse]) -> Table {
    let mut table = Table::new(IDENTITY.into_iter().chain(SITE).map(Column::left)).with_words();
    for op in ops {
        for site in &op.sites {
            table.row(identity(op).into_iter().chain(site_texts(site)).map(Cell::from));
        }
    }
    table
}

/// Titles of what identifies an op.
const IDENTITY: [&str; 6] = ["Table", "Op", "Hex", "Opcode", "Class", "Since"];
/// Titles of what a call has.
const SITE: [&str; 4] = ["Function", "Line", "Overload", "Operands"];

/// What identifies an op: cells below [`IDENTITY`].
fn identity(op: &OpUse) -> [String; 6] {
    [
        op.table.map_or("unknown table", TableKind::name).to_owned(),
        op.name.clone().unwrap_or_default(),
        op.hex.clone().unwrap_or_default(),
        op.opcode.map(|opcode| opcode.to_string()).unwrap_or_default(),
        op.class.clone().unwrap_or_default(),
        op.since.map(|since| since.to_string()).unwrap_or_default(),
    ]
}

/// The cells of a call.
fn site_texts(site: &Site) -> [String; 4] {
    let operand = |operand: &SiteOperand| match &operand.name {
        Some(name) => format!("{name} {}", operand.meaning.as_ref().unwrap_or(&operand.value)),
        None => operand.value.clone(),
    };
    let line = site.line.map(|line| line.to_string()).unwrap_or_default();
    let operands = site.operands.iter().map(operand).collect::<Vec<_>>().join(", ");
    [site.function.clone(), line, site.overload.clone().unwrap_or_default(), operands]
}
