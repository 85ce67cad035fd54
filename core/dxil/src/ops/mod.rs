//! DXIL ops: every `dx.op.*` intrinsic, by number, name, class and callee.
//!
//! The first operand of a call to a `dx.op.*` function is a constant, the [`Opcode`]: its upper half is a
//! [`FeatureId`], which chooses one of two tables, and its lower half the index in that table. The callee's name
//! carries the op's *class* and its overloads, never the table, so that only the opcode says which op it is.
//!
//! The tables are data (`core/dxil/assets/dxil-opcodes.json`), taken from one commit of DirectXShaderCompiler.
//! Experimental ops change between commits, operand lists included, so [`database`] names its source.

mod calls;
mod check;
#[cfg(test)]
mod files;
mod meaning;
mod opcode;
mod shape;
mod stages;
mod symbol;
mod table;
pub mod text;

pub use calls::{OpCall, calls, decode};
pub(crate) use check::{CallPlace, Facts, check};
pub(crate) use meaning::meaning;
pub use opcode::{FeatureId, Opcode, TableKind, Version};
pub(crate) use shape::{allows, before, earlier_name, suffix};
pub(crate) use stages::stages_of;
pub use symbol::{Scalar, ShaderKind, TypeSymbol};
pub use table::{Attribute, Database, Flag, Op, OpTable, Operand, Overload, Source, database};

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Prefix of every callee of an op.
pub const CALLEE_PREFIX: &str = "dx.op.";

static INDEX: LazyLock<Index> = LazyLock::new(Index::new);

/// Ops by their names.
struct Index {
    names: BTreeMap<&'static str, &'static Op>,
    classes: BTreeMap<&'static str, Vec<&'static Op>>,
    prefixes: BTreeMap<&'static str, Vec<&'static Op>>,
}

impl Index {
    fn new() -> Index {
        let mut index = Index { names: BTreeMap::new(), classes: BTreeMap::new(), prefixes: BTreeMap::new() };
        for op in all() {
            index.names.insert(&op.name, op);
            index.classes.entry(&op.class).or_default().push(op);
            if let Some(prefix) = &op.function_prefix {
                index.prefixes.entry(prefix).or_default().push(op);
            }
        }
        index
    }
}

/// Why a number is not an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoOp {
    /// The value that stands for no opcode.
    #[error("opcode is the reserved invalid value 0xFFFFFFFF")]
    Invalid,
    /// The upper half names neither table.
    #[error("opcode {opcode:#}: unknown FeatureID {}", opcode.feature())]
    Feature {
        /// The whole number.
        opcode: Opcode,
    },
    /// The index is past the end of the stable table.
    #[error("opcode {} is not defined (stable table ends at {last})", opcode.index())]
    PastStable {
        /// The whole number.
        opcode: Opcode,
        /// The table's last index.
        last: usize,
    },
    /// The index is past the end of the experimental table.
    #[error("experimental opcode index {} is not defined (table ends at {last}; newer compiler?)", opcode.index())]
    PastExperimental {
        /// The whole number.
        opcode: Opcode,
        /// The table's last index.
        last: usize,
    },
    /// The index is a hole.
    #[error("opcode {} is reserved (hole): {}", opcode.shown(), reserved_hint(*opcode))]
    Reserved {
        /// The whole number.
        opcode: Opcode,
    },
}

/// The op of a number.
///
/// # Errors
///
/// The reason why there is none.
pub fn op(opcode: Opcode) -> Result<&'static Op, NoOp> {
    if opcode == Opcode::INVALID {
        return Err(NoOp::Invalid);
    }
    let kind = opcode.table().ok_or(NoOp::Feature { opcode })?;
    let ops = &table(kind).ops;
    let last = ops.len().saturating_sub(1);
    match ops.get(usize::from(opcode.index())) {
        Some(op) if op.reserved => Err(NoOp::Reserved { opcode }),
        Some(op) => Ok(op),
        None if kind == TableKind::Stable => Err(NoOp::PastStable { opcode, last }),
        None => Err(NoOp::PastExperimental { opcode, last }),
    }
}

/// The former op of a reserved slot: old shaders with such numbers exist.
fn reserved_hint(opcode: Opcode) -> &'static str {
    match (opcode.table(), opcode.index()) {
        (Some(TableKind::Stable), 226..=237) => "a wave-matrix op of a shader model 6.8 preview",
        (Some(TableKind::Stable), 305..=308) => "a cooperative-vector op of a shader model 6.9 preview",
        (Some(TableKind::Stable), _) => "never assigned",
        _ => "not assigned",
    }
}

/// A table.
pub fn table(kind: TableKind) -> &'static OpTable {
    let tables = &database().tables;
    // The bundled data has both, and a test reads it.
    tables.iter().find(|table| table.feature_id == kind.feature()).expect("both tables are bundled")
}

