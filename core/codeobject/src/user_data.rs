//! User data: what each user SGPR of a hardware stage holds, by the mapping that LLPC writes and PAL reads
//! (`.user_data_reg_map`, or SPI_SHADER_USER_DATA_* and COMPUTE_USER_DATA_* in the older form).

use lanescope_base::ids::{Address, Hex, RegisterValue};
use lanescope_passes::findings::{OBJECT_USER_DATA, OBJECT_USER_DATA_ORDER, OBJECT_VALUE};
use lanescope_passes::registers::UserDataRegisters;
use schemars::JsonSchema;
use serde::Serialize;

use crate::elf::Header;
use crate::findings::Findings;
use crate::metadata::HardwareStage;
use crate::notes::short;
use crate::value::Value;

/// Virtual dwords of user data that PAL has.
const ENTRIES: u64 = 160;
/// The value of an SGPR that is not mapped.
pub(crate) const UNMAPPED: u64 = 0xffff_ffff;
/// What reserved values begin with.
const RESERVED: u64 = 0x1000_0000;
/// Values of addresses of linked pipelines, from 0.
const LINKS: std::ops::RangeInclusive<u64> = 0x1000_1000..=0x1000_1fff;
/// Descriptor sets of an object that is not linked yet.
const UNLINKED_SETS: std::ops::RangeInclusive<u64> = 0x8000_0000..=0x8000_00ff;
/// Push constant dwords of an object that is not linked yet.
const UNLINKED_PUSH_CONSTANTS: std::ops::RangeInclusive<u64> = 0x8000_0100..=0x8000_ffff;

/// Reserved values, less [`RESERVED`].
const NAMES: &[(u64, &str)] = &[
    (0x00, "GlobalTable"),
    (0x01, "PerShaderTable"),
    (0x02, "SpillTable"),
    (0x03, "BaseVertex"),
    (0x04, "BaseInstance"),
    (0x05, "DrawIndex"),
    (0x06, "Workgroup"),
    (0x07, "GdsRange"),
    (0x08, "BaseIndex"),
    (0x09, "Log2IndexSize"),
    (0x0a, "EsGsLdsSize"),
    (0x0b, "ViewId"),
    (0x0c, "StreamOutTable"),
    (0x0d, "PerShaderPerfData"),
    (0x0f, "VertexBufferTable"),
    (0x10, "UavExportTable"),
    (0x11, "NggCullingData"),
    (0x12, "MeshTaskDispatchDims"),
    (0x13, "MeshTaskRingIndex"),
    (0x14, "MeshPipeStatsBuf"),
    (0x16, "StreamOutControlBuf"),
    (0x17, "EnPrimsNeededCnt"),
    (0x18, "SampleInfo"),
    (0x20, "ColorExportAddr"),
    (0x22, "DynamicDualSrcBlendInfo"),
    (0x23, "CompositeData"),
];

/// The user SGPRs of a hardware stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserData {
    /// The hardware stage.
    pub stage: HardwareStage,
    /// The elements of the mapping: LLPC writes 32.
    pub elements: usize,
    /// The SGPRs that are mapped, in their order.
    pub sgprs: Vec<UserSgpr>,
}

/// A user SGPR.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserSgpr {
    /// The SGPR.
    pub sgpr: usize,
    /// The register that sets it; absent where the chip is not known, or has no such register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<String>,
    /// The dword address of that register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// The value in the mapping.
    pub value: RegisterValue,
    /// What the value means.
    pub holds: Holds,
}

/// What a user SGPR holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Holds {
    /// A dword of the pipeline layout's root.
    Entry {
        /// The offset in the root, in dwords.
        entry: u64,
    },
    /// A value that PAL provides.
    Reserved {
        /// PAL's name for it.
        name: &'static str,
    },
    /// The address of the symbol `_amdgpu_pipelineLinkN`.
    PipelineLink {
        /// N.
        index: u64,
    },
    /// A descriptor set's table, in an object that is not linked yet.
    UnlinkedSet {
        /// The descriptor set.
        set: u64,
    },
    /// A dword of the push constants, in an object that is not linked yet.
    UnlinkedPushConstant {
        /// The offset in dwords.
        dword: u64,
    },
    /// A value that is not known.
    Unknown,
}

