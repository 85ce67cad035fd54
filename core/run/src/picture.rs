//! Attachments and images as pictures: what was drawn, and where two runs differ.

use serde_json::Value;

use super::{AttachmentRun, Execution, ImageRun, Run};
use lanescope_base::half;
use lanescope_spirv::shape::{Scalar, ScalarKind};

/// A picture of eight bits a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Red, green, blue, alpha of each pixel, row by row; opaque.
    pub rgba: Vec<u8>,
}

/// What was read back pixel by pixel: an attachment, or one slice or layer of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surface<'r> {
    /// `color0`, `set0.binding1`.
    pub name: &'r str,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    /// Slice of a volume, else layer of an array; 0 where there is one only.
    pub plane: u32,
    texel: Texel,
}

/// The components of a sample, red first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Texel {
    pub(super) components: [Option<Component>; 4],
    pub(super) bytes: u32,
}

/// Where a component is in its texel, and how its bits are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) shift: u32,
    pub(super) bits: u32,
    pub(super) number: Number,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Float,
    /// A float without a sign, of ten or eleven bits.
    Ufloat,
    Unorm,
    Snorm,
    Int,
    Uint,
}

impl Run {
    /// An attachment, or an image's slice or layer; none of formats that no picture shows.
    pub fn surface(&self, name: &str, plane: u32) -> Option<Surface<'_>> {
        let attachment = self.attachments.iter().filter(|_| plane == 0).find(|attachment| attachment.name == name);
        let image = || self.images.iter().find(|image| image.name == name)?.surface(plane);
        attachment.map(AttachmentRun::surface).or_else(image)
    }
}

impl AttachmentRun {
    /// Its pixels.
    pub fn surface(&self) -> Surface<'_> {
        let number = match self.kind {
            ScalarKind::Float => Number::Float,
            ScalarKind::Int => Number::Int,
            ScalarKind::Uint => Number::Uint,
        };
        let components = [0, 32, 64, 96].map(|shift| Some(Component { shift, bits: 32, number }));
        let texel = Texel { components, bytes: 16 };
        Surface { name: &self.name, size: self.size, samples: self.samples, plane: 0, texel }
    }
}

impl ImageRun {
    /// How many slices and layers it has.
    pub fn planes(&self) -> u32 {
        self.size[2].max(1).saturating_mul(self.layers.max(1))
    }

    /// What one of them is called.
    pub fn plane_noun(&self) -> &'static str {
        if self.size[2] > 1 { "slice" } else { "layer" }
    }

    /// The pixels of a slice or a layer; none of formats that no picture shows, and none where there is no such plane.
    pub fn surface(&self, plane: u32) -> Option<Surface<'_>> {
        let [width, height, _] = self.size;
        let texel = self.texel().filter(|_| plane < self.planes())?;
        Some(Surface { name: &self.name, size: [width, height], samples: 1, plane, texel })
    }
}

/// A surface as a picture: one sample of each pixel or, without one, the mean of all, each held to 0 and 1; integers by
/// their low six bits.
pub fn picture(execution: &Execution, surface: &Surface<'_>, sample: Option<u32>) -> Pixels {
    let bytes = execution.contents(surface.name);
    pixels(surface, |pixel| {
        let mut sum = [0.0; 3];
        let samples = surface.bytes(bytes, pixel, sample).chunks_exact(surface.texel.bytes as usize);
        let count = samples.len().max(1) as f32;
        for sample in samples {
            for (sum, shade) in sum.iter_mut().zip(surface.texel.shades(sample)) {
                *sum += shade;
            }
        }
        sum.map(|sum| (sum / count * 255.0).round() as u8)
    })
}

/// Where two runs differ, in one sample of each pixel or in any: black where they do not, else at least half bright, each
/// channel by how much it differs at most, sixteenfold.
///
/// None where the other run has no such surface.
pub fn difference(
    original: &Execution,
    rewritten: &Execution,
    surface: &Surface<'_>,
    sample: Option<u32>,
) -> Option<Pixels> {
    if rewritten.run.surface(surface.name, surface.plane)? != *surface {
        return None;
    }
    let (left, right) = (original.contents(surface.name), rewritten.contents(surface.name));
    Some(pixels(surface, |pixel| {
        let (left, right) = [left, right].map(|bytes| surface.bytes(bytes, pixel, sample)).into();
        if left == right {
            return [0; 3];
        }
        let mut most = [0.0f32; 3];
        let texel = surface.texel.bytes as usize;
        for (a, b) in left.chunks_exact(texel).zip(right.chunks_exact(texel)) {
            let shades = surface.texel.shades(a).into_iter().zip(surface.texel.shades(b));
            for (channel, (a, b)) in most.iter_mut().zip(shades) {
                *channel = channel.max((a - b).abs());
            }
        }
        most.map(|channel| 128 + (channel * 16.0 * 127.0).min(127.0) as u8)
    }))
}

