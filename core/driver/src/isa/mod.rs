//! The reader of AMD assembly: instructions, blocks, and what they say of interfaces, lanes and registers.
//!
//! [`read`] takes the text that Mesa's AMD compiler (ACO) returns, as LLVM's disassembler prints it: one instruction
//! a line, a tab before it, `; words` after it, labels `BBn:` between. It reads what Mesa 22.3 to 26.2 prints for GFX8 to
//! GFX12 (LLVM 15 to 22); [`super::verified`] lists the versions that it was tested on. Names that differ between
//! generations are tables of one file, as is what the disassembler prints wrongly. Any text may be read: a line that is
//! not an instruction is kept as such, and a text without any gives facts without any. [`not_understood`] finds the first
//! line of which the facts may miss something, by a scan of the text that shares nothing with the reader.
//!
//! What is not an instruction:
//! * `(then repeated 12 times)` says that the instruction before it is repeated 12 more times. It has no line and no
//!   index of its own: [`Instruction::repeated`] counts it. Branches, waits, memory accesses and others are facts of
//!   one line, so counts of them weigh it in.
//! * `/* … */` and what follows `;` are comments; the latter holds the encoding.
//! * `/* constant data */` starts the constants that follow the code: `[000032] 3f800000 …`.
//!
//! What the numbers mean:
//! * Liveness follows the branches of the text, as the hardware takes them. A write while lanes are masked off counts as a
//!   whole write; so between the two sides of a divergent branch the pressure is a lower bound.
//! * A register of which one half is written is live before: between the first half and the second it is certain, before
//!   the first one the pressure is an upper bound.
//! * Registers beyond what is printed are not seen: on GFX9 the disassembler prints one register for an image address
//!   that takes two or three.
//! * VCC, EXEC, SCC and M0 are tracked, and not counted as SGPRs.
//! * From GFX11 on an export does not say whether its registers hold one channel each or two: what wrote them shows it,
//!   and where nothing does, the export's registers are counted instead ([`Export::is_unclear`]).

use std::borrow::Cow;
use std::fmt;

mod access;
mod coverage;
mod encoding;
mod facts;
mod feeds;
mod flow;
mod form;
#[cfg(test)]
mod golden;
mod ids;
mod interface;
mod lanes;
mod live;
mod names;
mod plain;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod vendor_facts;

pub(super) use coverage::unread;
pub use coverage::{Count, Coverage, Unread, coverage, not_understood};
pub use facts::*;
pub(crate) use feeds::Feeds;
pub(super) use flow::{Values, live_registers};
pub(super) use live::{Live, Register, exist};
pub use plain::without_encodings;
pub use summary::Digest;
pub(crate) use vendor_facts::slot_components;
pub use vendor_facts::{Axis, Derivative, Dialect, Input, InputKind, Output, Sampled, Slot, SlotKind, Topic};

use lanescope_base::ids::Component;
use lanescope_model::program::StageKind;

/// The longest text that is read, in lines. The rest is left out and [`IsaFacts::cut`] says so.
pub const MAX_LINES: usize = 1 << 17;

/// Reads the assembly of one stage; of several that a driver merged, the last.
pub fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = text::parse(text);
    access::mark(&mut facts.instructions);
    flow::follow(&mut facts);
    interface::find(&mut facts);
    form::set_forms(&mut facts);
    lanes::find(&mut facts);
    ids::find(&mut facts, stage);
    facts
}

impl Registers {
    /// Whether two runs share a register.
    pub fn overlaps(&self, other: &Registers) -> bool {
        let is_of_halves = |r: &Registers| matches!(r.file, File::Full | File::Half);
        if self.file != other.file && is_of_halves(self) && is_of_halves(other) {
            // A full register of ir3 is two halves.
            return Register::each(*self).any(|one| Register::each(*other).any(|another| one == another));
        }
        let end = |r: &Registers| u32::from(r.first) + u32::from(r.count);
        self.file == other.file && u32::from(self.first) < end(other) && u32::from(other.first) < end(self)
    }
}

/// Components of ir3's registers: `r1.z`, `r1.z-r2.x`.
fn components(registers: Registers) -> String {
    let name = match registers.file {
        File::Half => "hr",
        File::PredicateComponent => "p",
        File::Address => "a",
        _ => "r",
    };
    let one = |index: u32| format!("{name}{}.{}", index / 4, Component((index % 4) as u8).letter());
    let (first, count) = (u32::from(registers.first), u32::from(registers.count));
    if count < 2 { one(first) } else { format!("{}-{}", one(first), one(first + count - 1)) }
}

impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = u32::from(self.first) + u32::from(self.count).saturating_sub(1);
        let text = match (self.file, self.count) {
            (File::Vector | File::Scalar, 1) => format!("{}{}", self.file, self.first),
            (File::Vector | File::Scalar, _) => format!("{}[{}:{last}]", self.file, self.first),
            (File::Scc | File::M0, _) => self.file.name().to_owned(),
            (File::Vcc | File::Exec, 1) => format!("{}_{}", self.file, if self.first == 0 { "lo" } else { "hi" }),
            (File::Vcc | File::Exec, _) => self.file.name().to_owned(),
            (File::Full | File::Half | File::PredicateComponent | File::Address, _) => components(*self),
            // As NAK prints them: the end is behind the last.
            (file, 1) => format!("{file}{}", self.first),
            (file, _) => format!("{file}{}..{}", self.first, last.saturating_add(1)),
        };
        f.pad(&text)
    }
}

impl Export {
    /// Whether it is unknown if a register contains one channel of a colour or two.
    pub fn is_unclear(&self) -> bool {
        let colour = matches!(self.target, ExportTarget::Color | ExportTarget::DualSource);
        colour && self.mask != 0 && self.form.is_none()
    }
}

impl Instruction {
    /// The instructions that this is, with their names and operands: itself, or the two of a pair (from GFX11 on:
    /// `v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4`) with the names that they have alone.
    pub fn each(&self) -> impl Iterator<Item = (Cow<'_, str>, &[Operand])> {
        let alone = |name: &str| Some(Cow::<str>::Owned(format!("v_{}", name.strip_prefix("v_dual_")?)));
        let first = alone(&self.mnemonic);
        let between = |operand: &Operand| matches!(&operand.kind, OperandKind::Word(word) if word == "::");
        let at = first.as_ref().and_then(|_| self.operands.iter().position(between));
        let (one, other) = match at {
            Some(at) => (self.operands.get(..at), self.operands.get(at + 1..)),
            None => (Some(self.operands.as_slice()), None),
        };
        // Without a comma before it the second name is among the modifiers.
        let second = other.and_then(|_| self.modifiers.iter().find_map(|modifier| alone(&modifier.name)));
        let name = first.unwrap_or(Cow::Borrowed(self.mnemonic.as_str()));
        one.map(|operands| (name, operands)).into_iter().chain(second.zip(other))
    }

    /// How many times in a row it is executed: see [`Instruction::repeated`].
    pub fn times(&self) -> u32 {
        self.repeated.saturating_add(1)
    }

    /// The value of a modifier; empty for one without a value.
    pub fn modifier(&self, name: &str) -> Option<&str> {
        self.modifiers.iter().find(|modifier| modifier.name == name).map(|modifier| modifier.value.as_str())
    }

    /// The operands that are registers.
    pub fn registers(&self) -> impl Iterator<Item = (Registers, Access)> {
        self.operands.iter().filter_map(|operand| match operand.kind {
            OperandKind::Registers(registers) => Some((registers, operand.access)),
            _ => None,
        })
    }
}

impl Access {
    /// Whether the old value is needed.
    pub fn reads(self) -> bool {
        matches!(self, Access::Read | Access::Both)
    }

    /// Whether a new value is left.
    pub fn writes(self) -> bool {
        matches!(self, Access::Write | Access::Both)
    }

    /// What two accesses of one instruction are together.
    pub fn and(self, other: Access) -> Access {
        match (self.reads() || other.reads(), self.writes() || other.writes()) {
            (true, true) => Access::Both,
            (true, false) => Access::Read,
            (false, true) => Access::Write,
            (false, false) => Access::None,
        }
    }
}

impl IsaFacts {
    /// The block (index of `blocks`) that holds an instruction.
    pub fn block_of(&self, instruction: u32) -> Option<u32> {
        let after = self.blocks.partition_point(|block| block.first.saturating_add(block.count) <= instruction);
        let block = self.blocks.get(after)?;
        (block.first <= instruction).then_some(u32::try_from(after).ok()?)
    }

    /// The instruction on a line of the text.
    pub fn at_line(&self, line: u32) -> Option<u32> {
        let found = self.instructions.binary_search_by_key(&line, |instruction| instruction.line).ok()?;
        u32::try_from(found).ok()
    }

    /// The instructions that name one of these registers, and what they do with it.
    pub fn uses(&self, registers: Registers) -> impl Iterator<Item = (u32, Access)> {
        let of = move |instruction: &Instruction| {
            let mut all = instruction.registers().filter(|(r, _)| r.overlaps(&registers)).map(|(_, access)| access);
            let first = all.next()?;
            Some(all.fold(first, Access::and))
        };
        (0u32..).zip(&self.instructions).filter_map(move |(index, i)| Some((index, of(i)?)))
    }
}
