//! What a stage reads and writes by messages.

use super::super::super::isa::{Does, IsaFacts};
use super::super::{Input, InputKind, Output, Slot, SlotKind};
use super::line::Parsed;
use super::message::{Action, Entry, Unit};
use super::names;

/// Fills in the inputs and outputs.
pub(super) fn find(facts: &mut IsaFacts, all: &[Parsed]) {
    for (index, parsed) in (0u32..).zip(all) {
        let Some(message) = &parsed.message else { continue };
        match message.action(false) {
            Action::Target(entry) => {
                let slot = Slot { what: SlotKind::RenderTarget, location: entry, component: None, name: None };
                facts.outputs.push(Output { instruction: Some(index), slot, components: None, register: None });
            }
            Action::Weights { perspective, at } => {
                let name = match perspective {
                    Some(true) => "perspective barycentric coordinates",
                    Some(false) => "linear barycentric coordinates",
                    None => "barycentric coordinates",
                };
                let (slot, kind) = (Slot::built_in(name, None), InputKind::Loaded);
                facts.inputs.push(Input { instruction: Some(index), slot, components: 2, kind, at, register: None });
            }
            // What is read there is an input, or an output that invocations share.
            Action::Urb(entry) if entry.does == Does::Store => {
                let outputs = rows(entry).into_iter().map(|(slot, components)| Output {
                    instruction: Some(index),
                    slot,
                    components,
                    register: None,
                });
                facts.outputs.extend(outputs);
            }
            _ => {}
        }
    }
}

/// The rows of four dwords that an access touches, with how many of each where that is known.
fn rows(entry: Entry) -> Vec<(Slot, Option<u8>)> {
    let slot = |location, component| Slot { what: SlotKind::Urb, location, component, name: None };
    let all = entry.dwords.and_then(|count| u8::try_from(count).ok());
    let Some(first) = entry.dword else { return vec![(slot(None, None), all)] };
    let Some(count) = entry.dwords else { return vec![(slot(Some(first / 4), None), None)] };
    let end = first.saturating_add(count);
    let rows = first / 4..end.div_ceil(4);
    let row = |row: u32| {
        let from = first.max(row.saturating_mul(4));
        let to = end.min(row.saturating_add(1).saturating_mul(4));
        let component = u8::try_from(from % 4).unwrap_or(0);
        (slot(Some(row), Some(component)), u8::try_from(to.saturating_sub(from)).ok())
    };
    rows.map(row).collect()
}

/// Whether a text may be of Gen8, where an image can be accessed as a buffer. Later chips have sends with two sources, and
/// scoreboards in the text from Gen12 on.
pub(super) fn may_be_gen8(all: &[Parsed]) -> bool {
    !all.iter().any(|parsed| {
        let instruction = &parsed.instruction;
        let two = matches!(names::base(&instruction.mnemonic), "sends" | "sendsc" | "sync");
        let unit = parsed.message.as_ref().map(|message| message.unit);
        let later = matches!(unit, Some(Unit::Untyped | Unit::Typed | Unit::Shared | Unit::RayTracing));
        let named = instruction.mnemonic.starts_with("send.") || instruction.mnemonic.starts_with("sendc.");
        two || later
            || named
            || instruction.modifiers.iter().any(|word| word.name.starts_with('$') || word.name.contains('@'))
    })
}
