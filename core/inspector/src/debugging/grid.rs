//! The lanes of a workgroup in rows and columns, with the value that is shown of each.

use lanescope_core::interpreter::debugger::session::Chosen;

use super::DebugStop;

/// Columns of a workgroup that has one dimension: longer waves are wrapped.
const LINE: usize = 16;

/// Whether a lane runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneState {
    /// It runs the wave's next instruction.
    Active,
    /// It waits in divergent control flow.
    Inactive,
    /// Its invocation has ended.
    Ended,
}

/// A lane with an invocation.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneCell {
    /// The lane.
    pub lane: Chosen,
    /// Its local invocation index.
    pub invocation: u32,
    /// Whether it runs.
    pub state: LaneState,
    /// Whether it is a helper invocation.
    pub helper: bool,
    /// The shown value.
    pub value: Option<String>,
    /// The value from 0 (the smallest of all lanes) to 1 (the largest), where it is a number.
    pub share: Option<f64>,
}

/// The lanes of a workgroup: by y and x for a workgroup with two or three dimensions (slices below each other, with an
/// empty row between them), else by wave and lane.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LaneGrid {
    /// The rows.
    pub rows: Vec<Vec<Option<LaneCell>>>,
    /// The smallest and the largest value.
    pub range: Option<[f64; 2]>,
    /// The rows are waves.
    pub by_wave: bool,
}

impl LaneGrid {
    /// The lanes of a stop.
    pub fn of(stop: &DebugStop) -> LaneGrid {
        let [width, height, _] = stop.size.map(|side| side.max(1) as usize);
        let by_wave = stop.lanes.helpers.is_empty() && stop.size.iter().filter(|side| **side > 1).count() < 2;
        let numbers = stop.lanes.numbers.iter().flatten().flatten().copied().filter(|number| number.is_finite());
        let range = numbers.fold(None, |range: Option<[f64; 2]>, number| {
            let [least, most] = range.unwrap_or([number, number]);
            Some([least.min(number), most.max(number)])
        });
        let mut rows: Vec<Vec<Option<LaneCell>>> = Vec::new();
        for (wave, invocations) in stop.lanes.invocations.iter().enumerate() {
            let line = rows.len();
            for (lane, invocation) in invocations.iter().enumerate() {
                let Some(invocation) = *invocation else { continue };
                let at = stop.lanes.position(invocation, stop.size) as usize;
                let (x, y) = match by_wave {
                    true => (lane % LINE, line + lane / LINE),
                    false => (at % width, at / width + at / width / height),
                };
                if rows.len() <= y {
                    rows.resize_with(y + 1, Vec::new);
                }
                let Some(row) = rows.get_mut(y) else { continue };
                if row.len() <= x {
                    row.resize_with(x + 1, || None);
                }
                if let Some(cell) = row.get_mut(x) {
                    *cell = Some(LaneCell::of(stop, (wave, lane), invocation, range));
                }
            }
        }
        LaneGrid { rows, range, by_wave }
    }
}

impl LaneCell {
    /// The value in at most so many characters, where it is a number: with fewer digits after the point.
    pub fn short(&self, characters: usize) -> Option<String> {
        let value = self.value.as_ref()?;
        let number = value.parse::<f64>().ok().filter(|_| value.len() > characters && value.contains('.'));
        let rounded = number.and_then(|number| {
            let texts = (0..characters).rev().map(|digits| format!("{number:.digits$}"));
            texts.into_iter().find(|text| text.len() <= characters)
        });
        Some(rounded.unwrap_or_else(|| value.clone()))
    }

    fn of(stop: &DebugStop, (wave, lane): (usize, usize), invocation: u32, range: Option<[f64; 2]>) -> LaneCell {
        let state = match stop.state.waves.get(wave).map(|wave| wave.exec) {
            Some(exec) if exec.is_active(lane) => LaneState::Active,
            Some(exec) if exec.is_alive(lane) => LaneState::Inactive,
            _ => LaneState::Ended,
        };
        let number = stop.lanes.numbers.get(wave).and_then(|wave| wave.get(lane).copied().flatten());
        let share = number.zip(range).map(|(number, [least, most])| {
            let span = most - least;
            match number.is_finite() {
                true if span > 0.0 => (number - least) / span,
                true => 0.5,
                false => f64::NAN,
            }
        });
        LaneCell {
            lane: Chosen { wave: wave as u32, lane: lane as u32 },
            invocation,
            state,
            helper: stop.lanes.helpers.get(wave).and_then(|wave| wave.get(lane)).is_some_and(|helper| *helper),
            value: stop.lanes.values.get(wave).and_then(|wave| wave.get(lane).cloned().flatten()),
            share: share.filter(|share| share.is_finite()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_fit() {
        let cell = |value: &str| LaneCell {
            lane: Chosen { wave: 0, lane: 0 },
            invocation: 0,
            state: LaneState::Active,
            helper: false,
            value: Some(value.to_owned()),
            share: None,
        };
        for (value, short) in [
            ("-0.22256835", "-0.223"),
            ("0.5", "0.5"),
            ("1234.5678", "1234.6"),
            ("123456.75", "123457"),
            ("123456789", "123456789"),
            ("unwritten", "unwritten"),
        ] {
            assert_eq!(cell(value).short(6).as_deref(), Some(short));
        }
    }
}
