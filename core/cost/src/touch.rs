//! What the waves of an invocation touch, by layout.

use lanescope_base::ids::Thread;
use lanescope_passes::workgroup::{LaneMap, row_major_index};

use crate::report::{Cost, MemoryKind};

/// The wave that runs an invocation in a layout, with what its lanes touch first in the first workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveTouch {
    /// Index of the layout.
    pub layout: usize,
    /// The wave.
    pub wave: u32,
    /// The lane of the invocation.
    pub lane: u32,
    /// The different lines of its lanes by number, or banks of LDS, in ascending order.
    pub touched: Vec<u32>,
}

impl Cost {
    /// What an access of an invocation touches first in the first workgroup: a line by number, or a bank of LDS. None for an
    /// invocation that does not run it, and for an id outside the workgroup.
    pub fn touched(&self, access: usize, id: [u32; 3]) -> Option<u32> {
        if id.iter().zip(self.size).any(|(&at, size)| at >= size) {
            return None;
        }
        let index = usize::try_from(row_major_index(self.size, id)).ok()?;
        self.accesses.get(access)?.touched.get(index).copied().flatten()
    }

    /// The wave of an invocation in each layout that the workgroup can have, with what it touches at an access.
    pub fn waves_of(&self, access: usize, id: [u32; 3]) -> Vec<WaveTouch> {
        let there = self.layouts.iter().enumerate().filter(|(_, one)| one.total.is_some());
        let of = |(layout, one): (usize, &crate::report::LayoutCost)| {
            let map = LaneMap::new(one.micro, one.macro_tile, self.size)?;
            let (Thread(thread), lanes) = (map.thread(id)?, self.wave.max(1));
            let (wave, lane) = (thread / lanes, thread % lanes);
            let first = wave * lanes;
            let own = (first..first.saturating_add(lanes).min(map.len())).filter_map(|thread| {
                let id = map.invocation(Thread(thread))?;
                self.touched(access, id)
            });
            let mut touched: Vec<u32> = own.collect();
            touched.sort_unstable();
            touched.dedup();
            Some(WaveTouch { layout, wave, lane, touched })
        };
        there.filter_map(of).collect()
    }

    /// What an access touches, as a word: `line`, or `bank` of LDS.
    pub fn touched_thing(&self, access: usize) -> &'static str {
        match self.accesses.get(access).map(|site| site.memory) {
            Some(MemoryKind::Shared) => "bank",
            _ => "line",
        }
    }
}
