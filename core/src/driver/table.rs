//! Statistics side by side: one table a stage, drivers and versions as columns.

use serde::{Deserialize, Serialize};

use super::executable::{Link, Value, Version};
use super::report::DriverStage;
use crate::program::StageKind;

/// The statistics of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Column {
    /// The chip or the device.
    pub place: String,
    /// The version of the program.
    pub of: Version,
    /// What the compiler saw at once.
    pub link: Link,
}

/// One statistic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The driver's name for it.
    pub name: String,
    /// What it counts, in the driver's words.
    pub description: String,
    /// A value a column; absent where that driver does not tell it.
    pub cells: Vec<Option<Cell>>,
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The value.
    pub value: Value,
    /// How it differs from the same place's first column; absent in that one, for equal values, and for hashes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<Change>,
}

/// A difference of two values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// New minus old.
    pub by: f64,
    /// The same as a percentage of the old value; absent where that was 0.
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

/// The tables of a report's rows, in the order in which their stages are met.
pub fn tables(stages: &[DriverStage]) -> Vec<StatisticsTable> {
    let mut out: Vec<StatisticsTable> = Vec::new();
    for stage in stages {
        let column = Column { place: stage.place().to_owned(), of: stage.of, link: stage.link };
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
    out
}

/// An executable's name as each version of RADV has it: `Vertex + Geometry Shader` in Mesa 22, `vertex + geometry` in 25.
fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches(" shaders").trim_end_matches(" shader");
    if name == "gs copy" { "geometry copy".to_owned() } else { name.to_owned() }
}

impl StatisticsTable {
    /// What runs the stage, with the entry point where the stage alone does not tell it.
    pub fn title(&self) -> String {
        super::report::title(&self.name, self.entry.as_deref())
    }

    fn add(&mut self, column: Column, stage: &DriverStage) {
        let base = self.columns.iter().position(|known| known.place == column.place);
        self.columns.push(column);
        for statistic in &stage.statistics {
            if !self.rows.iter().any(|row| row.name == statistic.name) {
                let cells = vec![None; self.columns.len() - 1];
                let (name, description) = (statistic.name.clone(), statistic.description.clone());
                self.rows.push(Row { name, description, cells });
            }
        }
        for row in &mut self.rows {
            let value = stage.statistics.iter().find(|s| s.name == row.name).map(|statistic| statistic.value);
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
    use crate::target::Target;

    fn stage(target: Target, of: Version, statistics: &[(&str, u64)]) -> DriverStage {
        let statistic = |&(name, value): &(&str, u64)| Statistic {
            name: name.to_owned(),
            description: String::new(),
            value: Value::whole(name, value),
        };
        DriverStage {
            device: "d".to_owned(),
            driver: "r".to_owned(),
            target: Some(target),
            of,
            link: Link::Whole,
            stage: StageKind::Fragment,
            entry: None,
            merged: Vec::new(),
            name: "Fragment Shader".to_owned(),
            subgroup_size: Some(64),
            statistics: statistics.iter().map(statistic).collect(),
            isa: None,
            verified: None,
            attributes: Vec::new(),
            facts: None,
            origins: Vec::new(),
            texts: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn names_of_executables_meet_across_versions_of_a_driver() {
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
        let tables = tables(&[old, DriverStage { name: "fragment".to_owned(), ..new }]);
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
        let tables = tables(&rows);
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
}
