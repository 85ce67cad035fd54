//! What differs between two op tables, by the rules for changing them; LLVM's table is cross-checked only.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::dxil::ops::compare::{Change, compare};
use lanescope_core::dxil::ops::read::llvm;
use lanescope_core::dxil::ops::{Tables, reserved_in};
use lanescope_core::findings::Severity;
use lanescope_core::foreign::plain;
use lanescope_core::load::opcode_table_text;
use lanescope_core::text_format::counted;
use serde::Serialize;

use super::super::{CliError, Verdict, json};
use super::{Format, tables};
use crate::cli::streams;
use lanescope_text as text;

#[derive(Debug, Args)]
pub struct Diff {
    /// Old tables: a JSON file, hctdb.py, a folder of DXC's sources or build, or LLVM's DXIL.td
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// New tables [default: those of this build]
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The result as JSON.
#[derive(Serialize)]
struct Differences<'a> {
    schema: u32,
    old: String,
    new: String,
    changes: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    rule: &'static str,
    severity: Severity,
    hex: String,
    opcode: u32,
    name: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<u32>,
}

impl Diff {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let mut has_errors = false;
        let mut of = |path: &Path| {
            let reading = tables::read(path)?;
            has_errors |= tables::has_errors(&reading);
            Ok::<_, CliError>(reading.tables)
        };
        let new = match &self.new {
            Some(path) => of(path)?,
            None => Tables::bundled(),
        };
        if self.old.extension().is_some_and(|extension| extension == "td") {
            return self.cross_check(new);
        }
        let old = of(&self.old)?;
        let changes = compare(old, new, &reserved_in);
        has_errors |= changes.iter().any(|change| change.severity == Severity::Error);
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_op_changes(&changes, [old, new], &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(&Differences {
                schema: 1,
                old: old.database().source.short(),
                new: new.database().source.short(),
                changes: changes.iter().map(row).collect(),
            })?,
        }
        Ok(if has_errors { Verdict::Findings } else { Verdict::Clean })
    }

    fn cross_check(&self, tables: Tables) -> Result<Verdict, CliError> {
        let source = opcode_table_text(&self.old).map_err(CliError::Unusable)?;
        let (ops, unknown) = llvm::read(&source);
        if ops.is_empty() {
            let why = "expected definitions `def Name : DXILOp<NUMBER, class> { … }`, found none";
            return Err(CliError::Unusable(format!("{}: {why}", self.old.display())));
        }
        let found = llvm::compare(&ops, tables);
        let mut out = streams::plain();
        let name = plain(&self.old.to_string_lossy());
        for (line, name_of_op) in &unknown {
            writeln!(out, "{name}:{line}: note: the number of {} is not understood", plain(name_of_op))?;
        }
        for (line, text) in &found {
            writeln!(out, "{name}:{line}: error: {}", plain(text))?;
        }
        let count = counted(ops.len(), "op");
        writeln!(out, "{count} of DXIL.td compared by number with {}", tables.database().source.short())?;
        writeln!(out, "compared: class and number of operands; not compared: names, types, overloads and stages")?;
        Ok(if found.is_empty() { Verdict::Clean } else { Verdict::Findings })
    }
}

fn row(change: &Change) -> Row<'_> {
    Row {
        rule: change.rule.name(),
        severity: change.severity,
        hex: format!("{:#}", change.opcode),
        opcode: change.opcode.0,
        name: &change.name,
        text: &change.text,
        moved: change.moved.map(|moved| moved.0),
    }
}
