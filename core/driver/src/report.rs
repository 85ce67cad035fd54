//! The report's `driver` section: one row an executable.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{CommonStatistic, common};
use super::executable::{Compilation, CompiledPipeline, Executable, Link, Representation, Statistic, Version};
use super::isa::{self, Digest};
use super::origin::line_costs::LineCost;
use super::origin::{DriverDerivative, Origin};
use super::texts::{self, Dialect};
use super::verified::{self, Verified};
use lanescope_base::ids::Component;
use lanescope_model::chip::Chip;
use lanescope_model::program::StageKind;

/// What a driver compiled one stage to (or of several that it merged).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriverStage {
    /// The device, as the driver names it: `Null hardware (RADV NAVI21)`.
    pub device: String,
    /// The driver's name and version.
    pub driver: String,
    /// The chip, where it is one that is not installed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<Chip>,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// The version of the program.
    pub of: Version,
    /// What the compiler saw at once.
    pub link: Link,
    /// The last of the executable's stages.
    pub stage: StageKind,
    /// Its entry point, where several of the program's are of this stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// All of them, where the driver merged several.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub merged: Vec<StageKind>,
    /// The driver's name for the executable; with the subgroup size, else a number, where it gives several of a stage the
    /// same name.
    pub name: String,
    /// Lanes of its waves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subgroup_size: Option<u32>,
    /// The driver's statistics, in its order.
    pub statistics: Vec<Statistic>,
    /// Those that other drivers have too, under one name: each names the driver's own. Empty for a driver whose names are
    /// not known.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub common: Vec<CommonStatistic>,
    /// The assembly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub isa: Option<String>,
    /// Whether the facts of the assembly can be relied on: the driver's version was tested, and each line is understood.
    /// Absent without assembly, and in reports of versions before this was written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verified: Option<Verified>,
    /// What the assembly says, where it is one that is interpreted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub facts: Option<Digest>,
    /// The attributes' channels that the assembly reads, each once: for fragment shaders of AMD.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub attributes: Vec<ReadAttribute>,
    /// Which instructions of the shader those of the assembly come from, where that is certain.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub origins: Vec<Origin>,
    /// What each source line costs, the line with the most live vector registers first. Only where this was requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<LineCost>,
    /// The derivatives of the assembly, with the shader's own and the predicted lanes: for AMD.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub derivatives: Vec<DriverDerivative>,
    /// The compiler's other forms, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub texts: Vec<Representation>,
    /// What was left out or chosen for this program, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// What one compilation took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverCost {
    /// The device.
    pub device: String,
    /// The driver's name and version.
    pub driver: String,
    /// The chip, where it is one that is not installed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<Chip>,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// The version of the program.
    pub of: Version,
    /// What the compiler saw at once.
    pub link: Link,
    /// The stages.
    pub stages: Vec<StageKind>,
    /// The entry point, where several compilations are of the same stages.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// Nanoseconds of the pipelines' creation, with the statistics and texts that the driver keeps on the way.
    pub nanoseconds: u64,
    /// The most bytes that the compiler's process had resident; absent where the system does not report it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_memory: Option<u64>,
    /// It was kept from an earlier time: the figures are of then.
    pub kept: bool,
}

impl DriverCost {
    /// The costs of a program's compilations, each with whether it was kept.
    pub fn all<'c>(compilations: impl IntoIterator<Item = (&'c Compilation, bool)>) -> Vec<DriverCost> {
        let all = compilations.into_iter().map(|(compilation, kept)| DriverCost::of(compilation, kept));
        let mut costs: Vec<DriverCost> = all.collect();
        keep_where_several(&mut costs, |cost| cost.stages.clone(), |cost| &mut cost.entry);
        costs
    }

    fn of(compilation: &Compilation, kept: bool) -> DriverCost {
        let mut entries = compilation.pipelines.iter().flat_map(|pipeline| &pipeline.entries);
        DriverCost {
            device: compilation.device.clone(),
            driver: compilation.driver.clone(),
            target: compilation.chip,
            icd: compilation.icd.clone(),
            of: compilation.of,
            link: compilation.link,
            stages: compilation.pipelines.iter().flat_map(|pipeline| pipeline.stages.iter().copied()).collect(),
            entry: entries.next().filter(|_| entries.next().is_none()).cloned(),
            nanoseconds: compilation.pipelines.iter().map(|pipeline| pipeline.nanoseconds).sum(),
            peak_memory: compilation.peak_memory,
            kept,
        }
    }
}

