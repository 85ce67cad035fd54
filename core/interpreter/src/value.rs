//! Values as a debugger shows them.

use std::fmt;

use crate::code::Slot;
use crate::exec::wave::Wave;
use crate::kernels::half;
use crate::kernels::int::sign_extend;
use crate::program::{Program, Shown};
use crate::types::{Kind, Ty};
use lanescope_base::ids::Id;

/// A value of one lane.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// An integer of any width.
    Int(i128),
    /// A float of any width.
    Float(f64),
    /// A pointer, image or sampler, as the interpreter's bits.
    Pointer(u64),
    /// Components, elements or members.
    Composite(Vec<Value>),
    /// A scalar of a variable that nothing has written.
    Unwritten,
    /// The last element of a composite that is not shown whole: how many of its elements follow.
    More(u32),
}

/// Levels and elements that are shown.
pub(crate) const MAX_ELEMENTS: u32 = 4096;
/// Those that are shown of each variable where all variables are.
pub(crate) const MAX_ELEMENTS_IN_LIST: u32 = 64;

impl Value {
    /// A scalar as a number: booleans are 0 and 1.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Bool(value) => Some(f64::from(u8::from(*value))),
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The element at a path of indices.
    pub fn at(&self, path: &[u32]) -> Option<&Value> {
        path.iter().try_fold(self, |value, &index| match value {
            Value::Composite(elements) => elements.get(index as usize),
            _ => None,
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value}"),
            Value::Pointer(bits) => write!(f, "{bits:#x}"),
            Value::Unwritten => f.write_str("unwritten"),
            Value::More(count) => write!(f, "… {count} more"),
            Value::Composite(elements) => {
                f.write_str("(")?;
                for (at, element) in elements.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{element}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The value at a path of indices in an id, in a lane, with at most so many levels and elements; absent where the id has
/// no registers, or the path leads out of it.
pub(crate) fn value(
    program: &Program,
    wave: &Wave,
    lane: usize,
    (id, path): (Id, &[u32]),
    mut most: u32,
) -> Option<Value> {
    if lane >= wave.lanes.invocations.len() {
        return None;
    }
    let (slot, ty, variable) = match *program.values.get(&id)? {
        Shown::Value(slot, ty) => (slot, ty, false),
        Shown::Variable(slot, ty) => (slot, ty, !program.is_input(slot)),
    };
    let types = &program.types;
    let (slot, ty) = path.iter().try_fold((slot, ty), |(slot, ty), &index| {
        let (offset, element) = (index < types.count(ty)).then(|| types.element(ty, index))??;
        Some((slot.checked_add(offset)?, element))
    })?;
    read(program, wave, lane, slot, ty, variable, &mut most)
}

fn read(
    program: &Program,
    wave: &Wave,
    lane: usize,
    slot: Slot,
    ty: Ty,
    variable: bool,
    budget: &mut u32,
) -> Option<Value> {
    *budget = budget.checked_sub(1)?;
    let types = &program.types;
    let count = types.count(ty);
    if count > 0 {
        let mut elements = Vec::new();
        for index in 0..count {
            if *budget == 0 {
                elements.push(Value::More(count - index));
                break;
            }
            let (offset, element) = types.element(ty, index)?;
            elements.push(read(program, wave, lane, slot + offset, element, variable, budget)?);
        }
        return Some(Value::Composite(elements));
    }
    let lanes = wave.lanes.invocations.len();
    let bits = *wave.regs.get(slot as usize * lanes + lane)?;
    if variable {
        let written = wave.written.get(slot.checked_sub(program.variables.start)? as usize)?;
        if written >> lane & 1 == 0 {
            return Some(Value::Unwritten);
        }
    }
    Some(scalar(program, ty, bits))
}

/// The number with the fewest digits that is this one in 32 bits: 0.1 instead of 0.10000000149011612.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A scalar of a type from its bits.
pub(crate) fn scalar(program: &Program, ty: Ty, bits: u64) -> Value {
    match *program.types.kind_of(ty) {
        Kind::Bool => Value::Bool(bits != 0),
        Kind::Int { bits: width, signed: true } => Value::Int(i128::from(sign_extend(bits, width))),
        Kind::Int { .. } => Value::Int(i128::from(bits)),
        Kind::Float { bits: 16 } => Value::Float(f64::from(half::to_f32(bits as u16))),
        Kind::Float { bits: 32 } => Value::Float(shortest(f32::from_bits(bits as u32))),
        Kind::Float { .. } => Value::Float(f64::from_bits(bits)),
        _ => Value::Pointer(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_the_fewest_digits() {
        for (value, text) in
            [(0.1f32, "0.1"), (1.0 / 3.0, "0.33333334"), (-0.0, "-0"), (f32::NAN, "NaN"), (f32::INFINITY, "inf")]
        {
            let shown = shortest(value);
            assert_eq!(Value::Float(shown).to_string(), text);
            assert!((shown as f32).to_bits() == value.to_bits() || value.is_nan());
        }
    }
}
