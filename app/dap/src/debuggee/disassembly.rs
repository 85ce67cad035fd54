//! The module's instructions by address.

use lanescope_core::spirv::InstId;
use serde_json::{Value, json};

use super::Debuggee;
use crate::sources::{self, SourceArgument};

/// The most instructions of an answer.
const MOST: u64 = 1 << 16;

impl Debuggee {
    /// As many instructions as are asked for, from an offset in instructions to an address on. Those that the module does
    /// not have are marked as invalid.
    ///
    /// # Errors
    /// Not an address; more instructions than an answer has.
    pub fn disassemble(&self, address: &str, bytes: i64, offset: i64, count: u64) -> Result<Value, String> {
        if count > MOST {
            return Err(format!("disassemble: {count} instructions: at most {MOST} are given at once"));
        }
        // An instruction has one address.
        let first = sources::number_at(address)?.saturating_add(bytes).saturating_add(offset);
        let program = self.program();
        let end = i64::from(sources::instructions(program));
        let row = |number: i64| {
            let address = sources::address_of(number);
            let Some(inst) = u32::try_from(number).ok().filter(|inst| i64::from(*inst) < end) else {
                return json!({ "address": address, "instruction": "", "presentationHint": "invalid" });
            };
            let shown = self.sources.shown(program.line(InstId(inst)).as_ref(), InstId(inst));
            json!({
                "address": address, "instruction": sources::instruction(program, inst), "location": shown.source,
                "line": shown.line,
            })
        };
        let rows: Vec<Value> = (0..count as i64).map(|at| row(first.saturating_add(at))).collect();
        Ok(json!({ "instructions": rows }))
    }

    /// The text of a source without a path.
    ///
    /// # Errors
    /// A reference of nothing.
    pub fn source_text(&self, reference: i64) -> Result<Value, String> {
        Ok(json!({ "content": self.sources.text(reference, self.program())? }))
    }

    /// All sources of the module.
    pub fn loaded_sources(&self) -> Value {
        json!({ "sources": self.sources.all() })
    }

    /// Lines between two ones where a breakpoint can be set.
    pub fn breakpoint_locations(&self, source: &SourceArgument, line: u32, end: Option<u32>) -> Value {
        let lines: Vec<u32> = match self.sources.find(source) {
            Some(sources::Found::File(_, lines)) => {
                lines.range(line..=end.unwrap_or(line).max(line)).copied().collect()
            }
            _ => Vec::new(),
        };
        let places: Vec<Value> = lines.into_iter().map(|line| json!({ "line": line })).collect();
        json!({ "breakpoints": places })
    }
}
