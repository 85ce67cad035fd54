//! How large a general register is: 32 bytes, from Xe2 on 64. No text says it; sizes that it names show it.

use super::super::super::isa::{Access, File, OperandKind, Registers, exist};
use super::line::Parsed;
use super::message::Unit;
use super::operand::Extent;

/// Bytes of a general register up to Gen12.5, and from Xe2 on.
const SMALL: u32 = 32;
const LARGE: u32 = 64;

/// The size of a register in bytes; none where the text does not show it, or contradicts itself.
pub(super) fn of(all: &[Parsed]) -> Option<u32> {
    let mut known = all.iter().filter_map(shown);
    let first = known.next()?;
    known.all(|other| other == first).then_some(first)
}

/// What one instruction shows.
fn shown(parsed: &Parsed) -> Option<u32> {
    let beyond = |extent: &Extent| matches!(extent, Extent::Bytes(elements) if elements.from >= SMALL);
    if parsed.extents.iter().any(beyond) {
        return Some(LARGE);
    }
    let instruction = &parsed.instruction;
    let name = instruction.mnemonic.as_str();
    let older = ["pln", "sends.", "sendsc."].iter().any(|start| name.starts_with(start));
    if older || matches!(name, "pln" | "sends" | "sendsc") || instruction.modifier("Align16").is_some() {
        return Some(SMALL);
    }
    // Gen12 counts the instructions of all pipes together; later chips do so only beside a send.
    let alone = |word: &str| word.strip_prefix('@').is_some_and(super::line::is_number);
    let words = || instruction.modifiers.iter().map(|word| word.name.as_str());
    if words().any(alone) && !words().any(|word| word.starts_with('$')) {
        return Some(SMALL);
    }
    let message = parsed.message.as_ref()?;
    let text = message.content.to_ascii_lowercase();
    match message.unit {
        Unit::Data | Unit::Constants => Some(SMALL),
        Unit::Urb if text.contains("simd8") => Some(SMALL),
        Unit::Urb if text.contains("store") || text.contains("load") => Some(LARGE),
        Unit::Render if text.contains("simd32") => Some(LARGE),
        Unit::Render | Unit::Sampler if text.split([' ', '/', '_']).any(|word| word == "simd8") => Some(SMALL),
        // Four values for each of 16 lanes.
        Unit::Render if text.contains("simd16") && text.contains("write") => {
            let [_, first, second] = message.lengths;
            (first?.saturating_add(second?) < 8).then_some(LARGE)
        }
        // More than four values for each of 16 lanes do not fit their registers otherwise.
        Unit::Sampler if parsed.lanes == 16 && message.lengths.first().copied().flatten() > Some(5) => Some(SMALL),
        Unit::Untyped | Unit::Shared => addressed(parsed, &text),
        _ => None,
    }
}

/// By the registers that hold an address for each lane.
fn addressed(parsed: &Parsed, text: &str) -> Option<u32> {
    let [_, first, _] = parsed.message.as_ref()?.lengths;
    let blocks = text.contains("transpose") || text.split('.').any(|part| part.starts_with('d') && part.ends_with('t'));
    if parsed.lanes < 16 || blocks || text.contains("fence") {
        return None;
    }
    let has = |size: &str| text.split([' ', ',', '.']).any(|part| part == size);
    let bytes = match () {
        () if has("a32") => 4,
        () if has("a64") => 8,
        () => return None,
    };
    match (parsed.lanes * bytes).checked_div(first?)? {
        SMALL => Some(SMALL),
        LARGE => Some(LARGE),
        _ => None,
    }
}

/// Sets how many registers each operand names, and whether a result fills them. Where that is not shown, an operand names
/// its first register, and a result may be a part of it.
pub(super) fn set(all: &mut [Parsed], size: Option<u32>) {
    for parsed in all {
        let (predicated, lanes) = (parsed.predicated, parsed.lanes);
        let sends = parsed.message.is_some();
        for (operand, extent) in parsed.instruction.operands.iter_mut().zip(&parsed.extents) {
            let OperandKind::Registers(registers) = &mut operand.kind else { continue };
            if !matches!(registers.file, File::Grf | File::General) {
                continue;
            }
            let run = run(*extent, size);
            if let Some(run) = run.filter(|run| fits(registers, run.skip, run.count)) {
                registers.first += run.skip;
                registers.count = run.count;
            }
            // A message that one lane sends may write for it alone.
            let whole = run.is_some_and(|run| run.whole) && !predicated && !(sends && lanes < 8);
            if operand.access == Access::Write && !whole {
                operand.access = Access::Both;
            }
        }
    }
}

fn fits(registers: &Registers, skip: u16, count: u16) -> bool {
    let last = registers.first.checked_add(skip).and_then(|first| first.checked_add(count.checked_sub(1)?));
    last.is_some_and(|last| exist(registers.file, last))
}

/// Registers of an operand, from the named one on.
#[derive(Clone, Copy)]
struct Run {
    skip: u16,
    count: u16,
    /// All of their bytes.
    whole: bool,
}

fn run(extent: Extent, size: Option<u32>) -> Option<Run> {
    match extent {
        Extent::Registers(count) => (count > 0).then_some(Run { skip: 0, count, whole: true }),
        Extent::Bytes(elements) => {
            let (size, from, to) = (size?, elements.from, elements.end());
            let (skip, end) = (from / size, to.checked_sub(1)? / size + 1);
            let whole = elements.is_dense() && from % size == 0 && to % size == 0;
            let count = u16::try_from(end.checked_sub(skip)?).ok().filter(|count| *count > 0)?;
            Some(Run { skip: u16::try_from(skip).ok()?, count, whole })
        }
        _ => None,
    }
}
