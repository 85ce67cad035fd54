//! Parses text into instructions and blocks.
//!
//! Bytes are looked at once, left to right; nothing is nested, so nothing recurses.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::live::exist;
use super::names::is_export;
use super::{Access, Block, File, Half, Instruction, IsaFacts, MAX_LINES, Modifier, Operand, OperandKind, Registers};

/// The longest line that can be an instruction, in bytes: real ones have less than 200.
const MAX_LINE: usize = 4096;
/// The most registers that one operand can name, and more: an image's description takes eight.
const MAX_RUN: u16 = 32;
/// The most operands that an instruction has, and more: an image address in pieces takes thirteen.
const MAX_OPERANDS: usize = 32;
/// Instructions and blocks; the blocks without their successors.
pub(super) fn parse(text: &str) -> IsaFacts {
    let mut facts = IsaFacts::default();
    let mut lines = text.split('\n');
    let mut in_data = false;
    for (number, line) in (0u32..).zip(lines.by_ref().take(MAX_LINES)) {
        in_data |= line.trim() == CONSTANT_DATA;
        let (code, comment) = line.split_once(';').unwrap_or((line, ""));
        let code = &*without_comments(code);
        let trimmed = code.trim();
        if trimmed.is_empty() || in_data && is_data(trimmed) {
            continue;
        }
        if let Some(label) = label(trimmed) {
            open(&mut facts, Some(label), number);
        } else if let Some(count) = repeats(trimmed)
            && let Some(last) = facts.instructions.last_mut()
            && last.line.saturating_add(1) == number
        {
            last.repeated = last.repeated.saturating_add(count);
        } else if let Some(instruction) = instruction(code, comment, number) {
            if facts.blocks.is_empty() {
                open(&mut facts, None, number);
            }
            let leaves = is_branch(&instruction.mnemonic) || is_end(&instruction.mnemonic);
            if let Some(block) = facts.blocks.last_mut() {
                block.count += 1;
            }
            facts.instructions.push(instruction);
            if leaves {
                open(&mut facts, None, number.saturating_add(1));
            }
        } else {
            facts.unknown.push(number);
        }
    }
    facts.cut = lines.next().is_some();
    // A block that was opened after a branch, and got neither a label nor an instruction.
    facts.blocks.retain(|block| block.label.is_some() || block.count > 0);
    facts
}

/// The heading of the constants after the code.
const CONSTANT_DATA: &str = "/* constant data */";

/// Whether a line holds constants: the byte at which they begin, and up to eight words.
fn is_data(code: &str) -> bool {
    let mut words = code.split_ascii_whitespace();
    let at = words.next().and_then(|word| word.strip_prefix('[')?.strip_suffix(']'));
    let hex = |word: &str| word.len() == 8 && word.bytes().all(|b| b.is_ascii_hexdigit());
    at.is_some_and(|at| !at.is_empty() && at.bytes().all(|b| b.is_ascii_digit())) && words.all(hex)
}

/// How many more times the instruction above is repeated, from a line that says so.
fn repeats(code: &str) -> Option<u32> {
    code.strip_prefix("(then repeated ")?.strip_suffix(" times)")?.parse().ok()
}

/// A line with comments in `/* */` replaced by spaces, so that columns stay.
fn without_comments(code: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(code);
    if code.len() > MAX_LINE {
        return out;
    }
    while let Some(from) = out.find("/*") {
        let Some(length) = out.get(from..).and_then(|rest| rest.find("*/")) else { break };
        let end = from + length + 2;
        let spaces = " ".repeat(end - from);
        out.to_mut().replace_range(from..end, &spaces);
    }
    out
}

/// Starts a block at the next instruction. One that was opened and is still empty gives way.
fn open(facts: &mut IsaFacts, label: Option<String>, line: u32) {
    let first = u32::try_from(facts.instructions.len()).unwrap_or(u32::MAX);
    if facts.blocks.last().is_some_and(|block| block.count == 0 && block.label.is_none()) {
        facts.blocks.pop();
    }
    facts.blocks.push(Block { label, line, first, count: 0, successors: Vec::new() });
}

