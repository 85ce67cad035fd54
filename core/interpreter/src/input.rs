//! What a program runs on: plain data.

/// The contents of a buffer descriptor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buffer {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The array element, 0 where the binding is not an array.
    pub element: u32,
    /// The contents.
    pub bytes: Vec<u8>,
    /// The address of the first byte for physical storage buffers, not 0.
    pub address: Option<u64>,
}

/// Everything that a program reads besides its own code.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    /// Uniform and storage buffers. A descriptor that is not here is null.
    pub buffers: Vec<Buffer>,
    /// Push constants, from offset 0.
    pub push_constants: Vec<u8>,
    /// Images of all kinds.
    pub images: Vec<crate::image::Image>,
    /// Samplers, and those of combined image samplers.
    pub samplers: Vec<crate::image::Sampler>,
}

/// Which lane of which wave runs which invocation of a workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneMap {
    /// Lanes of a wave: a power of two from 1 to 64.
    pub subgroup_size: u32,
    /// By wave, then by lane: the local invocation index, or none for a lane without an invocation. Each invocation of
    /// the workgroup is there once.
    pub waves: Vec<Vec<Option<u32>>>,
}

impl LaneMap {
    /// Lane l of wave w runs invocation `w * size + l`.
    pub fn linear(subgroup_size: u32, invocations: u32) -> LaneMap {
        let waves = (0..invocations)
            .step_by(subgroup_size.max(1) as usize)
            .map(|first| {
                let lanes = 0..subgroup_size.max(1);
                lanes.map(|lane| first.checked_add(lane).filter(|&index| index < invocations)).collect()
            })
            .collect();
        LaneMap { subgroup_size, waves }
    }
}

/// A dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// Workgroups in each dimension (`NumWorkgroups`).
    pub groups: [u32; 3],
    /// The only workgroup that runs; absent for all of them, in order: x first, then y, then z.
    pub only: Option<[u32; 3]>,
    /// The lane map of every workgroup.
    pub lanes: LaneMap,
}

/// What a run looks for. Each costs time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// Data races.
    pub races: bool,
    /// Reads of workgroup, private and function memory that nothing has written.
    pub uninitialized: bool,
    /// Where NaNs first appear.
    pub nan: bool,
}

/// Limits of a run, and what it looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The most instructions that waves run, all together.
    pub max_steps: u64,
    /// The most memory of registers, buffers and race detection, in bytes.
    pub max_memory: u64,
    /// What is looked for.
    pub checks: Checks,
}

impl Default for Options {
    /// A billion steps, 1 GiB, all checks.
    fn default() -> Options {
        let checks = Checks { races: true, uninitialized: true, nan: true };
        Options { max_steps: 1_000_000_000, max_memory: 1 << 30, checks }
    }
}
