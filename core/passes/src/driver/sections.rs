//! The driver sections of a report, made from what drivers' compilers returned.

use super::executable::Compilation;
use super::failure::Failure;
use super::layout::{LayoutTable, layouts_of};
use super::registers::{RegisterRow, compare};
use super::report::{DriverCost, DriverFailure, DriverStage};
use super::{origin, verified};
use crate::findings::Finding;
use crate::report::Report;
use lanescope_model::program::Program;

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
    /// The section `driver_layouts`: one table per device, for AMD's compilers.
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
        let registers = compare(program, report, &stages);
        let traced = DriverStage::rows(from.traced.iter().copied());
        origin::fill(program, &mut stages, &layouts, &traced);
        let failures = from.failures.iter().map(|failure| failure.finding());
        DriverSections {
            findings: failures.chain(verified::findings(&stages)).collect(),
            costs: DriverCost::all(from.compiled.iter().copied()),
            failures: from.failures.iter().map(|failure| failure.column()).collect(),
            stages,
            layouts,
            registers,
        }
    }
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
