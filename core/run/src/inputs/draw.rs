//! What a graphics program draws, and what it draws to.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Blob;
use lanescope_pipeline::VertexInput;
use lanescope_pipeline::vulkan::{CompareOp, Topology};

/// The longest side of a picture in pixels.
pub const MAX_SIDE: u32 = 4096;
/// The most vertices of all instances together.
pub const MAX_INVOCATIONS: u32 = 1 << 20;

/// How a graphics program draws. By default the scene: 18 vertices as triangles, one instance, in 64×64 pixels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DrawInputs {
    /// Width and height of the attachments in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 2]>,
    /// The viewport; by default all of the attachments, depths from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<Viewport>,
    /// What the vertices form, where no geometry or tessellation shader decides it; by default what the pipeline description
    /// says, else triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    /// The vertex buffers, instead of the scene's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Vertices>,
    /// The index buffer: the draw is indexed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<Indices>,
    /// The first vertex; of an indexed draw the first index.
    #[serde(skip_serializing_if = "is_zero")]
    pub first: u32,
    /// How many vertices or indices; by default all from the first one on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// What is added to each index.
    #[serde(skip_serializing_if = "is_zero")]
    pub vertex_offset: u32,
    /// The first instance.
    #[serde(skip_serializing_if = "is_zero")]
    pub first_instance: u32,
    /// How many instances; by default one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// What attachments start with instead of the run's clear values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clear: Vec<ClearValue>,
    /// What attachments hold before the draw; these are not cleared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<AttachmentContents>,
    /// The depth test, instead of the pipeline description's: which depths pass it. These are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_test: Option<CompareOp>,
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// A viewport.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Viewport {
    /// Its left upper corner in pixels.
    pub at: [f32; 2],
    /// Width and height in pixels. A negative height turns it upside down.
    pub size: [f32; 2],
    /// The depths of the near and the far plane, from 0 to 1.
    pub depth: [f32; 2],
}

/// Vertex buffers, and how attributes lie in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Vertices {
    /// Strides, rates, offsets and formats. Every attribute that the vertex shader reads has to be there.
    pub input: VertexInput,
    /// The buffers, by binding.
    pub buffers: Vec<VertexBuffer>,
}

/// The contents of a vertex buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VertexBuffer {
    /// Its binding.
    pub binding: u32,
    /// Its contents.
    pub bytes: Blob,
}

/// An index buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Indices {
    /// Width of an index, which says which one restarts a strip.
    pub bits: IndexBits,
    /// The indices.
    pub values: Vec<u32>,
}

/// Width of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IndexBits {
    /// 16 bits.
    Short,
    /// 32 bits.
    #[default]
    Word,
}

impl IndexBits {
    /// The highest index: where primitives restart, the one that does it.
    pub fn highest(self) -> u32 {
        match self {
            IndexBits::Short => u32::from(u16::MAX),
            IndexBits::Word => u32::MAX,
        }
    }
}

/// What an attachment is cleared to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClearValue {
    /// The location of a colour; absent for depth and stencil.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// The bits of four 32-bit components of the output's kind; the bits of a depth, then a stencil.
    pub words: [u32; 4],
}

/// What an attachment holds before a draw, in the form in which it is read back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttachmentContents {
    /// The location of a colour; absent for the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// There is one for each pixel, which all of its samples hold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_pixel: bool,
    /// Row by row, the samples of a pixel together, four 32-bit components each; of a depth the first one counts,
    /// and what is read back has 0, 0 and 1 after it, as a shader that samples depths.
    pub bytes: Blob,
}

impl AttachmentContents {
    /// The contents of every sample.
    ///
    /// # Errors
    /// Another number of bytes than `size` pixels have with so many samples.
    pub fn of_samples(&self, size: [u32; 2], samples: u32) -> Result<Cow<'_, [u8]>, String> {
        let [width, height] = size;
        let each = if self.per_pixel { 1 } else { u64::from(samples) };
        let (found, expected) = (self.bytes.0.len() as u64, u64::from(width) * u64::from(height) * each * 16);
        if found != expected {
            return Err(format!(
                "{found} bytes of contents; {width}×{height} pixels of this attachment have {expected}"
            ));
        }
        if !self.per_pixel {
            return Ok(Cow::Borrowed(&self.bytes.0));
        }
        let pixels = self.bytes.0.chunks_exact(16);
        Ok(Cow::Owned(pixels.flat_map(|pixel| pixel.repeat(samples as usize)).collect()))
    }
}

