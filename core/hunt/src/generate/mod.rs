//! Shaders by number.

mod expression;
mod interface;
mod kernel;
mod writer;

use fastrand::Rng;
use lanescope_base::StageKind;

/// What kind of program is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A compute shader that runs: integers of 8 to 64 bits and floats that are added, multiplied and compared, arrays with
    /// dynamic indices, control flow, functions, shared memory and barriers. No two runs may differ in a bit.
    Kernel,
    /// A compute shader with all that too, and with what devices may compute differently: operations of subgroups, images,
    /// textures, transcendental functions, floats of 16 bits.
    Wide,
    /// A graphics pipeline: interfaces with components, arrays, blocks and interpolation, of two to five stages.
    Pipeline,
}

impl Kind {
    /// All of them.
    pub const ALL: &[Kind] = &[Kind::Kernel, Kind::Wide, Kind::Pipeline];

    /// As a user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Kernel => "kernel",
            Kind::Wide => "wide",
            Kind::Pipeline => "pipeline",
        }
    }
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let known = || Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        let kind = Kind::ALL.iter().copied().find(|kind| kind.name() == text);
        kind.ok_or_else(|| format!("`{text}`: expected one of {}", known()))
    }
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// Its kind.
    pub kind: Kind,
    /// Its stages in pipeline order, in GLSL.
    pub stages: Vec<(StageKind, String)>,
    /// Bytes of the buffer that it reads, at set 0, binding 0: none where it is not to run.
    pub input: Vec<u8>,
}

/// Number of 32-bit words of the buffer that a kernel reads.
const INPUT_WORDS: usize = 256;

impl Generated {
    /// The program of a number.
    pub fn of(kind: Kind, number: u64) -> Generated {
        // Numbers next to each other begin far from each other.
        let mut random = Rng::with_seed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ kind as u64);
        let stages = match kind {
            Kind::Kernel => vec![(StageKind::Compute, kernel::kernel(&mut random, kernel::Reach::Exact))],
            Kind::Wide => vec![(StageKind::Compute, kernel::kernel(&mut random, kernel::Reach::All))],
            Kind::Pipeline => interface::pipeline(&mut random),
        };
        let input = match kind {
            Kind::Kernel => (0..INPUT_WORDS).flat_map(|_| word(&mut random).to_le_bytes()).collect(),
            Kind::Wide | Kind::Pipeline => Vec::new(),
        };
        Generated { kind, stages, input }
    }
}

/// A number, rather small or at an edge: these meet more branches than others.
fn word(random: &mut Rng) -> u32 {
    match random.u32(..10) {
        0..5 => random.u32(..16),
        5..7 => random.u32(..1000),
        7 => [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x1_0000][random.usize(..7)],
        8 => 1 << random.u32(..32),
        _ => random.u32(..),
    }
}

#[cfg(test)]
mod tests;
