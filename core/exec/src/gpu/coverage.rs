//! What is shown of each capability of SPIR-V: a sample module declares and uses it, and a test does with that module what
//! the columns say. The table of measurements is written and checked by that test (`core/tests/capabilities.rs`); the
//! rest is derived from what a device is asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::features::{Named, all_capabilities, is_known, not_run};

/// The measurements: a line of a name and the columns, with tabs.
const MEASURED: &str = include_str!("coverage.tsv");

/// What a column says where no module shows anything.
pub const NO_SAMPLE: &str = "no sample";

/// A capability, and how far a module that uses it gets. A column is `yes`, `no`, or a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// The capability's name.
    pub capability: String,
    /// Its number.
    pub number: u32,
    /// Reading and validating.
    pub opens: String,
    /// The report.
    pub analysed: String,
    /// Packed inputs or swizzled IDs in a changed module.
    pub rewritten: String,
    /// Running in the interpreter.
    pub interpreted: String,
    /// Compiling with a driver: Mesa's RADV or lavapipe.
    pub compiled: String,
    /// Running on a device: lavapipe.
    pub run: String,
}

impl Coverage {
    /// The columns' names.
    pub const COLUMNS: [&str; 6] = ["opens", "analysed", "rewritten", "interpreted", "compiled", "run"];

    /// The columns, in the order of their names.
    pub fn columns(&self) -> [&str; 6] {
        [&self.opens, &self.analysed, &self.rewritten, &self.interpreted, &self.compiled, &self.run]
    }
}

/// The table, by number; a line for every capability.
pub fn coverage() -> Vec<Coverage> {
    all_capabilities().into_iter().map(row).collect()
}

fn row(named: Named) -> Coverage {
    let measured = MEASURED.lines().map(|line| line.split('\t')).find_map(|mut columns| {
        let name = columns.next()?;
        (name == named.name).then(|| columns.map(str::to_owned).collect::<Vec<_>>())
    });
    let Named { number, name: capability, in_grammar } = named;
    if let Some([opens, analysed, rewritten, interpreted, compiled, run]) = measured.as_deref() {
        let [opens, analysed, rewritten] = [opens, analysed, rewritten].map(String::clone);
        let [interpreted, compiled, run] = [interpreted, compiled, run].map(String::clone);
        return Coverage { capability, number, opens, analysed, rewritten, interpreted, compiled, run };
    }
    let none = || NO_SAMPLE.to_owned();
    Coverage {
        opens: if in_grammar { none() } else { format!("{NO_SAMPLE}; newer than the grammar") },
        analysed: none(),
        rewritten: none(),
        interpreted: none(),
        compiled: if is_known(number) { none() } else { format!("{NO_SAMPLE}; no feature is known to enable it") },
        run: not_run(number).unwrap_or_else(none),
        capability,
        number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_is_of_one_capability_and_has_all_columns() {
        let all = coverage();
        let mut names: Vec<&str> = Vec::new();
        for line in MEASURED.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 1 + Coverage::COLUMNS.len(), "{line}");
            assert!(columns.iter().all(|column| !column.is_empty()), "{line}");
            let row = all.iter().find(|row| row.capability == columns[0]).expect("a capability");
            assert_eq!(row.columns(), columns[1..], "{line}");
            names.push(columns[0]);
        }
        assert!(names.is_sorted() && names.len() > 60, "{}", names.len());
        assert!(all.iter().filter(|row| row.columns().contains(&"yes")).all(|row| names.contains(&&*row.capability)));
    }
}
