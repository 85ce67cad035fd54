//! How panes are looked at, where only the terminal form does: the slice of a map, the order of records.

use std::cell::RefCell;

use lanescope_core::cost::sheet::Sheet;
use lanescope_core::workgroup::RuleMap;
use lanescope_inspector::costs::{GraphQuestion, Made};

use super::order::{RecordOrder, RecordsLook};
use super::pane::Change;

/// Both rule sets under the program's own options, and under all others.
type RuleMaps = (RuleMap, Vec<RuleMap>);

/// The looks of one program's panes.
#[derive(Debug, Default)]
pub struct Views {
    /// The z slice of lane maps.
    pub slice: u32,
    /// The access whose lines are shown: the number of its instruction. The one that differs most where absent.
    pub access: Option<u32>,
    /// The workgroup whose rule sets are compared, by its number in the report.
    pub workgroup: usize,
    /// The options under which two rule sets are compared, by their number; the program's own where absent.
    pub rule_set: Option<usize>,
    /// The costs of the work graph as they were counted last: records by the million take a while.
    pub graph_costs: RefCell<Made<GraphQuestion, Sheet>>,
    /// Both rule sets over all sizes, under the program's own options and under all others, by the program's revision and
    /// the workgroup.
    pub rule_maps: RefCell<Made<(u64, usize), RuleMaps>>,
    /// The records of a work graph.
    pub records: RecordsLook,
    /// Their order.
    pub order: RecordOrder,
    /// The layer or slice of images.
    pub plane: u32,
    /// The part of the comparison; the first one that differs where absent.
    pub all_rows: bool,
}

impl Views {
    /// Makes a change.
    pub fn change(&mut self, change: &Change) {
        match change {
            Change::Slice(slice) => self.slice = *slice,
            Change::Plane(plane) => self.plane = *plane,
            Change::Access(access) => self.access = Some(*access),
            Change::Workgroup(at) => self.workgroup = *at,
            Change::RuleSet(at) => self.rule_set = Some(*at).filter(|at| self.rule_set != Some(*at)),
            Change::First(first) => self.records.first = *first,
            Change::AllRows(all) => self.all_rows = *all,
            Change::Sort(column) => {
                self.records.first = 0;
                self.records.sort = match self.records.sort {
                    Some((of, false)) if of == *column => Some((of, true)),
                    Some((of, true)) if of == *column => None,
                    _ => Some((*column, false)),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_sorts_up_then_down_then_not() {
        let mut views = Views::default();
        let mut press = |column| {
            views.change(&Change::Sort(column));
            views.records.sort
        };
        assert_eq!([press(2), press(2), press(2)], [Some((2, false)), Some((2, true)), None]);
        press(1);
        assert_eq!(press(0), Some((0, false)));
    }
}
