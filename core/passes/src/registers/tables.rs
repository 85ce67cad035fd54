//! The register tables: addresses, fields and the names of field values, for each graphics IP.
//!
//! One number can name different registers on different IPs, so a row is found by IP and name, never by address.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use lanescope_model::target::{TARGETS, Target};

/// The tables of all graphics IPs, as JSON. The text is part of the program, and a test reads all of it.
const TEXT: &str = include_str!("../../../../assets/tables/registers.json");

/// The graphics IPs in the order of their names, each with its table once a program asked for it: reading them all takes
/// more time than all else that is done with a small program.
static TABLES: LazyLock<Vec<(&'static str, OnceLock<IpTable>)>> = LazyLock::new(|| {
    let mut ips: Vec<_> = TARGETS.iter().filter_map(|row| row.register_ip).collect();
    ips.sort_unstable();
    ips.dedup();
    ips.into_iter().map(|ip| (ip, OnceLock::new())).collect()
});

/// The registers of a target's graphics IP, if there is a table for it.
pub fn table(target: Target) -> Option<&'static IpTable> {
    let ip = target.info().register_ip?;
    let index = TABLES.iter().position(|(name, _)| *name == ip)?;
    Some(read_once(index))
}

/// The tables of all graphics IPs, in the order of their indices.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = &'static IpTable> {
    (0..TABLES.len()).map(read_once)
}

/// The table at an index, read from the text the first time.
fn read_once(index: usize) -> &'static IpTable {
    let (ip, table) = &TABLES[index];
    table.get_or_init(|| {
        let mut text = serde_json::Deserializer::from_str(TEXT);
        let table: Result<IpTable, _> = Member("gfx_ips", Member(ip, PhantomData)).deserialize(&mut text);
        let mut table = table.expect("the bundled register tables");
        table.index = index;
        for (name, row) in &mut table.registers {
            row.elements = (0..row.count.unwrap_or(0)).map(|n| format!("{name}_{n}")).collect();
        }
        table
    })
}

/// The member of an object with this name, read in the way that follows it. Others are skipped.
struct Member<'n, S>(&'n str, S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Member<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Member<'_, S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "an object with a member {}", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<S::Value, A::Error> {
        let (mut seed, mut found) = (Some(self.1), None);
        while let Some(name) = map.next_key::<&str>()? {
            match seed.take_if(|_| name == self.0) {
                Some(seed) => found = Some(map.next_value_seed(seed)?),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        found.ok_or_else(|| serde::de::Error::custom(format_args!("no member {}", self.0)))
    }
}

/// The registers of one graphics IP.
#[derive(Debug, Deserialize)]
pub struct IpTable {
    /// Its place among the graphics IPs, in the order of their names.
    #[serde(skip)]
    pub(super) index: usize,
    registers: BTreeMap<String, Row>,
}

impl IpTable {
    /// A register by its name (an array by its name without index).
    pub fn register(&self, name: &str) -> Option<&Row> {
        self.registers.get(name)
    }

    /// A register with its name, which lives as long as the table.
    pub(super) fn named(&self, name: &str) -> Option<(&str, &Row)> {
        self.registers.get_key_value(name).map(|(name, row)| (name.as_str(), row))
    }

    /// Every register, by name.
    pub fn registers(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.registers.iter().map(|(name, row)| (name.as_str(), row))
    }
}

/// The register file of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Context registers, from 0xA000.
    Context,
    /// Shader (SH) registers, from 0x2C00.
    Sh,
}

/// One register, or an array of them.
#[derive(Debug, Deserialize)]
pub struct Row {
    /// Dword address; that of element 0 for an array.
    pub address: u32,
    /// The register file.
    pub space: Space,
    /// Number of elements, for an array.
    #[serde(default)]
    pub count: Option<u32>,
    /// The names of its elements, for an array.
    #[serde(skip)]
    pub elements: Vec<String>,
    /// Its fields, from the lowest bit.
    pub fields: Vec<FieldRow>,
}

/// One field.
#[derive(Debug, Deserialize)]
#[serde(from = "FieldTuple")]
pub struct FieldRow {
    /// Its name.
    pub name: String,
    /// Its lowest bit.
    pub lsb: u32,
    /// Its width in bits.
    pub width: u32,
    /// Names of its values, if any.
    pub values: BTreeMap<u32, String>,
}

type FieldTuple = (String, u32, u32, Option<BTreeMap<u32, String>>);

