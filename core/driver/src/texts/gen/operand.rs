//! Operands: registers with their regions, and what these take of the general registers.

use super::super::super::isa::{Access, File, Instruction, Operand, OperandKind, Registers, exist};
use super::line::{Parsed, is_label, is_number};
use super::names::{self, Layout};

/// How much of the general registers an operand takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// It is no general register.
    None,
    /// Elements, from the start of the named register on.
    Bytes(Elements),
    /// Whole registers.
    Registers(u16),
    /// The result, the first or the second source of a send: how many registers that is its message says.
    Sent(usize),
    /// It is not said which registers, or how many.
    Unknown,
}

impl Extent {
    /// How many parts it has.
    pub fn steps(self) -> usize {
        match self {
            Extent::Bytes(elements) => elements.count as usize,
            Extent::Registers(count) => usize::from(count),
            _ => 0,
        }
    }
}

/// Rows of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Elements {
    /// The first byte.
    pub from: u32,
    /// Bytes of an element.
    pub size: u32,
    pub count: u32,
    /// Elements in a row, and how far apart they and the rows are, in elements.
    pub width: u32,
    pub horizontal: u32,
    pub vertical: u32,
}

impl Elements {
    /// Where each element begins.
    pub fn starts(self) -> impl Iterator<Item = u32> {
        let place = move |index: u32| {
            let width = self.width.max(1);
            self.from + (index / width * self.vertical + index % width * self.horizontal) * self.size
        };
        (0..self.count).map(place)
    }

    /// The byte behind the last one.
    pub fn end(self) -> u32 {
        self.starts().map(|start| start + self.size).max().unwrap_or(self.from)
    }

    /// Whether no byte between the first and the last is left out.
    pub fn is_dense(self) -> bool {
        self.width >= self.count && self.horizontal == 1
    }
}

/// What is known of an operand before it is read.
#[derive(Clone, Copy)]
pub(super) struct Role {
    pub lanes: u32,
    pub align16: bool,
    pub layout: Layout,
    /// Its number among the operands.
    pub place: usize,
}

/// A name of a register.
pub(super) struct Named {
    pub registers: Registers,
    /// The number after the dot, in elements.
    part: u32,
    /// The length of its text.
    pub length: usize,
}

/// The words of a text, with their places: blanks between brackets are part of a word, and comments (`/* 0.1F */`) none.
pub(super) fn tokens(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut from, mut inside) = (0, None, false);
    while let Some(byte) = bytes.get(at) {
        let comment = from.is_none() && text.get(at..).is_some_and(|rest| rest.starts_with("/*"));
        if comment {
            at += text.get(at..).and_then(|rest| rest.find("*/")).map_or(bytes.len(), |end| end + 2);
            continue;
        }
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            _ => {}
        }
        match (byte.is_ascii_whitespace() && !inside, from) {
            (false, None) => from = Some(at),
            (true, Some(begin)) => {
                out.extend(text.get(begin..at).map(|word| (begin, word)));
                from = None;
            }
            _ => {}
        }
        at += 1;
    }
    out.extend(from.and_then(|begin| Some((begin, text.get(begin..)?))));
    out
}

/// The label that a word names: `LABEL3`, `jip:L1`.
pub(super) fn label(text: &str) -> Option<&str> {
    let bare = text.strip_prefix("jip:").or_else(|| text.strip_prefix("uip:")).unwrap_or(text);
    is_label(bare).then_some(bare)
}

