//! Statistics that several drivers have under names of their own: one small table across vendors.
//!
//! Nothing is computed. Each value is a statistic of the driver, and says which. A measure that a driver has no statistic
//! for is empty: Turnip's stalled cycles are not its cycles, its stores to private memory are not its spills, and NVK's
//! static cycles leave out what memory takes. The values of two vendors are not of one unit: a register, a wave and a cycle
//! are other things on each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::{Statistic, Value, Version};
use super::report::DriverStage;
use lanescope_base::named_enum;
use lanescope_model::program::StageKind;
use lanescope_passes::table::{Cell, Column, Meaning, Part, Table, one_line};

named_enum!(
    /// What several drivers count.
    Measure {
        /// Instructions of the code.
        Instructions = "instructions",
        /// An estimate of the cycles that the code takes.
        Cycles = "cycles",
        /// Registers with a value a lane.
        Registers = "registers",
        /// Registers with a value a wave.
        UniformRegisters = "uniform registers",
        /// Waves, warps or threads of the code alone that fit.
        Resident = "resident",
        /// Registers or values that are spilled.
        Spills = "spills",
        /// Memory of a lane or of a wave.
        Scratch = "scratch",
        /// Size of the code.
        CodeSize = "code size",
    }
);

/// A driver's statistic for a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommonStatistic {
    /// What it measures.
    pub measure: Measure,
    /// The driver's value.
    pub value: Value,
    /// What one of it is; empty where the measure says it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub unit: String,
    /// The driver's name for the statistic.
    pub statistic: String,
}

/// How a driver's name begins, and its names for the measures with the unit of each. Where versions differ, both names are
/// here.
struct Names {
    driver: &'static str,
    /// The measure that it does not count where it says 0.
    unless_zero: Option<Measure>,
    measures: &'static [(Measure, &'static str, &'static str)],
}

const NAMES: [Names; 6] = [
    Names {
        driver: "radv",
        unless_zero: None,
        measures: &[
            (Measure::Instructions, "Instructions", ""),
            (Measure::Cycles, "Latency", ""),
            (Measure::Registers, "VGPRs", ""),
            (Measure::UniformRegisters, "SGPRs", ""),
            (Measure::Resident, "Subgroups per SIMD", "per SIMD"),
            (Measure::Spills, "Spilled VGPRs", "VGPRs"),
            (Measure::Spills, "Spilled SGPRs", "SGPRs"),
            (Measure::Scratch, "Scratch size", "bytes"),
            (Measure::CodeSize, "Code size", "bytes"),
        ],
    },
    Names {
        driver: "nvk",
        unless_zero: None,
        measures: &[
            (Measure::Instructions, "Instruction count", ""),
            (Measure::Registers, "Number of GPRs", ""),
            (Measure::Resident, "Max warps/SM", "per SM"),
            (Measure::Spills, "Spills to memory", ""),
            (Measure::Scratch, "SLM size", "bytes"),
            (Measure::CodeSize, "Code size", "bytes"),
        ],
    },
    Names {
        driver: "turnip",
        unless_zero: None,
        measures: &[
            (Measure::Instructions, "Instruction Count", ""),
            (Measure::Registers, "Registers used", "vec4"),
            (Measure::Resident, "Max Waves Per Core", "per core"),
            (Measure::CodeSize, "Code size", "dwords"),
        ],
    },
    Names {
        driver: "intel open-source mesa driver",
        unless_zero: Some(Measure::Registers),
        measures: &[
            (Measure::Instructions, "Instructions", ""),
            (Measure::Instructions, "Instruction Count", ""),
            (Measure::Cycles, "Cycles", ""),
            (Measure::Cycles, "Cycle Count", ""),
            (Measure::Registers, "GRF registers", "of a thread"),
            (Measure::Spills, "Spills", ""),
            (Measure::Spills, "Spill Count", ""),
            (Measure::Scratch, "Scratch Memory Size", "bytes"),
            (Measure::CodeSize, "Code size", "bytes"),
        ],
    },
    Names {
        driver: "panvk",
        unless_zero: None,
        measures: &[
            (Measure::Instructions, "Instructions", ""),
            (Measure::Cycles, "Cycles", "normalized"),
            (Measure::Registers, "Registers used", ""),
            (Measure::UniformRegisters, "Uniforms used", ""),
            (Measure::Resident, "Threads", "threads"),
            (Measure::Spills, "Spills", ""),
            (Measure::CodeSize, "Code size", "bytes"),
        ],
    },
    Names {
        driver: "honeykrisp",
        unless_zero: None,
        measures: &[
            (Measure::Instructions, "Instructions", ""),
            (Measure::Registers, "GPRs", "of 16 bits"),
            (Measure::UniformRegisters, "Uniforms", "of 16 bits"),
            (Measure::Resident, "Threads", "threads"),
            (Measure::Spills, "Spills", ""),
            (Measure::Scratch, "Scratch", "bytes"),
            (Measure::CodeSize, "Code size", "bytes"),
        ],
    },
];