/// One channel of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ReadAttribute {
    /// The attribute.
    pub attribute: u32,
    /// `x`, `y`, `z` or `w`.
    pub channel: char,
}

impl DriverStage {
    /// The rows of a program's compilations. Pipelines of a driver that returns nothing are rows without statistics.
    pub fn rows<'c>(compilations: impl IntoIterator<Item = &'c Compilation>) -> Vec<DriverStage> {
        let mut rows: Vec<DriverStage> = compilations.into_iter().flat_map(DriverStage::of).collect();
        keep_where_several(&mut rows, |row| row.stage, |row| &mut row.entry);
        distinguish(&mut rows);
        rows
    }

    /// The rows of one compilation, each with its entry point.
    fn of(compilation: &Compilation) -> Vec<DriverStage> {
        let mut rows = Vec::new();
        for pipeline in &compilation.pipelines {
            let of = |executable: &Executable| row(compilation, pipeline, executable);
            rows.extend(pipeline.executables.iter().filter_map(of));
            if pipeline.executables.is_empty() {
                let silent = |stage: &StageKind| Executable {
                    name: stage.to_string(),
                    description: String::new(),
                    stages: vec![*stage],
                    subgroup_size: 0,
                    statistics: Vec::new(),
                    texts: Vec::new(),
                };
                rows.extend(pipeline.stages.iter().filter_map(|stage| of(&silent(stage))));
            }
        }
        rows
    }

    /// The driver's name for the executable, with the entry point where the stage alone is ambiguous.
    pub fn title(&self) -> String {
        title(&self.name, self.entry.as_deref())
    }

    /// One of the compiler's other forms, by the driver's name for it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|text| text.name == name).map(|text| text.text.as_str())
    }

    /// What AMD's assembly says; none without assembly, where it is not interpreted, and of another vendor's: attributes
    /// and exports are of AMD's alone.
    pub fn read_isa(&self) -> Option<isa::IsaFacts> {
        self.read_text().filter(|facts| facts.dialect.is_amd())
    }

    /// What the assembly says, of any dialect; none without assembly, and where it is not interpreted: what such a text
    /// does not show is not known.
    pub fn read_text(&self) -> Option<isa::IsaFacts> {
        let isa = self.isa.as_deref().filter(|_| self.is_interpreted())?;
        let facts = texts::read(self.dialect()?, isa, self.stage);
        Some(facts).filter(|facts| !facts.instructions.is_empty())
    }

    /// The form of the assembly; none where it is not one that is read.
    pub fn dialect(&self) -> Option<Dialect> {
        Dialect::of(&self.driver)
    }

    /// Whether the assembly is one that is read: another vendor's is shown as is, and so is a text without a known
    /// instruction.
    pub fn is_interpreted(&self) -> bool {
        match &self.verified {
            Some(Verified::NotInterpreted) => false,
            Some(_) => self.facts.is_some(),
            None => true,
        }
    }

    /// Where it was compiled for, in one word where there is one: the chip, else the device.
    pub fn place(&self) -> &str {
        match self.target {
            Some(target) => target.name(),
            None => &self.device,
        }
    }

    /// Whether two rows are of one compiler: of the same device or chip, and driver.
    pub fn is_of_same_compiler(&self, other: &DriverStage) -> bool {
        let who = |row: &'_ DriverStage| (row.target, row.icd.clone());
        self.device == other.device && self.driver == other.driver && who(self) == who(other)
    }
}

/// A driver that made nothing of one version of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverFailure {
    /// The requested chip or device name, else the name of the manifest; empty for the first device.
    pub place: String,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// The version of the program.
    pub of: Version,
    /// Why, in the driver's or the loader's words.
    pub message: String,
}