/// The register that a text begins with: `g3.4`, `acc0`, `f0.1`, `a0.2`.
pub(super) fn named(text: &str) -> Option<Named> {
    let letters = text.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = text.split_at_checked(letters)?;
    let file = match prefix {
        "g" => File::Grf,
        "r" => File::General,
        "acc" => File::Accumulator,
        "f" => File::Flag,
        "a" => File::AddressRegister,
        _ => return None,
    };
    let digits = digits(rest);
    let first: u16 = rest.get(..digits)?.parse().ok()?;
    let part = rest.get(digits..)?.strip_prefix('.').filter(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let (part, length) = match part {
        Some(part) => {
            let count = self::digits(part);
            (part.get(..count)?.parse().ok()?, letters + digits + 1 + count)
        }
        None => (0, letters + digits),
    };
    exist(file, first).then_some(Named { registers: Registers { file, first, count: 1 }, part, length })
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// Reads a word: the registers that it names, or itself.
pub(super) fn read(text: &str, at: usize, role: Role) -> Option<Vec<(Operand, Extent)>> {
    let bare = text.trim_start_matches(['-', '~']);
    let bare = bare.strip_prefix("(abs)").unwrap_or(bare);
    let operand = |from: usize, to: usize, kind, access| {
        let columns = [u32::try_from(from).ok()?, u32::try_from(to).ok()?];
        Some(Operand { columns, kind, access, half: None })
    };
    let whole = |kind| operand(at, at + text.len(), kind, Access::None);
    if let Some(open) = bare.find('[').filter(|open| matches!(bare.get(..*open), Some("g" | "r"))) {
        // An address is read, and a register that nobody names.
        let mut out = vec![(whole(OperandKind::Word(text.to_owned()))?, Extent::Unknown)];
        let from = at + (text.len() - bare.len()) + open + 1;
        if let Some(named) = named(bare.get(open + 1..)?) {
            let kind = OperandKind::Registers(named.registers);
            out.push((operand(from, from + named.length, kind, Access::Read)?, Extent::None));
        }
        return Some(out);
    }
    let begin = at + (text.len() - bare.len());
    // Mesa 25.0 prints any register as the result of three sources for Gen11. From Xe2 on it may be an accumulator.
    let general = |named: &Named| matches!(named.registers.file, File::Grf | File::General | File::Accumulator);
    let wrong = |named: &Named| role.layout == Layout::Three && role.place == 0 && !general(named);
    if let Some(named) = named(bare).filter(|named| !wrong(named)) {
        let rest = bare.get(named.length..)?;
        let written = role.place == 0 && role.layout != Layout::NoResult;
        let extent = match named.registers.file {
            File::Grf | File::General => extent(named.part, rest, role, written)?,
            _ => Extent::None,
        };
        let access = match (written, extent) {
            (true, Extent::None) => Access::Both,
            (true, _) => Access::Write,
            (false, _) => Access::Read,
        };
        let kind = OperandKind::Registers(named.registers);
        return Some(vec![(operand(begin, begin + named.length, kind, access)?, extent)]);
    }
    // What describes a message may be added to what an address register holds: `0x00008000:a0.2`.
    if let Some((literal, added)) = text.split_once(':').filter(|(literal, _)| literal.starts_with("0x"))
        && let Some(named) = named(added).filter(|named| named.registers.file == File::AddressRegister)
    {
        let from = at + literal.len() + 1;
        let kind = OperandKind::Literal(literal.to_owned());
        return Some(vec![
            (operand(at, at + literal.len(), kind, Access::None)?, Extent::None),
            (operand(from, from + named.length, OperandKind::Registers(named.registers), Access::Read)?, Extent::None),
        ]);
    }
    let number = text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit());
    let kind = if number { OperandKind::Literal(text.to_owned()) } else { OperandKind::Word(text.to_owned()) };
    Some(vec![(whole(kind)?, Extent::None)])
}

/// What a general register's operand takes; `rest` is what stands behind its name.
fn extent(part: u32, rest: &str, role: Role, written: bool) -> Option<Extent> {
    if role.layout == Layout::Send {
        // `r10:1` names its length itself.
        let own = rest.strip_prefix(':').filter(|rest| is_number(rest)).and_then(|rest| rest.parse().ok());
        return Some(match (own, role.place) {
            (Some(count), 1..) => Extent::Registers(count),
            (_, place @ 0..=2) => Extent::Sent(place),
            _ => Extent::Unknown,
        });
    }
    let (region, rest) = region(rest)?;
    let swizzle = rest.strip_prefix('.').map(|rest| rest.get(..letters(rest)).unwrap_or_default());
    let rest = swizzle.map_or(rest, |swizzle| rest.get(swizzle.len() + 1..).unwrap_or_default());
    let size = size(rest.strip_prefix(':').unwrap_or(rest))?;
    let rows = match names::elements(role) {
        Some(count) => Some(Rows::dense(count)),
        None if written => result(region, role, swizzle.is_some()),
        None => source(region, role, swizzle),
    };
    let Some(Rows { count, width, horizontal, vertical }) = rows else { return Some(Extent::Unknown) };
    // No register has more parts.
    let from = part.checked_mul(size).filter(|from| *from < 256)?;
    Some(Extent::Bytes(Elements { from, size, count, width, horizontal, vertical }))
}

fn letters(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len())
}