impl From<FieldTuple> for FieldRow {
    fn from((name, lsb, width, values): FieldTuple) -> Self {
        FieldRow { name, lsb, width, values: values.unwrap_or_default() }
    }
}

impl FieldRow {
    /// The largest value that fits.
    pub fn max(&self) -> u32 {
        u32::MAX.checked_shr(32u32.saturating_sub(self.width)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_targets_with_registers_have_a_table() {
        for row in TARGETS {
            assert_eq!(table(row.target).is_some(), row.register_ip.is_some(), "{}", row.name);
        }
    }

    #[test]
    fn fields_ascend_fit_a_word_and_do_not_overlap() {
        for target in Target::with_registers() {
            let registers = table(target).expect("has registers").registers();
            for (name, row) in registers {
                let mut free = 0;
                for field in &row.fields {
                    assert!(field.width > 0 && field.lsb >= free, "{target} {name}.{}", field.name);
                    free = field.lsb + field.width;
                    assert!(field.values.keys().all(|&value| value <= field.max()), "{target} {name}.{}", field.name);
                }
                assert!(free <= 32, "{target} {name}");
                let range = if row.space == Space::Context { 0xa000..0xb000 } else { 0x2c00..0x3000 };
                assert!(range.contains(&row.address), "{target} {name}");
            }
        }
    }

    #[test]
    fn registers_of_one_chip_have_distinct_addresses() {
        for target in Target::with_registers() {
            let mut seen = BTreeMap::new();
            for (name, row) in table(target).expect("has registers").registers() {
                for n in 0..row.count.unwrap_or(1) {
                    assert_eq!(seen.insert(row.address + n, name), None, "{target} {name} {n}");
                }
            }
        }
    }

    /// The addresses that moved with gfx12, and some that did not.
    #[test]
    fn addresses_match_the_ip() {
        let rows = [
            ("SPI_PS_INPUT_CNTL", 0xa191, 0xa199),
            ("SPI_PS_INPUT_ENA", 0xa1b3, 0xa197),
            ("SPI_PS_INPUT_ADDR", 0xa1b4, 0xa198),
            ("SPI_INTERP_CONTROL_0", 0xa1b5, 0xa191),
            ("SPI_PS_IN_CONTROL", 0xa1b6, 0xa190),
            ("SPI_BARYC_CNTL", 0xa1b8, 0xa196),
            ("SPI_SHADER_POS_FORMAT", 0xa1c3, 0xa193),
            ("SPI_SHADER_Z_FORMAT", 0xa1c4, 0xa194),
            ("SPI_SHADER_COL_FORMAT", 0xa1c5, 0xa195),
            ("CB_SHADER_MASK", 0xa08f, 0xa215),
            ("DB_SHADER_CONTROL", 0xa203, 0xa01b),
            ("PA_CL_VS_OUT_CNTL", 0xa207, 0xa206),
            ("SPI_SHADER_PGM_RSRC1_PS", 0x2c0a, 0x2c0a),
            ("SPI_SHADER_PGM_RSRC2_PS", 0x2c0b, 0x2c0b),
            ("COMPUTE_NUM_THREAD_X", 0x2e07, 0x2e07),
            ("COMPUTE_NUM_THREAD_Y", 0x2e08, 0x2e08),
            ("COMPUTE_NUM_THREAD_Z", 0x2e09, 0x2e09),
            ("COMPUTE_PGM_RSRC1", 0x2e12, 0x2e12),
            ("COMPUTE_PGM_RSRC2", 0x2e13, 0x2e13),
            ("COMPUTE_PGM_RSRC3", 0x2e28, 0x2e28),
            ("COMPUTE_DISPATCH_INITIATOR", 0x2e00, 0x2e00),
            ("GE_NGG_SUBGRP_CNTL", 0xa2d3, 0xa2d3),
        ];
        for target in Target::with_registers() {
            let table = table(target).expect("has registers");
            for (name, old, new) in rows {
                let address = if target >= Target::Gfx1200 { new } else { old };
                assert_eq!(table.register(name).map(|row| row.address), Some(address), "{target} {name}");
            }
            let old = table.register("SPI_VS_OUT_CONFIG").map(|row| row.address);
            let new = table.register("SPI_SHADER_GS_OUT_CONFIG_PS").map(|row| row.address);
            let expected = if target >= Target::Gfx1200 { (None, Some(0x2c31)) } else { (Some(0xa1b1), None) };
            assert_eq!((old, new), expected, "{target}");
        }
    }
}