/// Why a part of a draw cannot be given to a pipeline with a mesh shader.
pub fn no_vertex_input(part: &str) -> String {
    format!("--{part} cannot be used with a mesh shader: the pipeline has no vertex input")
}

impl DrawInputs {
    /// Whether nothing is given: the scene is drawn.
    pub fn is_scene(&self) -> bool {
        *self == DrawInputs::default()
    }

    /// Width and height of the attachments, where the scene's are squares of `side`.
    pub fn size(&self, side: u32) -> [u32; 2] {
        self.size.unwrap_or([side; 2])
    }

    /// The first part that is given of what a pipeline with a mesh shader does not have, by the name of its flag.
    pub fn of_vertex_input(&self) -> Option<&'static str> {
        let parts = [
            (self.vertices.is_some(), "vertices"),
            (self.indices.is_some(), "indices"),
            (self.count.is_some(), "vertex-count"),
            (self.instances.is_some(), "instances"),
            (self.topology.is_some(), "topology"),
        ];
        parts.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// How many instances are drawn.
    pub fn instances(&self) -> u32 {
        self.instances.unwrap_or(1)
    }

    /// What an attachment is cleared to.
    pub fn clear(&self, location: Option<u32>) -> Option<[u32; 4]> {
        self.clear.iter().rfind(|clear| clear.location == location).map(|clear| clear.words)
    }

    /// What an attachment holds before the draw.
    pub fn contents(&self, location: Option<u32>) -> Option<&AttachmentContents> {
        self.attachments.iter().rfind(|contents| contents.location == location)
    }

    /// How many vertices the buffers hold; absent where no attribute is read for each vertex.
    pub fn held(&self) -> Option<u32> {
        let vertices = self.vertices.as_ref()?;
        let per_vertex = vertices.input.bindings.iter().filter(|binding| binding.rate.0 == 0);
        let held = per_vertex.filter_map(|binding| {
            let bytes = vertices.buffers.iter().find(|buffer| buffer.binding == binding.binding)?.bytes.0.len();
            // All vertices share one where the stride is 0.
            let count = bytes.checked_div(binding.stride as usize)?;
            Some(u32::try_from(count).unwrap_or(u32::MAX))
        });
        held.min()
    }

    /// How many vertices or indices are drawn, where `scene` vertices are the scene's.
    pub fn count(&self, scene: u32) -> u32 {
        let all = match &self.indices {
            Some(indices) => u32::try_from(indices.values.len()).unwrap_or(u32::MAX),
            None if self.vertices.is_none() => scene,
            None => self.held().unwrap_or(0),
        };
        self.count.unwrap_or_else(|| all.saturating_sub(self.first))
    }

