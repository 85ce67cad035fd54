//! The workgroups beside the one that is stepped.

use lanescope_core::interpreter::{Machine, Others};
use serde::Serialize;

/// The workgroups that are not stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OtherGroups {
    /// Those that ran before the first step.
    pub before: u64,
    /// Those that run once the workgroup that is stepped has ended.
    pub after: u64,
    /// Those of them that have run so far.
    pub ran: u64,
    /// Whether all of them have run.
    pub ended: bool,
}

impl OtherGroups {
    /// Those of a machine; absent if there are none, or none is stepped.
    pub fn of(machine: &Machine) -> Option<OtherGroups> {
        let Others { before, after, ran } = machine.others()?;
        Some(OtherGroups { before, after, ran, ended: machine.is_finished() })
    }

    /// How many there are, and when they run: `2 ran before it, 1 run after it has ended`.
    pub fn text(&self) -> String {
        let OtherGroups { before, after, ran, ended } = self;
        let first = (*before > 0).then(|| format!("{before} ran before it"));
        let then = (*after > 0).then(|| match (ended, ran) {
            (true, _) => format!("{after} ran after it"),
            (false, 0) => format!("{after} run after it has ended"),
            (false, _) => format!("{ran} of {after} ran after it"),
        });
        [first, then].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_says_what_has_run() {
        let text = |before, after, ran, ended| OtherGroups { before, after, ran, ended }.text();
        assert_eq!(text(2, 1, 0, false), "2 ran before it, 1 run after it has ended");
        assert_eq!(text(2, 1, 1, true), "2 ran before it, 1 ran after it");
        assert_eq!(text(0, 9, 4, false), "4 of 9 ran after it");
        assert_eq!(text(3, 0, 0, true), "3 ran before it");
    }
}
