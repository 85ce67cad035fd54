//! A run that is stepped by its caller: it stops before a generation, and waits for a command.
//!
//! The protocol between the child process that runs it and its viewer:
//! [`GraphPart::Standing`](super::GraphPart::Standing) says where it is paused, a [`GraphCommand`] is the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Records;
use crate::Blob;
use lanescope_passes::graph::{Condition, WorkGraph};

/// What a paused run does next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum GraphCommand {
    /// Resumes: the generation that it is paused before runs even if a breakpoint stops there. With 0 generations it
    /// stays paused there.
    Go(Advance),
    /// Replaces the bytes of a pending record; the run stays paused.
    Replace(Replace),
    /// It ends here, with its records waiting.
    End,
}

/// How far a run goes before it pauses again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advance {
    /// Number of generations; to its end where absent. With 0 a new run is paused before its first one.
    pub generations: Option<u32>,
    /// Not past these.
    pub breakpoints: Vec<Breakpoint>,
}

/// Other bytes for a record that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replace {
    /// Whose: an index into the nodes of [`GraphPart::Waiting`](super::GraphPart::Waiting).
    pub run: usize,
    /// Which.
    pub record: u64,
    /// Its bytes: all of them, a hidden counter aside.
    pub bytes: Blob,
}

/// A pending record that was edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edited {
    /// Which.
    pub record: u64,
    /// Its bytes before the first edit.
    pub was: Blob,
}

/// Stops before a generation in which a node gets records, or one that meets a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Breakpoint {
    /// Index of the node.
    pub node: usize,
    /// The condition as it was written; empty for any record.
    pub condition: String,
}

/// What a breakpoint found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Whose records: an index into the nodes that wait.
    pub run: usize,
    /// The record, where the breakpoint has a condition.
    pub record: Option<u64>,
}

impl Breakpoint {
    /// Its condition, or why there is none.
    ///
    /// # Errors
    /// A node that does not exist or has empty records; an invalid condition.
    pub fn parse(&self, graph: &WorkGraph) -> Result<Option<Condition>, String> {
        let node = graph.nodes.get(self.node).ok_or("no such node")?;
        let text = self.condition.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let record = node.record().ok_or("its records are empty")?;
        Condition::parse(text, record).map(Some).map_err(|error| error.to_string())
    }

    /// Where it stops among nodes that wait: each with its records and how many there are. A node that reads another one's
    /// records once more gets what that one gets.
    pub fn hit<'r>(&self, graph: &WorkGraph, waiting: impl Iterator<Item = (usize, &'r Records, u64)>) -> Option<Hit> {
        let condition = self.parse(graph).ok()?;
        let gets = |node: usize| node == self.node || graph.sharers(node).any(|sharer| sharer == self.node);
        let own = waiting.enumerate().filter(|(_, (node, _, count))| *count > 0 && gets(*node));
        let mut hits = own.filter_map(|(run, (_, records, _))| match &condition {
            None => Some(Hit { run, record: None }),
            Some(condition) => {
                let record = records.iter().position(|record| condition.holds(record))?;
                Some(Hit { run, record: Some(record as u64) })
            }
        });
        hits.next()
    }
}

impl Records {
    /// Puts other bytes into a record and notes in `edited` what it was. A hidden counter after them stays.
    ///
    /// # Errors
    /// A record whose bytes are not kept; a wrong number of bytes.
    pub fn replace(&mut self, record: u64, bytes: &[u8], size: u32, edited: &mut Vec<Edited>) -> Result<(), String> {
        let there = self.len();
        let stride = self.stride as usize;
        let at = usize::try_from(record).ok().filter(|_| record < there).and_then(|at| at.checked_mul(stride));
        let place = at.and_then(|at| self.bytes.0.get_mut(at..at.checked_add(size as usize)?));
        let Some(place) = place else {
            return Err(format!("record {record} does not exist: {there} records are kept"));
        };
        if bytes.len() != place.len() {
            return Err(format!("{} bytes for a record of {size} bytes", bytes.len()));
        }
        if !edited.iter().any(|edit| edit.record == record) {
            edited.push(Edited { record, was: Blob(place.to_vec()) });
        }
        place.copy_from_slice(bytes);
        // As it came: nothing is left to say.
        edited.retain(|edit| edit.record != record || edit.was.0 != bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Records {
        Records { stride: 8, bytes: Blob((0..24).collect()), origins: Vec::new() }
    }

    #[test]
    fn edited_record_keeps_its_original_bytes() {
        let (mut records, mut edited) = (records(), Vec::new());
        records.replace(1, &[9, 9, 9, 9], 4, &mut edited).expect("it is there");
        records.replace(1, &[7, 7, 7, 7], 4, &mut edited).expect("it is there");
        assert_eq!(edited, [Edited { record: 1, was: Blob(vec![8, 9, 10, 11]) }]);
        assert_eq!(records.bytes.0[8..16], [7, 7, 7, 7, 12, 13, 14, 15], "the hidden counter stays");
        records.replace(1, &[8, 9, 10, 11], 4, &mut edited).expect("it is there");
        assert!(edited.is_empty(), "it is as it came");
    }

    #[test]
    fn refuses_bytes_that_do_not_fit_the_record() {
        let (mut records, mut edited) = (records(), Vec::new());
        for (record, bytes) in [(3, 4), (u64::MAX, 4), (0, 3), (0, 9)] {
            assert!(records.replace(record, &vec![0; bytes], 4, &mut edited).is_err(), "{record}, {bytes}");
        }
        assert_eq!((records, edited), (self::records(), Vec::new()));
        let mut empty = Records::default();
        assert!(empty.replace(0, &[], 0, &mut Vec::new()).is_err());
    }
}