/// Every slot of both tables, reserved ones included, by number.
pub fn all() -> impl Iterator<Item = &'static Op> {
    TableKind::ALL.iter().flat_map(|kind| &table(*kind).ops)
}

/// The op of that name (`LoadInput`), reserved slots included.
pub fn by_name(name: &str) -> Option<&'static Op> {
    INDEX.names.get(name).copied()
}

/// The ops of a class (`Unary`): they share one callee.
pub fn by_class(class: &str) -> &'static [&'static Op] {
    INDEX.classes.get(class).map_or(&[], Vec::as_slice)
}

/// The parts of a callee's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Callee<'a> {
    /// The ops that it serves, stable ones first.
    pub ops: &'static [&'static Op],
    /// The overloads after the class, dots between them.
    pub overload: Option<&'a str>,
}

/// The ops that a function (`dx.op.loadInput.f32`) serves, if its name is that of an op's callee.
pub fn by_callee(name: &str) -> Option<Callee<'_>> {
    let class = name.strip_prefix(CALLEE_PREFIX)?;
    let (class, overload) = match class.split_once('.') {
        Some((class, overload)) => (class, Some(overload)),
        None => (class, None),
    };
    let prefix = name.get(..CALLEE_PREFIX.len() + class.len())?;
    INDEX.prefixes.get(prefix).map(|ops| Callee { ops, overload })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_looks_up_numbers() {
        let rows: &[(u32, Result<&str, &str>)] = &[
            (0, Ok("TempRegLoad")),
            (4, Ok("LoadInput")),
            (311, Ok("FDot")),
            (0x8000_0001, Ok("GetGroupWaveIndex")),
            (0x8000_0022, Ok("IsDebuggingEnabled")),
            (312, Err("opcode 312 is not defined (stable table ends at 311)")),
            (0xFFFF, Err("opcode 65535 is not defined (stable table ends at 311)")),
            (230, Err("opcode 230 is reserved (hole): a wave-matrix op of a shader model 6.8 preview")),
            (305, Err("opcode 305 is reserved (hole): a cooperative-vector op of a shader model 6.9 preview")),
            (259, Err("opcode 259 is reserved (hole): never assigned")),
            (0x8000_0020, Err("opcode -2147483616 (0x80000020) is reserved (hole): not assigned")),
            (0x8000_0023, Err("experimental opcode index 35 is not defined (table ends at 34; newer compiler?)")),
            (0x8001_0000, Err("opcode 0x80010000: unknown FeatureID 0x8001")),
            (0x0001_0004, Err("opcode 0x00010004: unknown FeatureID 0x0001")),
            (0xFFFF_0000, Err("opcode 0xFFFF0000: unknown FeatureID 0xFFFF")),
            (0xFFFF_FFFF, Err("opcode is the reserved invalid value 0xFFFFFFFF")),
        ];
        for (number, expected) in rows {
            let found = op(Opcode(*number)).map(|op| op.name.as_str()).map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{number:#x}");
        }
    }

    #[test]
    fn finds_every_slot_by_number_name_class_and_callee() {
        for slot in all() {
            assert_eq!(by_name(&slot.name), Some(slot));
            assert!(by_class(&slot.class).contains(&slot), "{}", slot.name);
            assert_eq!(op(slot.opcode).ok(), (!slot.reserved).then_some(slot));
            match &slot.function_prefix {
                Some(prefix) => {
                    let plain = by_callee(prefix).expect("the prefix is a callee");
                    assert!(plain.ops.contains(&slot) && plain.overload.is_none(), "{prefix}");
                    let name = format!("{prefix}.v4f32.i8");
                    assert_eq!(by_callee(&name).expect("with overloads").overload, Some("v4f32.i8"));
                }
                None => assert!(slot.reserved, "{}", slot.name),
            }
        }
        assert_eq!(all().count(), usize::from(database().op_count));
    }

    #[test]
    fn callee_can_have_ops_of_both_tables() {
        let found = by_callee("dx.op.rayQuery_StateScalar.i32").expect("known");
        let tables: Vec<_> = found.ops.iter().filter_map(|op| op.opcode.table()).collect();
        assert!(tables.contains(&TableKind::Stable) && tables.contains(&TableKind::Experimental));
        assert!(tables.is_sorted());
        for unknown in ["dx.op.loadinput", "dx.op.", "dx.op.loadInputs.f32", "loadInput", "dx.op.reserved", ""] {
            assert_eq!(by_callee(unknown), None, "{unknown}");
        }
        assert!(by_class("Nothing").is_empty() && by_name("loadInput").is_none());
    }
}
