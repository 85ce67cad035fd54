//! One line of the text.

use super::super::super::isa::{Access, File, Instruction, Modifier, Operand, OperandKind, Registers, exist};

/// The longest line that can be an instruction, in bytes.
const MAX_LINE: usize = 4096;
/// The most registers that one operand can name, and more: a matrix takes eight.
const MAX_RUN: u16 = 32;
/// The most operands that an instruction has, and more.
const MAX_OPERANDS: usize = 32;

/// What a line is.
pub(super) enum Line {
    /// Nothing.
    Empty,
    /// The beginning of a block, with its label.
    Block(String),
    /// The end of a block, with the numbers of those that may run next.
    End(Vec<u32>),
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
    if line.len() > MAX_LINE || !line.is_ascii() {
        return Line::Unknown;
    }
    if trimmed.starts_with("block") {
        return block(trimmed).map_or(Line::Unknown, Line::Block);
    }
    if let Some(rest) = trimmed.strip_prefix('}') {
        return rest.trim_start().strip_prefix("->").and_then(numbers).map_or(Line::Unknown, Line::End);
    }
    instruction(line, number).map_or(Line::Unknown, |found| Line::Instruction(Box::new(found)))
}

/// `block.u 3 L7 [1, 2] -> {`.
fn block(text: &str) -> Option<String> {
    let rest = text.strip_prefix("block")?;
    let rest = rest.strip_prefix(".u").unwrap_or(rest).strip_suffix("-> {")?;
    let (names, before) = rest.split_once('[')?;
    numbers(&format!("[{before}"))?;
    let mut words = names.split_ascii_whitespace();
    let (number, label) = (words.next()?, words.next()?);
    let label_is = label.strip_prefix('L').is_some_and(is_number);
    (is_number(number) && label_is && words.next().is_none()).then(|| label.to_owned())
}

/// `[1, 2]`.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    if inner.is_empty() {
        return Some(Vec::new());
    }
    inner.split(',').map(|number| number.trim().parse().ok()).collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn instruction(line: &str, number: u32) -> Option<Instruction> {
    let (code, comment) = line.split_once("//").unwrap_or((line, ""));
    let equals = code.find(" = ");
    let mut words = words(code);
    let mut operands = Vec::new();
    let predicate = words.first().filter(|(_, word)| word.starts_with('@')).copied();
    if let Some((at, word)) = predicate {
        words.remove(0);
        push(&mut operands, at, word, Access::Read)?;
    }
    let written = if predicate.is_some() { Access::Both } else { Access::Write };
    let (before, after): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|(at, _)| equals.is_some_and(|equals| *at < equals));
    for (at, word) in before {
        push(&mut operands, at, word, written)?;
    }
    let mut after = after.into_iter().skip_while(|(_, word)| *word == "=");
    let (_, mnemonic) = after.next()?;
    let is_name = mnemonic.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
    let known = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'[' | b']');
    if !is_name || !mnemonic.bytes().all(known) {
        return None;
    }
    for (at, word) in after {
        push(&mut operands, at, word, Access::Read)?;
    }
    let modifiers = comment.split_ascii_whitespace().map(modifier).collect();
    let mnemonic = mnemonic.to_owned();
    Some(Instruction { line: number, mnemonic, operands, modifiers, words: String::new(), repeated: 0 })
}

/// The words of a line, with their places.
fn words(code: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut from = None;
    for (at, byte) in code.bytes().chain(std::iter::once(b' ')).enumerate() {
        match (byte.is_ascii_whitespace(), from) {
            (false, None) => from = Some(at),
            (true, Some(begin)) => {
                out.extend(code.get(begin..at).map(|word| (begin, word)));
                from = None;
            }
            _ => {}
        }
    }
    out
}

fn modifier(word: &str) -> Modifier {
    let (name, value) = word.split_once(['=', ':']).unwrap_or((word, ""));
    Modifier { name: name.to_owned(), value: value.to_owned() }
}

/// Adds the operands of a word: each register that it names, or itself.
fn push(operands: &mut Vec<Operand>, at: usize, word: &str, access: Access) -> Option<()> {
    let mut any = false;
    for (from, to) in names(word) {
        let columns = [u32::try_from(at + from).ok()?, u32::try_from(at + to).ok()?];
        let text = word.get(from..to)?;
        let Some(registers) = registers(text) else { continue };
        operands.push(Operand { columns, kind: OperandKind::Registers(registers), access, half: None });
        any = true;
    }
    if !any || word.contains('[') {
        let columns = [u32::try_from(at).ok()?, u32::try_from(at + word.len()).ok()?];
        operands.push(Operand { columns, kind: plain(word), access: Access::None, half: None });
    }
    (operands.len() <= MAX_OPERANDS).then_some(())
}

/// A word that is no register.
fn plain(word: &str) -> OperandKind {
    let bare = word.trim_end_matches(',');
    if bare.strip_prefix('L').is_some_and(is_number) {
        return OperandKind::Label(bare.to_owned());
    }
    let number = bare.strip_prefix(['-', '+']).unwrap_or(bare);
    if number.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
        return OperandKind::Literal(bare.to_owned());
    }
    OperandKind::Word(bare.to_owned())
}

/// Where names of registers may stand in a word: runs of letters, digits and dots between other characters.
fn names(word: &str) -> Vec<(usize, usize)> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let mut out = Vec::new();
    let mut from = None;
    for (at, byte) in word.bytes().chain(std::iter::once(b' ')).enumerate() {
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

/// `r3`, `r4..8`, `ur0`, `p1`, `r2.xx`: the names that stand for one value each (`rZ`, `pT`) are none.
fn registers(text: &str) -> Option<Registers> {
    let end = text.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = text.split_at_checked(end)?;
    let file = match prefix {
        "r" => File::General,
        "ur" => File::UniformGeneral,
        "p" => File::Predicate,
        "up" => File::UniformPredicate,
        "b" => File::Convergence,
        "c" => File::Carry,
        _ => return None,
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (first, rest) = rest.split_at_checked(digits)?;
    let first: u16 = first.parse().ok()?;
    let range = rest.strip_prefix("..").filter(|end| end.bytes().next().is_some_and(|b| b.is_ascii_digit()));
    let (end, rest) = match range {
        Some(range) => {
            let digits = range.find(|c: char| !c.is_ascii_digit()).unwrap_or(range.len());
            let (end, rest) = range.split_at_checked(digits)?;
            (end.parse::<u16>().ok()?, rest)
        }
        None => (first.checked_add(1)?, rest),
    };
    // What may follow selects a part of the value: `.xx`, `.h0`, `.abs`, `.x4` (times four).
    let part = rest.is_empty() || rest.strip_prefix('.').is_some_and(|part| !part.is_empty() && !part.contains('.'));
    let count = end.checked_sub(first)?;
    (part && (1..=MAX_RUN).contains(&count) && exist(file, end - 1)).then_some(Registers { file, first, count })
}
