//! Driver places of varyings beside the computed ones: rows are scalars, columns compilations.

use std::collections::BTreeSet;
use std::io;

use lanescope_core::driver::layout::{LayoutRule, LayoutTable, Reason, agreeing};

use super::page::{Line, Page};

/// Writes the tables, once for devices that agree, then the rules that they refer to.
pub fn write(page: &mut Page<'_>, tables: &[LayoutTable]) -> io::Result<()> {
    let groups = agreeing(tables);
    for (places, table) in &groups {
        page.heading("Driver: varyings", &places.join(", "))?;
        page.table(&table.table(), 1)?;
    }
    let used: BTreeSet<LayoutRule> = groups.iter().flat_map(|(_, table)| table.rules()).collect();
    for rule in used {
        page.prose(Line::of(page.style.dim, format!(" {rule}: ")), rule.why())?;
    }
    let reasons: BTreeSet<Reason> = groups.iter().flat_map(|(_, table)| table.reasons()).collect();
    for reason in reasons {
        page.prose(Line::of(page.style.dim, format!(" unattributed, {reason}: ")), reason.why())?;
    }
    Ok(())
}
