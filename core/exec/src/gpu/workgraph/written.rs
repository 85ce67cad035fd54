//! Records that a launch wrote, in the interpreter and on the device.

use lanescope_passes::graph::WorkGraph;
use lanescope_run::Blob;
use lanescope_run::graph::record_fields;
use serde::Serialize;

/// Fields of a record that are written as text.
const FIELDS: usize = 16;

/// A record that a launch wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRecord {
    /// The id that it was sent to.
    pub target: String,
    /// Index of the node that gets it; absent where no node has the id.
    pub node: Option<usize>,
    /// Its bytes; empty for a record without contents.
    pub bytes: Blob,
}

/// How a record of one launch compares with those of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairState {
    /// Both launches wrote it.
    Same,
    /// Both wrote a record for the node, with other contents.
    Different,
    /// Only the first one wrote it.
    OnlyFirst,
    /// Only the second one wrote it.
    OnlySecond,
    /// A record without contents, or without a node that gets it: runs only count these.
    NotCompared,
}

/// A record of one launch beside one of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenPair {
    /// The id that it was sent to.
    pub target: String,
    /// Index of the node that gets it.
    pub node: Option<usize>,
    /// Bytes of the first launch's record.
    pub first: Option<Blob>,
    /// Bytes of the second launch's record.
    pub second: Option<Blob>,
    /// How they compare.
    pub state: PairState,
}

/// The records of two launches beside each other: the same ones of each node as pairs, then what is left of the node in
/// the order in which it was written. Nodes are in the order of the first launch's records.
pub fn pairs(first: &[WrittenRecord], second: &[WrittenRecord]) -> Vec<WrittenPair> {
    let mut rest: Vec<Option<&WrittenRecord>> = second.iter().filter(|record| is_compared(record)).map(Some).collect();
    let mut out: Vec<WrittenPair> = Vec::new();
    for record in first {
        let other = rest.iter_mut().find(|other| {
            other.is_some_and(|other| (other.node, &other.bytes) == (record.node, &record.bytes)) && is_compared(record)
        });
        let other = other.and_then(Option::take);
        let state = match (is_compared(record), other) {
            (false, _) => PairState::NotCompared,
            (true, Some(_)) => PairState::Same,
            (true, None) => PairState::OnlyFirst,
        };
        out.push(WrittenPair {
            target: record.target.clone(),
            node: record.node,
            first: Some(record.bytes.clone()),
            second: other.map(|other| other.bytes.clone()),
            state,
        });
    }
    for record in rest.into_iter().flatten() {
        let alone = |pair: &&mut WrittenPair| pair.state == PairState::OnlyFirst && pair.node == record.node;
        match out.iter_mut().find(alone) {
            Some(pair) => (pair.second, pair.state) = (Some(record.bytes.clone()), PairState::Different),
            None => out.push(WrittenPair {
                target: record.target.clone(),
                node: record.node,
                first: None,
                second: Some(record.bytes.clone()),
                state: PairState::OnlySecond,
            }),
        }
    }
    out
}

/// Whether two launches wrote the same records: for each node the same ones, in any order. Records without contents and
/// those that no node gets are left out.
pub fn same_records(first: &[WrittenRecord], second: &[WrittenRecord]) -> bool {
    let is_same = |pair: &WrittenPair| matches!(pair.state, PairState::Same | PairState::NotCompared);
    pairs(first, second).iter().all(is_same)
}

/// Whether a run says of the record more than that it was counted.
fn is_compared(record: &WrittenRecord) -> bool {
    !record.bytes.0.is_empty() && record.node.is_some()
}

/// The fields of a node's record as text: `tile=3 place=1, 2`. Empty for a record without contents.
pub fn record_text(graph: &WorkGraph, node: Option<usize>, bytes: &[u8]) -> String {
    let Some(ty) = node.and_then(|node| graph.nodes.get(node)?.record()) else { return String::new() };
    if bytes.is_empty() {
        return String::new();
    }
    let (all, more) = record_fields(ty, FIELDS);
    let texts: Vec<String> = all.iter().map(|field| format!("{}={}", field.name, field.values(bytes))).collect();
    let more = if more > 0 { " …" } else { "" };
    format!("{}{more}", texts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(node: Option<usize>, bytes: &[u8]) -> WrittenRecord {
        WrittenRecord { target: format!("{node:?}"), node, bytes: Blob(bytes.to_vec()) }
    }

    #[test]
    fn the_same_records_are_paired_in_any_order() {
        let ours = [record(Some(1), &[1]), record(Some(1), &[2]), record(Some(2), &[1]), record(Some(3), &[])];
        let theirs = [record(Some(2), &[1]), record(Some(1), &[2]), record(Some(1), &[1])];
        let states: Vec<_> = pairs(&ours, &theirs).iter().map(|pair| pair.state).collect();
        assert_eq!(states, [PairState::Same, PairState::Same, PairState::Same, PairState::NotCompared]);
        assert!(same_records(&ours, &theirs));
    }

    #[test]
    fn what_is_left_of_a_node_is_beside_each_other() {
        let ours = [record(Some(1), &[1]), record(Some(1), &[2]), record(Some(2), &[9]), record(None, &[7])];
        let theirs = [record(Some(1), &[2]), record(Some(1), &[3]), record(Some(4), &[5])];
        let pairs = pairs(&ours, &theirs);
        let rows: Vec<_> = pairs.iter().map(|pair| (pair.node, pair.state)).collect();
        assert_eq!(
            rows,
            [
                (Some(1), PairState::Different),
                (Some(1), PairState::Same),
                (Some(2), PairState::OnlyFirst),
                (None, PairState::NotCompared),
                (Some(4), PairState::OnlySecond)
            ]
        );
        assert_eq!(pairs[0].second, Some(Blob(vec![3])));
        assert!(!same_records(&ours, &theirs) && !same_records(&ours, &[]) && !same_records(&[], &theirs));
    }

    #[test]
    fn the_same_record_twice_is_two_records() {
        let (once, twice) = ([record(Some(1), &[1])], [record(Some(1), &[1]), record(Some(1), &[1])]);
        assert!(!same_records(&once, &twice) && !same_records(&twice, &once) && same_records(&twice, &twice));
    }
}
