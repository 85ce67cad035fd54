//! Which instructions of an assembly read or write which varying.
//!
//! A fragment shader names attributes, and [`super::layouts`] says what each holds. The stage before exports parameter
//! slots: they are the locations that its own intermediate form declares, in order. From GFX11 on it stores them to
//! memory instead, from where the wave's own begin: Mesa 22 puts a slot each 512 bytes (a slot of 32 lanes lies in a row),
//! later versions each 16 (the buffer's swizzle puts the lanes of a slot in a row).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compiled::{declarations, form};
use super::declared::{self, Declared};
use super::{DriverPlace, LayoutRule, LayoutTable};
use crate::isa::{ExportTarget, File, Instruction, IsaFacts, OperandKind, Registers};
use crate::texts::Dialect;
use crate::{DriverStage, Link, Version};
use lanescope_base::named_enum;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::packing::Place;

/// One instruction that reads or writes varyings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessedBy {
    /// The instruction (index of [`IsaFacts::instructions`]).
    pub instruction: u32,
    /// The scalars, by their places as authored.
    pub scalars: Vec<Place>,
}

/// The varyings of an assembly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VaryingAccess {
    /// The instructions that read or write some, in order.
    pub instructions: Vec<AccessedBy>,
    /// Why there are none, or not all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
}

named_enum!(
    /// Why the varyings of an assembly are not all known.
    Unknown {
        /// The assembly is not interpreted.
        NotInterpreted = "not-interpreted",
        /// The assembly is another vendor's: which scalar an instruction passes is followed for AMD's alone.
        OtherCompiler = "other-compiler",
        /// The device's layout is not known: its driver returns no form of the fragment shader that names inputs.
        NoLayout = "no-layout",
        /// The driver moved scalars by no rule that is known.
        Unattributed = "unattributed",
        /// The slots that the text writes are not those of the declared outputs.
        Slots = "slots",
        /// A structure is passed, and the text does not say how many locations it takes.
        Structure = "structure",
    }
);

impl Unknown {
    /// The reason in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Unknown::NotInterpreted => "the assembly is not interpreted",
            Unknown::OtherCompiler => "they are followed in AMD's assembly only",
            Unknown::NoLayout => "the driver returns no NIR of the fragment shader that names its inputs",
            Unknown::Unattributed => "the driver moved varyings by an unknown rule",
            Unknown::Structure => "the driver does not report how many slots a passed structure uses",
            Unknown::Slots => "the written slots differ from the outputs that the driver declares",
        }
    }
}

/// Bytes of a slot of one lane.
const SLOT_BYTES: u32 = 16;
/// Bytes of a slot of 32 lanes: what the place of a wave's varyings in memory is counted in.
const ROW_BYTES: u32 = SLOT_BYTES * 32;
/// The most slots that a stage writes, and more.
const MAX_SLOTS: u32 = 64;

/// The varyings of a row's assembly, with its `facts`; `tables` and `rows` are those of its report.
pub fn varying_accesses(
    tables: &[LayoutTable],
    rows: &[DriverStage],
    row: &DriverStage,
    facts: &IsaFacts,
) -> VaryingAccess {
    let unknown = |why| VaryingAccess { instructions: Vec::new(), unknown: Some(why) };
    if !passes_on(rows, row) {
        return VaryingAccess::default();
    }
    if !row.is_interpreted() {
        return unknown(Unknown::NotInterpreted);
    }
    if row.dialect() != Some(Dialect::Amd) {
        return unknown(Unknown::OtherCompiler);
    }
    let own = |table: &&LayoutTable| table.is_of(row);
    let Some(table) = tables.iter().find(own) else { return unknown(Unknown::NoLayout) };
    let Some(column) = table.columns.iter().position(|column| (column.of, column.link) == (row.of, row.link)) else {
        return unknown(Unknown::NoLayout);
    };
    let mut places = table.rows.iter().filter_map(|row| row.driver.get(column));
    let unattributed = places.any(|place| place.rule == Some(LayoutRule::Unattributed));
    let held = attributes(table, column);
    let halves = halves(table, column);
    let mut out: BTreeMap<u32, BTreeSet<Place>> = BTreeMap::new();
    if row.stage == StageKind::Fragment {
        for read in &facts.interpolations {
            let Some(scalars) = held.get(&(read.attribute, read.channel)) else { continue };
            let mut scalars: BTreeSet<Place> = scalars.iter().copied().collect();
            // Only instructions for halves read one of them; others read the whole channel.
            let name = facts.instructions.get(read.instruction as usize).map(|found| found.mnemonic.as_str());
            if name.is_some_and(|name| name.contains("_f16")) {
                let is_read = |place: &Place| halves.get(place).is_none_or(|high| *high == read.high);
                scalars.retain(is_read);
            }
            out.entry(read.instruction).or_default().extend(scalars);
        }
    } else {
        let Some(held) = outputs(table, &held, rows, row) else { return unknown(Unknown::NoLayout) };
        let written = written(facts);
        let Some(declared) = declarations(row, declared::outputs) else { return unknown(Unknown::Slots) };
        if declared.iter().any(|output| output.locations == 0) {
            return unknown(Unknown::Structure);
        }
        let Some(locations) = locations(row, &declared, &written) else { return unknown(Unknown::Slots) };
        for (instruction, slot, mask) in written {
            let Some(location) = locations.get(&slot) else { continue };
            for channel in (0u8..4).filter(|channel| mask & 1 << channel != 0) {
                if let Some(scalars) = held.get(&(*location, channel)) {
                    out.entry(instruction).or_default().extend(scalars);
                }
            }
        }
    }
    let by = |(instruction, scalars): (u32, BTreeSet<Place>)| AccessedBy {
        instruction,
        scalars: scalars.into_iter().collect(),
    };
    let unknown = unattributed.then_some(Unknown::Unattributed);
    VaryingAccess { instructions: out.into_iter().map(by).collect(), unknown }
}