    /// Refuses what no run takes, whatever the program.
    ///
    /// # Errors
    /// What is too large, or not a number; an index past the buffer; a vertex buffer that is missing.
    pub fn check(&self, scene: u32) -> Result<(), String> {
        let [width, height] = self.size.unwrap_or([1; 2]);
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(format!("a picture of {width}×{height}: each side is 1 to {MAX_SIDE} pixels"));
        }
        if let Some(Viewport { at, size, depth }) = self.viewport {
            let numbers = at.iter().chain(&size);
            if numbers.clone().any(|number| !number.is_finite() || number.abs() > 32768.0) || size[0] <= 0.0 {
                return Err("viewport: corner and size are numbers below 32768, and the width is above 0".to_owned());
            }
            if depth.iter().any(|depth| !(0.0..=1.0).contains(depth)) {
                return Err(format!("viewport: depths {} to {} are not within 0 to 1", depth[0], depth[1]));
            }
        }
        if let Some(test) = self.depth_test.filter(|test| test.name().is_none()) {
            return Err(format!("depth test {test} is not known"));
        }
        let depth = self.clear(None).map(|[depth, ..]| f32::from_bits(depth));
        if let Some(depth) = depth.filter(|depth| !(0.0..=1.0).contains(depth)) {
            return Err(format!("a depth is cleared to {depth}, which is not within 0 to 1"));
        }
        let (count, instances) = (self.count(scene), self.instances());
        if u64::from(count) * u64::from(instances) > u64::from(MAX_INVOCATIONS) {
            return Err(format!(
                "a draw of {count} vertices in {instances} instances: at most {MAX_INVOCATIONS} vertices are drawn"
            ));
        }
        if self.first.checked_add(count).is_none() || self.first_instance.checked_add(instances).is_none() {
            return Err("a draw past the highest number of a vertex or an instance".to_owned());
        }
        if let Some(vertices) = &self.vertices {
            for binding in &vertices.input.bindings {
                if !vertices.buffers.iter().any(|buffer| buffer.binding == binding.binding) {
                    return Err(format!("vertex binding {} has no buffer", binding.binding));
                }
            }
        }
        match &self.indices {
            Some(indices) => self.check_indices(indices, count),
            None => Ok(()),
        }
    }

    fn check_indices(&self, indices: &Indices, count: u32) -> Result<(), String> {
        if self.first as usize + count as usize > indices.values.len() {
            let held = indices.values.len();
            return Err(format!("a draw of {count} indices from {} on: there are {held}", self.first));
        }
        let highest = indices.bits.highest();
        match indices.values.iter().find(|value| **value > highest) {
            Some(value) => Err(format!("index {value}: an index of 16 bits is at most {highest}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_pipeline::VertexBinding;

    fn vertices(bytes: usize, stride: u32) -> Option<Vertices> {
        let binding = VertexBinding { binding: 2, stride, ..VertexBinding::default() };
        let input = VertexInput { from: "a test".to_owned(), bindings: vec![binding], attributes: Vec::new() };
        Some(Vertices { input, buffers: vec![VertexBuffer { binding: 2, bytes: Blob(vec![0; bytes]) }] })
    }

    #[test]
    fn counts_follow_buffers_and_indices() {
        let scene = DrawInputs::default();
        assert!(scene.is_scene() && scene.check(18) == Ok(()));
        assert_eq!((scene.count(18), scene.instances(), scene.size(64)), (18, 1, [64, 64]));
        let given = DrawInputs { vertices: vertices(50, 12), first: 1, ..DrawInputs::default() };
        assert_eq!((given.count(18), given.check(18)), (3, Ok(())));
        let indices = Some(Indices { bits: IndexBits::Short, values: vec![0, 1, 2, 2, 1, 3] });
        let indexed = DrawInputs { indices, ..given };
        assert_eq!((indexed.count(18), indexed.check(18)), (5, Ok(())));
        let past = DrawInputs { count: Some(6), ..indexed.clone() };
        assert!(past.check(18).is_err_and(|why| why.contains("there are 6")));
        let wide = Some(Indices { bits: IndexBits::Short, values: vec![70_000] });
        assert!(DrawInputs { indices: wide, first: 0, ..indexed }.check(18).is_err());
    }

    #[test]
    fn a_pixel_can_be_given_for_all_of_its_samples() {
        let bytes: Vec<u8> = (0..32).collect();
        let contents = |per_pixel| AttachmentContents { per_pixel, bytes: Blob(bytes.clone()), location: None };
        let every = contents(true).of_samples([2, 1], 2).map(Cow::into_owned);
        assert_eq!(every, Ok([&bytes[..16], &bytes[..16], &bytes[16..], &bytes[16..]].concat()));
        assert_eq!(contents(false).of_samples([1, 1], 2), Ok(Cow::Borrowed(&bytes[..])));
        let why = "32 bytes of contents; 1×1 pixels of this attachment have 16";
        assert_eq!(contents(true).of_samples([1, 1], 4), Err(why.to_owned()));
        assert!(contents(false).of_samples([2, 1], 4).is_err_and(|why| why.contains("have 128")));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        for (given, expected) in [
            (DrawInputs { size: Some([0, 4]), ..DrawInputs::default() }, "0×4"),
            (DrawInputs { size: Some([8192, 4]), ..DrawInputs::default() }, "8192×4"),
            (DrawInputs { instances: Some(u32::MAX), ..DrawInputs::default() }, "at most"),
            (DrawInputs { first: u32::MAX, count: Some(1), ..DrawInputs::default() }, "past the highest"),
            (
                DrawInputs {
                    vertices: vertices(8, 4).map(|v| Vertices { buffers: vec![], ..v }),
                    ..DrawInputs::default()
                },
                "binding 2",
            ),
        ] {
            assert!(given.check(18).is_err_and(|why| why.contains(expected)), "{expected}");
        }
        let viewport = |size, depth| Viewport { at: [0.0; 2], size, depth };
        for viewport in
            [viewport([f32::NAN, 1.0], [0.0, 1.0]), viewport([1.0, 1.0], [0.0, 2.0]), viewport([0.0, 1.0], [0.0; 2])]
        {
            assert!(DrawInputs { viewport: Some(viewport), ..DrawInputs::default() }.check(18).is_err());
        }
    }
}
