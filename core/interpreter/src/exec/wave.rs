//! A wave: registers, exec mask, and where its lanes are.

use std::sync::Arc;

use crate::code::Pc;
use crate::kernels::Mask;
use crate::race::Semantics;
use crate::registers::Registers;

/// Whether a wave can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Running,
    /// It waits at a control barrier for the other waves of its workgroup.
    Barrier {
        pc: Pc,
        semantics: Semantics,
    },
    Done,
}

/// An invocation of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub function: u32,
    /// Lanes that wait at the start of a block, furthest ahead first.
    pub waiting: Vec<(Pc, u64)>,
    /// Lanes that have returned.
    pub returned: u64,
    /// The instruction after the call.
    pub return_pc: Pc,
    /// Index of the call; absent for the entry point.
    pub call: Option<u32>,
}

/// The lanes of a wave and their invocations. Shared by all states of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// By lane: local invocation index.
    pub invocations: Vec<Option<u32>>,
    /// Lanes that have an invocation.
    pub bits: u64,
    /// By lane: the lanes of its quad.
    pub quads: Vec<[u8; 4]>,
    /// Lanes that start as helper invocations.
    pub helpers: u64,
}

/// A wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wave {
    pub lanes: Arc<Lanes>,
    /// By slot, then by lane.
    pub regs: Registers,
    /// By slot of a variable: lanes that have written it.
    pub written: Vec<u64>,
    pub frames: Vec<Frame>,
    pub pc: Pc,
    /// Lanes that run the next instruction.
    pub mask: u64,
    /// Lanes that have not ended.
    pub alive: u64,
    /// Lanes that are helper invocations: their writes have no effect.
    pub helpers: u64,
    /// Lanes that an instruction has ended: a discarded fragment.
    pub killed: u64,
    pub status: Status,
}

impl Wave {
    /// The exec mask.
    #[inline(always)]
    pub fn exec(&self) -> Mask {
        Mask { bits: self.mask, lanes: self.lanes.invocations.len() }
    }

    /// Whether a lane is a helper invocation.
    #[inline(always)]
    pub fn is_helper(&self, lane: usize) -> bool {
        self.helpers >> lane & 1 == 1
    }

    /// Sends lanes to the start of a block.
    pub fn arrive(&mut self, pc: Pc, mask: u64) {
        if mask == 0 {
            return;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        match frame.waiting.binary_search_by(|(at, _)| pc.cmp(at)) {
            Ok(at) => frame.waiting[at].1 |= mask,
            Err(at) => frame.waiting.insert(at, (pc, mask)),
        }
    }

    /// Sends all running lanes to the start of a block.
    #[inline]
    pub fn jump(&mut self, pc: Pc) {
        match self.frames.last().and_then(|frame| frame.waiting.last()) {
            Some(&(next, _)) if next <= pc => {
                self.arrive(pc, self.mask);
                self.mask = 0;
                self.pick();
            }
            _ => self.pc = pc,
        }
    }

    /// Goes on with the lanes of the innermost function that are furthest behind; false if none are left in it.
    pub fn pick(&mut self) -> bool {
        match self.frames.last_mut().and_then(|frame| frame.waiting.pop()) {
            Some((pc, mask)) => {
                (self.pc, self.mask) = (pc, mask);
                true
            }
            None => false,
        }
    }
}
