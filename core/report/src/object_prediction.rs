//! The registers of a report beside those of an AMD code object.

use std::collections::BTreeSet;
use std::fmt;

use lanescope_codeobject::{CodeObject, Predicted, Prediction};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

use crate::report::{Report, StageReport};

/// Why a report and an object cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCompared {
    /// The object's chip has no register tables. The chip as text.
    NoTables(String),
    /// The report is for another chip than the object.
    OtherTarget {
        /// The object's.
        object: Target,
        /// The report's.
        report: Target,
    },
    /// A stage has several entry points, of which the object has one.
    SeveralEntries(StageKind, Vec<String>),
    /// Neither a field nor a location is on both sides.
    Nothing {
        /// The object's shaders, as its metadata names them.
        object: Vec<String>,
        /// The report's stages.
        report: Vec<StageKind>,
    },
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCompared::NoTables(chip) => {
                let known: Vec<&str> = Target::with_registers().map(Target::name).collect();
                write!(f, "no register tables for {chip}; available: {}", known.join(", "))
            }
            NotCompared::OtherTarget { object, report } => write!(f, "is for {object}; the target is {report}"),
            NotCompared::SeveralEntries(stage, names) => {
                write!(f, "several {stage} entry points ({})", names.join(", "))
            }
            NotCompared::Nothing { object, report } => {
                let of_object =
                    if object.is_empty() { "no shaders of a PAL pipeline".to_owned() } else { object.join(", ") };
                let report: Vec<&str> = report.iter().map(|stage| stage.name()).collect();
                let of_files = if report.is_empty() { "no stage".to_owned() } else { report.join(", ") };
                write!(f, "no value to compare: the object has {of_object}, the files have {of_files}")
            }
        }
    }
}

/// The target that an object's values are predicted for: its chip.
///
/// # Errors
/// A chip without register tables.
pub fn object_target(object: &CodeObject) -> Result<Target, NotCompared> {
    let target = object.header.target.filter(|target| target.info().register_ip.is_some());
    target.ok_or_else(|| NotCompared::NoTables(object.chip()))
}

/// Compares the registers and the packing of a report with an object.
///
/// # Errors
/// The report is for another chip, or nothing is on both sides.
pub fn predicted(report: &Report, object: &CodeObject) -> Result<Predicted, NotCompared> {
    let target = object_target(object)?;
    if report.options.target != target {
        return Err(NotCompared::OtherTarget { object: target, report: report.options.target });
    }
    let mut met = BTreeSet::new();
    if let Some(stage) = report.stages.iter().find(|stage| !met.insert(stage.stage)) {
        let of = |other: &&StageReport| other.stage == stage.stage;
        let names = report.stages.iter().filter(of).map(|stage| stage.entry.clone()).collect();
        return Err(NotCompared::SeveralEntries(stage.stage, names));
    }
    let loaded: Vec<StageKind> = report.stages.iter().map(|stage| stage.stage).collect();
    let (registers, packing) = (report.registers.as_slice(), report.packing.as_ref());
    let found = Predicted::of(Prediction { target, registers, packing, loaded: &loaded }, object);
    if found.field_counts.compared() + found.place_counts.compared() == 0 {
        let shaders = object.pipelines.iter().flat_map(|pipeline| &pipeline.shaders);
        let object = shaders.map(|shader| shader.stage.clone()).collect();
        return Err(NotCompared::Nothing { object, report: loaded });
    }
    Ok(found)
}
