//! Images and samplers: plain texels, their formats, and how they are sampled.

mod format;
mod sample;

pub(crate) use format::{Format, Numeric};
pub(crate) use sample::{Lookup, Texels, cube_face, dimensions, on_face};

use crate::error::LaunchError;
use lanescope_spirv::enums::ImageFormat;

/// The contents of an image descriptor.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The array element, 0 where the binding is not an array.
    pub element: u32,
    /// The format of the texels; not `Unknown`.
    pub format: ImageFormat,
    /// Width, height and depth of level 0; 1 for dimensions that the image does not have.
    pub size: [u32; 3],
    /// Array layers; 6 for each cube.
    pub layers: u32,
    /// Mip levels.
    pub levels: u32,
    /// The texels without padding: by level, layer, z, y, x. A level has half the size of the one before, rounded
    /// down, at least 1.
    pub texels: Vec<u8>,
}

/// How coordinates beyond an image are treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// The image is repeated.
    #[default]
    Repeat,
    /// The image is repeated, every second time mirrored.
    MirroredRepeat,
    /// The texel at the edge.
    ClampToEdge,
    /// The border colour.
    ClampToBorder,
    /// The texel at the edge, after mirroring once.
    MirrorClampToEdge,
}

impl AddressMode {
    /// The mode of a `VkSamplerAddressMode`.
    pub fn from_vulkan(value: i32) -> Option<AddressMode> {
        use AddressMode::*;
        let all = [Repeat, MirroredRepeat, ClampToEdge, ClampToBorder, MirrorClampToEdge];
        all.get(usize::try_from(value).ok()?).copied()
    }
}

/// How a reference compares with depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// Never true.
    Never,
    /// Reference < texel.
    Less,
    /// Reference = texel.
    Equal,
    /// Reference <= texel.
    LessOrEqual,
    /// Reference > texel.
    Greater,
    /// Reference != texel.
    NotEqual,
    /// Reference >= texel.
    GreaterOrEqual,
    /// Always true.
    Always,
}

impl Compare {
    /// The operation of a `VkCompareOp`.
    pub fn from_vulkan(value: i32) -> Option<Compare> {
        use Compare::*;
        let all = [Never, Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual, Always];
        all.get(usize::try_from(value).ok()?).copied()
    }

    /// The result for a reference and a depth.
    pub(crate) fn of(self, reference: f32, depth: f32) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => reference < depth,
            Compare::Equal => reference == depth,
            Compare::LessOrEqual => reference <= depth,
            Compare::Greater => reference > depth,
            Compare::NotEqual => reference != depth,
            Compare::GreaterOrEqual => reference >= depth,
            Compare::Always => true,
        }
    }
}

/// The contents of a sampler descriptor, or the sampler of a combined one.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampler {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The array element.
    pub element: u32,
    /// Linear magnification; nearest otherwise.
    pub mag_linear: bool,
    /// Linear minification; nearest otherwise.
    pub min_linear: bool,
    /// Linear between mip levels; the nearest level otherwise.
    pub mip_linear: bool,
    /// For each dimension.
    pub address: [AddressMode; 3],
    /// The border colour; of images with integers these numbers as integers.
    pub border: [f32; 4],
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The least level of detail.
    pub min_lod: f32,
    /// The greatest level of detail.
    pub max_lod: f32,
    /// For depth comparison.
    pub compare: Option<Compare>,
    /// Whether coordinates are texels.
    pub unnormalized: bool,
}

impl Default for Sampler {
    /// Nearest, repeating.
    fn default() -> Sampler {
        Sampler {
            set: 0,
            binding: 0,
            element: 0,
            mag_linear: false,
            min_linear: false,
            mip_linear: false,
            address: [AddressMode::Repeat; 3],
            border: [0.0; 4],
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: 1000.0,
            compare: None,
            unnormalized: false,
        }
    }
}

impl Image {
    /// The size of a level.
    pub(crate) fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|d| d.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Whether format, sizes and texels go together.
    pub(crate) fn check(&self) -> Result<(), LaunchError> {
        let error = |reason: String| {
            let Image { set, binding, element, .. } = *self;
            LaunchError::Image { set, binding, element, reason }
        };
        let format = Format::of(self.format).ok_or_else(|| error("the format is not supported".to_owned()))?;
        if self.size.contains(&0) || self.layers == 0 || self.levels == 0 || self.levels > 32 {
            return Err(error("a size, the layers or the levels are 0, or there are more than 32 levels".to_owned()));
        }
        let expected = (0..self.levels).map(|level| {
            let texels = self.level_size(level).iter().map(|&d| u128::from(d)).product::<u128>();
            texels * u128::from(self.layers) * u128::from(format.bytes())
        });
        let expected: u128 = expected.sum();
        if expected != self.texels.len() as u128 {
            return Err(error(format!("expected {expected} bytes of texels, found {}", self.texels.len())));
        }
        Ok(())
    }
}

/// An image or a sampler in memory.
#[derive(Debug, Clone)]
pub(crate) struct ImageObject {
    pub object: u32,
    /// Without its texels, which are the object's bytes.
    pub image: Option<(Image, Format)>,
    pub sampler: Option<Sampler>,
}

impl ImageObject {
    pub fn new(object: u32, image: Option<&Image>, sampler: Option<&Sampler>) -> ImageObject {
        let image = image.and_then(|image| {
            let Image { set, binding, element, format, size, layers, levels, .. } = *image;
            let meta = Image { set, binding, element, format, size, layers, levels, texels: Vec::new() };
            Some((meta, Format::of(format)?))
        });
        ImageObject { object, image, sampler: sampler.cloned() }
    }
}
