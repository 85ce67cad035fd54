//! Names whose values a debugger's client shows beside the lines that have run.

use std::ops::Range;

use lsp_types::{InlineValue, InlineValueVariableLookup, Position};

use super::Server;
use crate::sites::Source;

impl Server {
    /// The variables that lines up to the one where a session stopped name. The client looks their values up in its session,
    /// such as one of `lanescope dap`.
    pub(super) fn inline_values(
        &self,
        source: &Source,
        shown: &lsp_types::Range,
        stopped: Position,
    ) -> Vec<InlineValue> {
        let end = Position { line: stopped.line.saturating_add(1), character: 0 };
        if !self.settings.hints.values {
            return Vec::new();
        }
        let [start, end] = [shown.start, shown.end.min(end)].map(|at| self.offset(source, at));
        let of = |(name, range): (&str, Range<usize>)| {
            let range = source.lines.range_of(&source.text, &range, self.abilities.encoding);
            let (variable_name, case_sensitive_lookup) = (Some(name.to_owned()), true);
            InlineValue::VariableLookup(InlineValueVariableLookup { range, variable_name, case_sensitive_lookup })
        };
        source.variables_in(start..end).into_iter().map(of).collect()
    }
}
