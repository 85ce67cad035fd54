//! A program beside one that a pass made of it, at the same invocation and the same point of its run.
//!
//! Passes keep the result ids of instructions that stay. A point is an instruction that both programs have, and how often
//! the wave has run it.

use std::collections::BTreeMap;

use super::{Session, VariableValue};
use crate::code::Pc;
use crate::debugger::describe;
use crate::exec::wave::Status;
use crate::machine::Machine;
use crate::program::Program;
use lanescope_base::ids::Id;
use lanescope_spirv::SourceLine;
use serde::Serialize;

/// Instructions of all waves that are looked at for one that both programs have.
const MAX_AHEAD: u64 = 1 << 16;
/// Instructions between two looks at the interrupt.
const SLICE: u64 = 1 << 12;

/// Where two programs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BesidePoint {
    /// At the next instruction, which both programs have.
    Same,
    /// At the first instruction after it that both have.
    Next,
    /// At the end of the wave.
    End,
    /// At the start of the run.
    Start,
    /// Nowhere: the run was interrupted, or the other program does not get there.
    Nowhere,
}

impl BesidePoint {
    /// The point in words.
    pub fn text(self) -> &'static str {
        match self {
            BesidePoint::Same => "at the same instruction",
            BesidePoint::Next => "at the next instruction that both have",
            BesidePoint::End => "at the end",
            BesidePoint::Start => "at the start",
            BesidePoint::Nowhere => "not at this point",
        }
    }
}

/// The values of two programs at one point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beside {
    /// Where they are compared.
    pub point: BesidePoint,
    /// The position of the other program.
    pub step: u64,
    /// The instruction of the other program.
    pub instruction: String,
    /// Its source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<SourceLine>,
    /// Variables of the chosen lane, then buffers and workgroup variables.
    pub variables: Vec<BesideRow>,
}

/// A variable of two programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BesideRow {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value in this program; absent where the program does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Its value in the other program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// Whether both have a value, and these differ.
    pub differs: bool,
}

impl Session {
    /// Takes another session to the point where this one is, and compares the values of the chosen lane, which becomes
    /// that of the other session. This one stays where it is.
    pub fn beside(&mut self, other: &mut Session) -> Beside {
        other.choose(self.chosen);
        let here = self.debugger.position();
        let point = self.take_along(other, here);
        let variables = match point {
            BesidePoint::Nowhere => Vec::new(),
            _ => rows(self.named_values(), other.named_values()),
        };
        self.debugger.seek(here);
        let state = other.state();
        Beside { point, step: state.step, instruction: state.instruction, line: state.line, variables }
    }

    /// Moves both to the point that is compared.
    fn take_along(&mut self, other: &mut Session, here: u64) -> BesidePoint {
        if here == 0 {
            other.debugger.seek(0);
            return BesidePoint::Start;
        }
        let wave = self.chosen.wave as usize;
        let common = common(self.debugger.machine().program(), other.debugger.machine().program());
        let target = loop {
            let machine = self.debugger.machine();
            let Some(now) = machine.state.waves.get(wave) else { return BesidePoint::Nowhere };
            if machine.is_finished() {
                other.debugger.seek(u64::MAX);
                return BesidePoint::End;
            }
            if now.status == Status::Done {
                let ends = |machine: &Machine| machine.state.waves.get(wave).is_none_or(|it| it.status == Status::Done);
                return other.reach(ends).map_or(BesidePoint::Nowhere, |()| BesidePoint::End);
            }
            if let Some(target) = common.get(&now.pc) {
                break (now.pc, *target);
            }
            let at = self.debugger.position();
            if at - here >= MAX_AHEAD {
                return BesidePoint::Nowhere;
            }
            self.debugger.seek(at + 1);
            if self.debugger.position() == at {
                return BesidePoint::Nowhere;
            }
        };
        let (at, until) = (target.0, self.debugger.position());
        // How often the wave has run the instruction.
        let mut runs = 0u64;
        let counted = self.replay(|machine| {
            if machine.steps() >= until {
                return true;
            }
            runs += u64::from(is_next(machine, wave, at));
            false
        });
        if counted.is_none() {
            return BesidePoint::Nowhere;
        }
        let mut other_runs = 0u64;
        let reached = other.reach(|machine| {
            let is_there = machine.state.waves.get(wave).is_some_and(|now| now.pc == target.1);
            if is_there && other_runs == runs {
                return true;
            }
            other_runs += u64::from(is_next(machine, wave, target.1));
            false
        });
        match reached {
            Some(()) if until == here => BesidePoint::Same,
            Some(()) => BesidePoint::Next,
            None => BesidePoint::Nowhere,
        }
    }

