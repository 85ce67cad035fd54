//! What happens to a sample after a fragment: the depth test, blending, channels, formats.

use crate::image::Compare;
use crate::kernels::float::{Half, Real};

/// A channel of a colour attachment's format. Contents have 32 bits, rounded to what the channel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channel {
    /// All 32 bits.
    #[default]
    Full,
    /// A float of 16 bits.
    Half,
    /// A float without a sign of so many bits, with the exponent of 16-bit ones.
    Ufloat(u32),
    /// A number from 0 to 1 in so many bits.
    Unorm(u32),
    /// A number from -1 to 1 in so many bits.
    Snorm(u32),
    /// An unsigned integer of so many bits.
    Uint(u32),
    /// A signed integer of so many bits.
    Sint(u32),
    /// The format does not have it: 0, or 1 for alpha. Whether it would be a float.
    Absent(bool),
}

/// Defines the factors in the order of their values in Vulkan.
macro_rules! factors {
    ($($name:ident),+ $(,)?) => {
        /// A factor of blending.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names of VkBlendFactor")]
        pub enum Factor {
            $($name),+
        }

        /// By value.
        const FACTORS: &[Factor] = &[$(Factor::$name),+];
    };
}

factors! {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
}

/// How a blended source and destination are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of VkBlendOp")]
pub enum BlendOp {
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
}

/// How an output and what an attachment holds are combined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// Factors of colours: source, destination.
    pub color: [Factor; 2],
    /// Joins colours.
    pub color_op: BlendOp,
    /// Factors of alphas: source, destination.
    pub alpha: [Factor; 2],
    /// Joins alphas.
    pub alpha_op: BlendOp,
    /// The blend constants.
    pub constants: [f32; 4],
}

/// What is added to the depths of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthBias {
    /// How many of the least differences of a depth's format, at the triangle's greatest depth.
    pub constant: f32,
    /// The most that is added, or the least where it is negative; none where it is 0.
    pub clamp: f32,
    /// The factor of the greatest slope.
    pub slope: f32,
}

/// The depth test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthTest {
    /// Compares the fragment's depth with the one that is there.
    pub compare: Compare,
    /// Whether depths that pass are written.
    pub write: bool,
}

impl Factor {
    /// The factor of a `VkBlendFactor`, without those of a second source.
    pub fn from_vulkan(value: i32) -> Option<Factor> {
        FACTORS.get(usize::try_from(value).ok()?).copied()
    }

    fn of(self, at: usize, source: [f32; 4], destination: [f32; 4], constants: [f32; 4]) -> f32 {
        match self {
            Factor::Zero => 0.0,
            Factor::One => 1.0,
            Factor::SrcColor => source[at],
            Factor::OneMinusSrcColor => 1.0 - source[at],
            Factor::DstColor => destination[at],
            Factor::OneMinusDstColor => 1.0 - destination[at],
            Factor::SrcAlpha => source[3],
            Factor::OneMinusSrcAlpha => 1.0 - source[3],
            Factor::DstAlpha => destination[3],
            Factor::OneMinusDstAlpha => 1.0 - destination[3],
            Factor::ConstantColor => constants[at],
            Factor::OneMinusConstantColor => 1.0 - constants[at],
            Factor::ConstantAlpha => constants[3],
            Factor::OneMinusConstantAlpha => 1.0 - constants[3],
            Factor::SrcAlphaSaturate if at == 3 => 1.0,
            Factor::SrcAlphaSaturate => source[3].min(1.0 - destination[3]),
        }
    }
}

impl BlendOp {
    /// The operation of a `VkBlendOp`, without those of extensions.
    pub fn from_vulkan(value: i32) -> Option<BlendOp> {
        use BlendOp::*;
        [Add, Subtract, ReverseSubtract, Min, Max].get(usize::try_from(value).ok()?).copied()
    }
}

impl Blend {
    fn of(&self, source: [f32; 4], destination: [f32; 4]) -> [f32; 4] {
        [0, 1, 2, 3].map(|at| {
            let ([from, to], op) = if at == 3 { (self.alpha, self.alpha_op) } else { (self.color, self.color_op) };
            let factor = |factor: Factor| factor.of(at, source, destination, self.constants);
            let (a, b) = (source[at] * factor(from), destination[at] * factor(to));
            match op {
                BlendOp::Add => a + b,
                BlendOp::Subtract => a - b,
                BlendOp::ReverseSubtract => b - a,
                BlendOp::Min => source[at].min(destination[at]),
                BlendOp::Max => source[at].max(destination[at]),
            }
        })
    }
}