impl Holds {
    /// The meaning of a value; none where the SGPR is not mapped.
    pub(crate) fn of(value: u64) -> Option<Holds> {
        Some(match value {
            UNMAPPED => return None,
            entry if entry < ENTRIES => Holds::Entry { entry },
            value if LINKS.contains(&value) => Holds::PipelineLink { index: value - LINKS.start() },
            value if UNLINKED_SETS.contains(&value) => Holds::UnlinkedSet { set: value - UNLINKED_SETS.start() },
            value if UNLINKED_PUSH_CONSTANTS.contains(&value) => {
                Holds::UnlinkedPushConstant { dword: value - UNLINKED_PUSH_CONSTANTS.start() }
            }
            value => {
                let named = NAMES.iter().find(|(own, _)| RESERVED + own == value);
                named.map_or(Holds::Unknown, |(_, name)| Holds::Reserved { name })
            }
        })
    }

    /// The meaning in words: `entry 3`, `GlobalTable`.
    pub fn text(self) -> String {
        match self {
            Holds::Entry { entry } => format!("entry {entry}"),
            Holds::Reserved { name } => name.to_owned(),
            Holds::PipelineLink { index } => format!("PipelineLink {index}"),
            Holds::UnlinkedSet { set } => format!("table of set {set} (not linked)"),
            Holds::UnlinkedPushConstant { dword } => format!("push constant dword {dword} (not linked)"),
            Holds::Unknown => "unknown value".to_owned(),
        }
    }
}

/// Whether PAL expects, for indirect commands of the chip (its LLVM name), that the entries of a stage rise with the SGPRs.
pub(crate) fn entries_rise(chip: &str) -> bool {
    ["gfx9", "gfx10", "gfx11"].iter().any(|ip| chip.starts_with(ip))
}

/// The user data registers of a chip, by its LLVM name, each with its hardware stage.
fn ranges(chip: Option<&str>) -> impl Iterator<Item = (HardwareStage, &'static UserDataRegisters)> {
    let all = chip.into_iter().flat_map(UserDataRegisters::of_chip);
    all.filter_map(|range| Some((range.stage.parse().ok()?, range)))
}

/// The name of a register of user data, by its dword address.
pub(crate) fn register(chip: Option<&str>, address: u64) -> Option<String> {
    ranges(chip).find_map(|(_, range)| Some(range.of_sgpr(range.sgpr_at(address)?)?.0))
}

impl UserData {
    /// The mapping of a stage: one value for each SGPR.
    fn of(stage: HardwareStage, chip: Option<&str>, values: &[(usize, u64)], elements: usize) -> UserData {
        let range = ranges(chip).find(|(own, _)| *own == stage);
        let sgpr = |(sgpr, value): &(usize, u64)| {
            let holds = Holds::of(*value)?;
            let register = range.and_then(|(_, range)| range.of_sgpr(u32::try_from(*sgpr).ok()?));
            let (register, address) = register.unzip();
            Some(UserSgpr {
                sgpr: *sgpr,
                register,
                address: address.map(|at| Hex(u64::from(at))),
                value: Hex(*value),
                holds,
            })
        };
        UserData { stage, elements, sgprs: values.iter().filter_map(sgpr).collect() }
    }

