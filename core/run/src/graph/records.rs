//! Records as bytes, and where each came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Blob;
use lanescope_passes::graph::RecordType;

/// Records of one node, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Records {
    /// Bytes from one to the next: the record and its hidden counter. 0 for empty records.
    pub stride: u32,
    /// Their bytes.
    pub bytes: Blob,
    /// Where they came from, run after run of records; none for those from the host.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub origins: Vec<Origin>,
}

/// Records next to each other that one launch wrote by one allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// How many.
    pub count: u32,
    /// The writer: an index into the nodes of the generation before.
    pub run: u32,
    /// The allocation, among all that this writer made. [`super::Batch::first_entry`] says which batch that was.
    pub entry: u64,
    /// The record that this launch ran with, among those of the writer's run: the first one of a coalescing group's. Absent
    /// where only the batch is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub record: Option<u32>,
}

impl Records {
    /// Whether no record's bytes are kept.
    pub fn is_empty(&self) -> bool {
        self.bytes.0.is_empty() && self.origins.is_empty()
    }

    /// How many records' bytes are kept.
    pub fn len(&self) -> u64 {
        (self.bytes.0.len() as u64).checked_div(u64::from(self.stride)).unwrap_or(0)
    }

    /// The bytes of one record.
    pub fn get(&self, index: u64) -> Option<&[u8]> {
        let stride = self.stride as usize;
        let at = usize::try_from(index).ok()?.checked_mul(stride).filter(|_| stride > 0)?;
        self.bytes.0.get(at..at.checked_add(stride)?)
    }

    /// Every record.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.bytes.0.chunks_exact((self.stride as usize).max(1))
    }

    /// The writer of a record, and its allocation.
    pub fn origin(&self, index: u64) -> Option<Origin> {
        let mut before = 0u64;
        self.origins.iter().copied().find(|origin| {
            before = before.saturating_add(u64::from(origin.count));
            index < before
        })
    }

    /// A record as JSON, by its type's members.
    pub fn json(&self, index: u64, ty: &RecordType) -> Option<Value> {
        Some(ty.shape.json(self.get(index)?))
    }
}
