//! The lanes of a wave as a debugger shows them: which run the next instruction, and which have ended.

use super::super::WaveState;
use serde::{Serialize, Serializer};
use std::fmt;

/// Lanes of a wave, at most 64. `Display` writes a character for each, lane 0 first: `#` runs the next instruction, `h`
/// does so as a helper invocation, `.` does not, and a lane that has ended is a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneMask {
    lanes: usize,
    exec: u64,
    alive: u64,
    helpers: u64,
}

impl LaneMask {
    /// The lanes of a wave.
    pub fn of(wave: &WaveState) -> LaneMask {
        let WaveState { exec, alive, helpers, .. } = *wave;
        LaneMask { lanes: wave.invocations.len(), exec, alive, helpers }
    }

    /// Whether a lane runs the next instruction.
    pub fn is_active(&self, lane: usize) -> bool {
        self.has(self.exec, lane)
    }

    /// Whether a lane has not ended.
    pub fn is_alive(&self, lane: usize) -> bool {
        self.has(self.exec | self.alive, lane)
    }

    /// Number of lanes that run the next instruction.
    pub fn active(&self) -> u32 {
        self.exec.count_ones()
    }

    fn has(&self, mask: u64, lane: usize) -> bool {
        lane < self.lanes && u32::try_from(lane).ok().and_then(|lane| mask.checked_shr(lane)).unwrap_or(0) & 1 == 1
    }
}

impl fmt::Display for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        (0..self.lanes).try_for_each(|lane| {
            f.write_char(match (self.is_active(lane), self.is_alive(lane)) {
                (true, _) if self.has(self.helpers, lane) => 'h',
                (true, _) => '#',
                (false, true) => '.',
                (false, false) => ' ',
            })
        })
    }
}

impl Serialize for LaneMask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_a_character_for_each_lane() {
        let mask = LaneMask { lanes: 5, exec: 0b0011, alive: 0b0111, helpers: 0b1010 };
        assert_eq!(mask.to_string(), "#h.  ");
        assert_eq!(
            (0..6).map(|lane| mask.is_active(lane)).collect::<Vec<_>>(),
            [true, true, false, false, false, false]
        );
        assert_eq!([2, 3, 64].map(|lane| mask.is_alive(lane)), [true, false, false]);
        let whole = LaneMask { lanes: 64, exec: u64::MAX, alive: u64::MAX, helpers: 0 };
        assert_eq!((whole.to_string(), whole.active()), ("#".repeat(64), 64));
    }
}
