//! The form that Mesa 26.2 prints for Gen9 and later chips.
//!
//! `(W&~f0.0) add (16|M16) (lt)f0.0 r3:f r4:f r5<0>:f {Compacted,F@3,$2.dst}  // …`: `W` is set where all lanes run. A
//! send names its unit, and the remark after it says what is sent and how many registers are read (`wr`) and written
//! (`rd`): `send.smpl (8) r47 r1 r10 0x40 0x2320002 {$0}  // wr:1+1, rd:3; sample:u,v,r,ai (8) bti(2) …`.

use super::super::super::isa::Access;
use super::line::{Builder, Parsed, lanes};
use super::message::{Message, Unit};
use super::names;

/// Reads an instruction.
pub(super) fn instruction(line: &str, number: u32) -> Option<Parsed> {
    let mut builder = Builder::new(line, number);
    let (code, remark) = line.split_once("//").unwrap_or((line, ""));
    let mut at = code.len() - code.trim_start().len();
    let mut predicated = false;
    if let Some(inner) = code.get(at..)?.strip_prefix('(') {
        let (predicate, _) = inner.split_once(')')?;
        if predicate.split('&').any(|part| part == "W") {
            builder.modifier("W", "");
        }
        predicated = predicate.contains('f');
        builder.flag(at + 1, predicate, Access::Read)?;
        at += predicate.len() + 2;
        at += blank(code, at)?;
    }
    let name = name(code.get(at..)?)?;
    builder.name = name.to_owned();
    if code.get(at..)?.trim_end() == "nop" {
        return remark.is_empty().then(|| builder.finish(predicated, None, false));
    }
    at += name.len();
    at += blank(code, at)?;
    let inner = code.get(at..)?.strip_prefix('(')?;
    let (count, _) = inner.split_once(')')?;
    builder.lanes = lanes(count.split('|').next()?)?;
    builder.modifier("lanes", count);
    at += count.len() + 2;
    let (to, control) = match code.get(at..)?.find('{') {
        Some(open) => (at + open, code.get(at + open + 1..)?.trim_end().strip_suffix('}')?),
        None => (code.len(), ""),
    };
    if control.contains(['{', '}']) || code.get(at..to)?.contains('}') {
        return None;
    }
    builder.align16 = control.split(',').any(|word| word == "Align16");
    let condition = at + blank(code, at)?;
    if let Some(inner) = code.get(condition..to).and_then(|rest| rest.strip_prefix('(')) {
        let (word, rest) = inner.split_once(')')?;
        // `(abs)` stands in front of an operand.
        if word != "abs" {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (access, from) = (names::condition(name), condition + word.len() + 2);
            builder.flag(from, rest.get(..length)?, access)?;
            at = from + length;
        }
    }
    builder.operands(at, to)?;
    control.split(',').filter(|word| !word.is_empty()).for_each(|word| builder.modifier(word, ""));
    if !names::is_send(name) {
        return remark.is_empty().then(|| builder.finish(predicated, None, false));
    }
    let (lengths, content) = split(remark)?;
    for (name, value) in ["rlen", "mlen", "ex_mlen"].iter().zip(lengths) {
        if let Some(value) = value {
            builder.modifier(name, &value.to_string());
        }
    }
    let unit = name.split_once('.').map_or("", |(_, unit)| unit);
    builder.modifier(unit, content);
    let mut parsed = builder.finish(predicated, None, false);
    let descriptor = super::operand::descriptor(&parsed.instruction);
    parsed.message = Some(Message { unit: Unit::current(unit), content: content.to_owned(), lengths, descriptor });
    super::operand::set_lengths(&mut parsed);
    Some(parsed)
}

/// How many blanks there are.
fn blank(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    Some(rest.len() - rest.trim_start().len())
}

/// The name at the start of a text: `bfn.(a & b | ~a & c)` has its function in it.
fn name(text: &str) -> Option<&str> {
    let end = if text.starts_with("bfn.(") {
        text.find(')')? + 1
    } else {
        text.find(char::is_whitespace).unwrap_or(text.len())
    };
    let name = text.get(..end)?;
    let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_');
    let plain = name.starts_with("bfn.(") || name.bytes().all(known);
    (name.starts_with(|c: char| c.is_ascii_lowercase()) && plain).then_some(name)
}

/// How many registers are written and read, and what is sent: `wr:1h+8, rd:0; simd8_write off=2 (8)`. Nothing is said of a
/// message that registers hold.
fn split(remark: &str) -> Option<([Option<u32>; 3], &str)> {
    let remark = remark.trim();
    if remark.is_empty() {
        return Some(([None; 3], ""));
    }
    let (lengths, content) = remark.strip_prefix("wr:")?.split_once(';')?;
    let (reads, writes) = lengths.split_once(", rd:")?;
    let (first, second) = reads.split_once('+')?;
    let first = first.strip_suffix('h').unwrap_or(first).parse().ok();
    Some(([writes.trim().parse().ok(), first, second.parse().ok()], content.trim()))
}
