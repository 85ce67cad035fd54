//! Lanes as threads.

use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::interpreter::debugger::{WaveState, WaveStatus};
use lanescope_core::text_format::counted;
use serde_json::{Value, json};

use super::Debuggee;

/// Numbers of threads for each wave: it has at most so many lanes.
const PER_WAVE: i64 = 64;

/// The thread of a lane.
pub fn thread_of(lane: Chosen) -> i64 {
    i64::from(lane.wave) * PER_WAVE + i64::from(lane.lane) + 1
}

impl Debuggee {
    /// The thread of the lane that is chosen: where the session stopped.
    pub fn thread(&self) -> i64 {
        thread_of(self.session.chosen())
    }

    /// The lane of a thread.
    ///
    /// # Errors
    /// A number that no lane has.
    pub fn lane_of(&self, thread: i64) -> Result<Chosen, String> {
        let number = thread.checked_sub(1).filter(|number| *number >= 0);
        let lane = number.and_then(|number| {
            let wave = u32::try_from(number / PER_WAVE).ok()?;
            Some(Chosen { wave, lane: u32::try_from(number % PER_WAVE).ok()? })
        });
        let waves = self.session.debugger().waves();
        let exists = |lane: &Chosen| {
            waves.get(lane.wave as usize).is_some_and(|wave| (lane.lane as usize) < wave.invocations.len())
        };
        lane.filter(exists).ok_or_else(|| format!("no lane has the thread number {thread}"))
    }

    /// Chooses the lane of a thread: what moves is of it from then on.
    ///
    /// # Errors
    /// A number that no lane has.
    pub fn choose(&mut self, thread: i64) -> Result<(), String> {
        let lane = self.lane_of(thread)?;
        self.session.choose(lane);
        Ok(())
    }

    /// The lanes with an invocation: those of the first waves, and of the chosen one.
    pub fn threads(&self) -> Value {
        let waves = self.session.debugger().waves();
        let chosen = self.session.chosen();
        let mut left = self.max_threads as usize;
        let mut threads = Vec::new();
        // The wave that stopped has room before the others.
        let own = waves.get(chosen.wave as usize).map_or(0, |wave| wave.invocations.iter().flatten().count());
        left = left.saturating_sub(own);
        for wave in &waves {
            let lanes = || (0..).zip(&wave.invocations).filter_map(|(lane, of)| Some((lane, (*of)?)));
            let is_chosen = wave.wave == chosen.wave;
            let room = if is_chosen { own } else { left };
            let before = threads.len();
            for (lane, invocation) in lanes().take(room) {
                let id = thread_of(Chosen { wave: wave.wave, lane });
                threads.push(json!({ "id": id, "name": self.name_of(wave, lane, invocation) }));
            }
            if !is_chosen {
                left -= threads.len() - before;
            }
        }
        json!({ "threads": threads })
    }

    /// What the list of threads leaves out, if anything.
    pub fn threads_left_out(&self) -> Option<String> {
        let waves = self.session.debugger().waves();
        let all: usize = waves.iter().map(|wave| wave.invocations.iter().flatten().count()).sum();
        let most = self.max_threads as usize;
        (all > most).then(|| {
            format!(
                "{} of {} are listed as threads, with all of the wave that stops; `maxThreads` lists more",
                most,
                counted(all, "lane")
            )
        })
    }

    /// `wave 0 lane 3 (invocation 3,0,0), inactive`.
    fn name_of(&self, wave: &WaveState, lane: u32, invocation: u32) -> String {
        let machine = self.session.debugger().machine();
        let [width, height, _] = machine.program().local_size().map(|size| size.max(1));
        let of = match (machine.fragment(lane), machine.vertex(lane)) {
            (Some(fragment), _) => {
                let [x, y] = fragment.pixel;
                let sample = fragment.sample.map_or_else(String::new, |sample| format!(", sample {sample}"));
                format!("pixel {x},{y}{sample}, triangle {}", fragment.triangle)
            }
            (None, Some(vertex)) => format!("vertex {vertex}"),
            (None, None) if machine.program().stage().has_workgroup() => {
                let [x, y, z] = [invocation % width, invocation / width % height, invocation / width / height];
                format!("invocation {x},{y},{z}")
            }
            (None, None) => format!("invocation {invocation}"),
        };
        let bit = |bits: u64| bits.checked_shr(lane).unwrap_or(0) & 1 == 1;
        let helper = if bit(wave.helpers) { ", helper invocation" } else { "" };
        let state = match wave.status {
            _ if !bit(wave.alive | wave.exec) => ", ended",
            WaveStatus::Done => ", ended",
            WaveStatus::AtBarrier => ", at barrier",
            WaveStatus::Running if bit(wave.exec) => "",
            WaveStatus::Running => ", inactive",
        };
        format!("wave {} lane {lane} ({of}{helper}){state}", wave.wave)
    }

    /// Whether a lane runs the next instruction of its wave, and what it does if not.
    pub(super) fn note_of(wave: &WaveState, lane: u32) -> &'static str {
        let bit = |bits: u64| bits.checked_shr(lane).unwrap_or(0) & 1 == 1;
        match wave.status {
            _ if !bit(wave.alive | wave.exec) => " (lane has ended)",
            WaveStatus::Done => " (wave has ended)",
            WaveStatus::AtBarrier => " (at barrier)",
            WaveStatus::Running if bit(wave.exec) => "",
            WaveStatus::Running => " (lane is inactive)",
        }
    }
}
