//! The results of a run on a device, as plain data: no handle, no device.
//!
//! [`Run`] is what a report shows, with its field names as a contract; [`Execution`] adds the bytes themselves, by the
//! names that [`Run`] uses.

#![forbid(unsafe_code)]

mod compare;
mod declared;
pub mod fill;
pub mod graph;
mod groups;
pub mod inputs;
mod mapping;
mod order;
mod picture;
mod place;
mod resource_names;
mod rows;
mod table;
mod texels;
mod timing;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::findings::Finding;
use lanescope_base::ids::Hash64;
use lanescope_base::named_enum;
use lanescope_model::options::DerivativesBy;
use lanescope_passes::workgroup::rewrite::Emulated;

pub use lanescope_base::Blob;
pub use lanescope_base::ids::hash;

pub use compare::{Compare, First, OutputCompare, Unlike, compare};
pub use groups::{BoundImage, Dispatch};
pub use lanescope_spirv::shape::{Row, Shape};
pub use mapping::{Disagreement, Measured, Probe, Slopes, Subgroups, contradictions, disagreements};
pub use order::order_dependence;
pub use picture::{Pixels, Surface, difference, picture, values};
pub use place::{Place, register_at};
pub use resource_names::{ResourceNames, descriptor_name};
pub use rows::Rows;
pub use serde_json::Value;
pub use table::{buffer_cells, buffer_table, disagreement_table, lane_table};
pub use timing::{Repeat, Samples, Spread, Timing};

named_enum!(
    /// What was run.
    RunMode {
        /// A dispatch.
        Compute = "compute",
        /// Draws.
        Graphics = "graphics",
    }
);

named_enum!(
    /// Whose clock took the time.
    Clock {
        /// The device's timestamps.
        Device = "device",
        /// The host's, from submission to fence.
        Host = "host",
    }
);

/// The report of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The device's name.
    pub device: String,
    /// What was run.
    pub mode: RunMode,
    /// The entry points, in pipeline order.
    pub entries: Vec<String>,
    /// The dispatch in workgroups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<[u32; 3]>,
    /// Why so many: `covers u0, 64×64`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups_reason: Option<String>,
    /// The seed of contents that no file gives.
    pub fill: u64,
    /// Contents that no file gives are zero.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub zeros: bool,
    /// Push constants, buffers, images and the draw, each with who decided it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<inputs::InputRun>,
    /// The original against the rewritten program, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compare: Option<Compare>,
    /// How derivatives in compute were taken, where the program takes any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub derivatives: Option<DerivativesRun>,
    /// Why there is nothing to compare with, where the program was to be rewritten.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_rewritten: Option<String>,
    /// No rewritten program ran because it would be the same.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unchanged: bool,
    /// The buffers that the shader may write, by set, binding and array element.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub buffers: Vec<BufferRun>,
    /// The images that the shader may write, in the same order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub images: Vec<ImageRun>,
    /// The colour attachments by location, then the depth where the shader writes it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub attachments: Vec<AttachmentRun>,
    /// Why two runs of one program may differ in their bytes: empty where nothing in the shader says so.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub order_dependent: Vec<String>,
    /// What was changed in the shaders because the device lacks something, without changing what they compute.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub adapted: Vec<String>,
    /// The pipeline's description in a run of graphics, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub described: Option<DescribedRun>,
    /// How long the device took.
    pub nanoseconds: u64,
    /// How the interpreter ran it, where it is what ran.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interpreter: Option<InterpreterRun>,
    /// What the interpreter found in the program.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// The validation layer's warnings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

impl Run {
    /// A run on a device of which no statistics yet.
    pub fn new(device: impl Into<String>, mode: RunMode) -> Run {
        Run {
            device: device.into(),
            mode,
            entries: Vec::new(),
            groups: None,
            groups_reason: None,
            fill: 0,
            zeros: false,
            inputs: Vec::new(),
            compare: None,
            derivatives: None,
            not_rewritten: None,
            unchanged: false,
            buffers: Vec::new(),
            images: Vec::new(),
            attachments: Vec::new(),
            order_dependent: Vec::new(),
            adapted: Vec::new(),
            described: None,
            nanoseconds: 0,
            interpreter: None,
            findings: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// The waves of a run in the interpreter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterpreterRun {
    /// Lanes of a wave.
    pub wave: u32,
    /// The lane map, as text: `8 wide blocks of 2x2 quads (predicted)`.
    pub map: String,
    /// By wave, then by lane: the local invocation index; absent for a lane without an invocation.
    pub lanes: Vec<Vec<Option<u32>>>,
    /// Instructions run by all waves.
    pub steps: u64,
    /// Instructions run, counted once for each active lane.
    pub lane_steps: u64,
}

/// What a run has of a pipeline's description: one sentence each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescribedRun {
    /// State of the run that is taken from the description.
    pub taken: Vec<String>,
    /// State that it has not.
    pub left: Vec<String>,
}

/// How a run took derivatives in compute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DerivativesRun {
    /// In the original: `native`, or computed where the device has none.
    pub original: DerivativesBy,
    /// In the program that it is compared with, where one ran.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewritten: Option<DerivativesBy>,
    /// The instructions that were computed, and where that may differ from a device's own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub computed: Vec<Emulated>,
}

