//! Which instructions a register's value certainly depends on.
//!
//! A lane keeps what it held where it does not run, so the last write before a use need not be the one that a lane reads. It is
//! where all lanes that run at the use ran at the write: nothing between has switched lanes on. At the start of a block that
//! can be entered in several ways the search ends, too: what is found is never more than what is true.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Effect, effects};
use super::live::Register;
use super::{File, Instruction, IsaFacts};

/// Instructions that are looked at for one value.
const MAX_STEPS: usize = 1 << 16;

/// The instructions of a text, by what they read and write.
pub(crate) struct Feeds<'f> {
    facts: &'f IsaFacts,
    effects: Vec<Effect>,
    /// By block: the only block that it is entered from.
    before: BTreeMap<u32, u32>,
}

impl<'f> Feeds<'f> {
    /// Absent for a text with too many uses of registers.
    pub fn new(facts: &'f IsaFacts) -> Option<Feeds<'f>> {
        let mut entered: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, block) in (0u32..).zip(&facts.blocks) {
            for next in &block.successors {
                entered.entry(*next).or_default().push(index);
            }
        }
        // The first block is entered from outside.
        let only = |(block, from): (u32, Vec<u32>)| match *from.as_slice() {
            [from] if block != 0 => Some((block, from)),
            _ => None,
        };
        let before = entered.into_iter().filter_map(only).collect();
        Some(Feeds { facts, effects: effects(&facts.instructions)?, before })
    }

    /// The instructions that what the instruction `at` reads certainly depends on.
    pub fn of(&self, at: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![at];
        let mut room = MAX_STEPS;
        while let Some(at) = waiting.pop() {
            let reads = self.effects.get(at as usize).map(|effect| effect.reads.as_slice()).unwrap_or_default();
            for register in reads {
                let Some(writer) = self.writer(at, *register, &mut room) else { continue };
                if found.insert(writer) {
                    waiting.push(writer);
                }
            }
        }
        found
    }

    /// The instruction that certainly wrote what a register holds before the instruction `at`.
    fn writer(&self, at: u32, register: Register, room: &mut usize) -> Option<u32> {
        let mut block = self.facts.block_of(at)?;
        let mut at = at;
        loop {
            let first = self.facts.blocks.get(block as usize)?.first;
            for index in (first..at).rev() {
                *room = room.checked_sub(1)?;
                if self.effects.get(index as usize)?.writes.contains(&register) {
                    return Some(index);
                }
                if may_switch_on(self.facts.instructions.get(index as usize)?) {
                    return None;
                }
            }
            block = *self.before.get(&block)?;
            *room = room.checked_sub(1)?;
            let entered = self.facts.blocks.get(block as usize)?;
            at = entered.first.saturating_add(entered.count);
        }
    }
}

/// Whether lanes may run after an instruction that did not run before.
fn may_switch_on(instruction: &Instruction) -> bool {
    let name = instruction.mnemonic.as_str();
    let of_exec = |reads: bool| {
        let is = move |a: super::Access| if reads { a.reads() } else { a.writes() };
        instruction.registers().any(|(registers, access)| registers.file == File::Exec && is(access))
    };
    // These leave lanes out of those that run.
    if name.starts_with("s_and_saveexec") || name.starts_with("v_cmpx") {
        return false;
    }
    let narrows = ["s_and_b32", "s_and_b64"].contains(&name) && of_exec(true);
    (of_exec(false) && !narrows) || name.contains("saveexec") || name.contains("wrexec")
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use lanescope_model::program::StageKind;

    /// The lines, from 1, of what the last instruction of a text depends on.
    fn of(text: &str) -> Vec<u32> {
        let facts = read(text, StageKind::Fragment);
        let last = u32::try_from(facts.instructions.len()).expect("few") - 2;
        let found = Feeds::new(&facts).expect("few registers").of(last);
        found.into_iter().map(|at| facts.instructions[at as usize].line + 1).collect()
    }

    #[test]
    fn values_come_from_what_wrote_them_for_the_lanes_that_run() {
        for (between, expected) in [
            ("", &[2, 3][..]),
            // Fewer lanes run.
            ("\ts_and_saveexec_b64 s[0:1], vcc\n", &[2, 3]),
            ("\ts_and_b64 exec, exec, s[2:3]\n", &[2, 3]),
            // More lanes run: what they hold is older.
            ("\ts_mov_b64 exec, s[2:3]\n", &[]),
            ("\ts_wqm_b64 exec, exec\n", &[]),
            // Another value by now.
            ("\tv_mov_b32_e32 v3, 0\n", &[4]),
            // Entered from two places.
            ("\ts_cbranch_scc1 BB2\nBB1:\n\ts_nop 0\nBB2:\n", &[]),
            ("\ts_cbranch_scc1 BB9\nBB1:\n\ts_nop 0\n", &[2, 3]),
        ] {
            let text = format!(
                "BB0:\n\tv_mul_f32_e32 v2, v0, v1\n\tv_add_f32_e32 v3, v2, v1\n{between}\tv_mov_b32_e32 v4, v3\n\ts_endpgm\n"
            );
            assert_eq!(of(&text), expected, "{text}");
        }
    }
}