    /// The mapping in `.user_data_reg_map`.
    pub(crate) fn of_array(
        stage: HardwareStage,
        header: &Header,
        array: &Value,
        place: &str,
        findings: &mut Findings<'_>,
    ) -> Option<UserData> {
        let Value::Array(items) = array else {
            let message = format!(".user_data_reg_map: expected an array, found {}", short(array));
            findings.add(OBJECT_VALUE, place, message);
            return None;
        };
        let mut values = Vec::new();
        for (at, item) in items.iter().enumerate() {
            match item.number().filter(|value| *value <= u64::from(u32::MAX)) {
                Some(value) => values.push((at, value)),
                None => {
                    let message = format!(".user_data_reg_map[{at}]: expected a 32-bit number, found {}", short(item));
                    findings.add(OBJECT_VALUE, place, message);
                }
            }
        }
        Some(UserData::of(stage, header.chip.as_deref(), &values, items.len()))
    }

    /// The mappings in registers of the older form: dword address and value.
    pub(crate) fn of_registers(header: &Header, registers: &[(u64, u64)]) -> Vec<UserData> {
        let chip = header.chip.as_deref();
        let of_range = |(stage, range): (HardwareStage, &UserDataRegisters)| {
            let at = |(address, value): &(u64, u64)| Some((range.sgpr_at(*address)? as usize, *value));
            let mut values: Vec<(usize, u64)> = registers.iter().filter_map(at).collect();
            values.sort_unstable();
            (!values.is_empty()).then(|| UserData::of(stage, chip, &values, values.len()))
        };
        ranges(chip).filter_map(of_range).collect()
    }

