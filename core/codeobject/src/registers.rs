//! Register values by field, in each form that an object has them: whole words under their dword address (PAL metadata
//! 2.x, pairs, `.AMDGPU.config`), or fields by name (PAL metadata 3.x). Names and fields are those of the product's register
//! tables, where they have the chip and the register. A field that the metadata leaves out is 0.

use std::collections::BTreeMap;

use lanescope_base::ids::{Address, Hex, RegisterValue};
use lanescope_base::named_enum;
use lanescope_base::text_format::counted;
use lanescope_model::target::Target;
use lanescope_passes::findings::{OBJECT_DAMAGED, OBJECT_VALUE};
use lanescope_passes::registers::tables::{FieldRow, IpTable, Row, table};
use schemars::JsonSchema;
use serde::Serialize;

use crate::findings::Findings;
use crate::notes::short;
use crate::user_data;
use crate::value::Value;

named_enum!(
    /// How an object has a register value.
    Form {
        /// `.registers`: the whole word under the dword address.
        Numbers = "registers",
        /// `.graphics_registers`: fields by name.
        Graphics = "graphics_registers",
        /// `.compute_registers`: fields by name.
        Compute = "compute_registers",
        /// A note of type 12: dword address and word.
        Pairs = "pairs",
        /// The section `.AMDGPU.config`: byte address and word.
        Config = "config",
    }
);

/// The value of a register.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Register {
    /// Its name, with the index where it is one of an array; the key in the metadata where no table has the register; empty
    /// where only the address is known.
    pub name: String,
    /// Its dword address, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// The whole word, where the object has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<RegisterValue>,
    /// How the object has it.
    pub form: Form,
    /// Its fields: all of a word, or those that the metadata names.
    pub fields: Vec<RegisterField>,
    /// Bits of the word that are in no field of the table, where any is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_bits: Option<RegisterValue>,
}

/// A field of a register.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RegisterField {
    /// Its name; the key in the metadata where the table does not have it; empty for a value without fields.
    pub name: String,
    /// Its value: a number, or what the metadata has instead.
    pub value: Value,
    /// The name of the value, where the table has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
}

impl Register {
    /// Its name, or its address where it has none.
    pub fn shown(&self) -> String {
        match self.address {
            Some(address) if self.name.is_empty() => address.to_string(),
            _ => self.name.clone(),
        }
    }

    /// Whether it is a word of user data of the older form: what an SGPR holds.
    pub(crate) fn is_user_data(&self) -> bool {
        self.form == Form::Numbers && self.name.contains("_USER_DATA_")
    }
}

impl RegisterField {
    fn of(row: &FieldRow, value: u64) -> RegisterField {
        let meaning = u32::try_from(value).ok().and_then(|value| row.values.get(&value)).cloned();
        RegisterField { name: row.name.clone(), value: Value::Uint(value), meaning }
    }

    /// A field that is named in the metadata, by the row of the table where it has one.
    fn named(row: Option<&FieldRow>, key: &str, value: &Value) -> RegisterField {
        let value = value.field().map_or_else(|| value.clone(), Value::Uint);
        match (row, value.number()) {
            (Some(row), Some(number)) => RegisterField::of(row, number),
            (Some(row), None) => RegisterField { name: row.name.clone(), value, meaning: None },
            (None, _) => RegisterField { name: key.to_owned(), value, meaning: None },
        }
    }

    /// Whether it is 0, as a field that the metadata leaves out.
    pub fn is_zero(&self) -> bool {
        self.value == Value::Uint(0)
    }
}

/// The registers that are known of a chip.
pub(crate) struct Known {
    chip: Option<&'static str>,
    table: Option<&'static IpTable>,
    /// Name and row by dword address.
    by_address: BTreeMap<u32, (String, &'static Row)>,
}

impl Known {
    /// Those of a target.
    pub fn of(target: Option<Target>) -> Known {
        let table = target.and_then(table);
        let mut by_address = BTreeMap::new();
        for (name, row) in table.into_iter().flat_map(IpTable::registers) {
            if row.elements.is_empty() {
                by_address.insert(row.address, (name.to_owned(), row));
            }
            for (address, name) in (row.address..).zip(&row.elements) {
                by_address.insert(address, (name.clone(), row));
            }
        }
        Known { chip: target.map(Target::name), table, by_address }
    }

