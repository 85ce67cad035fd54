//! What a number or a name was in the versions of DXC's table.

use std::io::Write as _;

use clap::Args;
use lanescope_core::dxil::ops::{OpHistory, Opcode, Tables, history};
use serde::Serialize;

use super::super::{CliError, json};
use super::Format;
use crate::cli::streams;
use lanescope_text as text;

#[derive(Debug, Args)]
pub struct History {
    /// Number, or the name of an op, of now or of an earlier version
    #[arg(value_name = "NAME|NUMBER", allow_negative_numbers = true)]
    of: String,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The result as JSON.
#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    source: &'a lanescope_core::dxil::ops::HistorySource,
    ops: Vec<&'a OpHistory>,
}

impl History {
    pub fn run(&self) -> Result<(), CliError> {
        let history = history();
        let tables = Tables::bundled();
        let numbers: Vec<Opcode> = match Opcode::parse(&self.of) {
            Some(opcode) => vec![opcode],
            None => {
                let now = tables.by_name(&self.of).filter(|op| !op.reserved).map(|op| op.opcode);
                let mut all: Vec<Opcode> = history.named(&self.of).map(|op| op.opcode).chain(now).collect();
                all.sort();
                all.dedup();
                all
            }
        };
        if numbers.is_empty() {
            let last = &history.source.last;
            return Err(CliError::Unusable(format!("`{}`: no op had this name up to {last}", self.of)));
        }
        if let Some(none) = numbers.iter().find(|number| tables.slot(**number).is_none()) {
            let why = tables.op(*none).map_or_else(|no_op| no_op.to_string(), |op| op.name.clone());
            return Err(CliError::Unusable(why));
        }
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_op_history(&numbers, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(&List {
                schema: 1,
                source: &history.source,
                ops: numbers.iter().filter_map(|number| history.of(*number)).collect(),
            })?,
        }
        Ok(())
    }
}