fn names(driver: &str) -> Option<&'static Names> {
    let driver = driver.to_ascii_lowercase();
    NAMES
        .iter()
        .find(|names| driver.strip_prefix(names.driver).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

/// What a driver's statistic of that name and value measures, and what one of it is (empty where the measure says it);
/// none for one that it does not share with others.
pub fn common_measure(driver: &str, name: &str, value: Value) -> Option<(Measure, &'static str)> {
    let names = names(driver)?;
    let (measure, _, unit) = names.measures.iter().find(|(_, own, _)| *own == name)?;
    let is_counted = names.unless_zero != Some(*measure) || value != Value::Uint(0);
    is_counted.then_some((*measure, *unit))
}

/// The measures of a driver's statistics.
pub(super) fn common(driver: &str, statistics: &[Statistic]) -> Vec<CommonStatistic> {
    let Some(names) = names(driver) else { return Vec::new() };
    let of = |(measure, name, unit): &(Measure, &str, &str)| {
        let found = statistics.iter().find(|statistic| statistic.name == *name)?;
        common_measure(driver, name, found.value)?;
        let (unit, statistic) = ((*unit).to_owned(), found.name.clone());
        Some(CommonStatistic { measure: *measure, value: found.value, unit, statistic })
    };
    names.measures.iter().filter_map(of).collect()
}

/// The common statistics of each stage: a row a measure, a column for each executable. None for RADV alone, whose own
/// table has the same rows.
pub fn common_tables(stages: &[DriverStage]) -> Vec<Table> {
    let mut kinds: Vec<StageKind> = stages.iter().map(|row| row.stage).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().filter_map(|kind| table(kind, stages)).collect()
}

fn table(kind: StageKind, stages: &[DriverStage]) -> Option<Table> {
    let rows: Vec<(&DriverStage, Vec<CommonStatistic>)> = stages
        .iter()
        .filter(|row| row.stage == kind)
        .map(|row| (row, common(&row.driver, &row.statistics)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    rows.iter().find(|(row, _)| names(&row.driver).is_some_and(|names| names.driver != "radv"))?;
    let column = |(row, _): &(&DriverStage, Vec<CommonStatistic>)| {
        let version = if row.of == Version::Original { String::new() } else { format!(" {}", row.of) };
        Column::left(one_line(row.place()))
            .note(format!("{}{version}", one_line(&row.title())))
            .help(one_line(&row.driver))
    };
    let columns = std::iter::once(Column::left("")).chain(rows.iter().map(column));
    let mut out = Table::new(columns).titled(format!("across drivers: {kind}"));
    for measure in Measure::ALL {
        let cells: Vec<Option<Cell>> = rows.iter().map(|(row, found)| cell(row, found, *measure)).collect();
        if cells.iter().any(Option::is_some) {
            let missing = || Cell::of(Meaning::Missing, "");
            out.row(std::iter::once(measure.name().into()).chain(cells.into_iter().map(|c| c.unwrap_or_else(missing))));
        }
    }
    Some(out)
}

/// The values of a measure, each with its unit and the driver's name for it.
fn cell(row: &DriverStage, found: &[CommonStatistic], measure: Measure) -> Option<Cell> {
    let all: Vec<&CommonStatistic> = found.iter().filter(|found| found.measure == measure).collect();
    let last = all.len().checked_sub(1)?;
    let mut cell = Cell::default();
    for (index, found) in all.into_iter().enumerate() {
        let about = row.statistics.iter().find(|statistic| statistic.name == found.statistic);
        let about = about.map(|statistic| one_line(&statistic.description).to_string()).unwrap_or_default();
        let space = if found.unit.is_empty() { "" } else { " " };
        let comma = if index < last { "," } else { "" };
        let value = Part::code(format!("{}{space}{}", found.value, found.unit)).help(about);
        cell = cell.and(value).and(Part::of(Meaning::Dimmed, format!("({}){comma}", one_line(&found.statistic))));
    }
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::super::executable::{Compilation, CompiledPipeline, Executable, Link};
    use super::*;

    fn statistic(name: &str, value: u64) -> Statistic {
        Statistic { name: name.to_owned(), description: format!("about {name}"), value: Value::Uint(value) }
    }

    fn rows(driver: &str, statistics: &[(&str, u64)]) -> Vec<DriverStage> {
        let executable = Executable {
            name: "vertex".to_owned(),
            description: String::new(),
            stages: vec![StageKind::Vertex],
            subgroup_size: 32,
            statistics: statistics.iter().map(|(name, value)| statistic(name, *value)).collect(),
            texts: Vec::new(),
        };
        let (stages, entries) = (vec![StageKind::Vertex], vec!["main".to_owned()]);
        let pipeline = CompiledPipeline { stages, entries, nanoseconds: 1, executables: vec![executable] };
        DriverStage::rows(&[Compilation {
            device: driver.split(' ').next().unwrap_or_default().to_owned(),
            driver: driver.to_owned(),
            chip: None,
            icd: None,
            of: Version::Original,
            link: Link::Whole,
            pipelines: vec![pipeline],
            peak_memory: None,
            handed_on: Vec::new(),
            notes: Vec::new(),
        }])
    }

    #[test]
    fn each_cell_names_the_drivers_own_statistic() {
        let nvk = [("Instruction count", 17), ("Number of GPRs", 24), ("Code size", 272), ("Fills from reg", 9)];
        let turnip =
            [("Instruction Count", 43), ("Code size", 64), ("Estimated cycles stalled on SS", 5), ("STP Count", 2)];
        let radv = [("VGPRs", 16), ("SGPRs", 108), ("Code size", 188)];
        let all = [
            rows("radv Mesa 26.2.6", &radv),
            rows("NVK Mesa 26.2.6", &nvk),
            rows("turnip Mesa driver Mesa 26.2.6", &turnip),
            rows("SomeOther 1.0", &[("Instructions", 3)]),
        ]
        .concat();
        let [table] = common_tables(&all).try_into().expect("of one stage");
        // What a driver does not count is empty, and another driver's statistics are nobody's.
        let expected = "\
,radv,NVK,turnip\r\n\
instructions,,17 (Instruction count),43 (Instruction Count)\r\n\
registers,16 (VGPRs),24 (Number of GPRs),\r\n\
uniform registers,108 (SGPRs),,\r\n\
code size,188 bytes (Code size),272 bytes (Code size),64 dwords (Code size)\r\n";
        assert_eq!(table.to_csv(), expected);
        let row = &all[1];
        assert_eq!(
            row.common.iter().map(|found| found.statistic.as_str()).collect::<Vec<_>>(),
            ["Instruction count", "Number of GPRs", "Code size"]
        );
        assert_eq!(common_tables(&all[..1]), []);
    }

    #[test]
    fn what_a_driver_does_not_count_is_absent() {
        let intel = |registers| rows("Intel open-source Mesa driver Mesa 26.2.6", &[("GRF registers", registers)]);
        assert_eq!(intel(0)[0].common, [], "it does not say how many");
        assert_eq!(intel(128)[0].common.len(), 1);
        // What memory takes is not among them.
        assert_eq!(rows("NVK Mesa 26.2.6", &[("Static cycle count", 40)])[0].common, []);
        let nvk = rows("NVK Mesa 26.2.6", &[("Spills to memory", 0), ("Number of GPRs", 0)]);
        let spills = |sgprs| rows("radv Mesa 26.2.6", &[("Spilled SGPRs", sgprs), ("Spilled VGPRs", 0)]);
        let [table] = common_tables(&[spills(5), nvk].concat()).try_into().expect("of one stage");
        let expected = "\
,radv,NVK\r\n\
registers,,0 (Number of GPRs)\r\n\
spills,\"0 VGPRs (Spilled VGPRs), 5 SGPRs (Spilled SGPRs)\",0 (Spills to memory)\r\n";
        assert_eq!(table.to_csv(), expected);
    }
}
