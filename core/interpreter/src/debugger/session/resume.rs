//! Runs to a breakpoint, a change of a watched value, or an end, forwards and backwards; and why they stopped.

use super::super::{Debugger, Stop};
use super::{Chosen, Kind, Session, Set, Target};

/// Why the last command that moved stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The step that was asked for is done.
    Step,
    /// The start of the run.
    Start,
    /// The end of the run, or one of its limits.
    End,
    /// An interrupt.
    Interrupted,
    /// A breakpoint, or a condition that began to hold, by its number.
    Breakpoint(usize),
    /// A watched value that changed, by the number of the watchpoint.
    Watchpoint(usize),
    /// A finding, by its place among those of the run.
    Finding(usize),
}

/// What is compared after each instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    /// Whether a condition holds.
    Holds(bool),
    /// A value.
    Value(String),
}

/// The values that breakpoints test, by breakpoint.
type Tests = Vec<Option<Test>>;

impl Session {
    /// Why the last command that moved stopped.
    pub fn stopped(&self) -> Stopped {
        self.stopped
    }

    /// Notes why a command stopped, and says it.
    pub(super) fn stopped_at(&mut self, stop: Stop) -> String {
        self.stopped = match stop {
            Stop::Step => Stopped::Step,
            Stop::Start => Stopped::Start,
            Stop::End => Stopped::End,
            Stop::Interrupted => Stopped::Interrupted,
            Stop::Breakpoint(place) => Stopped::Breakpoint(self.number_of(place).unwrap_or(0)),
            Stop::Event(event) => Stopped::Finding(event),
        };
        self.reason(stop)
    }

    /// Whether a breakpoint is where the run stands: at its start, where none was reached yet. It counts as hit.
    pub fn hit_here(&mut self) -> Option<String> {
        self.begin_run();
        let why = self.debugger.hit().map(|place| self.ended_run(Stop::Breakpoint(place)));
        self.debugger.set_focus(Some(self.chosen.wave));
        why
    }

    /// Runs to a breakpoint, a change of a watched value, or the end.
    pub(super) fn resume(&mut self) -> String {
        self.begin_run();
        let why = match self.is_watching() {
            false => {
                let stop = self.debugger.resume();
                self.ended_run(stop)
            }
            true => self.resume_watching(),
        };
        self.debugger.set_focus(Some(self.chosen.wave));
        why
    }

    /// The same backwards, to the start. A watched value changes after the instruction at which it stops.
    pub(super) fn resume_back(&mut self) -> String {
        self.begin_run();
        let why = match self.is_watching() {
            false => {
                let stop = self.debugger.resume_back();
                self.ended_run(stop)
            }
            true => {
                let (set, chosen) = (&self.set, self.chosen);
                let look = |now: &Debugger| tests(set, chosen, now);
                let (stop, changed) = self.debugger.resume_back_watching(look, |old, new| {
                    let mut all = old.iter().zip(new);
                    all.position(|(old, new)| is_hit(old.as_ref(), new.as_ref()))
                });
                match changed {
                    Some(at) => self.ended_at_change(at, "changes after this instruction"),
                    None => self.ended_run(stop),
                }
            }
        };
        self.debugger.set_focus(Some(self.chosen.wave));
        why
    }

    fn is_watching(&self) -> bool {
        self.set.iter().flatten().any(|set| !matches!(set.kind, Kind::Place(_)))
    }

    fn begin_run(&mut self) {
        let wave = (!self.any_wave).then_some(self.chosen.wave);
        self.debugger.set_focus(wave);
    }

    /// Chooses the wave in which a run stopped, and says why.
    fn ended_run(&mut self, stop: Stop) -> String {
        let chosen = match stop {
            Stop::Breakpoint(place) if self.any_wave => {
                self.chosen_of(self.debugger.current_wave(), self.debugger.fulfilling(place))
            }
            Stop::Event(event) if self.any_wave => {
                let event = self.debugger.machine().events().get(event);
                event.map_or(self.chosen, |event| self.chosen_of(event.wave, event.lanes))
            }
            _ => self.chosen,
        };
        self.chosen = chosen;
        self.stopped_at(stop)
    }

    /// The chosen lane if it is one of these lanes of a wave, else the first of them.
    fn chosen_of(&self, wave: u32, lanes: u64) -> Chosen {
        let is_of = self.chosen.wave == wave && lanes.checked_shr(self.chosen.lane).unwrap_or(0) & 1 == 1;
        let lane = if is_of || lanes == 0 { self.chosen.lane } else { lanes.trailing_zeros() };
        Chosen { wave, lane }
    }

