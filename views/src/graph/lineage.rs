//! Where the selected record came from, and what its launch wrote: a line with links to both.

use egui::Ui;
use lanescope_core::gpu::RecordPlace;
use lanescope_core::run::graph::{Caused, GraphRun, NodeRun, Writer, records_in};
use lanescope_core::text_format::counted;

use crate::picture::clean;
use crate::records::Kept;
use crate::table::quiet_cell;

/// Known facts about a record.
#[derive(Debug)]
pub(super) struct Lineage {
    /// The record.
    place: RecordPlace,
    writer: Option<Writer>,
    caused: Vec<Caused>,
}

/// Records to show: generation, run, which.
pub(super) struct Go {
    pub generation: usize,
    pub run: usize,
    pub kept: Kept,
}

impl Lineage {
    /// Known facts about a record; `known` is kept where it is the same one.
    pub fn of(known: Option<Lineage>, run: &GraphRun, place: RecordPlace) -> Lineage {
        let RecordPlace { generation, run: node, record } = place;
        known.filter(|known| known.place == place).unwrap_or_else(|| Lineage {
            place,
            writer: run.writer(generation, node, record),
            caused: run.caused(generation, node, record),
        })
    }

    /// Draws the line. Returns the link that was followed.
    pub fn ui(&self, ui: &mut Ui, run: &GraphRun) -> Option<Go> {
        let record = self.place.record;
        let mut go = None;
        let node = |generation: usize, at: usize| run.generations.get(generation).and_then(|is| is.nodes.get(at));
        let name = |is: &NodeRun| run.graph.nodes.get(is.node).map(|is| clean(&is.id.to_string())).unwrap_or_default();
        ui.horizontal_wrapped(|ui| {
            ui.strong(format!("#{record}"));
            match self.writer.as_ref().and_then(|writer| Some((writer, node(writer.generation, writer.run)?))) {
                None => {
                    let RecordPlace { generation, run, .. } = self.place;
                    let from_host = node(generation, run).is_some_and(|is| is.entry);
                    // A GPU-driven run only counts records.
                    ui.weak(if from_host { "from the host" } else { "written by an unrecorded launch" });
                }
                Some((writer, from)) => {
                    ui.weak("written by");
                    let link = ui.link(name(from)).on_hover_text("Show the records of the launch that wrote it");
                    if link.clicked() {
                        let kept = Kept::new(writer.records.clone(), format!("wrote #{record}"));
                        go = Some(Go { generation: writer.generation, run: writer.run, kept });
                    }
                    let first = writer.records.first().map_or(0, |range| range.start);
                    let from = match (records_in(&writer.records), writer.exact) {
                        (1, _) => format!("from record #{first}, in allocation {}", writer.entry),
                        (of, true) => format!(
                            "from {} starting at #{first}, in allocation {}",
                            counted(of, "record"),
                            writer.entry
                        ),
                        (of, false) => format!("from one of {}, in allocation {}", counted(of, "record"), writer.entry),
                    };
                    let cell = quiet_cell(ui, from);
                    if !writer.exact {
                        cell.on_hover_text(
                            "The launch within this batch was not recorded; set Batch to 1 under Input to record it",
                        );
                    }
                }
            }
            if run.generations.get(self.place.generation).is_some_and(|is| is.waiting) {
                ui.weak("· not run yet");
                return;
            }
            if self.caused.is_empty() {
                ui.weak("· its launch wrote no record with contents");
                return;
            }
            let exact = self.caused.iter().all(|caused| caused.exact);
            ui.weak(if exact { "· its launch wrote records for" } else { "· its batch wrote records for" });
            for caused in &self.caused {
                let Some(to) = node(caused.generation, caused.run) else { continue };
                let link = ui.link(format!("{} ({})", name(to), records_in(&caused.records)));
                if link.on_hover_text("Show these records").clicked() {
                    let kept = Kept::new(caused.records.clone(), format!("caused by #{record}"));
                    go = Some(Go { generation: caused.generation, run: caused.run, kept });
                }
            }
        });
        go
    }
}