fn pixels(surface: &Surface<'_>, color: impl Fn(usize) -> [u8; 3]) -> Pixels {
    let count = surface.size.iter().map(|&side| side as usize).product();
    let rgba = (0..count).flat_map(|pixel| {
        let [r, g, b] = color(pixel);
        [r, g, b, 255]
    });
    Pixels { size: surface.size, rgba: rgba.collect() }
}

/// The values of a sample, red first; none where there is no such pixel or sample.
pub fn values(execution: &Execution, surface: &Surface<'_>, [x, y]: [u32; 2], sample: u32) -> Option<Vec<Value>> {
    if x >= surface.size[0] || y >= surface.size[1] || sample >= surface.samples {
        return None;
    }
    let pixel = (y as usize).checked_mul(surface.size[0] as usize)?.checked_add(x as usize)?;
    let bytes = surface.bytes(execution.contents(surface.name), pixel, Some(sample));
    let texel = surface.texel;
    if bytes.len() < texel.bytes as usize {
        return None;
    }
    Some(texel.components.iter().flatten().map(|component| component.value(bytes)).collect())
}

impl Surface<'_> {
    /// The bytes of a pixel's samples, or of one of them.
    fn bytes<'b>(&self, all: &'b [u8], pixel: usize, sample: Option<u32>) -> &'b [u8] {
        let texel = self.texel.bytes as usize;
        let length = self.samples as usize * texel;
        let before: usize = self.size.iter().map(|&side| side as usize).product();
        let start = before.saturating_mul(self.plane as usize).saturating_add(pixel).saturating_mul(length);
        let all = all.get(start..start.saturating_add(length)).unwrap_or(&[]);
        match sample {
            Some(sample) => {
                let start = (sample as usize).saturating_mul(texel);
                all.get(start..start.saturating_add(texel)).unwrap_or(&[])
            }
            None => all,
        }
    }
}

impl Texel {
    /// Red, green and blue between 0 and 1; a missing channel is 0.
    fn shades(&self, bytes: &[u8]) -> [f32; 3] {
        let [red, green, blue, _] = self.components;
        [red, green, blue].map(|component| component.map_or(0.0, |component| component.shade(bytes)))
    }
}

impl Component {
    fn read(self, texel: &[u8]) -> u64 {
        let word = texel.iter().rev().fold(0_u128, |word, byte| word << 8 | u128::from(*byte));
        (word >> self.shift) as u64 & (u64::MAX >> (64 - self.bits.clamp(1, 64)))
    }

    /// Between 0 and 1; what is not a number is 0.
    fn shade(self, texel: &[u8]) -> f32 {
        let bits = self.read(texel);
        let value = match (self.number, self.bits) {
            (Number::Int | Number::Uint, _) => (bits & 63) as f32 / 63.0,
            (Number::Unorm | Number::Snorm, _) => self.normalized(bits),
            (Number::Float, 32) => f32::from_bits(bits as u32),
            (Number::Float, 64) => f64::from_bits(bits) as f32,
            (Number::Float | Number::Ufloat, _) => half::value(self.half(bits)) as f32,
        };
        if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
    }

    fn value(self, texel: &[u8]) -> Value {
        let bits = self.read(texel);
        let (kind, bits, wide) = match self.number {
            Number::Float => (ScalarKind::Float, self.bits, bits),
            Number::Ufloat => (ScalarKind::Float, 16, self.half(bits).into()),
            Number::Unorm | Number::Snorm => (ScalarKind::Float, 32, self.normalized(bits).to_bits().into()),
            // Ten bits are not whole bytes: integers are shown at full width.
            Number::Int => {
                let above = 64 - self.bits.clamp(1, 64);
                (ScalarKind::Int, 64, (((bits << above) as i64) >> above) as u64)
            }
            Number::Uint => (ScalarKind::Uint, 64, bits),
        };
        Scalar { kind, bits }.value(wide.to_le_bytes().as_slice())
    }

    /// The float of 16 bits with the same value: one without a sign has fewer bits of fraction, and is else the same.
    fn half(self, bits: u64) -> u16 {
        match self.number {
            Number::Ufloat => (bits << (15 - self.bits.clamp(5, 15))) as u16,
            _ => bits as u16,
        }
    }

    fn normalized(self, bits: u64) -> f32 {
        let width = self.bits.clamp(1, 32);
        match self.number {
            Number::Snorm => {
                let value = ((bits << (64 - width)) as i64) >> (64 - width);
                (value as f64 / ((1_u64 << (width - 1)) - 1).max(1) as f64).max(-1.0) as f32
            }
            _ => (bits as f64 / ((1_u64 << width) - 1) as f64) as f32,
        }
    }
}
