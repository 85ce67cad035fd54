//! What drivers' compilers made of the stages, beside what is predicted. RADV alone: its assembly is read.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chip::ChipFacts;
use super::occupancy::{Occupancy, Resources};
use super::report::{CostFigure, InterfaceCost, SlotRow, Value};
use lanescope_base::named_enum;
use lanescope_driver::isa::{Does, ExportTarget, IsaFacts, QuadPurpose, Space};
use lanescope_driver::verified::MesaVersion;
use lanescope_driver::{DriverStage, Link, Version};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

named_enum!(
    /// A prediction against what the driver has.
    Agreement {
        /// Both are the same.
        Agree = "agree",
        /// They differ.
        Differ = "differ",
        /// Nothing is predicted.
        NotCompared = "not compared",
    }
);

/// What a driver made of one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredStage {
    /// The chip.
    pub chip: Target,
    /// The driver's name and version.
    pub driver: String,
    /// The version of the program.
    pub of: Version,
    /// The stage.
    pub stage: StageKind,
    /// Lanes of a wave, as the driver says.
    pub wave: u32,
    /// The figures.
    pub figures: Vec<MeasuredFigure>,
}

/// A figure of a driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredFigure {
    /// What is counted.
    pub figure: String,
    /// The prediction: of the selected packing, or by the driver's own registers for waves. Absent where nothing is predicted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub predicted: Option<u64>,
    /// The driver's; absent where its text does not say it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver: Option<u64>,
    /// The comparison.
    pub verdict: Agreement,
    /// What limits, how a statistic is read, or why the two need not be the same.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub note: String,
    /// The marks of the prediction and of the driver's figure.
    pub mark: String,
}

