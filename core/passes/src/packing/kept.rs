//! Outputs that are kept though the consumer reads none of them.

use std::collections::BTreeSet;

use super::{OutputMapping, Packing, Place};
use lanescope_model::program::StageKind;

impl Packing {
    /// Outputs that are kept for transform feedback alone, by stream and original place: the consumer reads none of
    /// them.
    pub fn captured(&self) -> Vec<&OutputMapping> {
        // Most pipelines capture nothing.
        if self.outputs.iter().all(|output| !output.captured) {
            return Vec::new();
        }
        self.unread(|output| output.captured && !output.reserved)
    }

    /// Outputs that are kept because the tessellation control shader reads them itself, by original place: the
    /// evaluation shader reads none of them.
    pub fn read_back(&self) -> Vec<&OutputMapping> {
        if self.producer != Some(StageKind::TessControl) {
            return Vec::new();
        }
        self.unread(|output| !output.captured && !output.reserved)
    }

    /// Outputs that are kept for their locations alone, by original place: see [`OutputMapping::reserved`].
    pub fn reserved(&self) -> Vec<&OutputMapping> {
        if self.outputs.iter().all(|output| !output.reserved) {
            return Vec::new();
        }
        self.unread(|output| output.reserved)
    }

    fn unread(&self, of: impl Fn(&OutputMapping) -> bool) -> Vec<&OutputMapping> {
        let read: BTreeSet<Place> = self.map.iter().map(|mapping| mapping.from).collect();
        let unread = |output: &&OutputMapping| output.stream != self.raster_stream || !read.contains(&output.from);
        self.outputs.iter().filter(|output| of(output)).filter(unread).collect()
    }

    /// All of them on stream 0, by original place in each group: captured, read by their own stage, kept for their
    /// locations.
    pub fn kept(&self) -> impl Iterator<Item = &OutputMapping> {
        let captured = self.captured().into_iter().filter(|output| output.stream == 0);
        captured.chain(self.read_back()).chain(self.reserved())
    }

    /// Why outputs are kept, in the words of a legend: `captured, not read`.
    pub fn kept_why(&self) -> String {
        let groups = [
            (!self.captured().is_empty(), "captured, not read"),
            (!self.read_back().is_empty(), "read by its own stage only"),
            (!self.reserved().is_empty(), "not read, location kept"),
        ];
        let held: Vec<&str> = groups.into_iter().filter(|(holds, _)| *holds).map(|(_, why)| why).collect();
        held.join("; ")
    }
}
