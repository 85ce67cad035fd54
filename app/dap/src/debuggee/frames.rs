//! Frames: the function that a wave is in, and the calls that led to it.

use lanescope_core::ids::Id;
use lanescope_core::interpreter::Place;
use lanescope_core::interpreter::debugger::describe;
use lanescope_core::interpreter::debugger::session::Chosen;
use serde_json::{Value, json};

use super::{Debuggee, threads};
use crate::sources::{self, Shown};

/// Numbers of frames for each thread. Shaders do not recurse, so calls are not deeper than a module has functions.
const PER_THREAD: i64 = 1 << 12;

/// A frame of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// The lane.
    pub lane: Chosen,
    /// The function.
    pub function: Id,
}

impl Debuggee {
    /// The frames of a thread, the innermost first: at most `levels` from `start` on.
    ///
    /// # Errors
    /// A number that no lane has.
    pub fn stack_trace(&self, thread: i64, start: usize, levels: Option<usize>) -> Result<Value, String> {
        let lane = self.lane_of(thread)?;
        let debugger = self.session.debugger();
        let program = debugger.machine().program();
        let waves = debugger.waves();
        let wave = waves.get(lane.wave as usize).ok_or("no such wave")?;
        let note = Debuggee::note_of(wave, lane.lane);
        let places = places(wave.place, &wave.calls);
        let total = places.len();
        let levels = levels.filter(|levels| *levels > 0).unwrap_or(total);
        let frame = |(depth, place): (usize, Place)| {
            let Shown { source, line } = self.sources.shown(program.line(place.inst).as_ref(), place.inst);
            let name = format!("{}{note}", describe::name(program.module(), place.function));
            let mut frame = json!({
                "id": thread * PER_THREAD + depth as i64, "name": name, "source": source, "line": line, "column": 1,
                "instructionPointerReference": sources::address(place.inst),
            });
            if let (false, Some(members)) = (note.is_empty(), frame.as_object_mut()) {
                members.insert("presentationHint".to_owned(), json!("subtle"));
            }
            frame
        };
        let frames: Vec<Value> = places.into_iter().enumerate().skip(start).take(levels).map(frame).collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    /// The frame with a number; the innermost one of the chosen lane where there is none.
    ///
    /// # Errors
    /// A number that no frame has.
    pub(super) fn frame(&self, number: Option<i64>) -> Result<Frame, String> {
        let number = number.unwrap_or_else(|| threads::thread_of(self.session.chosen()) * PER_THREAD);
        let none = || format!("no frame has the number {number}");
        let lane = self.lane_of(number / PER_THREAD).map_err(|_| none())?;
        let waves = self.session.debugger().waves();
        let wave = waves.get(lane.wave as usize).ok_or_else(none)?;
        let place = places(wave.place, &wave.calls).get((number % PER_THREAD) as usize).copied().ok_or_else(none)?;
        Ok(Frame { lane, function: place.function })
    }
}

/// The places of frames, the innermost first.
fn places(now: Place, calls: &[Place]) -> Vec<Place> {
    std::iter::once(now).chain(calls.iter().rev().copied()).collect()
}
