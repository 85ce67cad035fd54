//! The generated types of registers and fields follow the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::registers::field::{IPS, Named};
use crate::registers::fields;
use crate::registers::tables::{IpTable, Row, all, table};
use lanescope_model::target::Target;

const HEAD: &str = "\
//! The registers of `assets/tables/registers.json` and their fields. Generated: after a change of the tables,
//! `UPDATE_REGISTER_FIELDS=1 cargo test -p lanescope-passes register_fields` writes this file.

#![allow(dead_code, non_camel_case_types, reason = \"every field of the tables, under the names of the tables\")]

use super::field::{Field, NO, Named, OptionalField};
";

/// The source text of `fields.rs`.
fn source() -> String {
    let tables: Vec<&IpTable> = all().collect();
    assert_eq!(tables.len(), IPS);
    let mut registers: BTreeMap<&str, Vec<Option<&Row>>> = BTreeMap::new();
    for table in &tables {
        for (name, _) in table.registers() {
            registers.entry(name).or_insert_with(|| tables.iter().map(|table| table.register(name)).collect());
        }
    }
    let mut out = HEAD.to_owned();
    for (register, rows) in registers {
        let _ = write!(
            out,
            "\npub(super) enum {register} {{}}\n\nimpl Named for {register} {{\n    \
             const NAME: &'static str = \"{register}\";\n}}\n\nimpl {register} {{\n"
        );
        let mut seen = BTreeSet::new();
        for field in rows.iter().flatten().flat_map(|row| &row.fields) {
            if !seen.insert(&field.name) {
                continue;
            }
            let place = |row: &&Row| row.fields.iter().position(|other| other.name == field.name);
            let places: Vec<String> = rows
                .iter()
                .map(|row| row.as_ref().and_then(place).map_or_else(|| "NO".to_owned(), |at| at.to_string()))
                .collect();
            let everywhere = rows.iter().flatten().all(|row| place(row).is_some());
            let kind = if everywhere { "Field" } else { "OptionalField" };
            let name = &field.name;
            let _ = writeln!(out, "    pub(super) const {name}: {kind}<Self> = {kind}::at([{}]);", places.join(", "));
        }
        out.push_str("}\n");
    }
    out
}

#[test]
fn register_fields_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/registers/fields.rs");
    if std::env::var_os("UPDATE_REGISTER_FIELDS").is_some() {
        std::fs::write(&path, source()).expect("writable");
    }
    let written = std::fs::read_to_string(&path).expect("readable");
    assert!(written == source(), "{} is not current: UPDATE_REGISTER_FIELDS=1 writes it", path.display());
}

#[test]
fn a_register_that_an_ip_lacks_has_no_word() {
    let has = |target, name| table(target).expect("has registers").register(name).is_some();
    assert!(has(Target::Gfx1030, fields::SPI_VS_OUT_CONFIG::NAME));
    assert!(!has(Target::Gfx1030, fields::SPI_SHADER_GS_OUT_CONFIG_PS::NAME));
    assert!(has(Target::Gfx1201, fields::SPI_SHADER_GS_OUT_CONFIG_PS::NAME));
}
