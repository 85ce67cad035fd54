//! How much one launch may write, from the declared budgets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{Launch, Node};

/// Payload of an allocation starts at multiples of this.
const PAYLOAD_ALIGN: u64 = 16;
/// Bytes that name one allocation in the list of what was written.
const ENTRY_BYTES: u64 = 8;

/// A budget of records that one output has, or several share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// The outputs that draw on it.
    pub outputs: Vec<usize>,
    /// The most records of one launch.
    pub max_records: u32,
    /// Bytes of the largest record that it may be used for; 0 where all are empty.
    pub bytes: u32,
    /// As above, with the hidden counter.
    pub stride: u32,
    /// Whether any of those records is tracked.
    pub tracked: bool,
}

/// The most that one launch may write: one thread of a thread node, one group of others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bound {
    /// Records with contents.
    pub records: u64,
    /// Bytes of those records as the rules count them: without counters and padding.
    pub record_bytes: u64,
    /// Of the records, how many may be tracked.
    pub tracked: u64,
    /// Bytes of payload: each allocation rounded up.
    pub payload: u64,
    /// Bytes that list the allocations.
    pub listed: u64,
    /// The most groups that one record may start.
    pub groups: u64,
}

impl Node {
    /// The budgets of its outputs, in the order of the outputs that declare them. An output that names a budget which
    /// is not there has one of its own.
    pub fn budgets(&self) -> Vec<Budget> {
        let mut out: Vec<Budget> = Vec::new();
        let owner = |index: usize| -> usize {
            let shared = self.outputs.get(index).and_then(|output| output.shares_budget_of).map(|at| at as usize);
            shared
                .filter(|at| self.outputs.get(*at).is_some_and(|other| other.shares_budget_of.is_none()))
                .unwrap_or(index)
        };
        let mut of_owner = std::collections::BTreeMap::new();
        for (index, output) in self.outputs.iter().enumerate() {
            let owner = owner(index);
            let at = *of_owner.entry(owner).or_insert_with(|| {
                let max_records = self.outputs.get(owner).map_or(0, |output| output.max_records);
                out.push(Budget { outputs: Vec::new(), max_records, bytes: 0, stride: 0, tracked: false });
                out.len() - 1
            });
            let budget = &mut out[at];
            budget.outputs.push(index);
            if let Some(record) = &output.record {
                budget.bytes = budget.bytes.max(record.bytes);
                budget.stride = budget.stride.max(record.stride());
                budget.tracked |= record.tracked;
            }
        }
        out
    }

    /// The most that one launch may write.
    pub(super) fn bounded(&self) -> Bound {
        let mut out = Bound { groups: 1, ..Bound::default() };
        for budget in self.budgets().iter().filter(|budget| budget.stride > 0) {
            let (records, stride) = (u64::from(budget.max_records), u64::from(budget.stride));
            out.records = out.records.saturating_add(records);
            out.record_bytes = out.record_bytes.saturating_add(records.saturating_mul(u64::from(budget.bytes)));
            out.payload = out.payload.saturating_add(records.saturating_mul(stride.next_multiple_of(PAYLOAD_ALIGN)));
            out.tracked += if budget.tracked { records } else { 0 };
        }
        out.listed = out.records.saturating_mul(ENTRY_BYTES);
        if self.launch == Launch::Broadcasting {
            let grid = self.grid.or(self.max_grid).unwrap_or([1; 3]);
            out.groups = grid.iter().fold(1, |all, axis| all.saturating_mul(u64::from(*axis)));
        }
        out
    }
}

impl Bound {
    /// Bytes of payload and of its list that so many launches may need.
    pub fn bytes(&self, launches: u64) -> u64 {
        launches.saturating_mul(self.payload.saturating_add(self.listed))
    }
}
