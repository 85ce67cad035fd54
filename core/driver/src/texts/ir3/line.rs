//! One line of the text.

use super::super::super::isa::{Access, File, Instruction, Modifier, Operand, OperandKind, Registers, exist};
use super::names;

/// The longest line that can be an instruction, in bytes.
const MAX_LINE: usize = 4096;
/// The most operands that an instruction has, and more.
const MAX_OPERANDS: usize = 32;
/// The most bits in front of an instruction, and more.
const MAX_BITS: usize = 16;

/// What a line is.
pub(super) enum Line {
    /// Nothing.
    Empty,
    /// A remark, a heading, or a declaration in front of the code.
    Remark,
    /// A label.
    Label(String),
    /// An instruction.
    Instruction(Box<Instruction>),
    /// None of these.
    Unknown,
}

/// Reads a line.
pub(super) fn read(line: &str, number: u32) -> Line {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return Line::Empty;
    }
    let heading = trimmed.starts_with("Native code for ") && trimmed.ends_with(':');
    let declares = trimmed.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    if trimmed.starts_with(';') || heading || declares {
        return Line::Remark;
    }
    if line.len() > MAX_LINE || !line.is_ascii() {
        return Line::Unknown;
    }
    if let Some(label) = trimmed.strip_suffix(':') {
        return if is_label(label) { Line::Label(label.to_owned()) } else { Line::Unknown };
    }
    instruction(line, number).map_or(Line::Unknown, |found| Line::Instruction(Box::new(found)))
}

fn is_label(text: &str) -> bool {
    text.strip_prefix('l').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

fn instruction(line: &str, number: u32) -> Option<Instruction> {
    let mut at = line.len() - line.trim_start().len();
    let mut modifiers = Vec::new();
    // `(sy)(rpt2)mul.f`, `(nop3) mad.f32`.
    while let Some(inner) = line.get(at..)?.strip_prefix('(') {
        let (bit, _) = inner.split_once(')')?;
        modifiers.push(modifier(bit)?);
        at += bit.len() + 2;
        at += line.get(at..)?.len() - line.get(at..)?.trim_start().len();
        if modifiers.len() > MAX_BITS {
            return None;
        }
    }
    let rest = line.get(at..)?;
    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let mnemonic = rest.get(..length)?;
    let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.');
    if !mnemonic.bytes().next()?.is_ascii_lowercase() || !mnemonic.bytes().all(known) {
        return None;
    }
    let mut instruction = Instruction {
        line: number,
        mnemonic: mnemonic.to_owned(),
        operands: Vec::new(),
        modifiers,
        words: String::new(),
        repeated: 0,
    };
    let repeat = instruction.modifier("rpt").and_then(|count| count.parse().ok()).unwrap_or(0u16);
    let mut position = 0;
    let mut from = at + length;
    for part in line.get(from..)?.split(',') {
        let end = from + part.len();
        if !part.trim().is_empty() {
            let begin = from + (part.len() - part.trim_start().len());
            push(&mut instruction, (begin, part.trim()), position, repeat)?;
            position += 1;
        }
        from = end + 1;
    }
    names::set_count(&mut instruction);
    Some(instruction)
}

/// `ss`, `rpt2`.
fn modifier(bit: &str) -> Option<Modifier> {
    let digits = bit.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(bit.len());
    let (name, value) = bit.split_at_checked(digits)?;
    let plain = !name.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| Modifier { name: name.to_owned(), value: value.to_owned() })
}

/// Adds what an operand names: its registers, else itself.
fn push(instruction: &mut Instruction, (at, text): (usize, &str), position: usize, repeat: u16) -> Option<()> {
    let mut any = false;
    let within = text.contains(['[', '<']);
    for (from, to) in words(text) {
        let Some(register) = text.get(from..to).and_then(register) else { continue };
        let advances = position < names::results(&instruction.mnemonic) || text.contains("(r)");
        let count = match names::run(&instruction.mnemonic, position, text).filter(|_| !within) {
            Some((skip, count)) => {
                let first = register.first.checked_add(skip)?;
                Registers { first, count, ..register }
            }
            None if advances && !within => Registers { count: repeat.checked_add(1)?, ..register },
            None => register,
        };
        if !exist(count.file, count.first.checked_add(count.count)?.checked_sub(1)?) {
            continue;
        }
        let columns = [u32::try_from(at + from).ok()?, u32::try_from(at + to).ok()?];
        let access = names::access(&instruction.mnemonic, position, within);
        instruction.operands.push(Operand { columns, kind: OperandKind::Registers(count), access, half: None });
        any = true;
    }
    if !any {
        let columns = [u32::try_from(at).ok()?, u32::try_from(at + text.len()).ok()?];
        let label = text.strip_prefix('#').filter(|label| is_label(label));
        let kind = match label {
            Some(label) => OperandKind::Label(label.to_owned()),
            None if text.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'-') => {
                OperandKind::Literal(text.to_owned())
            }
            None => OperandKind::Word(text.to_owned()),
        };
        instruction.operands.push(Operand { columns, kind, access: Access::None, half: None });
    }
    (instruction.operands.len() <= MAX_OPERANDS).then_some(())
}

/// Runs of letters, digits and dots.
fn words(text: &str) -> Vec<(usize, usize)> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'.';
    let mut out = Vec::new();
    let mut from = None;
    for (at, byte) in text.bytes().chain(std::iter::once(b' ')).enumerate() {
        match (is_part(byte), from) {
            (true, None) => from = Some(at),
            (false, Some(begin)) => {
                out.push((begin, at));
                from = None;
            }
            _ => {}
        }
    }
    out
}

/// `r1.z`, `hr0.x`, `p0.y`, `a1.x`. `r63.x` says that there is none.
pub(super) fn register(text: &str) -> Option<Registers> {
    let end = text.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = text.split_at_checked(end)?;
    let file = match prefix {
        "r" => File::Full,
        "hr" => File::Half,
        "p" | "up" => File::PredicateComponent,
        "a" => File::Address,
        _ => return None,
    };
    let (number, component) = rest.split_once('.')?;
    let component = ["x", "y", "z", "w"].iter().position(|letter| *letter == component)?;
    let number: u16 = number.parse().ok()?;
    let first = number.checked_mul(4)?.checked_add(u16::try_from(component).ok()?)?;
    let first = if prefix == "up" { first.checked_add(4)? } else { first };
    let none = number == 63 && file != File::Address;
    (!none && exist(file, first)).then_some(Registers { file, first, count: 1 })
}
