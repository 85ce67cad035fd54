//! Our register values, compared with what the driver reveals of its own.
//!
//! A driver returns no register values. Its statistics list how many registers, bytes of memory and lanes a stage has;
//! its assembly shows which attributes are read and what is exported in which form. From these follow the fields that
//! are compared here; each that differs names the choice that differs, and each that only a back end knows is filled
//! in.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::{Link, Version};
use super::isa::{Export, ExportTarget, Form, IsaFacts, not_understood};
use super::layout::slots_written;
use super::report::DriverStage;
use super::verified::MesaVersion;
use lanescope_base::named_enum;
use lanescope_base::text_format::counted;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::registers::{From, Register, encode, tables};
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table, Width};

/// One field on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RegisterRow {
    /// The device.
    pub device: String,
    /// The driver's name and version; empty in reports that do not say.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub version: String,
    /// The chip, whose registers these are.
    pub target: Target,
    /// The version of the program.
    pub of: Version,
    /// What was compiled at once.
    pub link: Link,
    /// The stage whose executable reports it.
    pub stage: StageKind,
    /// The entry point, where the program has several of the stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// The register.
    pub register: String,
    /// The field.
    pub field: String,
    /// Our value; absent where only a back end knows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ours: Option<u32>,
    /// The driver's.
    pub driver: u32,
    /// What the driver reports: `12 VGPRs`.
    pub told: String,
    /// The choice that differs; absent where both agree.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub choice: Option<Choice>,
}

named_enum!(
    /// The design choice that makes the driver's value differ.
    Choice {
        /// None: without a back end we have no value.
        BackEnd = "back-end",
        /// How many lanes a wave has.
        Wave = "wave-size",
        /// Which varyings are passed, and how they pack: the table of varyings says why, scalar by scalar.
        Varyings = "varyings",
        /// Compiled alone, the stage before passes all that it writes, and the primitive's number.
        WholeInterface = "whole-interface",
        /// The form in which colours or depth are exported.
        Export = "export-format",
        /// What is exported beside the position.
        Positions = "positions",
        /// How memory of the workgroup is counted.
        Memory = "workgroup-memory",
    }
);

impl Choice {
    /// The choice in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Choice::BackEnd => "known to the compiler back end only: the value is this driver's",
            Choice::Wave => "the driver uses a different wave size for this stage",
            Choice::Varyings => "the driver passes other varyings or packs them differently: see the varyings table",
            Choice::WholeInterface => "compiled separately, the previous stage passes all outputs and the primitive ID",
            Choice::Export => "the driver exports this attachment in a different format",
            Choice::Positions => "the driver exports different vectors in addition to the position",
            Choice::Memory => "the driver allocates a different amount of LDS",
        }
    }
}

/// The targets of rows whose registers are known.
pub fn known_targets(rows: &[DriverStage]) -> impl Iterator<Item = Target> {
    let targets: BTreeSet<Target> = rows.iter().filter_map(|row| row.target?.target()).collect();
    targets.into_iter().filter(|target| tables::table(*target).is_some())
}

