//! The costs of a work graph as a sheet.

use super::report::{GraphCost, RingMap};
use super::ring_table::{ring_nodes_table, ring_pieces_table};
use super::table::{
    bounds_table, counted_table, formats_table, graph_sources_table, level_runs_table, levels_table, memory_table,
    nodes_table, outputs_table, rings_table, run_table, walks_table,
};
use crate::sheet::{Part, Sheet};
use lanescope_base::text_format::{counted, size};
use lanescope_passes::findings::{self, Finding};

/// Generations whose payload is drawn.
const STRIPS: usize = 8;
/// Entry nodes that are listed.
const LISTED: usize = 8;

impl GraphCost {
    /// The sheet that it is read as.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        let (declared, memory) = (&self.declared, &self.declared.memory);
        let scheduler = format!("as {} schedules it", self.scheduler);
        sheet.section("Work graph costs", scheduler, [Part::Prose(self.assumed())]);
        sheet.section("Nodes", counted(declared.nodes.len(), "node"), [Part::Nodes(nodes_table(self))]);
        if declared.nodes.iter().any(|node| !node.outputs.is_empty()) {
            sheet.section("Outputs", "records of one launch", [Part::table(outputs_table(self))]);
        }
        sheet.section("Worst case by generation", "from declarations", [Part::table(bounds_table(self))]);
        let [least, most] = memory.backing.map(size);
        let backing = format!("backing memory {least} to {most}, {} of scratch (S)", counted(memory.scratch, "byte"));
        sheet.section("Memory", backing, [memory_table(self), rings_table(self)].map(Part::table));
        if !declared.levels.is_empty() {
            let note = "each is issued, with records or without";
            sheet.section("Levels", note, [Part::table(levels_table(self))]);
        }
        self.measured(&mut sheet);
        if !self.findings.is_empty() {
            let all: Vec<&Finding> = findings::distinct(&self.findings);
            sheet.section("Findings", "", [Part::table(findings::table(&all))]);
        }
        sheet.notes(&self.notes);
        let marks = "D documented, S read in source, H seen in the run, C computed";
        sheet.section("Sources", marks, [Part::table(graph_sources_table(self))]);
        sheet
    }

    /// What a run adds.
    fn measured(&self, sheet: &mut Sheet) {
        let (Some(measured), Some(run), Some(formats)) = (&self.measured, run_table(self), formats_table(self)) else {
            return;
        };
        sheet.section("Run", format!("records of {}", measured.device), [Part::table(run)]);
        if let Some(levels) = level_runs_table(self) {
            let note = "no command stream is made by the device: what is empty is issued too (S)";
            sheet.section("Empty dispatches", note, [Part::table(levels)]);
        }
        if let Some(walks) = walks_table(self) {
            let note = "three ways to walk the grids of NodeMaxDispatchGrid";
            sheet.section("Grids", note, [Part::table(walks)]);
        }
        if let Some(counted) = counted_table(self) {
            let note = "a GPU-driven run with these dispatches, after the first generation";
            sheet.section("Counters", note, [Part::table(counted)]);
        }
        sheet.section("Record lists", "all generations of the run", [Part::table(formats)]);
        if let (Some(nodes), Some(pieces)) = (ring_nodes_table(self), ring_pieces_table(self)) {
            let note = "each in a ring of its own, from its start (S); order by writer and allocation (G)";
            let strips = measured.rings.iter().filter_map(RingMap::strip).take(STRIPS).map(Part::Strip);
            let more = measured.rings.iter().filter(|map| map.bytes.is_some()).count().saturating_sub(STRIPS);
            let more = (more > 0).then(|| Part::Prose(format!("and {}", counted(more, "more generation"))));
            let parts = strips.chain(more).chain([Part::Nodes(nodes)]).chain(pieces.map(Part::Nodes));
            sheet.section("Payload by generation", note, parts);
        }
    }

    /// First records and assumptions, as a sentence.
    fn assumed(&self) -> String {
        let first = self.first.iter().take(LISTED).map(|first| format!("{} {}", first.node, first.records));
        let more = self.first.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first = first.collect::<Vec<_>>().join(", ");
        let rows = if self.rows { "in rows of 32768 groups" } else { "without rows of groups" };
        let compacts = if self.compacts { "dropped before their node runs" } else { "not dropped" };
        format!(
            "First records ({}): {first}{more}. Dispatches {rows}; records with an empty grid are {compacts}. A stepped \
             run of Lanescope schedules otherwise.",
            self.input_mode
        )
    }
}
