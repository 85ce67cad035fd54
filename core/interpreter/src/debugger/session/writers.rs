//! Who wrote a place in memory last, as the accesses say that are recorded for races.

use lanescope_base::StageKind;
use lanescope_spirv::SourceLine;
use serde::Serialize;

use super::super::{describe, memory};
use super::{CommandError, Session};
use crate::race::LastWrite;

/// The most parts that are listed.
const PARTS: usize = 64;

/// Who wrote a variable, or a part of it, last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Writers {
    /// What was asked for.
    pub name: String,
    /// The parts of its bytes, in order: each has one answer.
    pub parts: Vec<WrittenPart>,
    /// Parts after these.
    pub more: usize,
    /// Not all accesses were recorded: an answer may be an earlier write, or be missing.
    pub incomplete: bool,
}

/// Bytes with one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenPart {
    /// The first byte of the variable's memory.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The last write; absent where the run has not written it so far.
    pub by: Option<WrittenBy>,
}

/// A write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenBy {
    /// Who wrote: `invocation 3 of workgroup 0`.
    pub who: String,
    /// The instruction: `OpStore`.
    pub instruction: String,
    /// Its line, where the module has lines.
    pub line: Option<SourceLine>,
}

impl Writers {
    /// Sentences, at most so many and one that counts the rest: `sums[3], bytes 12 to 15: written by …`.
    pub fn lines(&self, most: usize) -> Vec<String> {
        let line = |part: &WrittenPart| {
            let last = part.offset + part.bytes.max(1) - 1;
            let bytes = match last == part.offset {
                true => format!("byte {last}"),
                false => format!("bytes {} to {last}", part.offset),
            };
            let by = part.by.as_ref().map(|by| {
                let line = by.line.as_ref().map(|line| format!(", {}:{}", line.file, line.line)).unwrap_or_default();
                format!("written by {} at {}{line}", by.who, by.instruction)
            });
            let none = if self.incomplete { "no recorded write" } else { "not written so far" };
            format!("{}, {bytes}: {}", self.name, by.unwrap_or_else(|| none.to_owned()))
        };
        let mut out: Vec<String> = self.parts.iter().take(most).map(line).collect();
        let more = self.parts.len().saturating_sub(most) + self.more;
        out.extend((more > 0).then(|| format!("… {more} more")));
        let incomplete = "Not all accesses were recorded: a later write may be missing.";
        out.extend(self.incomplete.then(|| incomplete.to_owned()));
        out
    }
}

impl Session {
    /// Who wrote a variable last, up to the current step.
    ///
    /// # Errors
    /// A name that the program does not have here, or that is no range of bytes in memory.
    pub fn writers(&self, text: &str) -> Result<Writers, CommandError> {
        let target = self.target(text)?;
        let not_in_memory = || CommandError::NotInMemory(text.to_owned());
        if !target.memory {
            return Err(not_in_memory());
        }
        let machine = self.debugger.machine();
        let found = memory::bytes(machine, target.id, &target.path).ok_or_else(not_in_memory)?;
        let state = &machine.state.memory;
        // Memory that no invocation writes is not followed.
        let followed = state.objects.get(found.object).is_some_and(|object| object.class.is_some());
        let checked = machine.setup.options.checks.races;
        let incomplete = state.shadows.full || state.order.is_stopped() || (followed && !checked);
        let (all, more) = state.shadows.writers(found.object, found.range, PARTS);
        let program = machine.program();
        let part = |(range, by): LastWrite| WrittenPart {
            offset: range.start,
            bytes: range.end - range.start,
            by: by.map(|access| {
                let place = program.place(access.pc);
                let group = machine.setup.first.saturating_add(u64::from(access.group.saturating_sub(1)));
                let invocation = state.order.invocation(access.agent);
                let who = match program.stage() {
                    StageKind::Compute | StageKind::Task | StageKind::Mesh => {
                        format!("invocation {invocation} of workgroup {group}")
                    }
                    StageKind::TessControl => format!("invocation {invocation} of patch {group}"),
                    _ => format!("lane {invocation} of wave {group}"),
                };
                let instruction = describe::instruction_name(program, place);
                WrittenBy { who, instruction, line: program.line(place.inst) }
            }),
        };
        let parts = all.into_iter().map(part).collect();
        Ok(Writers { name: text.to_owned(), parts, more, incomplete })
    }
}
