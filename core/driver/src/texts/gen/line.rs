//! One line of the text, in both forms.

use super::super::super::isa::{Access, Instruction, Modifier, Operand, OperandKind};
use super::message::Message;
use super::operand::{self, Extent, Role};
use super::{mesa22, mesa26, names};

/// The longest line that can be an instruction, in bytes.
pub(super) const MAX_LINE: usize = 4096;
/// The most operands that an instruction has, and more.
const MAX_OPERANDS: usize = 32;

/// What a line is.
pub(super) enum Line {
    /// Nothing.
    Empty,
    /// What is delivered in registers, before the code: `Push constant ranges:`.
    Heading,
    /// A label.
    Label(String),
    /// An instruction.
    Instruction(Box<Parsed>),
    /// The second line of a send.
    Message,
    /// None of these.
    Unknown,
}

/// An instruction with what its text says of its operands and its message.
pub(super) struct Parsed {
    pub instruction: Instruction,
    /// What each operand takes of the general registers.
    pub extents: Vec<Extent>,
    /// How many lanes it runs for.
    pub lanes: u32,
    /// Some lanes may be left out by a flag.
    pub predicated: bool,
    /// What a send says to whom.
    pub message: Option<Message>,
    /// It is a send whose message follows in the next line.
    pub open: bool,
}

/// Reads a line. `before` is the instruction of the line before, where that is a send whose message follows.
pub(super) fn read(line: &str, number: u32, before: Option<&mut Parsed>) -> Line {
    let trimmed = line.trim();
    if let Some(send) = before.filter(|send| send.open) {
        return if line.len() <= MAX_LINE && line.is_ascii() && mesa22::close(send, trimmed).is_some() {
            Line::Message
        } else {
            Line::Unknown
        };
    }
    if trimmed.is_empty() {
        return Line::Empty;
    }
    if line.len() > MAX_LINE || !line.is_ascii() {
        return Line::Unknown;
    }
    if trimmed == "Push constant ranges:" || is_range(trimmed) {
        return Line::Heading;
    }
    if let Some(label) = trimmed.strip_suffix(':') {
        return if is_label(label) { Line::Label(label.to_owned()) } else { Line::Unknown };
    }
    let parsed = if is_classic(line) { mesa22::instruction(line, number) } else { mesa26::instruction(line, number) };
    parsed.map_or(Line::Unknown, |parsed| Line::Instruction(Box::new(parsed)))
}

/// `RANGE0 (64B): Vulkan push constants and API params`.
fn is_range(text: &str) -> bool {
    let Some((number, rest)) = text.strip_prefix("RANGE").and_then(|rest| rest.split_once(" (")) else { return false };
    let size = rest.split_once("B): ").map(|(size, _)| size);
    is_number(number) && size.is_some_and(is_number)
}

/// Labels: `LABEL3` up to Mesa 26.1, `L3` after it.
pub(super) fn is_label(text: &str) -> bool {
    let number = text.strip_prefix("LABEL").or_else(|| text.strip_prefix('L'));
    number.is_some_and(is_number)
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line is of the form up to Mesa 26.1: it ends with a semicolon, or is a send whose message follows, of which
/// the lanes stand at the name (`send(8)`).
fn is_classic(line: &str) -> bool {
    let end = line.trim_end();
    let rest = without_predicate(line).trim_start();
    let name = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
    end.ends_with(';') || rest.starts_with("send") && rest.get(name..).is_some_and(|rest| rest.starts_with('('))
}

/// A line without the flag in front of it.
fn without_predicate(line: &str) -> &str {
    let rest = line.trim_start();
    rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest)
}

/// What makes an instruction, while its line is read.
pub(super) struct Builder<'l> {
    pub line: &'l str,
    pub number: u32,
    pub name: String,
    pub lanes: u32,
    pub align16: bool,
    pub operands: Vec<Operand>,
    pub extents: Vec<Extent>,
    pub modifiers: Vec<Modifier>,
}

impl<'l> Builder<'l> {
    pub fn new(line: &'l str, number: u32) -> Builder<'l> {
        Builder {
            line,
            number,
            name: String::new(),
            lanes: 1,
            align16: false,
            operands: Vec::new(),
            extents: Vec::new(),
            modifiers: Vec::new(),
        }
    }

    /// Adds a register that is no general one, or a word.
    pub fn push(&mut self, from: usize, to: usize, kind: OperandKind, access: Access) -> Option<()> {
        let columns = [u32::try_from(from).ok()?, u32::try_from(to).ok()?];
        (from < to && self.operands.len() < MAX_OPERANDS).then_some(())?;
        self.operands.push(Operand { columns, kind, access, half: None });
        self.extents.push(Extent::None);
        Some(())
    }

    /// Adds the flag that a part of the text names: `f0.0`.
    pub fn flag(&mut self, from: usize, text: &str, access: Access) -> Option<()> {
        let Some(at) = text.find('f') else { return Some(()) };
        let rest = text.get(at..)?;
        let named = operand::named(rest)?;
        let kind = match access {
            Access::None => OperandKind::Word(rest.get(..named.length)?.to_owned()),
            _ => OperandKind::Registers(named.registers),
        };
        self.push(from + at, from + at + named.length, kind, access)
    }

    /// Adds the words after the lanes.
    pub fn operands(&mut self, from: usize, to: usize) -> Option<()> {
        let layout = names::layout(&self.name);
        let mut place = 0;
        for (at, text) in operand::tokens(self.line.get(from..to)?) {
            if matches!(text, "JIP:" | "UIP:") {
                continue;
            }
            if let Some(label) = operand::label(text) {
                let begin = from + at + (text.len() - label.len());
                self.push(begin, begin + label.len(), OperandKind::Label(label.to_owned()), Access::None)?;
                continue;
            }
            let role = Role { lanes: self.lanes, align16: self.align16, layout, place };
            place += 1;
            for (operand, extent) in operand::read(text, from + at, role)? {
                (self.operands.len() < MAX_OPERANDS).then_some(())?;
                self.operands.push(operand);
                self.extents.push(extent);
            }
        }
        Some(())
    }

    pub fn modifier(&mut self, name: &str, value: &str) {
        self.modifiers.push(Modifier { name: name.to_owned(), value: value.to_owned() });
    }

    pub fn finish(self, predicated: bool, message: Option<Message>, open: bool) -> Parsed {
        let instruction = Instruction {
            line: self.number,
            mnemonic: self.name,
            operands: self.operands,
            modifiers: self.modifiers,
            words: String::new(),
            repeated: 0,
        };
        Parsed { instruction, extents: self.extents, lanes: self.lanes, predicated, message, open }
    }
}

/// `8`, `16`, the lanes of an instruction.
pub(super) fn lanes(text: &str) -> Option<u32> {
    text.parse().ok().filter(|lanes| matches!(lanes, 1 | 2 | 4 | 8 | 16 | 32))
}