/// Whether a row is of the fragment shader or of the stage before it. What other stages pass on to each other is not
/// part of the tables.
fn passes_on(rows: &[DriverStage], row: &DriverStage) -> bool {
    let beside = |other: &&DriverStage| {
        other.is_of_same_compiler(row)
            && (other.of, other.link) == (row.of, row.link)
            && other.stage.is_graphics()
            && other.stage != StageKind::Fragment
    };
    let last = rows.iter().filter(beside).map(|other| other.stage).max();
    row.stage.is_graphics() && (row.stage == StageKind::Fragment || last == Some(row.stage))
}

/// Scalars by where something is: attribute or location, and channel.
type Held = BTreeMap<(u32, u8), Vec<Place>>;

/// What each attribute holds.
fn attributes(table: &LayoutTable, column: usize) -> Held {
    let mut out = Held::new();
    for row in &table.rows {
        for place in row.driver.get(column).iter().flat_map(|place| place.channels()) {
            out.entry((place.attribute, place.channel)).or_default().push(row.from);
        }
    }
    out
}

/// The scalars that share a channel with one in its other half: which half each has.
fn halves(table: &LayoutTable, column: usize) -> BTreeMap<Place, bool> {
    let all = || table.rows.iter().filter_map(|row| Some((row.from, row.driver.get(column)?)));
    let shared: BTreeSet<_> =
        all().filter(|(_, place)| place.high).map(|(_, place)| (place.attribute, place.channel)).collect();
    let shares = |place: &DriverPlace| shared.contains(&(place.attribute, place.channel));
    all().filter(|(_, place)| shares(place)).map(|(from, place)| (from, place.high)).collect()
}

/// What the stage before passes in each of its locations. Alone it does not know what is read, and passes everything.
fn outputs(table: &LayoutTable, held: &Held, rows: &[DriverStage], row: &DriverStage) -> Option<Held> {
    let mut out = Held::new();
    if row.link == Link::Apart {
        for scalar in &table.rows {
            let at = if row.of == Version::Packed { scalar.rewritten } else { Some(scalar.from) };
            let Some(at) = at else { continue };
            out.entry((at.location.0, at.component.0)).or_default().push(scalar.from);
        }
        return Some(out);
    }
    let reader = rows.iter().find(|other| {
        other.is_of_same_compiler(row)
            && (other.of, other.link) == (row.of, row.link)
            && other.stage == StageKind::Fragment
    })?;
    for input in declarations(reader, declared::inputs)? {
        for (location, attribute) in input.all_locations().zip(input.number..=u32::MAX) {
            for channel in (0u8..4).filter(|channel| input.holds(location, *channel)) {
                if let Some(scalars) = held.get(&(attribute, channel)) {
                    out.insert((location, channel), scalars.clone());
                }
            }
        }
    }
    Some(out)
}

/// Slots that are written, with their channels, by instruction.
fn written(facts: &IsaFacts) -> Vec<(u32, u32, u8)> {
    let exports = facts.exports.iter().filter(|export| export.target == ExportTarget::Parameter);
    let mut out: Vec<_> = exports.map(|export| (export.instruction, export.index, export.mask)).collect();
    if out.is_empty() {
        out = stored(&facts.instructions).0;
    }
    out
}

