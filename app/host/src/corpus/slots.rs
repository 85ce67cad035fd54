//! Attribute slots of many pipelines.

use std::collections::BTreeMap;

use lanescope_core::options::PackingOrder;
use serde::Serialize;

/// The attribute slots of one pipeline.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its files' names.
    pub pipeline: String,
    /// Locations of the original program.
    pub before: u32,
    /// Slots after packing, in each order.
    pub packed: BTreeMap<PackingOrder, u32>,
    /// Locations of the modules that `lanescope rewrite` writes in the default order. Absent if the program cannot be
    /// rewritten.
    pub rewritten: Option<u32>,
}

impl Row {
    /// The columns of counts.
    pub fn titles() -> impl Iterator<Item = &'static str> {
        ["original"].into_iter().chain(PackingOrder::ALL.iter().map(|order| order.name())).chain(["rewritten"])
    }

    /// Its counts, one per column.
    pub fn counts(&self) -> impl Iterator<Item = String> {
        let rewritten = self.rewritten.map_or_else(|| "-".to_owned(), |count| count.to_string());
        [self.before.to_string()].into_iter().chain(self.packed.values().map(u32::to_string)).chain([rewritten])
    }
}
