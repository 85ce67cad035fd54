//! A set of registers.

use super::vendor_facts::Dialect;
use super::{File, Pressure, Registers};

/// Where the registers of a file are among all, and how many: as many as any chip can name. What is counted of other
/// vendors shares the place of AMD's, since a text is of one vendor.
fn place(file: File) -> (u16, u16) {
    match file {
        File::Vector => (0, 1024),
        File::General => (0, 256),
        File::Scalar => (SCALAR, 128),
        File::UniformGeneral => (SCALAR, 256),
        File::Vcc => (REST, 2),
        File::Exec => (REST + 2, 2),
        File::Scc => (REST + 4, 1),
        File::M0 => (REST + 5, 1),
        File::Predicate => (REST + 8, 8),
        File::UniformPredicate => (REST + 16, 8),
        File::Convergence => (REST + 24, 32),
        File::Carry => (REST + 56, 8),
        // Two halves are one.
        File::Full => (0, 256),
        File::Half => (0, 256),
        File::PredicateComponent => (REST + 64, 16),
        File::Address => (REST + 80, 16),
        File::Grf => (0, 256),
        File::Flag => (REST, 8),
        File::Accumulator => (REST + 8, 16),
        File::AddressRegister => (REST + 24, 16),
    }
}

/// Half registers of ir3 from the first of these on (`hr48.x` to `hr55.w`) are halves of those that are shared, which are
/// from this bit on (`r48.x`).
const SHARED_HALVES: std::ops::Range<u16> = 192..224;
const SHARED: u16 = 384;
/// Eight registers of four components of two halves are one word.
const SHARED_WORD: usize = SHARED as usize / 64;
/// The first of the registers with one value a wave, and of those that are not counted.
const SCALAR: u16 = 1024;
const REST: u16 = SCALAR + 256;
/// All registers.
const TOTAL: u16 = REST + 96;
/// 64-bit words that hold a bit for each.
const WORDS: usize = 22;
const VECTOR_WORDS: usize = 16;
const SCALAR_WORDS: usize = 4;

/// One register, as its number among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Register(u16);

/// Registers that are live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Live([u64; WORDS]);

/// Whether there are such registers.
pub(in super::super) fn exist(file: File, last: u16) -> bool {
    last < place(file).1
}

/// The bit of a half register of ir3.
fn half(index: u16) -> u16 {
    index.checked_sub(SHARED_HALVES.start).map_or(index, |shared| SHARED + shared)
}

impl Register {
    /// The registers of a run.
    pub fn each(registers: Registers) -> impl Iterator<Item = Register> {
        let (base, _) = place(registers.file);
        let end = registers.first.saturating_add(registers.count);
        let parts = if registers.file == File::Full { 2 } else { 1 };
        (registers.first..end).filter(move |index| exist(registers.file, *index)).flat_map(move |index| {
            let first = if registers.file == File::Half { half(index) } else { base + index * parts };
            (0..parts).map(move |part| Register(first + part))
        })
    }

    /// As a run of one, in a text of a dialect.
    pub fn named(self, dialect: Dialect) -> Registers {
        let files: &[File] = match dialect {
            Dialect::Amd => &[File::Vector, File::Scalar, File::Vcc, File::Exec, File::Scc, File::M0],
            Dialect::Nak => &[
                File::General,
                File::UniformGeneral,
                File::Predicate,
                File::UniformPredicate,
                File::Convergence,
                File::Carry,
            ],
            Dialect::Ir3 => &[File::PredicateComponent, File::Address],
            Dialect::Gen => &[File::Grf, File::Flag, File::Accumulator, File::AddressRegister],
        };
        if dialect == Dialect::Ir3 && self.0 < 512 {
            // Halves of the upper registers have no names of their own.
            let shared = self.0.checked_sub(SHARED).map(|part| SHARED_HALVES.start + part);
            let index = shared.or(Some(self.0)).filter(|index| *index < SHARED_HALVES.end && half(*index) == self.0);
            let full = Registers { file: File::Full, first: self.0 / 2, count: 1 };
            return index.map_or(full, |first| Registers { file: File::Half, first, count: 1 });
        }
        let of = |file: &File| {
            let (base, size) = place(*file);
            let first = self.0.checked_sub(base).filter(|first| *first < size)?;
            Some(Registers { file: *file, first, count: 1 })
        };
        files.iter().find_map(of).unwrap_or(Registers { file: File::M0, first: 0, count: 1 })
    }
}

impl Live {
    /// All registers.
    pub const ALL: Live = Live([u64::MAX; WORDS]);

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

    /// Takes out all that are not in another set.
    pub fn keep(&mut self, other: &Live) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
    }

    /// Takes out those of ir3 that hold one value a wave.
    pub fn remove_shared(&mut self) {
        self.0.iter_mut().skip(SHARED_WORD).take(1).for_each(|word| *word = 0);
    }

    /// The registers, in order.
    pub fn iter(&self) -> impl Iterator<Item = Register> {
        (0..TOTAL).map(Register).filter(|register| self.contains(*register))
    }

    /// How many registers with one value a lane, and with one a wave.
    pub fn pressure(&self, dialect: Dialect) -> Pressure {
        if dialect == Dialect::Ir3 {
            return self.components();
        }
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones() as u16).sum();
        let (vector, rest) = self.0.split_at(VECTOR_WORDS);
        Pressure { vgprs: ones(vector), sgprs: ones(rest.get(..SCALAR_WORDS).unwrap_or_default()) }
    }

    /// How many components of ir3's registers, and of those that are shared (`r48` to `r55`): bits are halves.
    fn components(&self) -> Pressure {
        let ones = |from: usize, to: usize| {
            let words = self.0.get(from..to).unwrap_or_default();
            words.iter().map(|word| word.count_ones() as u16).sum::<u16>().div_ceil(2)
        };
        let after = SHARED_WORD + 1;
        let lane = ones(0, SHARED_WORD).saturating_add(ones(after, VECTOR_WORDS));
        Pressure { vgprs: lane, sgprs: ones(SHARED_WORD, after) }
    }
}
