//! Attachments as pictures: what was drawn, and where two runs differ.

use serde_json::Value;

use super::shape::{Scalar, ScalarKind};
use super::{AttachmentRun, Execution};

/// A picture of eight bits a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Red, green, blue, alpha of each pixel, row by row; opaque.
    pub rgba: Vec<u8>,
}

/// Bytes of one sample.
const SAMPLE: usize = 16;

/// An attachment as a picture: one sample of each pixel or, without one, the mean of all, each held to 0 and 1; integers
/// by their low six bits.
pub fn picture(execution: &Execution, attachment: &AttachmentRun, sample: Option<u32>) -> Pixels {
    let bytes = execution.contents(&attachment.name);
    pixels(attachment, |pixel| {
        let mut sum = [0.0; 3];
        let samples = pixel_bytes(attachment, bytes, pixel, sample).chunks_exact(SAMPLE);
        let count = samples.len().max(1) as f32;
        for sample in samples {
            for (sum, word) in sum.iter_mut().zip(sample.chunks_exact(4)) {
                *sum += shade(attachment.kind, word);
            }
        }
        sum.map(|sum| (sum / count * 255.0).round() as u8)
    })
}

/// Where two runs differ, in one sample of each pixel or in any: black where they do not, else at least half bright, each channel by how much it
/// differs at most, sixteenfold.
///
/// None where the other run has no such attachment.
pub fn difference(
    original: &Execution,
    rewritten: &Execution,
    attachment: &AttachmentRun,
    sample: Option<u32>,
) -> Option<Pixels> {
    let other = rewritten.run.attachments.iter().find(|other| other.name == attachment.name)?;
    if (other.size, other.samples, other.kind) != (attachment.size, attachment.samples, attachment.kind) {
        return None;
    }
    let (left, right) = (original.contents(&attachment.name), rewritten.contents(&attachment.name));
    Some(pixels(attachment, |pixel| {
        let (left, right) = [left, right].map(|bytes| pixel_bytes(attachment, bytes, pixel, sample)).into();
        if left == right {
            return [0; 3];
        }
        let mut most = [0.0f32; 3];
        for (a, b) in left.chunks_exact(SAMPLE).zip(right.chunks_exact(SAMPLE)) {
            for (channel, (a, b)) in most.iter_mut().zip(a.chunks_exact(4).zip(b.chunks_exact(4))) {
                *channel = channel.max((shade(attachment.kind, a) - shade(attachment.kind, b)).abs());
            }
        }
        most.map(|channel| 128 + (channel * 16.0 * 127.0).min(127.0) as u8)
    }))
}

fn pixels(attachment: &AttachmentRun, color: impl Fn(usize) -> [u8; 3]) -> Pixels {
    let count = attachment.size.iter().map(|&side| side as usize).product();
    let rgba = (0..count).flat_map(|pixel| {
        let [r, g, b] = color(pixel);
        [r, g, b, 255]
    });
    Pixels { size: attachment.size, rgba: rgba.collect() }
}

/// The four values of a sample, as they were read back; none where there is no such pixel or sample.
pub fn values(execution: &Execution, attachment: &AttachmentRun, [x, y]: [u32; 2], sample: u32) -> Option<[Value; 4]> {
    if x >= attachment.size[0] || y >= attachment.size[1] || sample >= attachment.samples {
        return None;
    }
    let pixel = (y as usize).checked_mul(attachment.size[0] as usize)?.checked_add(x as usize)?;
    let bytes = pixel_bytes(attachment, execution.contents(&attachment.name), pixel, Some(sample));
    let scalar = Scalar { kind: attachment.kind, bits: 32 };
    let value = |word: usize| Some(scalar.value(bytes.get(word * 4..word * 4 + 4)?));
    Some([value(0)?, value(1)?, value(2)?, value(3)?])
}

/// The bytes of a pixel's samples, or of one of them.
fn pixel_bytes<'b>(attachment: &AttachmentRun, bytes: &'b [u8], pixel: usize, sample: Option<u32>) -> &'b [u8] {
    let length = attachment.samples as usize * SAMPLE;
    let start = pixel.saturating_mul(length);
    let all = bytes.get(start..start.saturating_add(length)).unwrap_or(&[]);
    match sample {
        Some(sample) => {
            let start = (sample as usize).saturating_mul(SAMPLE);
            all.get(start..start.saturating_add(SAMPLE)).unwrap_or(&[])
        }
        None => all,
    }
}

/// One component between 0 and 1; what is no number is 0.
fn shade(kind: ScalarKind, word: &[u8]) -> f32 {
    let bits = word.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
    match kind {
        ScalarKind::Float => {
            let value = f32::from_bits(bits);
            if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
        }
        ScalarKind::Int | ScalarKind::Uint => (bits & 63) as f32 / 63.0,
    }
}