/// A buffer that was read back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BufferRun {
    /// `u0`, `u0.space1` or `set0.binding1`, with `.2` after it for element 2 of an array. Unique in a run; files are
    /// named after it.
    pub name: String,
    /// The register that it is in DXIL: `u0`, `t3,space1`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub register: Option<String>,
    /// The variable's name in the shader.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Element of an array of descriptors.
    pub element: u32,
    /// Its size.
    pub bytes: u64,
    /// XXH3 of its contents.
    pub hash: Hash64,
    /// How its bytes read.
    #[serde(rename = "type")]
    pub shape: Shape,
}

/// An image that was read back: its first level, every layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageRun {
    /// As for a buffer.
    pub name: String,
    /// As for a buffer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub register: Option<String>,
    /// The variable's name in the shader.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Element of an array of descriptors.
    pub element: u32,
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// Layers.
    pub layers: u32,
    /// Vulkan's name of the format.
    pub format: String,
    /// Bytes of a texel.
    pub texel_bytes: u32,
    /// Size of the contents: texels row by row, slice by slice, layer by layer.
    pub bytes: u64,
    /// XXH3 of its contents.
    pub hash: Hash64,
}

/// A colour or depth attachment that was read back, every sample of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttachmentRun {
    /// `color0`, `depth`.
    pub name: String,
    /// Its location; none for the depth.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<u32>,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    /// What a component is: four 32-bit ones a sample; of the depth the first one counts.
    pub kind: lanescope_spirv::shape::ScalarKind,
    /// Size of the contents: row by row, the samples of a pixel together.
    pub bytes: u64,
    /// XXH3 of its contents.
    pub hash: Hash64,
}

/// A run and the bytes that it returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// The report.
    pub run: Run,
    /// Contents by the names in the report.
    pub data: BTreeMap<String, Blob>,
}

/// A program's run, and that of the program that it is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ran {
    /// The program's run, with how the second one compares.
    pub execution: Execution,
    /// The second program's run.
    pub against: Option<Execution>,
}

impl Run {
    /// Whether the comparison found a difference that nothing in the shader explains.
    pub fn differs(&self) -> bool {
        self.order_dependent.is_empty() && self.compare.as_ref().is_some_and(|compare| !compare.equal)
    }
}

impl BufferRun {
    /// Its name, and its descriptor after it where a register names it: `u0  set0.binding1`.
    pub fn label(&self) -> String {
        label(&self.name, self.register.as_deref(), self.set, self.binding)
    }
}

impl ImageRun {
    /// Its name, and its descriptor after it where a register names it.
    pub fn label(&self) -> String {
        label(&self.name, self.register.as_deref(), self.set, self.binding)
    }
}

fn label(name: &str, register: Option<&str>, set: u32, binding: u32) -> String {
    match register {
        Some(_) => format!("{name}  {}", descriptor_name(set, binding)),
        None => name.to_owned(),
    }
}

impl Execution {
    /// The contents of a buffer, an image or an attachment; empty for a name that the run does not have.
    pub fn contents(&self, name: &str) -> &[u8] {
        self.data.get(name).map_or(&[], |blob| blob.0.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_text_encoding() {
        let blob = Blob(vec![0, 1, 0xab, 0xff]);
        let text = serde_json::to_string(&blob).expect("text");
        assert_eq!(text, "\"0001abff\"");
        assert_eq!(serde_json::from_str::<Blob>(&text).expect("reads"), blob);
        assert!(serde_json::from_str::<Blob>("\"012\"").is_err());
        assert!(serde_json::from_str::<Blob>("\"0g\"").is_err());
    }
}
