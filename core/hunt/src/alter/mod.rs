//! Changes of a module that keep its meaning, as a compiler's optimizer would have to see through them.
//!
//! Selections that are never taken, loops that turn once, values that are computed in another way, calls of new functions.
//! Conditions that are always false are constants, or follow from a square: modulo 4 it is 0 or 1.

mod code;
mod flow;
mod values;

#[cfg(test)]
mod tests;

use fastrand::Rng;
use lanescope_spirv::Module;

use code::Code;

/// Instructions after which a module is not altered any more.
const MOST: usize = 20_000;

/// A change that keeps the meaning; false where there is no place for it.
type Alter = fn(&mut Code, &mut Rng) -> bool;

/// All of them.
const ALL: [Alter; 11] = [
    flow::never_taken,
    flow::never_taken,
    flow::turned_once,
    flow::either_way,
    flow::switched_nowhere,
    values::same_number,
    values::same_number,
    values::through_variable,
    values::commuted,
    values::computed_twice,
    values::outlined,
];

/// A module that means the same after about `count` changes; `None` if it has an instruction that the grammar does not know.
pub fn altered(module: &Module, random: &mut Rng, count: u32) -> Option<Module> {
    let mut code = Code::of(module)?;
    for _ in 0..count {
        if code.lines.len() > MOST {
            break;
        }
        ALL[random.usize(..ALL.len())](&mut code, random);
    }
    code.module()
}
