//! What a run takes, as plain data: no handle, no device. The same data go to a device and to the interpreter.
//!
//! [`Inputs::default`] is a run where nothing is given:
//! * buffers, images and push constants have the contents that [`super::fill`] says, or zeros;
//! * a graphics program draws the scene: six triangles, 64×64 pixels ([`DrawInputs`]).
//!
//! What is given replaces a part of that, and nothing else changes. What else a run depends on is not here:
//! * workgroups are an argument of the run, as is the device;
//! * specialization constants are set in the program before it runs (`specialised`);
//! * depth and stencil tests, blending, culling, formats and samples of attachments are those of the program's pipeline
//!   description ([`lanescope_pipeline::State`]).
//!
//! Several runs in order share buffers, images and attachments by their bytes: a run returns those of all that a shader may write
//! ([`super::Execution::data`]); given to the next run as [`Content::Bytes`], [`Content::Image`] or
//! [`AttachmentContents`], they are what it begins with. What no shader may write has not changed.

mod csv;
mod draw;
mod listed;
mod push;
mod sampler;
mod values;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fill::ADDRESS_SET;
use super::{Blob, ResourceNames};
use lanescope_model::program::{ADDRESS_BYTES, Program};

pub use csv::{AttributeOf, indices, packed_vertices, vertices};
pub use draw::{
    AttachmentContents, ClearValue, DrawInputs, IndexBits, Indices, MAX_INVOCATIONS, MAX_SIDE, VertexBuffer, Vertices,
    Viewport, no_vertex_input,
};
pub use lanescope_pipeline::vulkan::{CompareOp, Topology, VkFormat};
pub use listed::{InputRun, InputSource, MemberRun, source_of};
pub use push::{PushBlock, assigned, from_hex};
pub use sampler::{GivenSampler, SamplerState};
pub use values::{NamedType, number, packed};

/// The most bytes of push constants that a run takes: devices have 128 or 256.
pub const MAX_PUSH_CONSTANTS: u64 = 4096;

/// What a run takes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// The seed of every content that is not given.
    pub fill: u64,
    /// Every content that is not given is zero.
    #[serde(default)]
    pub zeros: bool,
    /// Buffers and images that are given.
    pub buffers: Vec<Given>,
    /// Some of them may be for places that no shader uses, as with descriptors that are bound.
    #[serde(default)]
    pub spare: bool,
    /// States of samplers that are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<GivenSampler>,
    /// Push constants that are given; later ones lie over earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub push_constants: Vec<PushBytes>,
    /// How a graphics program draws.
    #[serde(default)]
    pub draw: DrawInputs,
    /// The location of the vertex attribute that is the scene's position, where the program is not to decide it by itself.
    #[serde(default)]
    pub position: Option<u32>,
    /// Buffers that the shaders reach by addresses: a run of a program knows them from its conversion.
    #[serde(skip)]
    pub addressed: Vec<Addressed>,
    /// Registers that name what is read back. Two programs that are compared take those of the first.
    #[serde(default)]
    pub names: ResourceNames,
}

/// A buffer or an image that is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Given {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// The element of an array of descriptors; where absent, every element that is not given by itself.
    #[serde(default)]
    pub element: Option<u32>,
    /// What of it is given.
    pub content: Content,
}

/// What of a buffer or of an image is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Content {
    /// The size of a buffer in bytes; its contents are as usual.
    Size(u64),
    /// The size and the contents of a buffer, or of a texel buffer; the texels of an image that is as large as usual.
    Bytes(Blob),
    /// The size and the texels of an image.
    Image(ImageContents),
}

/// The size and the texels of an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImageContents {
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// Layers; six for each cube.
    pub layers: u32,
    /// Levels of detail. A storage image has one.
    pub levels: u32,
    /// The format of the image and of its texels. Without it the one that a run gives to such an image: of a storage image the
    /// shader's, of a sampled one `R8G8B8A8_UNORM`, or four 32-bit integers, or `D32_SFLOAT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<VkFormat>,
    /// The texels, level by level; in a level layer by layer, slice by slice, row by row.
    pub texels: Blob,
}

/// Push constants from an offset on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PushBytes {
    /// The first byte.
    pub offset: u32,
    /// The bytes.
    pub bytes: Blob,
}

impl Inputs {
    /// What is given for a descriptor: for its element, or for the whole of it.
    pub fn given(&self, set: u32, binding: u32, element: u32) -> Option<&Content> {
        let of = |wanted: Option<u32>| {
            self.buffers.iter().find(|given| (given.set, given.binding, given.element) == (set, binding, wanted))
        };
        of(Some(element)).or_else(|| of(None)).map(|given| &given.content)
    }

    /// The sampler that is given for a descriptor: for its element, or for all of them.
    pub fn sampler(&self, set: u32, binding: u32, element: u32) -> Option<SamplerState> {
        let of = |wanted: Option<u32>| {
            self.samplers.iter().rfind(|given| (given.set, given.binding, given.element) == (set, binding, wanted))
        };
        of(Some(element)).or_else(|| of(None)).map(|given| given.state)
    }

