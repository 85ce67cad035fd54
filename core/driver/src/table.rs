//! Statistics side by side: one table a stage, drivers and versions as columns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::{Link, Value, Version};
use super::report::{DriverFailure, DriverStage};
use super::waves::{SUBGROUPS, WAVES};
use lanescope_model::program::StageKind;

/// The statistics of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatisticsTable {
    /// The stage.
    pub stage: StageKind,
    /// The entry point, where the program has several of the stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// The driver's name for what runs it: that of the first column where versions of a driver differ.
    pub name: String,
    /// Who compiled what, in the order of the report.
    pub columns: Vec<Column>,
    /// One row a statistic: those of the first column in its order, then what only later ones have.
    pub rows: Vec<Row>,
}

/// One driver and one version of the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// The chip or the device.
    pub place: String,
    /// Which of several drivers for that place: its version, else its manifest. Absent if it is the only one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver: Option<String>,
    /// The version of the program.
    pub of: Version,
    /// What the compiler saw at once.
    pub link: Link,
    /// Why the driver made nothing; absent where it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failed: Option<String>,
}

/// One statistic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The driver's name for it, or `Waves per SIMD`.
    pub name: String,
    /// What it counts, in the driver's words.
    pub description: String,
    /// A value a column; absent where that driver does not report it.
    pub cells: Vec<Option<Cell>>,
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// The value.
    pub value: Value,
    /// How it differs from the column that it is compared with ([`StatisticsTable::base`]); absent if there is none,
    /// for equal values, and for hashes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<Change>,
}

/// A difference of two values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// New minus old.
    pub by: f64,
    /// The difference as a percentage of the old value; absent where that was 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub percent: Option<f64>,
}

impl Change {
    /// The change from one value to another; none where they are equal.
    pub fn between(old: Value, new: Value) -> Option<Change> {
        let (old, new) = (old.number(), new.number());
        let percent = (old != 0.0).then(|| (new - old) / old.abs() * 100.0);
        (old != new).then_some(Change { by: new - old, percent })
    }
}

impl std::fmt::Display for Change {
    /// With sign and percentage: `+4 (+25%)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let by = if self.by.fract() == 0.0 { format!("{:+.0}", self.by) } else { format!("{:+.3}", self.by) };
        let text = match self.percent {
            // A tenth says more than a rounded zero.
            Some(percent) if percent.abs() < 1.0 => format!("{by} ({percent:+.1}%)"),
            Some(percent) => format!("{by} ({percent:+.0}%)"),
            None => by,
        };
        f.pad(&text)
    }
}

/// Whether a statistic names rather than counts: no difference of two of them means anything.
pub fn is_hash(name: &str) -> bool {
    name.to_ascii_lowercase().split(' ').any(|word| word == "hash")
}

/// The tables of a report's rows, in the order in which their stages are met. A driver that was chosen by its manifest and
/// made nothing of the program is a column without values in each of them.
pub fn tables(stages: &[DriverStage], failures: &[DriverFailure]) -> Vec<StatisticsTable> {
    let mut out: Vec<StatisticsTable> = Vec::new();
    for stage in stages {
        let (place, driver) = (stage.place().to_owned(), driver_of(stage, stages, failures));
        let column = Column { place, driver, of: stage.of, link: stage.link, failed: None };
        let is_of = |table: &StatisticsTable| {
            (table.stage, &table.entry, plain(&table.name)) == (stage.stage, &stage.entry, plain(&stage.name))
        };
        let found = out.iter().position(|table| is_of(table) && !table.columns.contains(&column));
        let index = found.unwrap_or_else(|| {
            let (stage, entry, name) = (stage.stage, stage.entry.clone(), stage.name.clone());
            out.push(StatisticsTable { stage, entry, name, columns: Vec::new(), rows: Vec::new() });
            out.len() - 1
        });
        if let Some(table) = out.get_mut(index) {
            table.add(column, stage);
        }
    }
    for table in &mut out {
        failures.iter().for_each(|failure| table.add_failed(failure, stages));
    }
    out
}

/// What distinguishes a row's driver from the others of its place; none where it is the only one.
fn driver_of(stage: &DriverStage, stages: &[DriverStage], failures: &[DriverFailure]) -> Option<String> {
    let others = || stages.iter().filter(|other| other.place() == stage.place() && !other.is_of_same_compiler(stage));
    let failed = failures.iter().any(|other| other.place == stage.place() && other.icd != stage.icd);
    if others().next().is_none() && !failed {
        return None;
    }
    match &stage.icd {
        Some(icd) if others().any(|other| other.driver == stage.driver) => Some(icd.display().to_string()),
        _ => Some(stage.driver.clone()),
    }
}

