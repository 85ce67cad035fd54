//! One number: its forms, the partitions of its bits, and its op.

use std::io::Write as _;

use clap::Args;
use lanescope_core::dxil::ops::{Opcode, TableKind};

use super::super::CliError;
use super::tables::TableArg;
use crate::cli::streams;
use lanescope_text as text;

#[derive(Debug, Args)]
pub struct Explain {
    /// Number of 32 bits: decimal, negative, or hexadecimal with 0x
    #[arg(value_name = "NUMBER", allow_negative_numbers = true, value_parser = number)]
    number: Opcode,

    #[command(flatten)]
    table: TableArg,
}

impl Explain {
    pub fn run(&self) -> Result<(), CliError> {
        let tables = self.table.read()?;
        let (mut out, style) = streams::styled();
        text::write_opcode(self.number, tables, &mut out, style)?;
        out.flush()?;
        Ok(())
    }
}

fn number(text: &str) -> Result<Opcode, String> {
    let tables = TableKind::ALL.iter().map(|kind| kind.feature().to_string()).collect::<Vec<_>>().join(" or ");
    Opcode::parse(text)
        .ok_or_else(|| format!("expected a number of 32 bits, such as -2147483615 or 0x80000021 (FeatureID {tables})"))
}