/// `<8,8,1>`, `<8;8,1>`, `<8;1>`, `<1>`: strides and width.
#[derive(Clone, Copy)]
enum Region {
    One(u32),
    Two(u32, u32),
    Three(u32, u32, u32),
}

/// The region at the start of a text, and what stands behind it.
fn region(text: &str) -> Option<(Option<Region>, &str)> {
    let Some(inner) = text.strip_prefix('<') else { return Some((None, text)) };
    let (inner, rest) = inner.split_once('>')?;
    let numbers: Option<Vec<u32>> =
        inner.split([',', ';']).map(|number| number.parse().ok().filter(|number| *number <= 32)).collect();
    let region = match numbers?.as_slice() {
        [one] => Region::One(*one),
        [one, two] => Region::Two(*one, *two),
        [one, two, three] => Region::Three(*one, *two, *three),
        _ => return None,
    };
    Some((Some(region), rest))
}

/// Which elements a region has.
struct Rows {
    count: u32,
    width: u32,
    horizontal: u32,
    vertical: u32,
}

impl Rows {
    /// One after the other.
    fn dense(count: u32) -> Rows {
        Rows { count, width: count, horizontal: 1, vertical: 0 }
    }

    fn strided(count: u32, stride: u32) -> Rows {
        Rows { count, width: count, horizontal: stride, vertical: 0 }
    }
}

/// The elements of a result; none where it is not known which they are.
fn result(region: Option<Region>, role: Role, masked: bool) -> Option<Rows> {
    match region {
        _ if role.align16 => (!masked).then(|| Rows::dense(role.lanes)),
        None => Some(Rows::dense(role.lanes)),
        Some(Region::One(stride @ 1..)) => Some(Rows::strided(role.lanes, stride)),
        _ => None,
    }
}

/// The elements of a source.
fn source(region: Option<Region>, role: Role, swizzle: Option<&str>) -> Option<Rows> {
    let count = role.lanes;
    Some(match region {
        // One value for all, or groups of four.
        _ if swizzle == Some("r") => Rows::dense(1),
        None => Rows::dense(count),
        Some(Region::One(0)) if role.align16 => Rows::dense(4),
        Some(Region::One(_) | Region::Two(..)) if role.align16 => Rows::dense(count.max(4)),
        Some(Region::Three(_, 0, _)) if role.align16 => Rows::dense(count.max(4)),
        Some(Region::One(stride)) => Rows::strided(count, stride),
        Some(Region::Two(vertical, 0)) => Rows { count, width: vertical.max(1), horizontal: 0, vertical },
        Some(Region::Two(vertical, horizontal)) => {
            Rows { count, width: (vertical / horizontal).max(1), horizontal, vertical }
        }
        Some(Region::Three(_, 0, _)) => return None,
        Some(Region::Three(vertical, width, horizontal)) => Rows { count, width, horizontal, vertical },
    })
}

/// The size of a type in bytes; nothing is a word of 32 bits.
fn size(name: &str) -> Option<u32> {
    match name {
        "" | "UD" | "D" | "F" | "ud" | "d" | "f" => Some(4),
        "UW" | "W" | "HF" | "BF" | "uw" | "w" | "hf" | "bf" => Some(2),
        "UB" | "B" | "ub" | "b" => Some(1),
        "UQ" | "Q" | "DF" | "uq" | "q" | "df" => Some(8),
        _ => None,
    }
}

/// The number that describes a message, where the form of Mesa 26.2 prints one: the last operand.
pub(super) fn descriptor(instruction: &Instruction) -> Option<u32> {
    match &instruction.operands.last()?.kind {
        OperandKind::Literal(text) => u32::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        _ => None,
    }
}

/// Sets what the operands of a send take, by what its message says.
pub(super) fn set_lengths(send: &mut Parsed) {
    let Some(message) = &send.message else { return };
    for extent in &mut send.extents {
        if let Extent::Sent(which) = *extent {
            let length = message.lengths.get(which).copied().flatten().and_then(|length| u16::try_from(length).ok());
            *extent = length.filter(|length| *length <= 64).map_or(Extent::Unknown, Extent::Registers);
        }
    }
}