/// Whether an instruction names a label to go to.
pub(super) fn is_branch(mnemonic: &str) -> bool {
    mnemonic == "s_branch" || mnemonic.starts_with("s_cbranch_") || mnemonic.starts_with("s_subvector_loop")
}

/// Whether nothing of this text runs after an instruction.
pub(super) fn is_end(mnemonic: &str) -> bool {
    mnemonic.starts_with("s_endpgm") || matches!(mnemonic, "s_setpc_b64" | "s_rfe_b64")
}

fn label(code: &str) -> Option<String> {
    let name = code.strip_suffix(':')?;
    is_name(name).then(|| name.to_owned())
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
}

fn instruction(code: &str, comment: &str, line: u32) -> Option<Instruction> {
    if code.len() > MAX_LINE || !code.is_ascii() {
        return None;
    }
    let start = code.len() - code.trim_start().len();
    let rest = code.get(start..)?;
    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let mnemonic = rest.get(..length)?;
    // Names have a part for what they work on: this distinguishes them from words of a sentence.
    let known = is_export(mnemonic) || (is_name(mnemonic) && mnemonic.contains('_'));
    if !known || mnemonic.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let mut instruction = Instruction {
        line,
        mnemonic: mnemonic.to_owned(),
        operands: Vec::new(),
        modifiers: Vec::new(),
        words: words(comment),
        repeated: 0,
    };
    for Part { from, to, separated } in split(code, start + length) {
        let text = code.get(from..to)?;
        // There is no comma between an export's target and its first channel.
        let channel = is_export(&instruction.mnemonic) && text == "off";
        let as_modifier = modifier(text, separated || channel || instruction.operands.is_empty());
        match as_modifier {
            Some(modifier) => instruction.modifiers.push(modifier),
            None if instruction.operands.len() >= MAX_OPERANDS => return None,
            None => {
                let kind = operand(text);
                let half = if matches!(kind, OperandKind::Registers(_)) { half(text) } else { None };
                let columns = [u32::try_from(from).ok()?, u32::try_from(to).ok()?];
                instruction.operands.push(Operand { columns, kind, access: Access::None, half });
            }
        }
    }
    Some(instruction)
}

/// One piece after the mnemonic.
struct Part {
    from: usize,
    to: usize,
    /// A comma precedes it.
    separated: bool,
}

/// Pieces between commas and spaces that are not in brackets.
fn split(code: &str, start: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut from, mut depth, mut separated) = (None, 0u32, false);
    for (at, byte) in code.bytes().enumerate().skip(start) {
        // Brackets around registers that lie apart, as in an image's address, only hold them together.
        let around = byte == b'[' && from.is_none() || byte == b']';
        let ends = depth == 0 && (around || byte == b',' || byte.is_ascii_whitespace());
        match byte {
            _ if ends => {}
            b'[' | b'(' => depth = depth.saturating_add(1),
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !ends {
            from.get_or_insert(at);
            continue;
        }
        if let Some(begin) = from.take() {
            parts.push(Part { from: begin, to: at, separated });
            separated = false;
        }
        separated |= byte == b',';
    }
    if let Some(begin) = from {
        parts.push(Part { from: begin, to: code.len(), separated });
    }
    parts
}

/// A piece that stands after operands; `first` where it may be an operand: after a comma, or the first one.
fn modifier(text: &str, first: bool) -> Option<Modifier> {
    if let Some((name, value)) = text.split_once(':')
        && is_name(name)
    {
        return Some(Modifier { name: name.to_owned(), value: value.to_owned() });
    }
    // A comma precedes every operand but the first.
    let bare = !first && is_name(text) && registers(text).is_none();
    bare.then(|| Modifier { name: text.to_owned(), value: String::new() })
}

/// The half that a register's name has from GFX11 on: `v3.l`, `-|v3.h|`.
fn half(text: &str) -> Option<Half> {
    let text = text.trim_end_matches(['|', ')']);
    match text.rsplit_once('.')?.1 {
        "l" => Some(Half::Low),
        "h" => Some(Half::High),
        _ => None,
    }
}

