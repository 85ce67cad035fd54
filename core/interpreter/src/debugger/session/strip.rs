//! Active lanes of a wave over its whole run.

use super::Session;
use crate::exec::wave::Status;

/// Active lanes of a wave over its run, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strip {
    /// Parts of the run, each of as many instructions of the wave; the last one may have fewer.
    pub rows: Vec<StripRow>,
    /// Lanes with an invocation.
    pub lanes: u32,
    /// Whether the run has more instructions than were looked at.
    pub more: bool,
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripRow {
    /// The position of its first instruction.
    pub first: u64,
    /// Fewest active lanes.
    pub least: u32,
    /// Most active lanes.
    pub most: u32,
}

impl Strip {
    /// The part that a position is in.
    pub fn row_at(&self, step: u64) -> Option<usize> {
        self.rows.partition_point(|row| row.first <= step).checked_sub(1)
    }
}

impl Session {
    /// Runs a copy from the start, and lists the active lanes of the chosen wave: in at most `rows` parts, over at most
    /// `steps` instructions of all waves.
    pub fn strip(&self, rows: usize, steps: u64) -> Strip {
        let mut machine = self.debugger.machine_at_start();
        machine.end_with_focus();
        let wave = self.chosen.wave as usize;
        let lanes = machine.state.waves.get(wave).map_or(0, |wave| wave.alive.count_ones());
        let mut strip = Strip { lanes, ..Strip::default() };
        // How many instructions of the wave a part has: doubled whenever there are too many parts.
        let (mut width, mut filled) = (1u64, 0u64);
        let rows = rows.max(2);
        while machine.position() < steps && !machine.is_finished() && !self.debugger.is_interrupted() {
            let state = &machine.state;
            if state.current == wave
                && let Some(now) = state.waves.get(wave).filter(|now| now.status == Status::Running)
            {
                let active = now.mask.count_ones();
                match strip.rows.last_mut().filter(|_| filled < width) {
                    Some(row) => (row.least, row.most) = (row.least.min(active), row.most.max(active)),
                    None => {
                        if strip.rows.len() == rows {
                            strip.halve();
                            width *= 2;
                        }
                        strip.rows.push(StripRow { first: state.steps, least: active, most: active });
                        filled = 0;
                    }
                }
                filled += 1;
            }
            if !machine.step() {
                return strip;
            }
        }
        strip.more = !machine.is_finished();
        strip
    }
}

impl Strip {
    /// Joins parts two by two.
    fn halve(&mut self) {
        let join = |pair: &[StripRow]| {
            let first = pair.first().copied()?;
            let last = pair.last().copied()?;
            let (least, most) = (first.least.min(last.least), first.most.max(last.most));
            Some(StripRow { first: first.first, least, most })
        };
        self.rows = self.rows.chunks(2).filter_map(join).collect();
    }
}