/// An executable's name as each version of RADV has it: `Vertex + Geometry Shader` in Mesa 22, `vertex + geometry` in 25.
fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches(" shaders").trim_end_matches(" shader");
    if name == "gs copy" { "geometry copy".to_owned() } else { name.to_owned() }
}

impl StatisticsTable {
    /// What runs the stage, with the entry point where the stage alone is ambiguous.
    pub fn title(&self) -> String {
        super::report::title(&self.name, self.entry.as_deref())
    }

    /// The column with which another one is compared: the first one of its place and driver; for that one itself, the first
    /// one of its place, which is another driver's.
    pub fn base(&self, column: &Column) -> Option<usize> {
        let of_place = |known: &&(usize, &Column)| known.1.place == column.place && known.1.failed.is_none();
        let mut all = self.columns.iter().enumerate().filter(|known| of_place(&known));
        let first = all.clone().find(|(_, known)| known.driver == column.driver);
        let found = first.filter(|(_, known)| *known != column).or_else(|| all.next());
        found.filter(|(_, known)| *known != column).map(|(index, _)| index)
    }

    /// Adds the column of a driver that compiled nothing, unless another version of the program already shows its
    /// place.
    fn add_failed(&mut self, failure: &DriverFailure, stages: &[DriverStage]) {
        let made = stages.iter().any(|row| row.place() == failure.place && row.icd == failure.icd);
        // Without a choice of drivers there is nothing to compare with: the finding says it all.
        if made || failure.icd.is_none() {
            return;
        }
        let driver = failure.icd.as_ref().map(|icd| icd.display().to_string());
        let (place, failed) = (failure.place.clone(), Some(failure.message.clone()));
        self.columns.push(Column { place, driver, of: failure.of, link: Link::Whole, failed });
        self.rows.iter_mut().for_each(|row| row.cells.push(None));
    }