/// The fields that rows of a program report, beside `ours` for the same targets: as packed where both sides were
/// compiled together or the packed version was compiled, as renumbered where each was compiled alone.
pub fn compare(ours: &BTreeMap<Target, Vec<Register>>, rows: &[DriverStage]) -> Vec<RegisterRow> {
    let mut out = Vec::new();
    for row in rows {
        let Some((target, registers)) = row.target.and_then(|chip| ours.get_key_value(&chip.target()?)) else {
            continue;
        };
        let from = match (row.stage, row.of, row.link) {
            (StageKind::Compute, ..) => From::Compute,
            (_, Version::Original, Link::Apart) => From::Unpacked,
            _ => From::Packed,
        };
        if leaves_exports_to_another(row, rows) {
            continue;
        }
        for reported in reported_fields(row, *target) {
            let of = |register: &&Register| {
                let of_entry = row.stage != StageKind::Compute || register.entry == row.entry;
                register.name == reported.register && register.from == from && of_entry
            };
            let register = registers.iter().find(of);
            let field = register.and_then(|r| r.fields.iter().find(|field| field.name == reported.field));
            let Some(field) = field else { continue };
            let driver = field.hold(reported.value);
            if reported.choice == Choice::Export
                && field.value.is_some_and(|ours| may_be_the_same_format(&row.driver, ours, driver))
            {
                continue;
            }
            let choice = match field.value {
                None => Some(Choice::BackEnd),
                Some(value) if value != driver => Some(reported.choice),
                Some(_) => None,
            };
            out.push(RegisterRow {
                device: row.device.clone(),
                version: row.driver.clone(),
                target: *target,
                of: row.of,
                link: row.link,
                stage: row.stage,
                entry: row.entry.clone(),
                register: reported.register.to_owned(),
                field: reported.field,
                ours: field.value,
                driver,
                told: reported.words,
                choice,
            });
        }
    }
    out
}

/// The rows that do not agree, one for the chips and versions that say the same, with what these are called; those of the
/// same entry point, chips and versions are adjacent.
pub fn differing(rows: &[RegisterRow]) -> Vec<(&RegisterRow, Vec<String>)> {
    let mut out: Vec<(&RegisterRow, Vec<String>)> = Vec::new();
    let said = |row: &RegisterRow| {
        let (entry, register, field) = (row.entry.clone(), row.register.clone(), row.field.clone());
        (row.stage, entry, register, field, row.ours, row.driver, row.told.clone(), row.choice)
    };
    for row in rows.iter().filter(|row| row.choice.is_some()) {
        let apart = if row.link == Link::Apart { " apart" } else { "" };
        let several = rows.iter().any(|other| other.target == row.target && other.version != row.version);
        let version = if several { format!(" ({})", row.version) } else { String::new() };
        let place = format!("{} {}{apart}{version}", row.target, row.of);
        match out.iter_mut().find(|(other, _)| said(other) == said(row)) {
            Some((_, places)) => places.push(place),
            None => out.push((row, vec![place])),
        }
    }
    let alike = |row: &(&RegisterRow, Vec<String>)| {
        out.iter().position(|other| (other.0.stage, &other.0.entry, &other.1) == (row.0.stage, &row.0.entry, &row.1))
    };
    let groups: Vec<Option<usize>> = out.iter().map(alike).collect();
    let mut grouped: Vec<_> = groups.into_iter().zip(out).collect();
    grouped.sort_by_key(|(group, _)| *group);
    grouped.into_iter().map(|(_, row)| row).collect()
}

/// The rows that do not agree, as a table: one for all chips and versions with the same values.
pub fn table(rows: &[RegisterRow]) -> Table {
    let mut out = Table::new([
        Column::left("register"),
        Column::left("field"),
        Column::right("ours"),
        Column::right("driver"),
        Column::left("from the driver"),
        Column::left("choice"),
        Column::left("where").width(Width::Above),
    ]);
    for (row, places) in differing(rows) {
        let choice = row.choice.map(|choice| {
            let meaning = if choice == Choice::BackEnd { Meaning::Dimmed } else { Meaning::Changed };
            Cell::of(meaning, choice.name()).help(choice.why())
        });
        let place = format!("{}: {}", row.stage.with_entry(row.entry.as_deref()), places.join(", "));
        let cells = [
            Cell::code(&row.register),
            Cell::code(&row.field),
            Cell::code(row.ours.map_or("?".to_owned(), |value| value.to_string())),
            Cell::code(row.driver),
            (&row.told).into(),
            choice.unwrap_or_default(),
            Cell::of(Meaning::Dimmed, place),
        ];
        out.push(Key::Register(row.register.clone()), cells);
    }
    out
}

