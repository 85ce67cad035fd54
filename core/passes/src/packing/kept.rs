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
        let read: BTreeSet<(bool, Place)> = self.map.iter().map(|row| (row.per_primitive, row.from)).collect();
        let is_read = |output: &OutputMapping| read.contains(&(output.per_primitive, output.from));
        let unread = |output: &&OutputMapping| output.stream != self.raster_stream || !is_read(output);
        self.outputs.iter().filter(|output| of(output)).filter(unread).collect()
    }

    /// Those of them that a picture marks, by original place in each group: captured, read by their own stage, kept for
    /// their locations. Each with the words of a legend.
    fn groups(&self) -> [(Vec<&OutputMapping>, &'static str); 3] {
        // Locations of other streams are not those of the picture.
        let captured = self.captured().into_iter().filter(|output| output.stream == 0).collect();
        [
            (captured, "captured, not read"),
            (self.read_back(), "read by its own stage only"),
            (self.reserved(), "not read, location kept"),
        ]
    }

    /// All of them on stream 0, by original place in each group.
    pub fn kept(&self) -> impl Iterator<Item = &OutputMapping> {
        self.groups().into_iter().flat_map(|(outputs, _)| outputs)
    }

    /// Why outputs are kept, in the words of a legend: `captured, not read`.
    pub fn kept_why(&self) -> String {
        let held = self.groups().into_iter().filter(|(outputs, _)| !outputs.is_empty());
        held.map(|(_, why)| why).collect::<Vec<_>>().join("; ")
    }
}