/// The slots that a stage before the rasteriser passes varyings in; none where it stores to memory at places that are not
/// understood.
pub(crate) fn slots_written(facts: &IsaFacts) -> Option<BTreeSet<u32>> {
    let written = written(facts);
    let exports = facts.exports.iter().any(|export| export.target == ExportTarget::Parameter);
    let all_known = exports || stored(&facts.instructions).1;
    all_known.then(|| written.into_iter().map(|(_, slot, _)| slot).collect())
}

/// The location of each slot; none where the text does not write as many as are declared.
fn locations(row: &DriverStage, outputs: &[Declared], written: &[(u32, u32, u8)]) -> Option<BTreeMap<u32, u32>> {
    let declared = declared::locations(outputs);
    let slots: BTreeSet<u32> = written.iter().map(|(_, slot, _)| *slot).collect();
    let (declared_count, count) = (declared.len(), slots.len());
    let whole = slots.iter().copied().eq(0..u32::try_from(count).ok()?);
    let before = match count.checked_sub(declared_count)? {
        _ if !whole => return None,
        0 => 0,
        // The primitive's number: before the others where the chip makes no primitives itself.
        1 => u32::from(row.target == Some(Target::Gfx900.into()) && form(row)?.dialect.primitive_first_on_gfx9),
        _ => return None,
    };
    Some((before..).zip(declared).collect())
}

/// One store to a place that is known.
struct Store {
    instruction: u32,
    /// From where the wave's own varyings begin.
    bytes: u32,
    /// 1 to 4.
    components: u32,
    buffer: Option<Registers>,
}

/// Stores to the memory of varyings: instruction, slot, channels; and whether all of them are known. The wave's own place
/// in it is shifted by the bytes of a row, and what is added to that names the slot.
fn stored(instructions: &[Instruction]) -> (Vec<(u32, u32, u8)>, bool) {
    let mut bytes: BTreeMap<u16, u32> = BTreeMap::new();
    let mut known: Vec<Store> = Vec::new();
    let mut others: Vec<Option<Registers>> = Vec::new();
    for (index, instruction) in (0u32..).zip(instructions) {
        if instruction.mnemonic.starts_with("buffer_store") {
            let base = instruction.operands.last().and_then(|operand| scalar(&operand.kind));
            let offset = instruction.modifier("offset").map_or(Some(0), |text| text.parse().ok());
            let at = base.and_then(|base| bytes.get(&base)).zip(offset).and_then(|(base, add)| base.checked_add(add));
            let at = at.filter(|at| at % 4 == 0 && at / ROW_BYTES < MAX_SLOTS);
            let registers = |at: usize| instruction.operands.get(at).and_then(|operand| run(&operand.kind));
            let components = registers(0).map_or(1, |data| u32::from(data.count).clamp(1, 4));
            let buffer = registers(2);
            match at {
                Some(bytes) => known.push(Store { instruction: index, bytes, components, buffer }),
                None => others.push(buffer),
            }
        }
        let made = offset_of(instruction, &bytes);
        for (registers, _) in instruction.registers().filter(|(r, a)| r.file == File::Scalar && a.writes()) {
            each(registers).for_each(|register| _ = bytes.remove(&register));
        }
        if let Some((register, value)) = made {
            bytes.insert(register, value);
        }
    }
    // Slots are as close as the stores show.
    let in_rows = known.iter().all(|store| store.bytes % ROW_BYTES == 0);
    let slot_bytes = if in_rows { ROW_BYTES } else { SLOT_BYTES };
    let slot = |store: &Store| {
        let first = store.bytes % slot_bytes / 4;
        let mask = 0b1111u8 >> 4u32.saturating_sub(store.components);
        (store.instruction, store.bytes / slot_bytes, mask.checked_shl(first).unwrap_or(0) & 0b1111)
    };
    // Other stores are the shader's own, unless they go to the same memory, or nowhere is known what varyings do.
    let own = |buffer: &Option<Registers>| known.iter().any(|store| store.buffer == *buffer);
    let all_known = !others.iter().any(own) && (others.is_empty() || !known.is_empty());
    (known.iter().map(slot).collect(), all_known)
}