    /// Puts the given push constants over what a run would have without them.
    ///
    /// # Errors
    /// Bytes past the end of the block; bytes where a shader expects the address of a buffer.
    pub fn put_push_constants(&self, contents: &mut [u8]) -> Result<(), String> {
        for given in &self.push_constants {
            let (first, count) = (given.offset as usize, given.bytes.0.len());
            let end = first.saturating_add(count);
            let size = contents.len();
            let Some(place) = contents.get_mut(first..end) else {
                return Err(match size {
                    0 => "push constants are given, but the program has no push constant block".to_owned(),
                    _ => format!("push constants: bytes {first} to {end} are given, and the block has {size} bytes"),
                });
            };
            for addressed in &self.addressed {
                let address = (addressed.number * ADDRESS_BYTES) as usize;
                if first < address + ADDRESS_BYTES as usize && address < end && address < size {
                    let number = addressed.number;
                    return Err(format!(
                        "push constants: byte {address} begins the address of buffer {number}, which the run sets itself"
                    ));
                }
            }
            place.copy_from_slice(&given.bytes.0);
        }
        Ok(())
    }
}

/// A buffer that shaders reach by an address in their push constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressed {
    /// Its number among them, which is its binding in [`ADDRESS_SET`].
    pub number: u32,
    /// Whether a shader may write it.
    pub writable: bool,
}

impl Addressed {
    /// Bytes of such a buffer where nothing says how many: nothing stops a shader past its end.
    const BYTES: u64 = 64 << 10;

    /// Those of a program, by number.
    pub fn of(program: &Program) -> Vec<Addressed> {
        let mut found: BTreeMap<u32, bool> = BTreeMap::new();
        for row in program.dxil.iter().flat_map(|loaded| &loaded.bindings) {
            if let Some(offset) = row.address {
                *found.entry(offset / ADDRESS_BYTES).or_default() |= row.class == "uav";
            }
        }
        found.into_iter().map(|(number, writable)| Addressed { number, writable }).collect()
    }

    /// Where among the push constants its address is, if they are long enough: one that no stage uses has no place.
    pub fn place(self, push: &mut [u8]) -> Option<&mut [u8]> {
        let at = (self.number * ADDRESS_BYTES) as usize;
        push.get_mut(at..at + ADDRESS_BYTES as usize)
    }

    /// Its size.
    pub fn bytes(self, inputs: &Inputs) -> u64 {
        match inputs.given(ADDRESS_SET, self.number, 0) {
            Some(Content::Size(bytes)) => *bytes,
            Some(Content::Bytes(Blob(bytes))) => bytes.len() as u64,
            Some(Content::Image(_)) | None => Addressed::BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(offset: u32, bytes: &[u8]) -> PushBytes {
        PushBytes { offset, bytes: Blob(bytes.to_vec()) }
    }

    #[test]
    fn given_push_constants_lie_over_the_others() {
        let inputs = Inputs { push_constants: vec![push(2, &[1, 2, 3]), push(4, &[9])], ..Inputs::default() };
        let mut block = [7; 6];
        assert_eq!(inputs.put_push_constants(&mut block), Ok(()));
        assert_eq!(block, [7, 7, 1, 2, 9, 7]);
        assert!(inputs.put_push_constants(&mut [0; 4]).is_err_and(|why| why.contains("the block has 4 bytes")));
        assert!(inputs.put_push_constants(&mut []).is_err_and(|why| why.contains("no push constant block")));
        let addressed = vec![Addressed { number: 0, writable: true }];
        let inputs = Inputs { push_constants: vec![push(4, &[1])], addressed, ..Inputs::default() };
        assert!(inputs.put_push_constants(&mut [0; 16]).is_err_and(|why| why.contains("address of buffer 0")));
    }

    #[test]
    fn an_element_wins_over_the_whole_descriptor() {
        let given = |element, size| Given { set: 0, binding: 1, element, content: Content::Size(size) };
        let inputs = Inputs { buffers: vec![given(None, 4), given(Some(2), 8)], ..Inputs::default() };
        assert_eq!(inputs.given(0, 1, 0), Some(&Content::Size(4)));
        assert_eq!(inputs.given(0, 1, 2), Some(&Content::Size(8)));
        assert_eq!(inputs.given(1, 1, 2), None);
    }

    #[test]
    fn inputs_travel_as_text() {
        let inputs = Inputs {
            push_constants: vec![push(0, &[1])],
            draw: DrawInputs { size: Some([8, 4]), instances: Some(3), ..DrawInputs::default() },
            ..Inputs::default()
        };
        let text = serde_json::to_string(&inputs).expect("text");
        assert_eq!(serde_json::from_str::<Inputs>(&text).expect("reads"), inputs);
        // What was written before there were push constants and draws.
        let old = serde_json::from_str::<Inputs>(r#"{ "fill": 3, "buffers": [] }"#).expect("reads");
        assert_eq!(old, Inputs { fill: 3, ..Inputs::default() });
    }
}