/// Why a driver may have fewer than what is predicted, and more.
type Why = [&'static str; 2];

const LINKER: Why = [
    "Mesa's linker removes constants and equal values, moves arithmetic, and packs in its own order",
    "Mesa packs in its own order, or not at all",
];
impl MeasuredFigure {
    fn new(figure: &str, predicted: Option<u64>, driver: Option<u64>, mark: &str, why: Why) -> MeasuredFigure {
        let verdict = match (predicted, driver) {
            (Some(one), Some(other)) if one == other => Agreement::Agree,
            (Some(_), Some(_)) => Agreement::Differ,
            _ => Agreement::NotCompared,
        };
        let note = match verdict {
            Agreement::Differ => why[usize::from(driver > predicted)].to_owned(),
            Agreement::Agree | Agreement::NotCompared => String::new(),
        };
        MeasuredFigure { figure: figure.to_owned(), predicted, driver, verdict, note, mark: mark.to_owned() }
    }

    fn seen(figure: &str, driver: usize) -> MeasuredFigure {
        MeasuredFigure::new(figure, None, Some(driver as u64), "H", [""; 2])
    }
}

impl InterfaceCost {
    /// Adds what drivers made of the interface's stages. Rows of other drivers than RADV, of other stages, and of stages that
    /// were not linked are left out, with a note.
    pub fn measure(&mut self, rows: &[DriverStage]) {
        let mut left_out = BTreeSet::new();
        for row in rows {
            let is_side = row.stage == StageKind::Fragment || Some(row.stage) == self.producer;
            let target = row.target.and_then(lanescope_model::chip::Chip::target);
            match (target, row.read_isa()) {
                _ if !is_side => {}
                _ if row.link == Link::Apart => _ = left_out.insert("stages that are compiled apart"),
                (Some(target), Some(facts)) => {
                    let measured = self.measured_stage(row, target, &facts);
                    self.measured.push(measured);
                }
                _ => _ = left_out.insert("devices and drivers whose assembly is not that of a known AMD chip"),
            }
        }
        self.notes.extend(left_out.into_iter().map(|what| format!("not measured: {what}")));
    }

    fn measured_stage(&self, row: &DriverStage, target: Target, facts: &IsaFacts) -> MeasuredStage {
        let has_ring = target.ip().has_attribute_ring == Some(true);
        let mut figures = match row.stage {
            StageKind::Fragment => self.of_fragment(facts, has_ring),
            _ => self.of_previous(facts, has_ring),
        };
        figures.extend(statistics(row));
        figures.extend(occupancy(row, target, facts));
        MeasuredStage {
            chip: target,
            driver: row.driver.clone(),
            of: row.of,
            stage: row.stage,
            wave: row.subgroup_size.unwrap_or(0),
            figures,
        }
    }

    fn of_previous(&self, facts: &IsaFacts, has_ring: bool) -> Vec<MeasuredFigure> {
        let predicted = selected_number(self.previous.iter(), &["exp param per wave", "attribute stores per wave"]);
        let parameters: BTreeSet<u32> =
            facts.exports.iter().filter(|export| export.target == ExportTarget::Parameter).map(|e| e.index).collect();
        let positions: Vec<u32> = facts
            .exports
            .iter()
            .filter(|export| export.target == ExportTarget::Position)
            .map(|export| export.instruction)
            .collect();
        let mut out = Vec::new();
        if has_ring {
            let is_store = |space| matches!(space, Space::Buffer | Space::Global);
            let stores =
                facts.memory.iter().filter(|memory| memory.does == Does::Store && is_store(memory.space)).count();
            // Where it exports parameters after all, it does not use the ring.
            let found = if parameters.is_empty() { stores } else { parameters.len() };
            let predicted = predicted.filter(|_| !(self.stores_of_its_own && parameters.is_empty()));
            let figure = MeasuredFigure::new("attribute stores", predicted, Some(found as u64), "S, C / H", LINKER);
            let note = match predicted {
                None if self.stores_of_its_own => "stores to other memory count too".to_owned(),
                _ => figure.note.clone(),
            };
            out.push(MeasuredFigure { note, ..figure });
        } else {
            let found = Some(parameters.len() as u64);
            out.push(MeasuredFigure::new("exp param", predicted, found, "S, C / H", LINKER));
        }
        out.push(MeasuredFigure::seen("position exports", positions.len()));
        if let Some(last) = positions.last() {
            let after = facts.instructions.len().saturating_sub(*last as usize + 1);
            let figure = MeasuredFigure::seen("instructions after the last position export", after);
            let note =
                format!("of {}; the wave keeps its registers until its exports are done", facts.instructions.len());
            out.push(MeasuredFigure { note, ..figure });
        }
        out
    }

    fn of_fragment(&self, facts: &IsaFacts, has_ring: bool) -> Vec<MeasuredFigure> {
        let read: BTreeSet<u32> = facts.interpolations.iter().map(|read| read.attribute).collect();
        let row = self.slots.rows.iter().find(|row| row.selected);
        // The driver's attributes are those of primitives too, and its reads those of built-ins, which are not predicted.
        let is_whole = |row: &&SlotRow| row.of_vertex == Some(row.generic + row.built_ins.unwrap_or(0));
        let slots = row.filter(is_whole).and_then(|row| row.of_vertex).map(u64::from);
        let is_alone = row.filter(is_whole).is_some_and(|row| row.built_ins == Some(0));
        // The chip of the sheet may be of another generation than the driver's.
        let same = (self.chip.ip().has_attribute_ring == Some(true)) == has_ring;
        let predicted = selected_number(self.interpolation.iter(), &["interpolation instructions"]);
        let predicted = predicted.filter(|_| same && is_alone);
        let found = interpolation_instructions(facts, has_ring) as u64;
        vec![
            MeasuredFigure::new("slots read", slots, Some(read.len() as u64), "S, C / H", LINKER),
            MeasuredFigure::new("interpolation instructions", predicted, Some(found), "C / H", LINKER),
        ]
    }
}

/// Instructions that read attributes: from graphics IP 11 on loads, and what interpolates or moves from them.
fn interpolation_instructions(facts: &IsaFacts, has_ring: bool) -> usize {
    let reads = facts.interpolations.len();
    if !has_ring {
        return reads;
    }
    let named = facts.instructions.iter().filter(|inst| inst.mnemonic.starts_with("v_interp_")).count();
    let is_read = |purpose| matches!(purpose, QuadPurpose::FlatInput | QuadPurpose::Interpolation);
    let moved = facts.quad_permutes.iter().filter(|permute| is_read(permute.purpose)).count();
    reads + named + moved
}

fn selected_number<'f>(mut figures: impl Iterator<Item = &'f CostFigure>, names: &[&str]) -> Option<u64> {
    match figures.find(|row| names.contains(&&*row.figure))?.selected {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// A statistic of the driver.
fn statistic(row: &DriverStage, name: &str) -> Option<u64> {
    let found = row.statistics.iter().find(|statistic| statistic.name.eq_ignore_ascii_case(name))?;
    let number = found.value.number();
    (0.0..1e15).contains(&number).then_some(number as u64)
}

fn statistics(row: &DriverStage) -> Vec<MeasuredFigure> {
    let shown = ["VGPRs", "SGPRs", "LDS size"];
    let figure = |name: &&str| Some(MeasuredFigure::seen(name, usize::try_from(statistic(row, name)?).ok()?));
    shown.iter().filter_map(figure).collect()
}

/// The waves of a SIMD by the driver's registers and LDS, beside its own statistic.
fn occupancy(row: &DriverStage, target: Target, facts: &IsaFacts) -> Option<MeasuredFigure> {
    let wave = row.subgroup_size?;
    let predicted = predicted_occupancy(row, target, facts)?;
    let statistic = statistic(row, "Subgroups per SIMD");
    let driver = row.waves_per_simd();
    // How many waves of such a stage share its LDS is not among the statistics. Mesa 26 limits waves by it, 22.3 does not.
    let shares_lds = row.stage != StageKind::Fragment && self::statistic(row, "LDS size").is_some_and(|size| size > 0);
    let why = if shares_lds { "RADV may count LDS of the workgroup" } else { "RADV rounds the quotient of LDS up" };
    let figure = MeasuredFigure::new("waves per SIMD", Some(predicted.waves.into()), driver, "S, C / H", [why; 2]);
    let version = MesaVersion::of(&row.driver).map(|of| format!("Mesa {}.{}", of.major, of.minor)).unwrap_or_default();
    let rule = match (statistic, wave) {
        (None, _) => "the driver has no statistic of it".to_owned(),
        (Some(count), _) if !target.ip().has_wave32 => format!("Subgroups per SIMD {count}, of hardware waves"),
        (Some(count), 64) => format!("Subgroups per SIMD {count}: {version} counts a wave64 twice"),
        (Some(count), _) => format!("Subgroups per SIMD {count}: {version} may exceed the wave slots in wave32"),
    };
    let lds = if shares_lds { "; LDS of its workgroup is not counted" } else { "" };
    let note = match figure.note.as_str() {
        "" => format!("limited by {}; {rule}{lds}", predicted.limiter),
        why => format!("limited by {}; {rule}{lds}; {why}", predicted.limiter),
    };
    Some(MeasuredFigure { note, ..figure })
}

/// The waves of a SIMD that the registers and the LDS of a driver's stage allow; none where the chip is not known, or where
/// the driver does not say what they are. A fragment shader's wave is taken with one primitive.
pub fn predicted_occupancy(row: &DriverStage, target: Target, facts: &IsaFacts) -> Option<Occupancy> {
    let chip = ChipFacts::of(target);
    let number = |name: &str| statistic(row, name).and_then(|count| u32::try_from(count).ok());
    let own = statistic(row, "LDS size")?;
    let sgprs = if chip.sgprs.is_some() { number("SGPRs")? } else { 0 };
    let lds = match row.stage {
        StageKind::Fragment => {
            let read: BTreeSet<u32> = facts.interpolations.iter().map(|read| read.attribute).collect();
            // Mesa's granule where sources differ: it is compared with Mesa.
            let granule = chip.lds_granules.last()?.bytes;
            Resources::lds_of_pixels(own, read.len() as u32, granule)
        }
        _ => 0,
    };
    let wave = row.subgroup_size?;
    Resources { wave, vgprs: number("VGPRs")?, sgprs, lds }.occupancy(&chip)
}