    fn add(&mut self, column: Column, stage: &DriverStage) {
        let base = self.base(&column);
        self.columns.push(column);
        let statistics = stage.with_waves();
        for statistic in statistics.iter() {
            if !self.rows.iter().any(|row| row.name == statistic.name) {
                let cells = vec![None; self.columns.len() - 1];
                let (name, description) = (statistic.name.clone(), statistic.description.clone());
                // What follows from a statistic is the row after it.
                let after = self.rows.iter().position(|row| name == WAVES && row.name == SUBGROUPS);
                self.rows.insert(after.map_or(self.rows.len(), |at| at + 1), Row { name, description, cells });
            }
        }
        for row in &mut self.rows {
            let value = statistics.iter().find(|s| s.name == row.name).map(|statistic| statistic.value);
            let old = base.and_then(|base| *row.cells.get(base)?).filter(|_| !is_hash(&row.name));
            row.cells.push(value.map(|value| {
                let change = old.and_then(|old| Change::between(old.value, value));
                Cell { value, change }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::executable::Statistic;
    use super::*;
    use lanescope_model::target::Target;

    fn stage(target: Target, of: Version, statistics: &[(&str, u64)]) -> DriverStage {
        let statistic = |&(name, value): &(&str, u64)| Statistic {
            name: name.to_owned(),
            description: String::new(),
            value: Value::whole(name, value),
        };
        DriverStage {
            device: "d".to_owned(),
            driver: "r".to_owned(),
            target: Some(target.into()),
            icd: None,
            of,
            link: Link::Whole,
            stage: StageKind::Fragment,
            entry: None,
            merged: Vec::new(),
            name: "Fragment Shader".to_owned(),
            subgroup_size: Some(64),
            statistics: statistics.iter().map(statistic).collect(),
            common: Vec::new(),
            isa: None,
            verified: None,
            attributes: Vec::new(),
            facts: None,
            origins: Vec::new(),
            lines: Vec::new(),
            derivatives: Vec::new(),
            texts: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn pairs_executable_names_across_driver_versions() {
        for [old, new] in [
            ["Compute Shader", "compute"],
            ["Vertex + Geometry Shader", "vertex + geometry"],
            ["GS Copy Shader", "geometry copy"],
            ["Vertex + Tessellation Control Shaders", "vertex + tessellation control"],
            ["Tessellation Evaluation Shader", "tessellation evaluation"],
        ] {
            assert_eq!(plain(old), plain(new));
        }
        assert_ne!(plain("GS Copy Shader"), plain("Geometry Shader"));
        let old = stage(Target::Gfx900, Version::Original, &[("VGPRs", 16)]);
        let new = stage(Target::Gfx1030, Version::Original, &[("VGPRs", 12), ("VALU", 9)]);
        let tables = tables(&[old, DriverStage { name: "fragment".to_owned(), ..new }], &[]);
        let rows: Vec<_> = tables.iter().flat_map(|table| &table.rows).map(|row| row.name.as_str()).collect();
        assert_eq!((tables.len(), tables[0].name.as_str(), rows), (1, "Fragment Shader", vec!["VGPRs", "VALU"]));
    }

    #[test]
    fn versions_are_compared_with_the_first_one_of_their_chip() {
        let rows = [
            stage(Target::Gfx900, Version::Original, &[("Hash", 7), ("VGPRs", 16), ("Spills", 0)]),
            stage(Target::Gfx900, Version::Packed, &[("Hash", 8), ("VGPRs", 12), ("Spills", 2), ("Copies", 1)]),
            stage(Target::Gfx1030, Version::Original, &[("VGPRs", 1001)]),
            stage(Target::Gfx1030, Version::Packed, &[("VGPRs", 1000)]),
        ];
        let tables = tables(&rows, &[]);
        assert_eq!(tables.len(), 1);
        let text = |cell: &Option<Cell>| {
            cell.map_or("-".to_owned(), |cell| match cell.change {
                Some(change) => format!("{} {change}", cell.value),
                None => cell.value.to_string(),
            })
        };
        let lines: Vec<_> = tables[0]
            .rows
            .iter()
            .map(|row| format!("{}: {}", row.name, row.cells.iter().map(text).collect::<Vec<_>>().join(" | ")))
            .collect();
        assert_eq!(
            lines,
            [
                "Hash: 0x00000007 | 0x00000008 | - | -",
                "VGPRs: 16 | 12 -4 (-25%) | 1001 | 1000 -1 (-0.1%)",
                "Spills: 0 | 2 +2 | - | -",
                "Copies: - | 1 | - | -",
            ]
        );
    }

    /// RADV counts 32 lanes as one subgroup from GFX10 on; Mesa 22.3 starts from twice the slots in wave32.
    #[test]
    fn waves_are_those_of_the_hardware() {
        let waves = |target, lanes, count| {
            let stage = DriverStage {
                subgroup_size: Some(lanes),
                ..stage(target, Version::Original, &[("VGPRs", 8), ("Subgroups per SIMD", count), ("LDS", 0)])
            };
            let table = tables(std::slice::from_ref(&stage), &[]).remove(0);
            let names: Vec<_> = table.rows.iter().map(|row| row.name.clone()).collect();
            (stage.waves_per_simd(), names.join(", "))
        };
        let all = "VGPRs, Subgroups per SIMD, Waves per SIMD, LDS".to_owned();
        for (target, lanes, count, expected) in [
            (Target::Gfx1030, 64, 32, 16),
            (Target::Gfx1030, 32, 32, 16),
            (Target::Gfx1030, 32, 12, 12),
            (Target::Gfx1100, 64, 12, 6),
            (Target::Gfx1010, 64, 40, 20),
            (Target::Gfx1010, 32, 40, 20),
        ] {
            assert_eq!(waves(target, lanes, count), (Some(expected), all.clone()), "{target} {lanes} {count}");
        }
        let of_driver = "VGPRs, Subgroups per SIMD, LDS".to_owned();
        assert_eq!(waves(Target::Gfx900, 64, 10), (Some(10), of_driver.clone()));
        let named = Target::of_driver("hawaii").expect("a name");
        assert_eq!(waves(named, 64, 10), (None, of_driver));
    }

    #[test]
    fn drivers_of_one_chip_are_compared_with_the_first_one() {
        let of = |driver: &str, of, vgprs| DriverStage {
            driver: driver.to_owned(),
            icd: Some(format!("/{driver}.json").into()),
            ..stage(Target::Gfx1030, of, &[("VGPRs", vgprs)])
        };
        let rows = [
            of("Mesa 22", Version::Original, 16),
            of("Mesa 22", Version::Packed, 12),
            of("Mesa 25", Version::Original, 8),
            of("Mesa 25", Version::Packed, 8),
        ];
        let failed = DriverFailure {
            place: "gfx1030".to_owned(),
            icd: Some("/broken.json".into()),
            of: Version::Original,
            message: "libLLVM.so.99: cannot open".to_owned(),
        };
        let table = tables(&rows, &[failed]).remove(0);
        let names: Vec<_> = table.columns.iter().map(|column| column.driver.as_deref().unwrap_or("-")).collect();
        assert_eq!(names, ["Mesa 22", "Mesa 22", "Mesa 25", "Mesa 25", "/broken.json"]);
        assert_eq!(table.columns[4].failed.as_deref(), Some("libLLVM.so.99: cannot open"));
        let changes: Vec<_> =
            table.rows[0].cells.iter().map(|cell| cell.and_then(|c| c.change).map(|c| c.by)).collect();
        assert_eq!(changes, [None, Some(-4.0), Some(-8.0), None, None]);
        assert_eq!(table.rows[0].cells[4], None);
        // One driver needs no name.
        assert_eq!(tables(&rows[..2], &[])[0].columns[0].driver, None);
    }
}
