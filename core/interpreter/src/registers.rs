//! The registers of a wave. An array of a lane takes a register for each scalar, so they may be many, of which a run
//! touches few.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Registers of a page: 8 KiB.
const PAGE: usize = 1 << 10;

/// Registers by slot, then by lane. Those that are zero take no memory until they are written: not here, and not in a copy.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers(Vec<u64>);

impl Registers {
    /// Makes them this many zeros.
    pub fn reset(&mut self, count: usize) {
        if self.0.len() == count {
            self.0.chunks_mut(PAGE).filter(|page| !is_zero(page)).for_each(|page| page.fill(0));
        } else {
            // The system gives zeros that take no memory yet.
            self.0 = vec![0; count];
        }
    }
}

impl Deref for Registers {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Registers {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Clone for Registers {
    fn clone(&self) -> Registers {
        if self.0.len() <= PAGE {
            return Registers(self.0.clone());
        }
        let mut all = vec![0; self.0.len()];
        let pages = all.chunks_mut(PAGE).zip(self.0.chunks(PAGE)).filter(|(_, page)| !is_zero(page));
        pages.for_each(|(to, page)| to.copy_from_slice(page));
        Registers(all)
    }

    fn clone_from(&mut self, from: &Registers) {
        if self.0.len() == from.0.len() {
            self.0.copy_from_slice(&from.0);
        } else {
            *self = from.clone();
        }
    }
}

/// A copy of the registers of a wave, whose pages are shared with an earlier copy where they are the same. A page of zeros
/// is none.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptRegisters {
    pages: Vec<Option<Arc<[u64]>>>,
    count: usize,
}

impl KeptRegisters {
    /// Keeps registers.
    pub fn of(registers: &Registers, before: Option<&KeptRegisters>) -> KeptRegisters {
        let keep = |(at, page): (usize, &[u64])| {
            if is_zero(page) {
                return None;
            }
            let before = before.and_then(|before| before.pages.get(at)?.as_ref());
            Some(before.filter(|before| ***before == *page).cloned().unwrap_or_else(|| Arc::from(page)))
        };
        KeptRegisters { pages: registers.chunks(PAGE).enumerate().map(keep).collect(), count: registers.len() }
    }

    /// Gives them back.
    pub fn restore(&self, registers: &mut Registers) {
        registers.reset(self.count);
        for (to, page) in registers.chunks_mut(PAGE).zip(&self.pages) {
            if let Some(page) = page {
                to.copy_from_slice(page);
            }
        }
    }

    /// Bytes that they have beside what they share.
    pub fn bytes_beside(&self, before: Option<&KeptRegisters>) -> usize {
        let is_shared = |at: usize, page: &Arc<[u64]>| {
            let before = before.and_then(|before| before.pages.get(at)?.as_ref());
            before.is_some_and(|before| Arc::ptr_eq(before, page))
        };
        let own = self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_ref()?)));
        let own: usize = own.filter(|(at, page)| !is_shared(*at, page)).map(|(_, page)| size_of_val(&**page)).sum();
        own + size_of_val(&*self.pages)
    }
}

fn is_zero(page: &[u64]) -> bool {
    page.iter().fold(0, |all, value| all | value) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many registers, of which these are not zero.
    fn registers(count: usize, set: &[(usize, u64)]) -> Registers {
        let mut registers = Registers::default();
        registers.reset(count);
        set.iter().for_each(|&(at, value)| registers[at] = value);
        registers
    }

    #[test]
    fn copies_are_the_same() {
        for count in [0, 1, PAGE, PAGE + 1, 3 * PAGE + 7] {
            let last = count.checked_sub(1).map(|at| (at, 9));
            let all = registers(count, &last.into_iter().collect::<Vec<_>>());
            assert_eq!(all.clone(), all);
            for mut other in [registers(count, &[]), registers(5, &[(2, 2)])] {
                other.clone_from(&all);
                assert_eq!(other, all);
            }
            let mut back = registers(count, &(0..count).map(|at| (at, 4)).collect::<Vec<_>>());
            KeptRegisters::of(&all, None).restore(&mut back);
            assert_eq!(back, all);
        }
    }

    #[test]
    fn pages_that_are_the_same_are_kept_once() {
        let mut all = registers(64 * PAGE, &[(3 * PAGE, 1), (9 * PAGE, 2)]);
        let first = KeptRegisters::of(&all, None);
        let table = size_of_val(&*first.pages);
        assert_eq!(first.bytes_beside(None), 2 * PAGE * 8 + table, "zeros take nothing");
        all[9 * PAGE + 1] = 7;
        let second = KeptRegisters::of(&all, Some(&first));
        assert_eq!(second.bytes_beside(Some(&first)), PAGE * 8 + table);
        let mut back = Registers::default();
        second.restore(&mut back);
        assert_eq!(back, all);
        first.restore(&mut back);
        assert_eq!(back[9 * PAGE..9 * PAGE + 2], [2, 0]);
    }
}
