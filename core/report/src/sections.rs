//! The driver sections of a report, made from what drivers' compilers returned.

use std::collections::BTreeSet;

use crate::registers_for;
use crate::report::Report;
use lanescope_driver::layout::{self, LayoutTable};
use lanescope_driver::registers::{RegisterRow, compare, known_targets};
use lanescope_driver::{Compilation, DriverCost, DriverFailure, DriverStage, Failure, origin, verified};
use lanescope_model::program::Program;
use lanescope_passes::findings::{Finding, HANDED_ON};

/// What drivers' compilers returned for one program.
#[derive(Debug, Clone, Default)]
pub struct Compilations<'c> {
    /// One per pipeline, with whether it came from a cache.
    pub compiled: Vec<(&'c Compilation, bool)>,
    /// The same pipelines linked the other way (together or apart). Only layouts are read from these.
    pub beside: Vec<&'c Compilation>,
    /// Pipelines of the loaded program, compiled with the driver's debug information. Only origins are read from these.
    pub traced: Vec<&'c Compilation>,
    /// Failed compilations.
    pub failures: Vec<&'c Failure>,
}

/// The sections of a report that come from drivers' compilers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DriverSections {
    /// The section `driver`: one row per executable.
    pub stages: Vec<DriverStage>,
    /// The section `driver_costs`: one row per compilation.
    pub costs: Vec<DriverCost>,
    /// The section `driver_failures`.
    pub failures: Vec<DriverFailure>,
    /// The section `driver_layouts`: one table a compiler whose varyings are read.
    pub layouts: Vec<LayoutTable>,
    /// The section `driver_registers`: our fields beside those that the driver reveals.
    pub registers: Vec<RegisterRow>,
    /// The failures, and the assembly that is not fully understood.
    pub findings: Vec<Finding>,
}

impl DriverSections {
    /// The sections of a program's report. The report's packing and registers are compared with the drivers'; its own
    /// driver sections are not read.
    pub fn of(program: &Program, report: &Report, from: &Compilations<'_>) -> DriverSections {
        let mut stages = DriverStage::rows(from.compiled.iter().map(|(compilation, _)| *compilation));
        let both_links = from.compiled.iter().map(|(compilation, _)| *compilation).chain(from.beside.iter().copied());
        let layouts = layouts_of(program, report, &DriverStage::rows(both_links));
        let registers = registers_of(program, report, &stages);
        let traced = DriverStage::rows(from.traced.iter().copied());
        origin::fill(program, &mut stages, &layouts, &traced);
        let failures = from.failures.iter().map(|failure| failure.finding());
        DriverSections {
            findings: failures.chain(verified::findings(&stages)).chain(handed_on(&from.compiled)).collect(),
            costs: DriverCost::all(from.compiled.iter().copied()),
            failures: from.failures.iter().map(|failure| failure.column()).collect(),
            stages,
            layouts,
            registers,
        }
    }
}

/// The tables of a program's rows beside its report's packing; none for a report without packing.
pub fn layouts_of(program: &Program, report: &Report, rows: &[DriverStage]) -> Vec<LayoutTable> {
    let packing = report.packing.as_ref();
    packing.map(|packing| layout::layouts_of(program, &report.options, packing, rows)).unwrap_or_default()
}

/// The fields that rows of a program report beside ours: for the report's own target the report's, for those of other
/// chips what follows from its packing.
pub fn registers_of(program: &Program, report: &Report, rows: &[DriverStage]) -> Vec<RegisterRow> {
    let ours = known_targets(rows).filter_map(|target| Some((target, registers_for(program, report, target).ok()?)));
    compare(&ours.collect(), rows)
}

/// One finding for each place, and each capability and execution mode that is not known.
fn handed_on(compiled: &[(&Compilation, bool)]) -> Vec<Finding> {
    let mut known: BTreeSet<(String, &str)> = BTreeSet::new();
    let mut out = Vec::new();
    for (compilation, _) in compiled {
        let place = compilation.chip.map_or_else(|| compilation.device.clone(), |chip| chip.to_string());
        for what in &compilation.handed_on {
            if known.insert((place.clone(), what)) {
                let text = format!(
                    "{what} is not known; {} compiled it for {place} without a feature for it",
                    compilation.driver
                );
                out.push(HANDED_ON.at(None, None, text));
            }
        }
    }
    out
}

impl Report {
    /// Replaces the driver sections and adds their findings. For reports without earlier driver findings.
    pub fn set_drivers(&mut self, sections: DriverSections) {
        let DriverSections { stages, costs, failures, layouts, registers, findings } = sections;
        self.driver = stages;
        self.driver_costs = costs;
        self.driver_failures = failures;
        self.driver_layouts = layouts;
        self.driver_registers = registers;
        self.findings.extend(findings);
        self.findings.sort_by_key(|finding| finding.severity);
    }

    /// The report's own driver sections; their findings are among the report's.
    pub fn drivers(&self) -> DriverSections {
        DriverSections {
            stages: self.driver.clone(),
            costs: self.driver_costs.clone(),
            failures: self.driver_failures.clone(),
            layouts: self.driver_layouts.clone(),
            registers: self.driver_registers.clone(),
            findings: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_finding_for_each_place_and_unknown_capability() {
        let compilation = |device: &str| -> Compilation {
            let text = format!(
                r#"{{"device":"{device}","driver":"radv","of":"original","link":"whole","pipelines":[],
                    "handed_on":["capability 70000","execution mode 9"]}}"#
            );
            serde_json::from_str(&text).expect("a compilation")
        };
        let [first, second] = ["a", "b"].map(compilation);
        let found = handed_on(&[(&first, false), (&first, true), (&second, false)]);
        assert!(found.iter().all(|finding| finding.code == "I006"), "{found:?}");
        let texts: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
        let text = |what: &str, place: &str| {
            format!("{what} is not known; radv compiled it for {place} without a feature for it")
        };
        let expected =
            ["a", "b"].map(|place| ["capability 70000", "execution mode 9"].map(|what| text(what, place))).concat();
        assert_eq!(texts, expected);
    }
}