    fn resume_watching(&mut self) -> String {
        let mut before = tests(&self.set, self.chosen, &self.debugger);
        loop {
            let stop = self.debugger.step();
            if !matches!(stop, Stop::Step | Stop::Interrupted) {
                return self.ended_run(stop);
            }
            let now = tests(&self.set, self.chosen, &self.debugger);
            let mut stopped = None;
            for (at, (old, new)) in before.iter().zip(&now).enumerate() {
                let Some(Some(set)) = self.set.get_mut(at).filter(|_| is_hit(old.as_ref(), new.as_ref())) else {
                    continue;
                };
                set.hits += 1;
                if set.hits > set.skip {
                    let change = match (old, new) {
                        (Some(Test::Value(old)), Some(Test::Value(new))) => format!("{old} to {new}"),
                        _ => String::new(),
                    };
                    stopped = stopped.or(Some((at, change)));
                }
            }
            if let Some((at, change)) = stopped {
                return self.ended_at_change(at, &change);
            }
            if stop == Stop::Interrupted {
                return self.ended_run(stop);
            }
            before = now;
        }
    }

    fn ended_at_change(&mut self, at: usize, change: &str) -> String {
        let Some(Some(Set { kind, text, .. })) = self.set.get(at) else { return self.stopped_at(Stop::Step) };
        let (stopped, why) = match kind {
            Kind::Watch(..) => (Stopped::Watchpoint(at + 1), format!("watchpoint {}: {text}: {change}", at + 1)),
            _ => (Stopped::Breakpoint(at + 1), format!("breakpoint {}: {text}", at + 1)),
        };
        if let Kind::Watch(_, Some(lane)) = kind
            && self.any_wave
        {
            self.chosen = *lane;
        }
        self.stopped = stopped;
        why
    }

    /// The number of a breakpoint at a place.
    fn number_of(&self, place: usize) -> Option<usize> {
        let is = |set: &Option<Set>| set.as_ref().is_some_and(|set| matches!(set.kind, Kind::Place(at) if at == place));
        self.set.iter().position(is).map(|at| at + 1)
    }

    fn reason(&self, stop: Stop) -> String {
        match stop {
            Stop::Step => "step".to_owned(),
            Stop::Start => "start of the run".to_owned(),
            Stop::Interrupted => "interrupted".to_owned(),
            Stop::Event(_) => "finding".to_owned(),
            Stop::End if self.debugger.machine().is_finished() => "end of the run".to_owned(),
            Stop::End if self.debugger.machine().is_past_focus() => {
                let most = self.debugger.machine().most_of_others();
                format!("end of the workgroup; the workgroups after it do not end within {most} instructions")
            }
            Stop::End => format!("limit of steps: {}", self.debugger.machine().setup.options.max_steps),
            Stop::Breakpoint(place) => {
                let number = self.number_of(place).unwrap_or(0);
                let set = self.set.get(number.wrapping_sub(1)).and_then(Option::as_ref);
                format!("breakpoint {number}: {}", set.map_or("", |set| set.text.as_str()))
            }
        }
    }
}

/// Whether a condition began to hold, or a value changed.
fn is_hit(old: Option<&Test>, new: Option<&Test>) -> bool {
    match (old, new) {
        (Some(Test::Holds(old)), Some(Test::Holds(new))) => !old && *new,
        (Some(Test::Value(old)), Some(Test::Value(new))) => old != new,
        _ => false,
    }
}

/// By breakpoint: what of it is tested after each instruction.
fn tests(set: &[Option<Set>], chosen: Chosen, debugger: &Debugger) -> Tests {
    let test = |set: &Set| match &set.kind {
        Kind::Place(_) => None,
        Kind::Condition(condition) => {
            let memory = !debugger.machine().program().values.contains_key(&condition.id);
            let target = Target { id: condition.id, path: condition.path.clone(), memory };
            let number = target.value(debugger, chosen).and_then(|value| value.number());
            Some(Test::Holds(number.is_some_and(|number| condition.comparison.holds(number, condition.number))))
        }
        Kind::Watch(target, lane) => {
            let value = target.value(debugger, lane.unwrap_or(chosen)).map(|value| value.to_string());
            Some(Test::Value(value.unwrap_or_default()))
        }
    };
    set.iter().map(|set| set.as_ref().and_then(test)).collect()
}
