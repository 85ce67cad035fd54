//! The form that Mesa 22.3 to 26.1 print for all chips, and later ones for Gen8.
//!
//! `(+f0.0) add.sat.l.f0.0(8) g3<1>F g4<8,8,1>F g5<0,1,0>F { align1 1Q @3 compacted };`. A send has a second line, which
//! begins with the unit that it is sent to: `sampler MsgDesc: sample SIMD8 Surface = 3 Sampler = 0 mlen 2 rlen 4 { … };`.

use super::super::super::isa::Access;
use super::line::{Builder, Parsed, lanes};
use super::message::{Message, Unit};
use super::names;

/// Reads an instruction, or the first line of a send.
pub(super) fn instruction(line: &str, number: u32) -> Option<Parsed> {
    let mut builder = Builder::new(line, number);
    let mut at = line.len() - line.trim_start().len();
    let mut predicated = false;
    if let Some(inner) = line.get(at..)?.strip_prefix('(') {
        let (predicate, _) = inner.split_once(')')?;
        builder.flag(at + 1, predicate, Access::Read)?;
        predicated = true;
        at += predicate.len() + 2;
        at += line.get(at..)?.len() - line.get(at..)?.trim_start().len();
    }
    let rest = line.get(at..)?;
    if rest.starts_with("nop") && rest.get(3..)?.trim() == ";" {
        builder.name = "nop".to_owned();
        return Some(builder.finish(false, None, false));
    }
    let (name, after) = rest.split_once('(')?;
    let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b' ' | b'[' | b']');
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.ends_with(' ');
    if !is_name || !name.bytes().all(known) {
        return None;
    }
    let (count, _) = after.split_once(')')?;
    builder.name = name.to_owned();
    builder.lanes = lanes(count)?;
    builder.modifier("lanes", count);
    if let Some(flag) = name.rfind(".f") {
        builder.flag(at + flag, name.get(flag..)?, Access::Both)?;
    }
    let from = at + name.len() + count.len() + 2;
    let (to, control) = control(line, from)?;
    builder.align16 = control.split_ascii_whitespace().any(|word| word == "align16");
    builder.operands(from, to)?;
    let sends = names::is_send(name);
    // Only the first of a send's two lines has no braces.
    if sends != (to == line.len()) {
        return None;
    }
    set_control(&mut builder, control);
    Some(builder.finish(predicated, None, sends))
}

/// Where the operands end, and what is in the braces.
fn control(line: &str, from: usize) -> Option<(usize, &str)> {
    let rest = line.get(from..)?;
    let Some(open) = rest.find('{') else {
        return (!rest.contains([';', '}'])).then_some((line.len(), ""));
    };
    let inner = rest.get(open + 1..)?.trim_end().strip_suffix("};")?;
    (!inner.contains(['{', '}'])).then_some((from + open, inner))
}

fn set_control(builder: &mut Builder<'_>, control: &str) {
    control.split([' ', ',']).filter(|word| !word.is_empty()).for_each(|word| builder.modifier(word, ""));
}

/// Adds the second line of a send.
pub(super) fn close(send: &mut Parsed, text: &str) -> Option<()> {
    let (unit, rest) = text.split_once("MsgDesc:")?;
    let unit = unit.trim();
    let (words, control) = rest.split_once('{')?;
    let control = control.strip_suffix("};")?;
    if words.contains('}') || control.contains(['{', '}']) {
        return None;
    }
    let (lengths, content) = lengths(words);
    for (name, value) in ["rlen", "mlen", "ex_mlen"].iter().zip(lengths) {
        send.instruction.modifiers.extend(value.map(|value| super::modifier(name, &value.to_string())));
    }
    // Registers hold the message.
    let content = if content == "indirect" { String::new() } else { content };
    send.instruction.modifiers.push(super::modifier(unit, &content));
    let control_words = control.split([' ', ',']).filter(|word| !word.is_empty());
    send.instruction.modifiers.extend(control_words.map(|word| super::modifier(word, "")));
    send.message = Some(Message { unit: Unit::classic(unit), content, lengths, descriptor: None });
    send.open = false;
    super::operand::set_lengths(send);
    Some(())
}

/// How many registers a message writes and reads, and what it says beside that: `… mlen 2 ex_mlen 0 rlen 4`,
/// `… dst_len = 2, src0_len = 2, src1_len = 0 …`.
fn lengths(text: &str) -> ([Option<u32>; 3], String) {
    let mut lengths = [None; 3];
    let mut content = Vec::new();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let which = match word {
            "rlen" | "dst_len" => Some(0),
            "mlen" | "src0_len" => Some(1),
            "ex_mlen" | "src1_len" => Some(2),
            _ => None,
        };
        match which.and_then(|which| lengths.get_mut(which)) {
            Some(length) => {
                words.next_if_eq(&"=");
                *length = words.next().and_then(|number| number.trim_end_matches(',').parse().ok());
            }
            None => content.push(word),
        }
    }
    (lengths, content.join(" "))
}
