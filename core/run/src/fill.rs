//! Deterministic contents: of buffers, images and push constants that no file sets.
//!
//! A number's value follows from (seed, set, binding, array element, byte offset) alone. Those five are mixed into
//! 64 bits `h` (see [`Source::hash`]), and from them, by the number's type:
//! * floating point: `(h mod 4096) / 1024 - 2`, in [-2, 2), which every width holds exactly;
//! * integers: `h mod 64`, so that a number used as an index is a small one;
//! * element (column c, row r) of a matrix: a sixteenth of the float, plus 1 where c = r. Such matrices are near the
//!   identity, so a transformed scene stays in view;
//! * texels in fixed point: the low bits of `h`; in floating point: `(h mod 1024) / 1024`, in [0, 1).
//!
//! Bytes between numbers are 0.

use std::ops::ControlFlow;

use lanescope_base::half;
use lanescope_spirv::shape::{Leaf, Scalar, ScalarKind, Shape};

/// The set that push constants are filled under.
pub const PUSH_CONSTANT_SET: u32 = u32::MAX;
/// The set that vertex attributes are filled under; the binding is the location.
pub const ATTRIBUTE_SET: u32 = u32::MAX - 1;

/// The set that buffers are filled under which shaders reach by addresses; the binding counts these.
pub const ADDRESS_SET: u32 = u32::MAX - 2;

/// Where contents come from: a seed and the place that they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The seed (`--seed`).
    pub seed: u64,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Element of an array of descriptors.
    pub element: u32,
}

impl Source {
    /// 64 bits for a byte offset: SplitMix64's finaliser over seed, place and offset in turn.
    pub fn hash(self, offset: u64) -> u64 {
        let place = u64::from(self.set) << 32 | u64::from(self.binding);
        [place, u64::from(self.element), offset].iter().fold(mix(self.seed), |state, word| mix(state ^ mix(*word)))
    }

    /// The contents of a block with that many bytes.
    pub fn block(self, shape: &Shape, bytes: u64) -> Vec<u8> {
        let mut out = vec![0; usize::try_from(bytes).unwrap_or(0)];
        shape.visit(bytes, |_, leaf| {
            for (row, offset) in (0u32..).zip(leaf.offsets()) {
                put(&mut out, offset, leaf.scalar, self.number(leaf, row, offset));
            }
            ControlFlow::Continue(())
        });
        out
    }

    /// A floating-point number in [-2, 2).
    pub fn float(self, offset: u64) -> f64 {
        (self.hash(offset) % 4096) as f64 / 1024.0 - 2.0
    }

    /// An integer below 64.
    pub fn integer(self, offset: u64) -> u64 {
        self.hash(offset) % 64
    }

    fn number(self, leaf: &Leaf, row: u32, offset: u64) -> u64 {
        match leaf.scalar.kind {
            ScalarKind::Float => {
                let value = self.float(offset);
                let value = match leaf.column {
                    Some(column) if column == row => 1.0 + value / 16.0,
                    Some(_) => value / 16.0,
                    None => value,
                };
                float_bits(leaf.scalar, value)
            }
            ScalarKind::Int | ScalarKind::Uint => self.integer(offset),
        }
    }
}

fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The bits of a float of a width.
pub fn float_bits(scalar: Scalar, value: f64) -> u64 {
    match scalar.bits {
        16 => u64::from(half::toward_zero(value)),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

fn put(out: &mut [u8], offset: u64, scalar: Scalar, bits: u64) {
    let Ok(at) = usize::try_from(offset) else { return };
    let Some(place) = out.get_mut(at..).and_then(|rest| rest.get_mut(..scalar.bytes() as usize)) else { return };
    place.iter_mut().zip(bits.to_le_bytes()).for_each(|(to, from)| *to = from);
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Source = Source { seed: 7, set: 0, binding: 1, element: 0 };

    #[test]
    fn contents_depend_on_every_part_of_the_place_and_on_nothing_else() {
        let others = [
            Source { seed: 8, ..AT },
            Source { set: 1, ..AT },
            Source { binding: 0, ..AT },
            Source { set: 1, binding: 0, ..AT },
            Source { element: 1, ..AT },
        ];
        assert!(others.iter().all(|other| other.hash(16) != AT.hash(16)));
        assert_ne!(AT.hash(0), AT.hash(4));
        // Written down, so that a run of another version has the same inputs.
        assert_eq!(format!("{:#018x}", AT.hash(4)), "0xa8a8cbf13d7a9118");
    }

    #[test]
    fn numbers_follow_their_types() {
        let float = Scalar { kind: ScalarKind::Float, bits: 32 };
        let matrix = Shape::Matrix { scalar: float, columns: 4, rows: 4, stride: 16, row_major: false };
        let bytes = AT.block(&matrix, 64);
        for (i, bytes) in bytes.chunks(4).enumerate() {
            let value = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            let near = if i % 5 == 0 { 1.0 } else { 0.0 };
            assert!((value - near).abs() <= 0.125, "{i}: {value}");
        }
        let words = Shape::Array { element: Box::new(Shape::Scalar(Scalar::WORD)), count: None, stride: 4 };
        let words = AT.block(&words, 400);
        assert!(words.chunks(4).all(|word| word[0] < 64 && word[1..] == [0, 0, 0]));
        assert!(words.chunks(4).any(|word| word[0] != words[0]));
    }
}