    /// Checks what PAL expects of a mapping.
    pub(crate) fn check(
        &self,
        header: &Header,
        user_sgprs: Option<u64>,
        limit: Option<u64>,
        place: &str,
        findings: &mut Findings<'_>,
    ) {
        let place = &format!("{place}, user data of .{}", self.stage);
        let is = |sgpr: &UserSgpr, wanted: &str| matches!(sgpr.holds, Holds::Reserved { name } if name == wanted);
        if let Some(first) = self.sgprs.first().filter(|first| first.sgpr == 0 && !is(first, "GlobalTable")) {
            let message = format!("s0 holds {}; PAL expects GlobalTable", first.holds.text());
            findings.add(OBJECT_USER_DATA, place, message);
        }
        for sgpr in &self.sgprs {
            let number = sgpr.sgpr;
            if is(sgpr, "BaseVertex") {
                let next = self.sgprs.iter().find(|next| next.sgpr == number + 1);
                if !next.is_some_and(|next| is(next, "BaseInstance")) {
                    let found = next.map_or("nothing".to_owned(), |next| next.holds.text());
                    let message =
                        format!("s{number} holds BaseVertex; expected BaseInstance in s{}, found {found}", number + 1);
                    findings.add(OBJECT_USER_DATA, place, message);
                }
            }
            if let Some(count) = user_sgprs.filter(|count| number as u64 >= *count) {
                let message = format!("s{number} is mapped; .user_sgprs is {count}");
                findings.add(OBJECT_USER_DATA, place, message);
            }
            match sgpr.holds {
                Holds::Entry { entry } => {
                    if let Some(limit) = limit.filter(|limit| entry >= *limit) {
                        let message = format!("s{number} holds entry {entry}; .user_data_limit is {limit}");
                        findings.add(OBJECT_USER_DATA, place, message);
                    }
                }
                Holds::Unknown => {
                    let value = sgpr.value;
                    let message = match value.0 < RESERVED {
                        true => format!("s{number} holds entry {}; PAL has {ENTRIES} entries", value.0),
                        false => format!("s{number} holds {value}, which is not a known value"),
                    };
                    findings.add(OBJECT_USER_DATA, place, message);
                }
                _ => {}
            }
        }
        let entry =
            |sgpr: &UserSgpr| if let Holds::Entry { entry } = sgpr.holds { Some((sgpr.sgpr, entry)) } else { None };
        let entries: Vec<(usize, u64)> = self.sgprs.iter().filter_map(entry).collect();
        let asserts = header.chip.as_deref().is_some_and(entries_rise);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].1 >= pair[1].1).filter(|_| asserts) {
            let [(first, before), (second, after)] = [pair[0], pair[1]];
            let message = format!("s{first} holds entry {before}, and s{second} entry {after}");
            findings.add(OBJECT_USER_DATA_ORDER, place, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_values_of_the_mapping() {
        let text = |value| Holds::of(value).map_or("unmapped".to_owned(), Holds::text);
        for (value, expected) in [
            (0, "entry 0"),
            (159, "entry 159"),
            (160, "unknown value"),
            (0x1000_0000, "GlobalTable"),
            (0x1000_0006, "Workgroup"),
            (0x1000_000e, "unknown value"),
            (0x1000_0023, "CompositeData"),
            (0x1000_1002, "PipelineLink 2"),
            (0x8000_0003, "table of set 3 (not linked)"),
            (0x8000_0104, "push constant dword 4 (not linked)"),
            (0xffff_ffff, "unmapped"),
        ] {
            assert_eq!(text(value), expected, "{value:#x}");
        }
    }

    /// What the model predicts has the numbers and the names that objects have.
    #[test]
    fn the_model_names_values_alike() {
        use lanescope_passes::guessed_layout::Holds as Model;
        for held in [
            Model::GlobalTable,
            Model::Workgroup { dword: 0 },
            Model::Entry { entry: 7 },
            Model::SpillTable,
            Model::ViewId,
        ] {
            assert_eq!(Holds::of(u64::from(held.mapped())).map(Holds::text), Some(held.text()));
        }
        assert_eq!(Holds::of(u64::from(Model::Workgroup { dword: 1 }.mapped())), None);
    }

    #[test]
    fn checks_what_pal_expects() {
        let header = Header {
            abi: None,
            os_abi: 65,
            abi_version: 0,
            kind: "REL".to_owned(),
            flags: Hex(0x36),
            chip: Some("gfx1030".to_owned()),
            target: None,
        };
        let codes = |array: Value| {
            let mut findings = Findings::of("a.elf");
            let data = UserData::of_array(HardwareStage::Ps, &header, &array, "note 0", &mut findings);
            if let Some(data) = data {
                data.check(&header, Some(3), Some(8), "note 0", &mut findings);
            }
            findings.done().into_iter().map(|finding| finding.code).collect::<Vec<_>>().join(" ")
        };
        let mapping = |values: &[u64]| Value::Array(values.iter().copied().map(Value::Uint).collect());
        assert_eq!(codes(mapping(&[RESERVED, 0, 1, UNMAPPED])), "");
        assert_eq!(codes(mapping(&[0, 1])), "object.user-data");
        assert_eq!(codes(mapping(&[RESERVED, 1, 0])), "object.user-data-order");
        // Beyond .user_sgprs, beyond the limit.
        assert_eq!(codes(mapping(&[RESERVED, 0, 8, 9])), "object.user-data object.user-data object.user-data");
        assert_eq!(codes(Value::Array(vec![Value::Uint(RESERVED), Value::Nil])), "object.value");
        assert_eq!(codes(Value::Uint(7)), "object.value");
    }

    #[test]
    fn names_registers_of_user_data_by_chip() {
        let name = |chip, address| register(Some(chip), address).unwrap_or_default();
        assert_eq!(name("gfx1030", 0x2c0e), "SPI_SHADER_USER_DATA_PS_2");
        assert_eq!(name("gfx1201", 0x2e4f), "COMPUTE_USER_DATA_15");
        assert_eq!(name("gfx1201", 0x2e50), "");
        assert_eq!([name("gfx900", 0x2ccc), name("gfx1030", 0x2ccc)], ["SPI_SHADER_USER_DATA_ES_0", ""]);
        assert_eq!([name("gfx1030", 0x2c4c), name("gfx1100", 0x2c4c)], ["SPI_SHADER_USER_DATA_VS_0", ""]);
        assert_eq!(register(None, 0x2c0c), None);
    }
}