/// The choices that rows name, each once, in their order.
pub fn choices(rows: &[RegisterRow]) -> Vec<Choice> {
    let named = |choice: &Choice| rows.iter().any(|row| row.choice == Some(*choice));
    Choice::ALL.iter().copied().filter(named).collect()
}

/// A field as an executable reports it.
struct Reported {
    register: &'static str,
    field: String,
    value: u32,
    words: String,
    /// What it would be that differs.
    choice: Choice,
}

fn reported_field(
    register: &'static str,
    field: impl Into<String>,
    value: u32,
    words: String,
    choice: Choice,
) -> Reported {
    Reported { register, field: field.into(), value, words, choice }
}

fn reported_fields(row: &DriverStage, target: Target) -> Vec<Reported> {
    // Counts of what is exported and read are facts only where every line is understood.
    let isa = row.isa.as_deref().unwrap_or_default();
    let facts = row.read_isa().filter(|facts| not_understood(isa, facts).is_none());
    let mut out = Vec::new();
    let wave = row.subgroup_size;
    match row.stage {
        StageKind::Fragment => {
            out.extend(resources(row, target, ["SPI_SHADER_PGM_RSRC1_PS", "SPI_SHADER_PGM_RSRC2_PS"]));
            let is_32 = wave.map(|wave| {
                reported_field("SPI_PS_IN_CONTROL", "PS_W32_EN", u32::from(wave == 32), waves(wave), Choice::Wave)
            });
            out.extend(is_32);
            out.extend(facts.iter().flat_map(fragment));
        }
        StageKind::Compute => {
            out.extend(resources(row, target, ["COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2"]));
            let initiator = "COMPUTE_DISPATCH_INITIATOR";
            out.extend(
                wave.map(|wave| {
                    reported_field(initiator, "CS_W32_EN", u32::from(wave == 32), waves(wave), Choice::Wave)
                }),
            );
            if let Some(bytes) = statistic(row, "LDS size") {
                let words = format!("{} of LDS", counted(bytes, "byte"));
                out.push(reported_field(
                    "COMPUTE_PGM_RSRC2",
                    "LDS_SIZE",
                    encode::lds_size(bytes.into()),
                    words,
                    Choice::Memory,
                ));
            }
            if let Some(bytes) = statistic(row, "Code size") {
                let words = format!("{} of code", counted(bytes, "byte"));
                out.push(reported_field(
                    "COMPUTE_PGM_RSRC3",
                    "INST_PREF_SIZE",
                    encode::prefetch_size(bytes),
                    words,
                    Choice::BackEnd,
                ));
            }
        }
        StageKind::Vertex | StageKind::TessEval | StageKind::Geometry => {
            out.extend(facts.iter().flat_map(|facts| before(row, facts)));
        }
        _ => {}
    }
    out
}

