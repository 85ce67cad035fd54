//! The semantics of exports and inputs: by which PAL links a pixel shader to a library of the stages before it. LLPC writes
//! them for objects that are not linked yet; a linked pipeline has SPI_PS_INPUT_CNTL_* instead.

use lanescope_passes::findings::OBJECT_VALUE;
use schemars::JsonSchema;
use serde::Serialize;

use crate::findings::Findings;
use crate::notes::short;
use crate::value::Value;

/// The key of inputs of the pixel shader: element i is interpolant i.
pub(crate) const INPUTS: &str = ".ps_input_semantic";
/// The key of exports of the stage before the rasterizer.
pub(crate) const OUTPUTS: &str = ".preraster_output_semantic";

/// An input or an export.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Semantic {
    /// `.semantic`: the location before packing, or a number of a built-in with a mark.
    pub semantic: u64,
    /// `.index` of an export: the slot. The interpolant of an input.
    pub index: u64,
    /// The whole element, as it is.
    pub value: Value,
}

/// The elements of a key. An element without the numbers is left to the tree.
pub(crate) fn read(root: &Value, key: &str, place: &str, findings: &mut Findings<'_>) -> Vec<Semantic> {
    let Some(value) = root.get(key) else { return Vec::new() };
    if !matches!(value, Value::Array(_)) {
        findings.add(OBJECT_VALUE, place, format!("{key}: expected an array, found {}", short(value)));
    }
    let mut out = Vec::new();
    for (at, item) in value.items().iter().enumerate() {
        let number = |name: &str| item.get(name).and_then(Value::number);
        let index = if key == INPUTS { Some(at as u64) } else { number(".index") };
        match (number(".semantic"), index) {
            (Some(semantic), Some(index)) => out.push(Semantic { semantic, index, value: item.clone() }),
            _ => {
                let message = format!(
                    "{key}[{at}]: expected numbers .semantic and .index, found {}",
                    item.flow().chars().take(60).collect::<String>()
                );
                findings.add(OBJECT_VALUE, place, message);
            }
        }
    }
    out
}
