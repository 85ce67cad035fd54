//! Summaries of texts of other vendors: the same shape as those of AMD's.

use std::collections::BTreeMap;

use super::{Axis, InputKind, Slot, Topic};
use crate::isa::{IsaFacts, slot_components};

impl IsaFacts {
    /// Descriptions of instructions by index, for what AMD's texts do not have.
    pub(crate) fn interface_words(&self) -> BTreeMap<u32, String> {
        let mut out = BTreeMap::new();
        for input in &self.inputs {
            let at = input.at.map(|at| format!(", at {}", of_sampled(at))).unwrap_or_default();
            let how = match input.kind {
                InputKind::Perspective => ": interpolated, divided by the perspective",
                InputKind::Linear => ": interpolated on the screen",
                InputKind::Interpolated => ": interpolated",
                InputKind::Flat => ": value of one vertex, not interpolated",
                InputKind::Vertices => ": values of the vertices, not interpolated",
                InputKind::Loaded => "",
            };
            let parts = slot_components(input.slot.component, Some(input.components));
            let text = format!("{}{parts}{how}{at}", input.slot);
            let Some(instruction) = input.instruction else { continue };
            let known = out.entry(instruction).or_insert_with(String::new);
            known.push_str(if known.is_empty() { "reads " } else { ", " });
            known.push_str(&text);
        }
        for output in &self.outputs {
            let parts = slot_components(output.slot.component, output.components);
            let text = format!("{}{parts}", output.slot);
            let Some(instruction) = output.instruction else { continue };
            let known = out.entry(instruction).or_insert_with(String::new);
            known.push_str(if known.is_empty() { "writes " } else { ", " });
            known.push_str(&text);
        }
        for found in &self.derivatives {
            let text = match found.axis {
                Axis::X => "derivative in x, or a part of it",
                Axis::Y => "derivative in y, or a part of it",
                Axis::Other => "combines lanes of the quad",
            };
            out.insert(found.instruction, text.to_owned());
        }
        out
    }

    /// Inputs and outputs in a few words each; empty if there are none.
    pub(crate) fn interface_summary(&self) -> [(&'static str, String); 2] {
        let inputs = self.inputs.iter().map(|input| {
            let kind = match input.kind {
                InputKind::Loaded => String::new(),
                // What most are is not said of each.
                kind => format!(" {kind}"),
            };
            let at = input.at.map(|at| format!(" at {}", of_sampled(at))).unwrap_or_default();
            let register = input.register.as_ref().map(|register| format!(" in {register}")).unwrap_or_default();
            (&input.slot, Some(input.components), format!("{kind}{at}{register}"))
        });
        let outputs = self.outputs.iter().map(|output| {
            let register = output.register.as_ref().map(|register| format!(" in {register}")).unwrap_or_default();
            (&output.slot, output.components, register)
        });
        [("inputs", grouped(inputs)), ("outputs", grouped(outputs))]
    }

    /// The topics that the text says nothing of, as text.
    pub(crate) fn not_known_summary(&self) -> String {
        self.not_known.iter().copied().map(Topic::name).collect::<Vec<_>>().join(", ")
    }
}

fn of_sampled(at: super::Sampled) -> &'static str {
    match at {
        super::Sampled::Centroid => "the centroid",
        super::Sampled::Sample => "the sample",
        super::Sampled::Offset => "an offset",
    }
}

/// Places, those of one location that are alike together: `varying 0.xy perspective, position.w interpolated`.
fn grouped<'s>(all: impl Iterator<Item = (&'s Slot, Option<u8>, String)>) -> String {
    let mut known: Vec<(Slot, String, u8, bool)> = Vec::new();
    for (slot, count, how) in all {
        let whole = Slot { component: None, ..slot.clone() };
        let end = slot.component.map(|first| (first, first.saturating_add(count.unwrap_or(1)).min(4)));
        let mask = end.map_or(0, |(first, end)| (first..end).fold(0u8, |mask, bit| mask | 1u8 << bit.min(7)));
        let open = count.is_none();
        match known.iter_mut().find(|(other, also, ..)| *other == whole && *also == how) {
            Some((.., parts, opens)) => (*parts, *opens) = (*parts | mask, *opens || open),
            None => known.push((whole, how, mask, open)),
        }
    }
    known.sort();
    let one = |(slot, how, mask, open): &(Slot, String, u8, bool)| {
        let letters: String = (0u8..4)
            .filter(|bit| mask >> bit & 1 == 1)
            .map(|component| lanescope_base::ids::Component(component).letter())
            .collect();
        let dot = if letters.is_empty() { "" } else { "." };
        let more = if *open && !letters.is_empty() { "…" } else { "" };
        format!("{slot}{dot}{letters}{more}{how}")
    };
    known.iter().map(one).collect::<Vec<_>>().join(", ")
}
