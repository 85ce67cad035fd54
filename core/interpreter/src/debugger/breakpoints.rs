//! Breakpoints: places, conditions, hit counts.

use std::collections::BTreeSet;

use super::memory;
use crate::code::Pc;
use crate::exec::wave::Wave;
use crate::machine::Machine;
use crate::program::Program;
use crate::value::{MAX_ELEMENTS, value};
use lanescope_base::ids::Id;
use lanescope_spirv::InstId;

/// A comparison of a value with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Whether two numbers compare like this.
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }
}

/// A condition on the value of an id, or of a variable that leads to memory. It holds where any active lane fulfils it.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The id: a value, or a variable of the invocation.
    pub id: Id,
    /// Indices that select a scalar of a composite.
    pub path: Vec<u32>,
    /// How the scalar compares with `number`; booleans are 0 and 1.
    pub comparison: Comparison,
    /// The number.
    pub number: f64,
}

/// Where a breakpoint is. A wave stops before it runs the instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A source line, of a file whose path ends with this one; every file where it is empty.
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// The instruction that defines an id.
    Id(Id),
    /// An instruction.
    Inst(InstId),
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakpoint {
    /// Where it is.
    pub location: Location,
    /// When it counts; absent for always.
    pub condition: Option<Condition>,
    /// Hits that are passed over before the run stops.
    pub skip: u64,
}

/// A breakpoint that is set.
#[derive(Debug, Clone)]
pub(crate) struct Armed {
    pub breakpoint: Breakpoint,
    /// Sorted.
    pub places: Vec<Pc>,
    pub hits: u64,
}

/// The decoded instructions of a location. An instruction that is not run by itself, because its result shares the
/// registers of another one, stands for the next one of its block.
pub(crate) fn places(program: &Program, location: &Location) -> Vec<Pc> {
    match location {
        Location::Line { file, line } => {
            let matches = |pc: usize| {
                let found = program.origin.get(pc).and_then(|&inst| program.line(inst));
                found.is_some_and(|found| found.line == *line && ends_with(&found.file, file))
            };
            line_starts(program, &matches)
        }
        Location::Id(id) => match program.module.def(*id) {
            Some(def) => places(program, &Location::Inst(def.index)),
            None => Vec::new(),
        },
        Location::Inst(inst) => {
            let block = program.blocks.iter().filter(|block| block.label < inst.0).max_by_key(|block| block.label);
            let Some(block) = block else { return Vec::new() };
            let rest = program.origin.iter().enumerate().skip(block.start as usize);
            let end = program.blocks.iter().map(|other| other.start).filter(|&start| start > block.start).min();
            let end = end.map_or(program.code.len(), |end| end as usize);
            let found = rest.take_while(|(pc, _)| *pc < end).find(|(_, origin)| origin.0 >= inst.0);
            found.map(|(pc, _)| pc as Pc).into_iter().collect()
        }
    }
}

/// Where a line starts: `matches` says whether an instruction is of it. A block of the line that only blocks of the line
/// branch to goes on with it: both sides of `?:` are one line.
fn line_starts(program: &Program, matches: &dyn Fn(usize) -> bool) -> Vec<Pc> {
    let of_line: Vec<bool> = (0..program.code.len()).map(matches).collect();
    let is_of_line = |pc: Pc| of_line.get(pc as usize).copied().unwrap_or_default();
    // Blocks that other lines branch to, and those that any block branches to.
    let (mut from_elsewhere, mut from_any) = (BTreeSet::new(), BTreeSet::new());
    for (pc, code) in program.code.iter().enumerate() {
        for edge in program.tables.edges_of(code) {
            from_any.insert(edge.target);
            if !is_of_line(pc as Pc) {
                from_elsewhere.insert(edge.target);
            }
        }
    }
    let starts_block = |pc: Pc| program.blocks.binary_search_by_key(&pc, |block| block.start).is_ok();
    let goes_on = |pc: Pc| match starts_block(pc) {
        true => from_any.contains(&pc) && !from_elsewhere.contains(&pc),
        false => pc.checked_sub(1).is_some_and(is_of_line),
    };
    (0..of_line.len()).map(|pc| pc as Pc).filter(|&pc| is_of_line(pc) && !goes_on(pc)).collect()
}

/// Whether a path ends with the parts of another one.
fn ends_with(path: &str, end: &str) -> bool {
    end.is_empty() || path == end || path.strip_suffix(end).is_some_and(|rest| rest.ends_with(['/', '\\']))
}

impl Condition {
    /// Whether any active lane of a wave fulfils it.
    pub(crate) fn holds(&self, machine: &Machine, wave: &Wave) -> bool {
        wave.exec().iter().any(|lane| self.is_fulfilled(machine, wave, lane))
    }

    /// The active lanes of a wave that fulfil it, as bits.
    pub(crate) fn lanes(&self, machine: &Machine, wave: &Wave) -> u64 {
        let fulfilling = wave.exec().iter().filter(|&lane| self.is_fulfilled(machine, wave, lane));
        fulfilling.fold(0, |bits, lane| bits | 1 << lane)
    }

    fn is_fulfilled(&self, machine: &Machine, wave: &Wave, lane: usize) -> bool {
        let program = machine.program();
        let number = match program.values.contains_key(&self.id) {
            true => value(program, wave, lane, (self.id, &self.path), MAX_ELEMENTS).and_then(|value| value.number()),
            false => memory::value(machine, self.id, &self.path).and_then(|value| value.number()),
        };
        number.is_some_and(|number| self.comparison.holds(number, self.number))
    }
}