fn operand(text: &str) -> OperandKind {
    // Modifiers of the value: negated, absolute, sign-extended.
    let inner = text.strip_prefix('-').unwrap_or(text);
    let inner = inner.strip_prefix("sext(").and_then(|t| t.strip_suffix(')')).unwrap_or(inner);
    let inner = inner.strip_prefix('|').and_then(|t| t.strip_suffix('|')).unwrap_or(inner);
    if let Some(registers) = registers(inner) {
        return OperandKind::Registers(registers);
    }
    if let Some((attribute, channel)) = attribute(inner) {
        return OperandKind::Attribute { attribute, channel };
    }
    // `BB3`, or LLVM's `BB0_3`: of the function 0. A branch may name its label `.LBB0_3`.
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let is_block =
        |n: &str| n.split_once('_').map_or(is_number(n), |(function, n)| is_number(function) && is_number(n));
    let name = text.strip_prefix(".L").unwrap_or(text);
    if name.strip_prefix("BB").is_some_and(is_block) {
        return OperandKind::Label(name.to_owned());
    }
    if inner.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.') {
        return OperandKind::Literal(text.to_owned());
    }
    OperandKind::Word(text.to_owned())
}

/// `v3`, `s[4:7]`, `vcc`, `exec_lo`, `m0`.
fn registers(text: &str) -> Option<Registers> {
    let one = |file, first, count| Some(Registers { file, first, count });
    match text {
        "vcc" => return one(File::Vcc, 0, 2),
        "vcc_lo" => return one(File::Vcc, 0, 1),
        "vcc_hi" => return one(File::Vcc, 1, 1),
        "exec" => return one(File::Exec, 0, 2),
        "exec_lo" => return one(File::Exec, 0, 1),
        "exec_hi" => return one(File::Exec, 1, 1),
        "m0" => return one(File::M0, 0, 1),
        "scc" | "src_scc" => return one(File::Scc, 0, 1),
        _ => {}
    }
    let (file, rest) = match text.as_bytes().first()? {
        b'v' => (File::Vector, text.get(1..)?),
        b's' => (File::Scalar, text.get(1..)?),
        _ => return None,
    };
    // From GFX11 on `v3.l` and `v3.h` are halves.
    let rest = rest.strip_suffix(".l").or_else(|| rest.strip_suffix(".h")).unwrap_or(rest);
    let (first, last) = match rest.strip_prefix('[') {
        Some(range) => {
            let range = range.strip_suffix(']')?;
            let (first, last) = range.split_once(':').unwrap_or((range, range));
            (number(first)?, number(last)?)
        }
        None => (number(rest)?, number(rest)?),
    };
    let count = last.checked_sub(first)?.checked_add(1)?;
    (count <= MAX_RUN && exist(file, last)).then_some(Registers { file, first, count })
}

fn number(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn attribute(text: &str) -> Option<(u32, u8)> {
    let (index, channel) = text.strip_prefix("attr")?.split_once('.')?;
    let channel = ["x", "y", "z", "w"].iter().position(|name| *name == channel)?;
    Some((number(index)?.into(), u8::try_from(channel).ok()?))
}

/// The encoding, if the comment is one.
fn words(comment: &str) -> String {
    let comment = comment.trim();
    let is = !comment.is_empty()
        && comment.split_ascii_whitespace().all(|w| w.len() == 8 && w.bytes().all(|b| b.is_ascii_hexdigit()));
    if is { comment.to_owned() } else { String::new() }
}

/// The block of each label; the first one where a text has a label twice.
pub(super) fn labels(blocks: &[Block]) -> BTreeMap<&str, u32> {
    let mut out = BTreeMap::new();
    for (index, block) in (0u32..).zip(blocks) {
        if let Some(label) = &block.label {
            out.entry(label.as_str()).or_insert(index);
        }
    }
    out
}