/// The register that an instruction makes an offset of a slot, and which.
fn offset_of(instruction: &Instruction, bytes: &BTreeMap<u16, u32>) -> Option<(u16, u32)> {
    let mut operands = instruction.operands.iter().map(|operand| &operand.kind);
    let target = scalar(operands.next()?)?;
    let sources: Vec<&OperandKind> = operands.collect();
    let known = |kind: &OperandKind| bytes.get(&scalar(kind)?).copied();
    let value = match (instruction.mnemonic.as_str(), sources.as_slice()) {
        ("s_lshl_b32", [_, shift]) if number(shift) == Some(ROW_BYTES.trailing_zeros()) => 0,
        ("s_add_i32" | "s_add_u32" | "s_add_co_i32" | "s_add_co_u32", [a, b]) => match (known(a), known(b)) {
            (Some(base), None) => base.checked_add(number(b)?)?,
            (None, Some(base)) => base.checked_add(number(a)?)?,
            _ => return None,
        },
        ("s_addk_i32" | "s_addk_co_i32", [add]) => bytes.get(&target)?.checked_add(number(add)?)?,
        ("s_mov_b32", [from]) => known(from)?,
        _ => return None,
    };
    Some((target, value))
}

fn scalar(kind: &OperandKind) -> Option<u16> {
    match kind {
        OperandKind::Registers(Registers { file: File::Scalar, first, count: 1 }) => Some(*first),
        _ => None,
    }
}

fn run(kind: &OperandKind) -> Option<Registers> {
    match kind {
        OperandKind::Registers(registers) => Some(*registers),
        _ => None,
    }
}

fn each(registers: Registers) -> impl Iterator<Item = u16> {
    registers.first..registers.first.saturating_add(registers.count)
}

fn number(kind: &OperandKind) -> Option<u32> {
    let OperandKind::Literal(text) = kind else { return None };
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::read;

    #[test]
    fn stores_after_a_shifted_base_are_slots() {
        let text = "\ts_lshl_b32 s5, s5, 9\n\ts_add_i32 s6, s5, 0xa00\n\
            \tbuffer_store_b128 v[12:15], v3, s[8:11], s6 idxen\n\
            \tbuffer_store_b128 v[12:15], v3, s[8:11], s5 idxen\n\
            \tbuffer_store_b128 v[12:15], v3, s[8:11], s5 idxen offset:1024\n\
            \ts_addk_i32 s5, 0x800\n\tbuffer_store_b128 v[0:3], v4, s[8:11], s5 idxen\n\
            \ts_mov_b32 s6, 0\n\tbuffer_store_b128 v[0:3], v4, s[8:11], s6 idxen\n\
            \ts_lshl_b32 s7, s5, 4\n\tbuffer_store_b128 v[0:3], v4, s[8:11], s7 idxen\n";
        let facts = read(text, StageKind::Vertex);
        let (stores, all_known) = stored(&facts.instructions);
        let slots: Vec<_> = stores.into_iter().map(|(_, slot, _)| slot).collect();
        assert_eq!((slots, all_known), (vec![5, 0, 2, 4], false), "the last two go to the same memory");
        assert_eq!(slots_written(&facts), None);
    }

    #[test]
    fn stores_at_one_base_with_other_offsets_are_other_slots() {
        let text = "\ts_lshl_b32 s5, s5, 9\n\tbuffer_store_b128 v[8:11], v0, s[8:11], s5 idxen scope:SCOPE_DEV\n\
            \tbuffer_store_b64 v[20:21], v0, s[8:11], s5 idxen offset:16 scope:SCOPE_DEV\n\
            \tbuffer_store_b32 v22, v0, s[8:11], s5 idxen offset:28 scope:SCOPE_DEV\n\
            \tbuffer_store_b96 v[12:14], v0, s[8:11], s5 idxen offset:32\n\
            \tbuffer_store_b128 v[12:15], v0, s[8:11], s5 idxen offset:512\n\
            \tbuffer_store_b32 v9, v1, s[12:15], null offen\n";
        let facts = read(text, StageKind::Vertex);
        let (stores, all_known) = stored(&facts.instructions);
        assert!(all_known);
        let slots: Vec<_> = stores.into_iter().map(|(_, slot, mask)| (slot, mask)).collect();
        assert_eq!(slots, [(0, 0b1111), (1, 0b0011), (1, 0b1000), (2, 0b0111), (32, 0b1111)]);
        assert_eq!(slots_written(&facts), Some(BTreeSet::from([0, 1, 2, 32])));
        let alone = read("\tbuffer_store_b32 v9, v1, s[12:15], null offen\n", StageKind::Vertex);
        assert_eq!(slots_written(&alone), None, "nowhere is known what varyings do");
        assert_eq!(slots_written(&read("\ts_endpgm\n", StageKind::Vertex)), Some(BTreeSet::new()));
    }
}