    /// A whole word.
    fn word(&self, address: u64, value: u64, form: Form) -> Register {
        let row = u32::try_from(address).ok().and_then(|address| self.by_address.get(&address));
        let user_data = || user_data::register(self.chip, address);
        let name = row.map(|(name, _)| name.clone()).or_else(user_data).unwrap_or_default();
        let mut rest = value;
        let mut fields = Vec::new();
        for field in row.map(|(_, row)| row.fields.as_slice()).unwrap_or_default() {
            let mask = u64::from(field.max());
            fields.push(RegisterField::of(field, value >> field.lsb & mask));
            rest &= !(mask << field.lsb);
        }
        Register {
            name,
            address: Some(Hex(address)),
            value: Some(Hex(value)),
            form,
            fields,
            other_bits: (row.is_some() && rest != 0).then_some(Hex(rest)),
        }
    }

    /// The registers of a note with pairs.
    pub fn in_pairs(&self, pairs: &[[RegisterValue; 2]], form: Form) -> Vec<Register> {
        pairs.iter().map(|[address, value]| self.word(address.0, value.0, form)).collect()
    }

    /// The registers of `.AMDGPU.config`: byte addresses.
    pub fn in_config(&self, config: &[u8], findings: &mut Findings<'_>) -> Vec<Register> {
        let (pairs, rest) = config.as_chunks::<8>();
        if !rest.is_empty() {
            let message =
                format!("expected pairs of 8 bytes, found {} after the last one", counted(rest.len(), "byte"));
            findings.add(OBJECT_DAMAGED, ".AMDGPU.config", message);
        }
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        let pair = |pair: &[u8; 8]| (word(&pair[..4]), word(&pair[4..]));
        let register = |(address, value): (u64, u64)| match address % 4 {
            0 => self.word(address / 4, value, Form::Config),
            _ => Register { name: format!("byte {address:#x}"), address: None, ..self.word(0, value, Form::Config) },
        };
        pairs.iter().map(pair).map(register).collect()
    }

    /// The registers of a pipeline, in all forms.
    pub fn in_pipeline(&self, root: &Value, place: &str, findings: &mut Findings<'_>) -> Vec<Register> {
        let mut out = Vec::new();
        for key in [".registers", ".graphics_registers", ".compute_registers"] {
            if let Some(other) = root.get(key).filter(|value| !matches!(value, Value::Map(_))) {
                findings.add(OBJECT_VALUE, place, format!("{key}: expected a map, found {}", short(other)));
            }
        }
        let map = |key: &str| root.get(key).map(Value::entries).unwrap_or_default();
        for (address, value) in map(".registers") {
            match numbers(address, value) {
                Some((address, value)) => out.push(self.word(address, value, Form::Numbers)),
                None => {
                    let message =
                        format!(".registers: expected two 32-bit numbers, found {}: {}", short(address), short(value));
                    findings.add(OBJECT_VALUE, place, message);
                }
            }
        }
        for (key, value) in map(".graphics_registers") {
            self.named(&key.key(), value, &mut out);
        }
        self.compute(map(".compute_registers"), &mut out);
        out
    }

    /// A register of a name that is not that of the table: in lower case, with a dot.
    fn row(&self, key: &str) -> Option<(&'static str, &'static Row)> {
        let wanted = key.strip_prefix('.')?.to_ascii_uppercase();
        // The metadata has one register of an array of which the tables have the first.
        let is = |name: &str| name == wanted || name.strip_suffix("_0") == Some(&wanted);
        self.table?.registers().find(|(name, _)| is(name))
    }

