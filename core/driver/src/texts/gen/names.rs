//! Names of instructions, in tables.

use super::super::super::isa::{Access, Instruction, OperandKind};
use super::super::Axis;
use super::line::Parsed;
use super::operand::Role;

/// What the operands of an instruction are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// The first is written, the others are read.
    Plain,
    /// All are read.
    NoResult,
    /// A result, one or two sources in whole registers, and numbers that describe the message.
    Send,
    /// A plane, as four values, and two values a lane.
    Plane,
    /// The first is written, a general register, and three are read.
    Three,
}

/// Instructions without a result.
const NO_RESULT: [&str; 13] =
    ["sync", "wait", "nop", "if", "else", "endif", "while", "break", "cont", "halt", "jmpi", "goto", "join"];

/// Instructions with three sources.
const THREE_SOURCES: [&str; 8] = ["mad", "madm", "add3", "bfe", "bfi2", "bfn", "csel", "dp4a"];

/// Instructions after which another one than the next may run.
const BRANCHES: [&str; 15] = [
    "if", "else", "endif", "while", "break", "cont", "halt", "goto", "join", "jmpi", "brc", "brd", "call", "calla",
    "ret",
];

/// The name up to its first dot, blank or bracket.
pub(super) fn base(name: &str) -> &str {
    name.split(['.', ' ', '[']).next().unwrap_or(name)
}

/// Whether an instruction sends a message.
pub(super) fn is_send(name: &str) -> bool {
    matches!(base(name), "send" | "sendc" | "sends" | "sendsc")
}

/// Whether an instruction ends a block.
pub(super) fn is_branch(name: &str) -> bool {
    BRANCHES.contains(&base(name))
}

/// Whether no lane goes on behind an instruction: each lane that runs leaves.
pub(super) fn leaves(parsed: &Parsed) -> bool {
    !parsed.predicated && matches!(base(&parsed.instruction.mnemonic), "break" | "cont" | "halt")
}

pub(super) fn layout(name: &str) -> Layout {
    match base(name) {
        _ if is_send(name) => Layout::Send,
        base if NO_RESULT.contains(&base) => Layout::NoResult,
        "pln" => Layout::Plane,
        base if THREE_SOURCES.contains(&base) => Layout::Three,
        _ => Layout::Plain,
    }
}

/// How many elements an operand has, where its region does not say it.
pub(super) fn elements(role: Role) -> Option<u32> {
    match (role.layout, role.place) {
        (Layout::Plane, 1) => Some(4),
        (Layout::Plane, 2) => Some(role.lanes * 2),
        _ => None,
    }
}

/// What an instruction does with the flag of its condition: a selection and a branch compare without it.
pub(super) fn condition(name: &str) -> Access {
    if matches!(base(name), "sel" | "csel" | "if" | "while") { Access::None } else { Access::Both }
}

/// What an instruction waits for by its name: all results, all reads. One that does nothing waits by its control alone.
pub(super) fn waits(name: &str) -> bool {
    base(name) == "sync" && !name.ends_with("nop") && !name.ends_with("bar")
}

/// Whether a word of an instruction's control waits: `@3`, `F@7`, `$2.dst`, `$2.src`. `$2` alone is set by it.
pub(super) fn is_wait(word: &str) -> bool {
    let distance = word.split_once('@').is_some_and(|(pipe, count)| {
        pipe.len() <= 1 && pipe.bytes().all(|b| b.is_ascii_uppercase()) && super::line::is_number(count)
    });
    let token = word.strip_prefix('$').and_then(|rest| rest.split_once('.'));
    distance || token.is_some_and(|(number, how)| super::line::is_number(number) && matches!(how, "dst" | "src"))
}

/// Along which axis an instruction subtracts the lanes of a quad: `add g3 g2.1<4,4,0>F -g2<4,4,0>F`.
pub(super) fn axis(instruction: &Instruction, line: &str) -> Option<Axis> {
    if base(&instruction.mnemonic) != "add" {
        return None;
    }
    let mut sources = instruction.operands.iter().skip_while(|operand| !operand.access.writes()).skip(1);
    let [one, other] = [sources.next()?, sources.next()?].map(|operand| quad(operand.columns, &operand.kind, line));
    let (one, other) = (one?, other?);
    if one.register != other.register || one.region != other.region || one.negated == other.negated {
        return None;
    }
    let (plus, minus) = if one.negated { (other, one) } else { (one, other) };
    match (plus.swizzle, minus.swizzle) {
        (Some("zwzw"), Some("xyxy")) if plus.part == minus.part => return Some(Axis::Y),
        (Some("yyww"), Some("xxzz")) if plus.part == minus.part => return Some(Axis::X),
        (None, None) => {}
        _ => return None,
    }
    let apart = plus.part.checked_sub(minus.part)?;
    match (plus.region, apart) {
        // Each pair of lanes, or the first pair of each quad.
        ("<2,2,0>" | "<2;2,0>" | "<4,4,0>" | "<4;4,0>", 1) => Some(Axis::X),
        ("<4,4,0>" | "<4;4,0>" | "<0,2,1>" | "<0;2,1>", 2) => Some(Axis::Y),
        _ => None,
    }
}

/// A source of a subtraction.
#[derive(Clone, Copy)]
struct Quad<'l> {
    register: (u16, &'l str),
    part: u32,
    region: &'l str,
    swizzle: Option<&'l str>,
    negated: bool,
}

fn quad<'l>(columns: [u32; 2], kind: &OperandKind, line: &'l str) -> Option<Quad<'l>> {
    let OperandKind::Registers(registers) = kind else { return None };
    let [from, to] = columns.map(|column| column as usize);
    let negated = line.get(..from)?.ends_with('-');
    let part = line.get(from..to)?.split_once('.').map_or(Some(0), |(_, part)| part.parse().ok())?;
    let rest = line.get(to..)?;
    let rest = rest.get(..rest.find(char::is_whitespace).unwrap_or(rest.len()))?;
    let end = rest.find('>')? + 1;
    let (region, rest) = rest.split_at_checked(end)?;
    let swizzle = rest.strip_prefix('.').and_then(|rest| rest.get(..4));
    let kind = rest.trim_start_matches('.').trim_start_matches(['x', 'y', 'z', 'w']);
    Some(Quad { register: (registers.first, kind), part, region, swizzle, negated })
}