impl Channel {
    /// The 32 bits of a value after it was stored; `alpha` is whether it is the fourth channel.
    pub fn stored(self, bits: u32, alpha: bool) -> u32 {
        let float = f32::from_bits(bits);
        let steps = |bits: u32| (1u64 << bits.clamp(1, 31)) as f32 - 1.0;
        match self {
            Channel::Full => bits,
            Channel::Half => f32::of(Half::of(f64::from(float)).wide()).to_bits(),
            Channel::Ufloat(width) => {
                let kept = 15u32.saturating_sub(width);
                let half = lanescope_base::half::toward_zero(f64::from(float));
                // There are no negative numbers; what is cut off is lost, and of a NaN something stays.
                let cut = if float < 0.0 { 0 } else { (half & 0x7fff) >> kept << kept };
                let cut = if float.is_nan() { 0x7e00 } else { cut };
                (lanescope_base::half::value(cut) as f32).to_bits()
            }
            Channel::Unorm(width) => {
                let most = steps(width);
                ((clamped(float, 0.0) * most).round_ties_even() / most).to_bits()
            }
            Channel::Snorm(width) => {
                let most = steps(width - 1);
                ((clamped(float, -1.0) * most).round_ties_even() / most).to_bits()
            }
            Channel::Uint(width) => bits & (u64::MAX >> (64 - width.clamp(1, 32))) as u32,
            Channel::Sint(width) => {
                let unused = 32 - width.clamp(1, 32);
                (((bits << unused) as i32) >> unused) as u32
            }
            Channel::Absent(float) => match (alpha, float) {
                (false, _) => 0,
                (true, true) => 1f32.to_bits(),
                (true, false) => 1,
            },
        }
    }

    /// A source of blending: within the range of a normalized channel.
    fn source(self, value: f32) -> f32 {
        match self {
            Channel::Unorm(_) => clamped(value, 0.0),
            Channel::Snorm(_) => clamped(value, -1.0),
            _ => value,
        }
    }
}

/// A value from `least` to 1; NaN is 0.
fn clamped(value: f32, least: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(least, 1.0) }
}

/// The words of a sample after an output was written: the output where it is written, else what was there before.
pub(super) fn written(
    output: [Option<u32>; 4],
    before: [u32; 4],
    channels: [Channel; 4],
    blend: Option<&Blend>,
    mask: [bool; 4],
) -> [u32; 4] {
    let mut words = output;
    if let Some(blend) = blend {
        let source =
            |at: usize| channels[at].source(output[at].map_or(if at == 3 { 1.0 } else { 0.0 }, f32::from_bits));
        let blended = blend.of([0, 1, 2, 3].map(source), before.map(f32::from_bits));
        words = [0, 1, 2, 3].map(|at| Some(blended[at].to_bits()));
    }
    [0, 1, 2, 3].map(|at| match words[at].filter(|_| mask[at]) {
        Some(word) => channels[at].stored(word, at == 3),
        None => before[at],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_round_and_clamp() {
        let unorm = |value: f32| f32::from_bits(Channel::Unorm(8).stored(value.to_bits(), false));
        assert_eq!((unorm(0.5), unorm(2.0), unorm(-1.0), unorm(f32::NAN)), (128.0 / 255.0, 1.0, 0.0, 0.0));
        assert_eq!(f32::from_bits(Channel::Snorm(8).stored((-2f32).to_bits(), false)), -1.0);
        assert_eq!(f32::from_bits(Channel::Half.stored(1.0001f32.to_bits(), false)), 1.0);
        let ufloat = |value: f32| f32::from_bits(Channel::Ufloat(11).stored(value.to_bits(), false));
        assert_eq!(
            (ufloat(0.5), ufloat(-1.0), ufloat(1.02), ufloat(f32::INFINITY)),
            (0.5, 0.0, 1.015625, f32::INFINITY)
        );
        assert!(ufloat(f32::NAN).is_nan());
        assert_eq!(Channel::Uint(8).stored(0x1234, false), 0x34);
        assert_eq!(Channel::Sint(16).stored(0xffff, false), u32::MAX);
        assert_eq!(
            (Channel::Absent(true).stored(7, true), Channel::Absent(false).stored(7, false)),
            (1f32.to_bits(), 0)
        );
    }

    #[test]
    fn sources_and_destinations_blend() {
        let blend = Blend {
            color: [Factor::SrcAlpha, Factor::OneMinusSrcAlpha],
            color_op: BlendOp::Add,
            alpha: [Factor::One, Factor::ConstantAlpha],
            alpha_op: BlendOp::ReverseSubtract,
            constants: [0.0, 0.0, 0.0, 0.5],
        };
        let out = [2.0f32, 0.5, 0.0, 0.25].map(|value| Some(value.to_bits()));
        let before = [1.0f32, 1.0, 1.0, 1.0].map(f32::to_bits);
        let full = written(out, before, [Channel::Full; 4], Some(&blend), [true, true, true, false]);
        assert_eq!(full.map(f32::from_bits), [1.25, 0.875, 0.75, 1.0]);
        let unorm = written(out, before, [Channel::Unorm(8); 4], Some(&blend), [true; 4]);
        assert_eq!(f32::from_bits(unorm[0]), 1.0, "the source is clamped");
        assert_eq!(f32::from_bits(unorm[3]), 64.0 / 255.0);
        assert_eq!(Factor::from_vulkan(14), Some(Factor::SrcAlphaSaturate));
        assert_eq!((Factor::from_vulkan(15), BlendOp::from_vulkan(5)), (None, None));
    }
}