fn statistic(row: &DriverStage, name: &str) -> Option<u32> {
    let statistic = row.statistics.iter().find(|statistic| statistic.name == name)?;
    let number = statistic.value.number();
    ((0.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0).then_some(number as u32)
}

fn waves(wave: u32) -> String {
    format!("waves of {wave}")
}

/// Register counts and scratch memory.
fn resources(row: &DriverStage, target: Target, [first, second]: [&'static str; 2]) -> Vec<Reported> {
    let mut out = Vec::new();
    if let Some(count) = statistic(row, "VGPRs") {
        let value = encode::vgprs(count, row.subgroup_size.unwrap_or(64));
        out.push(reported_field(first, "VGPRS", value, format!("{count} VGPRs"), Choice::BackEnd));
    }
    if let Some((count, value)) = statistic(row, "SGPRs").and_then(|n| Some((n, encode::sgprs(n, target)?))) {
        out.push(reported_field(first, "SGPRS", value, format!("{count} SGPRs"), Choice::BackEnd));
    }
    if let Some(bytes) = statistic(row, "Scratch size") {
        let words = format!("{} of scratch", counted(bytes, "byte"));
        out.push(reported_field(second, "SCRATCH_EN", u32::from(bytes > 0), words, Choice::BackEnd));
    }
    out
}

fn fragment(facts: &IsaFacts) -> Vec<Reported> {
    let mut out = Vec::new();
    let count = facts.interpolations.iter().map(|read| read.attribute.saturating_add(1)).max().unwrap_or(0);
    let words = counted(count, "attribute");
    out.push(reported_field("SPI_PS_IN_CONTROL", "NUM_INTERP", count, words, Choice::Varyings));
    let colour = |export: &&Export| matches!(export.target, ExportTarget::Color | ExportTarget::DualSource);
    let mut colours: Vec<&Export> = facts.exports.iter().filter(colour).collect();
    colours.sort_by_key(|export| export.index);
    colours.retain(|export| export.mask != 0);
    for n in 0..8 {
        let format = colours.get(n).map_or(Some((0, "nothing")), |export| format(export));
        let Some((value, words)) = format else { continue };
        let words = format!("export {n}: {words}");
        out.push(reported_field(
            "SPI_SHADER_COL_FORMAT",
            format!("COL{n}_EXPORT_FORMAT"),
            value,
            words,
            Choice::Export,
        ));
    }
    let depth = facts.exports.iter().find(|export| export.target == ExportTarget::Depth && export.mask != 0);
    let depth = depth.map_or(Some((0, "nothing")), format);
    if let Some((value, words)) = depth {
        let words = format!("depth export: {words}");
        out.push(reported_field("SPI_SHADER_Z_FORMAT", "Z_EXPORT_FORMAT", value, words, Choice::Export));
    }
    out
}

/// The form of an export by what its registers hold; none where that is unknown.
fn format(export: &Export) -> Option<(u32, &'static str)> {
    Some(match (export.form?, export.mask) {
        (Form::Half, _) => (4, "FP16_ABGR"),
        (Form::Unorm, _) => (5, "UNORM16_ABGR"),
        (Form::Snorm, _) => (6, "SNORM16_ABGR"),
        (Form::Uint, _) => (7, "UINT16_ABGR"),
        (Form::Sint, _) => (8, "SINT16_ABGR"),
        (Form::Whole, 0b0001) => (1, "32_R"),
        // A colour's alpha comes second too from GFX10 on: as 32_AR.
        (Form::Whole, 0b0011) if export.target == ExportTarget::Depth => (2, "32_GR"),
        (Form::Whole, 0b1001) => (3, "32_AR"),
        (Form::Whole, 0b1111) => (9, "32_ABGR"),
        (Form::Whole | Form::Pair, _) => return None,
    })
}

/// Whether an export may be of another format than its channels say: from Mesa 23 on, exports leave out undefined
/// channels.
fn may_be_the_same_format(driver: &str, ours: u32, found: u32) -> bool {
    let channels = |format| match format {
        1 => Some(0b0001),
        2 => Some(0b0011),
        3 => Some(0b1001),
        9 => Some(0b1111),
        _ => None,
    };
    let is_part = channels(found).zip(channels(ours)).is_some_and(|(found, ours)| found & ours == found);
    ours != found && is_part && MesaVersion::of(driver).is_none_or(|version| version.major >= 23)
}

/// Whether a row is of a part before the rasteriser that exports nothing, and another one exports for it: a geometry
/// shader that writes its vertices to memory has a second part that copies them, and a stage may precede another.
fn leaves_exports_to_another(row: &DriverStage, rows: &[DriverStage]) -> bool {
    let is_before = |stage| matches!(stage, StageKind::Vertex | StageKind::TessEval | StageKind::Geometry);
    let exports = |row: &DriverStage| {
        row.read_isa().is_some_and(|facts| facts.exports.iter().any(|export| export.target == ExportTarget::Position))
    };
    let beside = |other: &&DriverStage| {
        other.is_of_same_compiler(row)
            && (other.of, other.link) == (row.of, row.link)
            && (is_before(other.stage) && other.stage >= row.stage)
    };
    is_before(row.stage) && !exports(row) && rows.iter().filter(beside).any(exports)
}

/// What the last stage before the rasteriser exports.
fn before(row: &DriverStage, facts: &IsaFacts) -> Vec<Reported> {
    let mut out = Vec::new();
    let slots = slots_written(facts).map(|slots| slots.len() as u32);
    let how = if facts.exports.iter().any(|e| e.target == ExportTarget::Parameter) { "exported" } else { "stored" };
    let choice = if row.link == Link::Apart { Choice::WholeInterface } else { Choice::Varyings };
    if let Some(slots) = slots {
        let words = format!("{} {how}", counted(slots, "slot"));
        out.push(reported_field("SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT", slots.saturating_sub(1), words, choice));
    }
    let positions: BTreeSet<u32> =
        facts.exports.iter().filter(|e| e.target == ExportTarget::Position).map(|export| export.index).collect();
    for n in 0..4 {
        let on = (n as usize) < positions.len();
        let words = counted(positions.len(), "position export");
        out.push(reported_field(
            "SPI_SHADER_POS_FORMAT",
            format!("POS{n}_EXPORT_FORMAT"),
            if on { 4 } else { 0 },
            words,
            Choice::Positions,
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executable::{Statistic, Value};
    use crate::isa::read;
    use lanescope_model::options::Options;
    use lanescope_model::program::{LoadedModule, Program, Stage};
    use lanescope_testing::glsl;

    /// What the driver's side of a compute shader's registers is, by what the driver counts.
    fn counted_as(target: Target, statistics: &[(&str, u64)]) -> BTreeMap<String, (Option<u32>, u32)> {
        let module = glsl(StageKind::Compute, "layout(local_size_x = 64) in; void main() {}");
        let module = LoadedModule::new(0, module);
        let stage = Stage { stage: StageKind::Compute, entry: "main".to_owned(), module: 0, entry_index: 0 };
        let program = Program { modules: vec![module], stages: vec![stage], ..Program::default() };
        let statistic = |&(name, value): &(&str, u64)| Statistic {
            name: name.to_owned(),
            description: String::new(),
            value: Value::Uint(value),
        };
        let row = DriverStage {
            device: "d".to_owned(),
            driver: "r".to_owned(),
            target: Some(target.into()),
            icd: None,
            of: Version::Original,
            link: Link::Whole,
            stage: StageKind::Compute,
            entry: None,
            merged: Vec::new(),
            name: "Compute Shader".to_owned(),
            subgroup_size: None,
            statistics: statistics.iter().map(statistic).collect(),
            common: Vec::new(),
            isa: None,
            verified: None,
            facts: None,
            attributes: Vec::new(),
            origins: Vec::new(),
            lines: Vec::new(),
            derivatives: Vec::new(),
            texts: Vec::new(),
            notes: Vec::new(),
        };
        let report =
            lanescope_report::analyse(&program, &Options { target, ..Options::default() }).expect("is analysed");
        let ours = BTreeMap::from([(target, report.registers)]);
        let rows = compare(&ours, &[row]);
        rows.into_iter().map(|row| (row.field, (row.ours, row.driver))).collect()
    }

    #[test]
    fn the_drivers_numbers_are_counted_as_ours_and_fit_their_fields() {
        let statistics = [("VGPRs", 12), ("SGPRs", 104), ("Code size", 30_852)];
        let driver_fields = |target| counted_as(target, &statistics);
        let field = |field: &str, ours, driver| (field.to_owned(), (ours, driver));
        let registers = [field("SGPRS", None, 12), field("VGPRS", None, 2)];
        let expected = |more: &[_]| registers.iter().chain(more).cloned().collect::<BTreeMap<_, _>>();
        assert_eq!(driver_fields(Target::Gfx1030), expected(&[]));
        // Six bits of units of 128 bytes.
        assert_eq!(driver_fields(Target::Gfx1100), expected(&[field("INST_PREF_SIZE", None, 63)]));
        // Eight bits of them, and no scalar registers are counted.
        let gfx12 = driver_fields(Target::Gfx1200);
        assert_eq!(gfx12.get("INST_PREF_SIZE"), Some(&(None, 242)));
        assert_eq!(gfx12.get("SGPRS"), None);
    }

    #[test]
    fn exports_without_undefined_channels_may_have_our_format() {
        let (old, new) = ("radv Mesa 22.3.6", "radv Mesa 25.0.7-2+deb13u1");
        assert!(may_be_the_same_format(new, 9, 1) && may_be_the_same_format(new, 9, 3));
        assert!(may_be_the_same_format(new, 3, 1));
        for (driver, ours, found) in [(old, 9, 1), (new, 1, 9), (new, 1, 1), (new, 4, 1), (new, 9, 4), (new, 2, 3)] {
            assert!(!may_be_the_same_format(driver, ours, found), "{driver} {ours} {found}");
        }
    }

    /// The forms that a text shows for its first two colours and its depth.
    fn forms(text: &str) -> [Option<String>; 3] {
        let reported = fragment(&read(text, StageKind::Fragment));
        ["COL0_EXPORT_FORMAT", "COL1_EXPORT_FORMAT", "Z_EXPORT_FORMAT"].map(|field| {
            reported.iter().find(|reported| reported.field == field).map(|reported| reported.words.clone())
        })
    }

    #[test]
    fn lists_export_formats_only_where_certain() {
        let some = |text: &str| Some(text.to_owned());
        let (none, no_depth) = (some("export 1: nothing"), some("depth export: nothing"));
        for (text, first, second, depth) in [
            // GFX11: two registers are two floats, or four halves.
            (
                "\tv_cvt_pk_rtz_f16_f32_e32 v2, v2, v3\n\texp mrt0 v2, v128, off, off done\n",
                some("export 0: FP16_ABGR"),
                none.clone(),
                no_depth.clone(),
            ),
            (
                "\tv_mov_b32_e32 v0, 0x38003c00\n\texp mrt0 v0, v1, off, off done\n",
                None,
                none.clone(),
                no_depth.clone(),
            ),
            ("\tv_pack_b32_f16 v0, v1, v2\n\texp mrt0 v0, v1, off, off done\n", None, none.clone(), no_depth.clone()),
            // Red and alpha, or red and green.
            ("\tv_mul_f32_e32 v0, v1, v2\n\texp mrt0 v0, v1, off, off done vm\n", None, none.clone(), no_depth.clone()),
            ("\texp mrt0 v0, off, off, off done vm\n", some("export 0: 32_R"), none.clone(), no_depth.clone()),
            // Both sources of a blend are colours.
            (
                "\tv_cvt_pk_rtz_f16_f32_e32 v2, v2, v3\n\tv_mov_b32_dpp v4, v2 dpp8:[1,0,3,2,5,4,7,6] fi:1\n\
                 \texp dual_src_blend0 v4, v2, off, off\n\texp dual_src_blend1 v2, v4, off, off done\n",
                some("export 0: FP16_ABGR"),
                some("export 1: FP16_ABGR"),
                no_depth.clone(),
            ),
            // A stencil reference in the high half of the first register is not a depth.
            (
                "\tv_lshlrev_b32_e32 v0, 16, v0\n\texp mrtz v0, off, off, off done\n",
                some("export 0: nothing"),
                none.clone(),
                None,
            ),
            (
                "\tv_add_f32_e32 v0, v0, v1\n\texp mrtz v0, off, off, off done\n",
                some("export 0: nothing"),
                none.clone(),
                some("depth export: 32_R"),
            ),
        ] {
            assert_eq!(forms(text), [first, second, depth], "{text}");
        }
    }
}
