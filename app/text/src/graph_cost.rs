//! The cost sheet of a work graph as text.

use std::io::{self, Write};

use lanescope_core::cost::graph::{
    GraphCost, bounds_table, formats_table, graph_sources_table, levels_table, memory_table, nodes_table,
    outputs_table, rings_table, run_table, walks_table,
};
use lanescope_core::findings::{self, Finding};
use lanescope_core::text_format::{counted, size};

use super::Style;
use super::page::{Line, Page};

/// Writes what `cost` prints of a work graph.
///
/// # Errors
/// Those of `out`.
pub fn write(cost: &GraphCost, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    page.heading("Work graph costs", &format!("as {} schedules it", cost.scheduler))?;
    page.prose(Line::from(" "), &assumed(cost))?;
    page.blank()?;
    page.heading("Nodes", &counted(cost.declared.nodes.len(), "node"))?;
    page.table(&nodes_table(cost), 1)?;
    if cost.declared.nodes.iter().any(|node| !node.outputs.is_empty()) {
        page.blank()?;
        page.heading("Outputs", "records of one launch")?;
        page.table(&outputs_table(cost), 1)?;
    }
    page.blank()?;
    page.heading("Worst case by generation", "from declarations")?;
    page.table(&bounds_table(cost), 1)?;
    page.blank()?;
    let memory = &cost.declared.memory;
    let [least, most] = memory.backing.map(size);
    let backing = format!("backing memory {least} to {most}, {} of scratch (S)", counted(memory.scratch, "byte"));
    page.heading("Memory", &backing)?;
    page.table(&memory_table(cost), 1)?;
    page.blank()?;
    page.table(&rings_table(cost), 1)?;
    if !cost.declared.levels.is_empty() {
        page.blank()?;
        page.heading("Levels", "each is issued, with records or without")?;
        page.table(&levels_table(cost), 1)?;
    }
    measured(cost, page)?;
    if !cost.findings.is_empty() {
        let all: Vec<&Finding> = findings::distinct(&cost.findings);
        page.blank()?;
        page.heading("Findings", "")?;
        page.table(&findings::table(&all), 1)?;
    }
    if !cost.notes.is_empty() {
        page.blank()?;
        page.heading("Notes", "")?;
        for note in &cost.notes {
            page.prose(Line::from(" · "), note)?;
        }
    }
    page.blank()?;
    page.heading("Sources", "D documented, S read in source, H seen in the run, C computed")?;
    page.table(&graph_sources_table(cost), 1)
}

/// What a run adds.
fn measured(cost: &GraphCost, page: &mut Page<'_>) -> io::Result<()> {
    let (Some(measured), Some(run), Some(formats)) = (&cost.measured, run_table(cost), formats_table(cost)) else {
        return Ok(());
    };
    page.blank()?;
    page.heading("Run", &format!("records of {}", measured.device))?;
    page.table(&run, 1)?;
    if let Some(walks) = walks_table(cost) {
        page.blank()?;
        page.heading("Grids", "three ways to walk the grids of NodeMaxDispatchGrid")?;
        page.table(&walks, 1)?;
    }
    page.blank()?;
    page.heading("Record lists", "all generations of the run")?;
    page.table(&formats, 1)
}

/// First records and assumptions, as a sentence.
fn assumed(cost: &GraphCost) -> String {
    let first = cost.first.iter().take(LISTED).map(|first| format!("{} {}", first.node, first.records));
    let more = cost.first.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let first = first.collect::<Vec<_>>().join(", ");
    let rows = if cost.rows { "in rows of 32768 groups" } else { "without rows of groups" };
    let compacts = if cost.compacts { "dropped before their node runs" } else { "not dropped" };
    format!(
        "First records ({}): {first}{more}. Dispatches {rows}; records with an empty grid are {compacts}. A stepped run of \
         Lanescope schedules otherwise.",
        cost.input_mode
    )
}

/// Entry nodes that are listed.
const LISTED: usize = 8;