/// Adds what distinguishes executables that a driver made of the same stage under the same name: Intel's one for each
/// width of its waves.
fn distinguish(rows: &mut [DriverStage]) {
    let is_alike = |one: &DriverStage, other: &DriverStage| {
        let of = |row: &DriverStage| (row.of, row.link, row.stage, row.entry.clone(), row.name.clone());
        one.is_of_same_compiler(other) && of(one) == of(other)
    };
    let marks: Vec<Option<String>> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let alike: Vec<&DriverStage> = rows.iter().filter(|other| is_alike(row, other)).collect();
            let sizes: BTreeSet<u32> = alike.iter().filter_map(|row| row.subgroup_size).collect();
            let number = rows.iter().take(index).filter(|other| is_alike(row, other)).count().saturating_add(1);
            match row.subgroup_size {
                _ if alike.len() < 2 => None,
                Some(size) if sizes.len() == alike.len() => Some(format!("subgroup {size}")),
                _ => Some(format!("{number} of {}", alike.len())),
            }
        })
        .collect();
    for (row, mark) in rows.iter_mut().zip(marks) {
        row.name.extend(mark.into_iter().map(|mark| format!(" ({mark})")));
    }
}

/// Leaves entry points out where all rows of a kind have the same.
fn keep_where_several<T, K: Ord>(
    rows: &mut [T],
    kind: impl Fn(&T) -> K,
    entry: impl Fn(&mut T) -> &mut Option<String>,
) {
    let mut known: BTreeMap<K, BTreeSet<Option<String>>> = BTreeMap::new();
    for row in rows.iter_mut() {
        known.entry(kind(row)).or_default().insert(entry(row).clone());
    }
    for row in rows {
        if known.get(&kind(row)).is_none_or(|entries| entries.len() < 2) {
            *entry(row) = None;
        }
    }
}

/// A driver's name for an executable, and the entry point that distinguishes it from others.
pub(super) fn title(name: &str, entry: Option<&str>) -> String {
    entry.map_or_else(|| name.to_owned(), |entry| format!("{name} {entry}"))
}

fn row(compilation: &Compilation, pipeline: &CompiledPipeline, executable: &Executable) -> Option<DriverStage> {
    let stage = *executable.stages.last()?;
    let at = pipeline.stages.iter().position(|other| *other == stage);
    let entry = at.and_then(|at| pipeline.entries.get(at)).cloned();
    let isa = executable.assembly();
    let is_isa = |text: &&Representation| isa.is_some_and(|isa| std::ptr::eq(isa, text.text.as_str()));
    let dialect = Dialect::of(&compilation.driver).unwrap_or_default();
    let facts = isa.map(|isa| texts::read(dialect, isa, stage));
    let verified = isa.zip(facts.as_ref()).map(|(isa, facts)| verified::listing(&compilation.driver, isa, facts));
    let interpreted = verified.as_ref().is_some_and(|verified| *verified != Verified::NotInterpreted);
    let facts = facts.map(|facts| facts.digest()).filter(|facts| interpreted && facts.instructions > 0);
    Some(DriverStage {
        device: compilation.device.clone(),
        driver: compilation.driver.clone(),
        target: compilation.chip,
        icd: compilation.icd.clone(),
        of: compilation.of,
        link: compilation.link,
        stage,
        entry,
        merged: if executable.stages.len() > 1 { executable.stages.clone() } else { Vec::new() },
        name: executable.name.clone(),
        subgroup_size: Some(executable.subgroup_size).filter(|size| *size > 0),
        statistics: executable.statistics.clone(),
        common: common(&compilation.driver, &executable.statistics),
        isa: isa.map(str::to_owned),
        verified,
        attributes: facts.as_ref().filter(|_| stage == StageKind::Fragment).map_or(Vec::new(), attributes),
        facts,
        origins: Vec::new(),
        lines: Vec::new(),
        derivatives: Vec::new(),
        texts: executable.texts.iter().filter(|text| !is_isa(text)).cloned().collect(),
        notes: compilation.notes.clone(),
    })
}

fn attributes(facts: &Digest) -> Vec<ReadAttribute> {
    let channels = facts.interpolations.iter().map(|read| (read.attribute, read.channel));
    let all: BTreeSet<(u32, u8)> = channels.collect();
    let named = |(attribute, channel)| ReadAttribute { attribute, channel: Component(channel).letter() };
    all.into_iter().map(named).collect()
}
