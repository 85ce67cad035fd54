//! The slots of the interface's locations: of the model, and of an object that is not linked.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_model::program::StageKind;
use lanescope_passes::packing::Packing;

use super::{PlaceResult, Side, Verdict};
use crate::{CodeObject, Semantic};

/// Semantics from here on are built-ins of LLPC, whose numbers are not locations.
const BUILT_INS: u64 = 0x8000;

/// Every location of either side, where the object has semantics.
pub(super) fn places(packing: Option<&Packing>, object: &CodeObject) -> Vec<PlaceResult> {
    let packing = packing.filter(|packing| packing.consumer == StageKind::Fragment);
    let mut inputs: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
    let mut exports = inputs.clone();
    for mapping in packing.iter().flat_map(|packing| &packing.map) {
        inputs.entry(mapping.from.location.0.into()).or_default().insert(mapping.to.location.0);
    }
    for mapping in packing.iter().flat_map(|packing| &packing.outputs) {
        exports.entry(mapping.from.location.0.into()).or_default().insert(mapping.to.location.0);
    }
    let mut out = Vec::new();
    for pipeline in &object.pipelines {
        out.extend(side(Side::Export, &exports, &pipeline.outputs));
        out.extend(side(Side::Input, &inputs, &pipeline.inputs));
    }
    out
}

fn side(side: Side, predicted: &BTreeMap<u64, BTreeSet<u32>>, found: &[Semantic]) -> Vec<PlaceResult> {
    // A linked object has none: its slots are those of SPI_PS_INPUT_CNTL_*.
    if found.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut met = BTreeSet::new();
    for semantic in found {
        let slots = predicted.get(&semantic.semantic).filter(|_| semantic.semantic < BUILT_INS);
        met.insert(semantic.semantic);
        let verdict = match slots {
            None => Verdict::NotPredicted,
            Some(slots) if slots.len() == 1 && slots.iter().all(|slot| u64::from(*slot) == semantic.index) => {
                Verdict::Agrees
            }
            Some(_) => Verdict::Differs,
        };
        let predicted = slots.into_iter().flatten().copied().collect();
        let object = Some(semantic.index);
        out.push(PlaceResult { side, semantic: semantic.semantic, verdict, predicted, object });
    }
    for (semantic, slots) in predicted.iter().filter(|(semantic, _)| !met.contains(*semantic)) {
        let predicted = slots.iter().copied().collect();
        out.push(PlaceResult { side, semantic: *semantic, verdict: Verdict::NotInObject, predicted, object: None });
    }
    out
}