    fn named(&self, key: &str, value: &Value, out: &mut Vec<Register>) {
        let row = self.row(key);
        let name = row.map_or(key, |(name, _)| name);
        let address = row.map(|(_, row)| u64::from(row.address));
        let mut push = |name: String, address: Option<u64>, fields: Vec<RegisterField>| {
            let address = address.map(Hex);
            out.push(Register { name, address, value: None, form: Form::Graphics, fields, other_bits: None });
        };
        let rows = row.map(|(_, row)| row.fields.as_slice()).unwrap_or_default();
        match value {
            Value::Map(entries) => push(name.to_owned(), address, fields(rows, entries)),
            Value::Array(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
                for (at, item) in items.iter().enumerate() {
                    let element = format!("{name}_{at}");
                    let address = address.map(|address| address.saturating_add(at as u64));
                    match item {
                        Value::Map(entries) => push(element, address, fields(rows, entries)),
                        other => push(element, address, vec![RegisterField::named(None, "", other)]),
                    }
                }
            }
            // One field for each element: SPI_SHADER_POS_FORMAT.
            Value::Array(items) => {
                let field = |(at, item): (usize, &Value)| RegisterField::named(rows.get(at), &format!("[{at}]"), item);
                push(name.to_owned(), address, items.iter().enumerate().map(field).collect());
            }
            // A register with one field: SPI_SHADER_Z_FORMAT.
            other => {
                let only = if let [only] = rows { Some(only) } else { None };
                push(name.to_owned(), address, vec![RegisterField::named(only, "", other)]);
            }
        }
    }

    /// Fields of COMPUTE_PGM_RSRC2 and others, in one map.
    fn compute(&self, entries: &[(Value, Value)], out: &mut Vec<Register>) {
        const RSRC2: &str = "COMPUTE_PGM_RSRC2";
        let row = self.table.and_then(|table| table.register(RSRC2));
        let rows = row.map(|row| row.fields.as_slice()).unwrap_or_default();
        let is_known = |(key, _): &&(Value, Value)| find(rows, &key.key()).is_some();
        let (known, other): (Vec<_>, Vec<_>) = entries.iter().partition(is_known);
        let mut push = |name: &str, address: Option<u64>, fields: Vec<RegisterField>| {
            if !fields.is_empty() {
                let (name, address) = (name.to_owned(), address.map(Hex));
                out.push(Register { name, address, value: None, form: Form::Compute, fields, other_bits: None });
            }
        };
        let address = row.map(|row| u64::from(row.address));
        push(RSRC2, address, known.iter().map(|(key, value)| field(rows, key, value)).collect());
        push(".compute_registers", None, other.iter().map(|(key, value)| field(&[], key, value)).collect());
    }
}

/// A dword address and a word.
fn numbers(address: &Value, value: &Value) -> Option<(u64, u64)> {
    let is_word = |number: &u64| *number <= u64::from(u32::MAX);
    address.number().filter(is_word).zip(value.number().filter(is_word))
}

/// The words of `.registers`: dword address and value.
pub(crate) fn words(root: &Value) -> Vec<(u64, u64)> {
    let map = root.get(".registers").map(Value::entries).unwrap_or_default();
    map.iter().filter_map(|(address, value)| numbers(address, value)).collect()
}

fn fields(rows: &[FieldRow], entries: &[(Value, Value)]) -> Vec<RegisterField> {
    entries.iter().map(|(key, value)| field(rows, key, value)).collect()
}

fn field(rows: &[FieldRow], key: &Value, value: &Value) -> RegisterField {
    let key = key.key();
    RegisterField::named(find(rows, &key), &key, value)
}

/// The field that a key of the metadata names: the same letters and digits, in lower case with a dot.
fn find<'r>(rows: &'r [FieldRow], key: &str) -> Option<&'r FieldRow> {
    /// Keys of PAL metadata that are spelt otherwise than the fields of the register headers.
    const OTHER: &[(&str, &str)] = &[
        (".num_interps", "NUM_INTERP"),
        (".threads_per_subgroup", "THDS_PER_SUBGRP"),
        (".coverage_to_mask_en", "COVERAGE_TO_MASK_ENABLE"),
        (".point_sprite_ena", "PNT_SPRITE_ENA"),
        (".point_sprite_override_x", "PNT_SPRITE_OVRD_X"),
        (".point_sprite_override_y", "PNT_SPRITE_OVRD_Y"),
        (".point_sprite_override_z", "PNT_SPRITE_OVRD_Z"),
        (".point_sprite_override_w", "PNT_SPRITE_OVRD_W"),
    ];
    if let Some((_, name)) = OTHER.iter().find(|(own, _)| *own == key) {
        return rows.iter().find(|row| row.name == *name);
    }
    let plain = |name: &str| name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_uppercase()).collect::<String>();
    let wanted = plain(key.strip_prefix('.')?);
    rows.iter().find(|row| plain(&row.name) == wanted)
}
