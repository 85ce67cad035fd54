//! A set of registers.

use super::{File, Pressure, Registers};

/// Registers of each file, in the order of [`File::ALL`]: as many as any chip can name.
const SIZES: [u16; 6] = [1024, 128, 2, 2, 1, 1];
/// 64-bit words that hold a bit for each.
const WORDS: usize = 19;
const VECTOR_WORDS: usize = 16;

/// One register, as its number among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Register(u16);

/// Registers that are live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Live([u64; WORDS]);

/// Whether there are such registers.
pub(super) fn exist(file: File, last: u16) -> bool {
    SIZES.get(file as usize).is_some_and(|size| last < *size)
}

impl Register {
    /// The registers of a run.
    pub fn each(registers: Registers) -> impl Iterator<Item = Register> {
        let base: u16 = SIZES.iter().take(registers.file as usize).sum();
        let end = registers.first.saturating_add(registers.count);
        (registers.first..end)
            .filter(move |index| exist(registers.file, *index))
            .map(move |index| Register(base + index))
    }

    /// As a run of one.
    pub fn named(self) -> Registers {
        let mut rest = self.0;
        for (&file, size) in File::ALL.iter().zip(SIZES) {
            match rest.checked_sub(size) {
                Some(after) => rest = after,
                None => return Registers { file, first: rest, count: 1 },
            }
        }
        Registers { file: File::M0, first: 0, count: 1 }
    }
}

impl Live {
    fn place(register: Register) -> (usize, u64) {
        (usize::from(register.0 / 64), 1 << (register.0 % 64))
    }

    /// Adds a register; true where it is new.
    pub fn insert(&mut self, register: Register) -> bool {
        let (word, bit) = Live::place(register);
        self.0.get_mut(word).is_some_and(|word| std::mem::replace(word, *word | bit) & bit == 0)
    }

    /// Takes a register out; true where it was in.
    pub fn remove(&mut self, register: Register) -> bool {
        let (word, bit) = Live::place(register);
        self.0.get_mut(word).is_some_and(|word| std::mem::replace(word, *word & !bit) & bit != 0)
    }

    /// Whether a register is in.
    pub fn contains(&self, register: Register) -> bool {
        let (word, bit) = Live::place(register);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &Live) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// The registers, in order.
    pub fn iter(&self) -> impl Iterator<Item = Register> {
        let total: u16 = SIZES.iter().sum();
        (0..total).map(Register).filter(|register| self.contains(*register))
    }

    /// How many vector and scalar registers.
    pub fn pressure(&self) -> Pressure {
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones() as u16).sum();
        let (vector, rest) = self.0.split_at(VECTOR_WORDS);
        Pressure { vgprs: ones(vector), sgprs: ones(rest.get(..2).unwrap_or_default()) }
    }
}
