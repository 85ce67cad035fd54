//! The rows of the table, by what the opcodes are about.

mod images;
mod invocations;
mod memory;
mod module;
mod rays;
mod values;

use super::{Control, Effect, Facts, Memory, Section};
use crate::enums::Op;

/// Opcodes that the same is known of.
type Row = (Facts, &'static [Op]);

const ROWS: [&[Row]; 6] = [module::ROWS, values::ROWS, memory::ROWS, images::ROWS, invocations::ROWS, rays::ROWS];

/// More than the largest opcode of the grammar.
const OPCODES: usize = 6656;

/// By opcode.
pub(super) static TABLE: [Facts; OPCODES] = table();

/// Fails to compile where an opcode has two rows.
const fn table() -> [Facts; OPCODES] {
    let mut out = [Facts::UNKNOWN; OPCODES];
    let mut met = [false; OPCODES];
    let mut list = 0;
    while list < ROWS.len() {
        let mut row = 0;
        while row < ROWS[list].len() {
            let (facts, ops) = ROWS[list][row];
            let mut at = 0;
            while at < ops.len() {
                let opcode = ops[at] as usize;
                assert!(!met[opcode], "an opcode has two rows");
                met[opcode] = true;
                out[opcode] = facts;
                at += 1;
            }
            row += 1;
        }
        list += 1;
    }
    out
}

/// Declares, names or orders.
const NOTHING: Facts = Facts { effect: Effect::Nothing, memory: Memory::No, ..Facts::UNKNOWN };

/// Gives a result that depends on its operands alone.
const VALUE: Facts = Facts { effect: Effect::Value, ..NOTHING };

/// Gives a result that depends on more than its operands.
const STATE: Facts = Facts { effect: Effect::State, ..NOTHING };

/// Has an effect other than one on memory that pointers lead to.
const ACTS: Facts = Facts { effect: Effect::Acts, ..NOTHING };

/// Has effects, also on memory that is not one pointer's.
const CALLS: Facts = Facts { effect: Effect::Acts, memory: Memory::Unknown, ..NOTHING };

const fn of_section(section: Section) -> Facts {
    Facts { section, ..NOTHING }
}

const fn of_control(control: Control) -> Facts {
    Facts { control, ..ACTS }
}
