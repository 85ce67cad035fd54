//! The tables, filtered and searched.

use std::io::Write as _;

use lanescope_core::dxil::ops::{Op, Opcode, Source, Tables};
use serde::Serialize;

use super::super::{CliError, json};
use super::{Format, Opcodes};
use crate::cli::streams;
use lanescope_text as text;

/// The list as JSON: rows as the tables' own file has them.
#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    source: &'a Source,
    ops: &'a [&'static Op],
}

pub fn run(asked: &Opcodes) -> Result<(), CliError> {
    let words: Vec<String> = asked.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let tables = asked.table.read()?;
    let found = tables.all().filter(|op| wanted(asked, op) && matches(tables, op, &words));
    let found: Vec<&'static Op> = found.collect();
    let source = &tables.database().source;
    match asked.format {
        Format::Text => {
            let (mut out, style) = streams::styled();
            text::write_ops(&found, tables.database(), &mut out, style)?;
            out.flush()?;
        }
        Format::Json => json::print(&List { schema: 1, source, ops: &found })?,
    }
    Ok(())
}

fn wanted(asked: &Opcodes, op: &Op) -> bool {
    asked.feature.is_none_or(|feature| op.opcode.feature() == feature)
        && asked.since.is_none_or(|since| op.since.is_some_and(|came| came >= since))
        && asked.stage.is_none_or(|stage| !op.reserved && op.allowed_in(stage))
}

/// Whether an op matches all words: its number, a callee of it, or a part of its name, class or group.
fn matches(tables: Tables, op: &Op, words: &[String]) -> bool {
    words.iter().all(|word| {
        if let Some(number) = Opcode::parse(word) {
            return op.opcode == number;
        }
        if let Some(callee) = tables.by_callee(word).filter(|callee| callee.overload.is_some()) {
            return callee.ops.iter().any(|served| served.opcode == op.opcode);
        }
        let names = [Some(&op.name), Some(&op.class), op.function_prefix.as_ref(), op.category.as_ref()];
        let word = word.to_lowercase();
        names.into_iter().flatten().any(|name| name.to_lowercase().contains(&word))
    })
}
