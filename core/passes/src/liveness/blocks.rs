//! The blocks of a function that can run, and their predecessors.

use std::collections::BTreeMap;

use super::reach::{Reach, successors};
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Control;
use lanescope_spirv::{Function, InstId, Module};

/// The blocks of one function, each by the index of its first instruction.
#[derive(Debug, Default)]
pub struct Blocks {
    /// Sorted: where blocks start.
    starts: Vec<u32>,
    /// By block: the blocks that may run just before it.
    before: BTreeMap<u32, Vec<u32>>,
    /// The blocks that return.
    exits: Vec<u32>,
}

impl Blocks {
    /// The blocks of a function. What comes before its first label counts as a block.
    pub fn of(module: &Module, reach: &Reach<'_>, function: &Function) -> Blocks {
        let mut blocks = Blocks { starts: vec![function.insts.start], ..Blocks::default() };
        let mut open = Some(function.insts.start);
        for inst in reach.insts_of(function) {
            if inst.op() == Some(Op::Label) {
                // A block without an end runs on into the next one.
                if let Some(block) = open {
                    blocks.before.entry(inst.index.0).or_default().push(block);
                }
                blocks.starts.push(inst.index.0);
                open = Some(inst.index.0);
            } else if inst.is_terminator()
                && let Some(block) = open.take()
            {
                if inst.facts().control == Control::Return {
                    blocks.exits.push(block);
                }
                successors(module, &inst, |target| {
                    if let Some(label) = module.def(target).filter(|label| function.insts.contains(&label.index.0)) {
                        blocks.before.entry(label.index.0).or_default().push(block);
                    }
                });
            }
        }
        blocks
    }

    /// The block that an instruction is in.
    pub fn of_inst(&self, inst: InstId) -> u32 {
        let at = self.starts.partition_point(|&start| start <= inst.0);
        at.checked_sub(1).and_then(|at| self.starts.get(at)).copied().unwrap_or(0)
    }

    /// The instruction after a block's last one.
    pub fn end(&self, block: u32) -> u32 {
        let at = self.starts.partition_point(|&start| start <= block);
        self.starts.get(at).copied().unwrap_or(u32::MAX)
    }

    /// The blocks that return.
    pub fn exits(&self) -> &[u32] {
        &self.exits
    }

    /// Whether a block is where the function starts.
    pub fn is_first(&self, block: u32) -> bool {
        self.starts.first() == Some(&block)
    }

    /// The blocks that may run just before one.
    pub fn before(&self, block: u32) -> &[u32] {
        self.before.get(&block).map_or(&[], Vec::as_slice)
    }
}
