//! DXIL ops: every `dx.op.*` intrinsic, by number, name, class and callee.
//!
//! The first operand of a call to a `dx.op.*` function is a constant, the [`Opcode`]: its upper half is a
//! [`FeatureId`], which chooses one of two tables, and its lower half the index in that table. The callee's name
//! carries the op's *class* and its overloads, never the table, so that only the opcode says which op it is.
//!
//! The bundled tables are data (`core/dxil/assets/dxil-opcodes.json`), taken from one commit of DirectXShaderCompiler.
//! Experimental ops change between commits, operand lists included, so [`database`] names its source, and other tables
//! can be read and given to a module: [`Tables`]. The functions of this module look into the bundled ones.

pub mod compare;
mod converted;
mod history;
mod meaning;
pub mod merge;
mod opcode;
mod partition;
mod private;
pub mod read;
pub mod stabilise;
mod symbol;
mod table;
mod tables;
pub mod text;

pub use converted::{NOT_CONVERTED, SpirvConversion};
pub use history::{History, HistorySource, OpHistory, OpState, free_from, history, is_free, reserved_in};
pub(crate) use meaning::meaning;
pub use opcode::{FeatureId, Opcode, TableKind, Version};
pub use partition::Partition;
pub use private::PrivateFeature;
pub use symbol::{Scalar, ShaderKind, TypeSymbol};
pub(crate) use table::LAST_WITH_NODES;
pub use table::{Attribute, Database, Flag, Op, OpTable, Operand, Overload, Source, database};
pub use tables::Tables;

/// Prefix of every callee of an op.
pub const CALLEE_PREFIX: &str = "dx.op.";

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
    /// A private partition, whose names were given.
    #[error("opcode {opcode:#} is {}", private_text(*opcode, feature, *op))]
    Private {
        /// The whole number.
        opcode: Opcode,
        /// Whose partition it is.
        feature: &'static str,
        /// The name of the op, if the index has one.
        op: Option<&'static str>,
    },
    /// The index is past the end of the stable table.
    #[error("opcode {} is not defined (stable table {})", opcode.index(), end(*count))]
    PastStable {
        /// The whole number.
        opcode: Opcode,
        /// The table's slots.
        count: usize,
    },
    /// The index is past the end of the experimental table.
    #[error("experimental opcode index {} is not defined (table {}; newer compiler?)", opcode.index(), end(*count))]
    PastExperimental {
        /// The whole number.
        opcode: Opcode,
        /// The table's slots.
        count: usize,
    },
    /// The index is a hole.
    #[error("opcode {} is reserved (hole): {}", opcode.shown(), reserved_hint(*opcode))]
    Reserved {
        /// The whole number.
        opcode: Opcode,
    },
}

/// The op of a number in the bundled tables.
///
/// # Errors
///
/// The reason why there is none.
pub fn op(opcode: Opcode) -> Result<&'static Op, NoOp> {
    Tables::bundled().op(opcode)
}

/// What is known of an op in a private partition.
fn private_text(opcode: Opcode, feature: &str, op: Option<&str>) -> String {
    let id = opcode.feature();
    match op {
        Some(op) => format!("{op} of {feature} (FeatureID {id}); its operands are not known"),
        None => format!("of {feature} (FeatureID {id}), which has no name for index {}", opcode.index()),
    }
}

/// Where a table of so many slots ends.
fn end(count: usize) -> String {
    count.checked_sub(1).map_or_else(|| "is empty".to_owned(), |last| format!("ends at {last}"))
}

/// The former op of a reserved slot: old shaders with such numbers exist.
fn reserved_hint(opcode: Opcode) -> &'static str {
    if Tables::bundled().slot(opcode).is_none_or(|slot| !slot.reserved) {
        return "reserved in the given table";
    }
    match (opcode.table(), opcode.index()) {
        (Some(TableKind::Stable), 226..=237) => "a wave-matrix op of a shader model 6.8 preview",
        (Some(TableKind::Stable), 305..=308) => "a cooperative-vector op of a shader model 6.9 preview",
        (Some(TableKind::Stable), _) => "never assigned",
        _ => "not assigned",
    }
}

/// A bundled table.
pub fn table(kind: TableKind) -> &'static OpTable {
    Tables::bundled().table(kind)
}

/// Every slot of both bundled tables, reserved ones included, by number.
pub fn all() -> impl Iterator<Item = &'static Op> {
    Tables::bundled().all()
}

/// The bundled op of that name (`LoadInput`), reserved slots included.
pub fn by_name(name: &str) -> Option<&'static Op> {
    Tables::bundled().by_name(name)
}

/// The bundled ops of a class (`Unary`): they share one callee.
pub fn by_class(class: &str) -> &'static [&'static Op] {
    Tables::bundled().by_class(class)
}

/// The parts of a callee's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Callee<'a> {
    /// The ops that it serves, stable ones first.
    pub ops: &'static [&'static Op],
    /// The overloads after the class, dots between them.
    pub overload: Option<&'a str>,
}

/// The bundled ops that a function (`dx.op.loadInput.f32`) serves, if its name is that of an op's callee.
pub fn by_callee(name: &str) -> Option<Callee<'_>> {
    Tables::bundled().by_callee(name)
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
            (0x8000_0020, Err("opcode 0x80000020 (-2147483616) is reserved (hole): not assigned")),
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
