//! Records of a work graph as a table: a column for each member, numbers by their type or read otherwise.

use std::ops::ControlFlow;

use lanescope_passes::graph::RecordType;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};
use lanescope_spirv::shape::{Leaf, Scalar, ScalarKind, path};

/// How a number is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// By the member's type.
    #[default]
    AsTyped,
    /// Unsigned.
    Unsigned,
    /// Signed.
    Signed,
    /// Floating-point, where it has 16 bits or more.
    Float,
    /// Its bits in hexadecimal.
    Hex,
}

impl Reading {
    /// Every reading with its name.
    pub const ALL: [(Reading, &'static str); 5] = [
        (Reading::AsTyped, "by type"),
        (Reading::Unsigned, "unsigned"),
        (Reading::Signed, "signed"),
        (Reading::Float, "floating-point"),
        (Reading::Hex, "hexadecimal"),
    ];
}

/// A member of a record, or a column of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordField {
    /// Its path: `place.x`.
    pub name: String,
    /// Its numbers.
    pub leaf: Leaf,
    /// How they are read.
    pub reading: Reading,
}

/// The first members of a record, and how many there are more.
pub fn record_fields(record: &RecordType, most: usize) -> (Vec<RecordField>, usize) {
    let (mut fields, mut more) = (Vec::new(), 0);
    record.shape.visit(u64::from(record.bytes), |steps, leaf| {
        if fields.len() < most {
            fields.push(RecordField { name: path(steps), leaf: *leaf, reading: Reading::AsTyped });
        } else {
            more += 1;
        }
        if more < 1 << 16 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (fields, more)
}

impl RecordField {
    /// Its scalar type as it is read.
    pub fn scalar(&self) -> Scalar {
        let scalar = self.leaf.scalar;
        let kind = match self.reading {
            Reading::AsTyped => scalar.kind,
            Reading::Unsigned | Reading::Hex => ScalarKind::Uint,
            Reading::Signed => ScalarKind::Int,
            Reading::Float if scalar.bits >= 16 => ScalarKind::Float,
            Reading::Float => scalar.kind,
        };
        Scalar { kind, ..scalar }
    }

    /// Its scalar type as shaders call it: `u32`.
    pub fn type_name(&self) -> String {
        let sign = match self.scalar().kind {
            ScalarKind::Float => 'f',
            ScalarKind::Int => 'i',
            ScalarKind::Uint => 'u',
        };
        format!("{sign}{}", self.leaf.scalar.bits)
    }

    /// Its values in a record: `1, 0.5`.
    pub fn values(&self, record: &[u8]) -> String {
        let scalar = self.scalar();
        let value = |offset: u64| {
            let bytes = usize::try_from(offset).ok().and_then(|at| record.get(at..)).unwrap_or_default();
            let value = scalar.value(bytes);
            match (self.reading, value.as_u64()) {
                (Reading::Hex, Some(bits)) => format!("0x{bits:0width$x}", width = scalar.bytes() as usize * 2),
                _ => value.to_string().replace('"', ""),
            }
        };
        self.leaf.offsets().map(value).collect::<Vec<_>>().join(", ")
    }
}

/// A table for records with these members, without rows yet.
pub fn record_table(fields: &[RecordField]) -> Table {
    let own = [Column::right("#"), Column::left("written by").optional()];
    let members = fields.iter().map(|field| Column::left(&field.name));
    Table::new(own.into_iter().chain(members))
}

/// Adds a record with its writer; its index is the key of the row.
pub fn push_record(table: &mut Table, fields: &[RecordField], index: u64, writer: &str, record: &[u8]) {
    let own = [Cell::code(index), writer.into()].map(|cell| cell.meaning(Meaning::Dimmed));
    let members = fields.iter().map(|field| Cell::code(field.values(record)));
    let key = usize::try_from(index).map_or(Key::None, Key::Item);
    table.push(key, own.into_iter().chain(members));
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::graph::TypeSource;
    use lanescope_spirv::shape::{Field, Shape};

    fn record() -> RecordType {
        let scalar = |kind| Scalar { kind, bits: 32 };
        let member = |name: &str, offset, shape| Field { name: name.to_owned(), offset, shape };
        let members = vec![
            member("tile", 0, Shape::Scalar(scalar(ScalarKind::Uint))),
            member("place", 4, Shape::Vector { scalar: scalar(ScalarKind::Float), count: 2 }),
        ];
        let (name, shape, source) = (None, Shape::Struct { members }, TypeSource::Debug);
        RecordType { name, bytes: 12, align: 4, tracked: false, grid: None, shape, source }
    }

    #[test]
    fn lists_members_and_counts_the_rest() {
        let names = |most| {
            let (fields, more) = record_fields(&record(), most);
            (fields.into_iter().map(|field| field.name).collect::<Vec<_>>(), more)
        };
        assert_eq!(names(8), (vec!["tile".to_owned(), "place".to_owned()], 0));
        assert_eq!(names(1), (vec!["tile".to_owned()], 1));
    }

    #[test]
    fn reads_numbers_by_type_or_otherwise() {
        let (mut fields, _) = record_fields(&record(), 8);
        let bytes: Vec<u8> =
            [u32::MAX, 0.5f32.to_bits(), 2.0f32.to_bits()].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut table = record_table(&fields);
        push_record(&mut table, &fields, 7, "", &bytes);
        assert_eq!(table.to_text(80), "#  tile        place\n7  4294967295  0.5, 2.0\n");
        for (reading, expected) in [(Reading::Signed, "-1"), (Reading::Hex, "0xffffffff"), (Reading::Float, "NaN")] {
            fields[0].reading = reading;
            assert_eq!(fields[0].values(&bytes), expected);
        }
        assert_eq!((fields[0].type_name().as_str(), fields[1].type_name().as_str()), ("f32", "f32"));
        assert_eq!(fields[1].values(&[]), "null, null", "bytes are missing");
    }
}
