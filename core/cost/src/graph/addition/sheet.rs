//! What an addition changes, as a sheet.

use super::report::GraphAddition;
use super::table::{changed_table, entries_table, figures_table, generations_table, links_table, nodes_table};
use crate::graph::report::FirstRecords;
use crate::sheet::{Part, Sheet};
use crate::table::marked_sources_table;
use lanescope_base::text_format::counted;
use lanescope_passes::findings::{self, Finding};

/// First records that are listed.
const LISTED: usize = 8;

impl GraphAddition {
    /// The sheet that it is read as.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.section("Work graph addition", "as AddToStateObject of D3D12 adds nodes", [Part::Prose(self.assumed())]);
        let existing = format!("to {} that exist", counted(self.existing_nodes, "node"));
        sheet.section("Added nodes", existing, [Part::Nodes(nodes_table(self))]);
        if !self.links.is_empty() {
            sheet.section("New links", "outputs that newly reach nodes", [Part::Nodes(links_table(self))]);
        }
        if !self.entries.is_empty() {
            sheet.section("Entry points", "existing ones keep their index", [Part::Nodes(entries_table(self))]);
        }
        self.existing(&mut sheet);
        sheet.section(
            "Before and after",
            format!("as {} schedules both", self.scheduler),
            [Part::table(figures_table(&self.figures))],
        );
        self.generations(&mut sheet);
        for (title, found) in
            [("Findings of the base", &self.base_findings), ("Findings of the addition", &self.findings)]
        {
            if !found.is_empty() {
                let all: Vec<&Finding> = findings::distinct(found);
                sheet.section(title, "", [Part::table(findings::table(&all))]);
            }
        }
        sheet.notes(&self.notes);
        let marks = "D documented, S read in source, C computed";
        sheet.section("Sources", marks, [Part::table(marked_sources_table(&self.sources))]);
        sheet
    }

    /// Existing nodes that change, and how many do not.
    fn existing(&self, sheet: &mut Sheet) {
        let same = self.existing_nodes.saturating_sub(self.changed.len() as u64);
        let unchanged = match same {
            0 => None,
            1 => Some("1 node has the depth and the levels that it had.".to_owned()),
            same => Some(format!("{same} nodes have the depth and the levels that they had.")),
        };
        let mut parts: Vec<Part> = unchanged.map(Part::Prose).into_iter().collect();
        if !self.changed.is_empty() {
            parts.push(Part::Nodes(changed_table(self)));
        }
        sheet.section("Existing nodes", "what the addition changes of them", parts);
    }

    /// Figures of generations that change, and how many do not.
    fn generations(&self, sheet: &mut Sheet) {
        let same = self.generations.iter().filter(|figure| figure.before == figure.after).count();
        let mut parts = Vec::new();
        if same < self.generations.len() {
            parts.push(Part::table(generations_table(self)));
        }
        if same > 0 {
            parts.push(Part::Prose(format!("{} of {} are the same.", same, counted(self.generations.len(), "figure"))));
        }
        sheet.section("Worst case by generation", "from declarations: what changes", parts);
    }

    /// First records, as a sentence.
    fn assumed(&self) -> String {
        let listed = |first: &[FirstRecords]| {
            let names = first.iter().take(LISTED).map(|first| format!("{} {}", first.node, first.records));
            let names = names.collect::<Vec<_>>().join(", ");
            match first.len().saturating_sub(LISTED) {
                0 if names.is_empty() => "none".to_owned(),
                0 => names,
                more => format!("{names} and {more} more"),
            }
        };
        let (before, after) = (listed(&self.first_before), listed(&self.first_after));
        let first = if before == after { before } else { format!("{before}; with the addition {after}") };
        let rows = if self.rows { "in rows of 32768 groups" } else { "without rows of groups" };
        format!("First records ({}): {first}. Dispatches {rows}.", self.input_mode)
    }
}