    /// Goes to the first point of the run that fulfils a test. Where there is none it stays.
    fn reach(&mut self, done: impl FnMut(&Machine) -> bool) -> Option<()> {
        let step = self.replay(done)?;
        self.debugger.seek(step);
        Some(())
    }

    /// Runs a copy from the start until a test holds, which is asked before each instruction. Returns the position.
    fn replay(&self, mut done: impl FnMut(&Machine) -> bool) -> Option<u64> {
        let mut machine = self.debugger.machine_at_start();
        machine.end_with_focus();
        loop {
            if done(&machine) {
                return Some(machine.position());
            }
            if machine.position().is_multiple_of(SLICE) && self.debugger.is_interrupted() || !machine.step() {
                return None;
            }
        }
    }

    /// Variables of the chosen lane, then those that lead to memory, with their ids.
    fn named_values(&self) -> Vec<(Id, VariableValue)> {
        let function = self.wave_state().map_or(Id(0), |now| now.place.function);
        let program = self.debugger.machine().program();
        // Addresses are those of one program only.
        let is_pointer = |variable: &describe::Variable| variable.ty.starts_with("pointer to ");
        let all = describe::variables(program, function).into_iter().filter(|variable| !is_pointer(variable));
        let own = all.filter_map(|variable| {
            let value = self.debugger.value(self.chosen.wave, self.chosen.lane, variable.id)?;
            Some((variable, value))
        });
        let memory = describe::memory_variables(program).into_iter().filter_map(|variable| {
            let value = self.debugger.memory(variable.id, &[])?;
            Some((variable, value))
        });
        let named = own.chain(memory).map(|(variable, value)| {
            (variable.id, VariableValue { name: variable.name, ty: variable.ty, value: value.to_string() })
        });
        named.collect()
    }
}

/// Whether a wave runs the instruction at a place next.
fn is_next(machine: &Machine, wave: usize, pc: Pc) -> bool {
    let state = &machine.state;
    state.current == wave && state.waves.get(wave).is_some_and(|now| now.status == Status::Running && now.pc == pc)
}

/// What tells an instruction from all others of its program.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'m> {
    /// Its result, and the type of it.
    Result(Id, Option<Id>),
    /// Its block, its words, and how many of the block before have the same words.
    Words(Id, &'m [u32], u32),
}

/// The instructions that two programs have: by the decoded instruction of the first one, that of the second one.
fn common(first: &Program, second: &Program) -> BTreeMap<Pc, Pc> {
    let second = keys(second);
    keys(first).into_iter().filter_map(|(key, pc)| Some((pc, *second.get(&key)?))).collect()
}

fn keys(program: &Program) -> BTreeMap<Key<'_>, Pc> {
    let module = program.module();
    let mut out = BTreeMap::new();
    let mut last = None;
    for pc in 0..program.code.len() as Pc {
        let place = program.place(pc);
        // The first one of several that an instruction becomes.
        if last.replace(place.inst) == Some(place.inst) {
            continue;
        }
        let inst = module.inst(place.inst);
        let key = match inst.result() {
            Some(result) => Key::Result(result, inst.result_type()),
            None => {
                let of = |ordinal| Key::Words(place.block, inst.words, ordinal);
                (0..).map(of).find(|key| !out.contains_key(key)).unwrap_or(of(0))
            }
        };
        out.entry(key).or_insert(pc);
    }
    out
}

/// Variables beside each other: those with the same id and name, then those with the same name, then the rest.
fn rows(first: Vec<(Id, VariableValue)>, second: Vec<(Id, VariableValue)>) -> Vec<BesideRow> {
    let mut rest: Vec<Option<(Id, VariableValue)>> = second.into_iter().map(Some).collect();
    let mut take = |is: &dyn Fn(&(Id, VariableValue)) -> bool| {
        rest.iter_mut().find(|other| other.as_ref().is_some_and(is)).and_then(Option::take)
    };
    let by_id: Vec<_> =
        first.iter().map(|(id, variable)| take(&|(other, named)| other == id && named.name == variable.name)).collect();
    let mut out = Vec::new();
    for ((_, variable), other) in first.into_iter().zip(by_id) {
        let other = other.or_else(|| take(&|(_, named)| named.name == variable.name));
        let other = other.map(|(_, other)| other.value);
        let differs = other.as_ref().is_some_and(|other| *other != variable.value);
        let VariableValue { name, ty, value } = variable;
        out.push(BesideRow { name, ty, value: Some(value), other, differs });
    }
    out.extend(rest.into_iter().flatten().map(|(_, other)| {
        let VariableValue { name, ty, value } = other;
        BesideRow { name, ty, value: None, other: Some(value), differs: false }
    }));
    out
}
