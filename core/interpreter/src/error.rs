//! Why a module cannot be interpreted, or a run cannot start.

use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::Inst;

/// Why an entry point cannot be interpreted. Returned before anything runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// An instruction that the interpreter does not implement.
    #[error("{}: not supported: {reason}", place(name, *result, *word))]
    Unsupported {
        /// The opcode's name.
        name: String,
        /// Its result id.
        result: Option<Id>,
        /// Its first word, from the start of the module.
        word: u32,
        /// What is missing.
        reason: String,
    },
    /// An instruction that breaks a rule of SPIR-V which execution relies on.
    #[error("{}: invalid: {reason}", place(name, *result, *word))]
    Invalid {
        /// The opcode's name.
        name: String,
        /// Its result id.
        result: Option<Id>,
        /// Its first word, from the start of the module.
        word: u32,
        /// The rule that is broken.
        reason: String,
    },
    /// An entry point of a stage that the interpreter does not run.
    #[error("entry point `{entry}`: not supported: expected a graphics or compute shader")]
    Stage {
        /// The entry point's name.
        entry: String,
    },
    /// An entry point without the execution modes of its stage, or with values beyond their limits.
    #[error("entry point `{entry}`: {reason}")]
    Mode {
        /// The entry point's name.
        entry: String,
        /// What is missing, or beyond which limit.
        reason: String,
    },
    /// Values of the entry point need more registers than a wave may have.
    #[error("entry point `{entry}` needs more than {limit} scalar registers for each lane")]
    Registers {
        /// The entry point's name.
        entry: String,
        /// The limit.
        limit: u32,
    },
}

fn place(name: &str, result: Option<Id>, word: u32) -> String {
    let result = result.map(|id| format!(" %{id}")).unwrap_or_default();
    format!("{name}{result} at word {word} (byte {:#x})", u64::from(word) * 4)
}

impl DecodeError {
    /// The instruction is not implemented.
    pub(crate) fn unsupported(inst: &Inst<'_>, reason: impl Into<String>) -> DecodeError {
        let (name, result, word) = (inst.name(), inst.result(), inst.word);
        DecodeError::Unsupported { name, result, word, reason: reason.into() }
    }

    /// The instruction breaks a rule.
    pub(crate) fn invalid(inst: &Inst<'_>, reason: impl Into<String>) -> DecodeError {
        let (name, result, word) = (inst.name(), inst.result(), inst.word);
        DecodeError::Invalid { name, result, word, reason: reason.into() }
    }
}

/// Why a run cannot start with these inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The subgroup size is not supported.
    #[error("subgroup size {size}: expected a power of two from 1 to 64")]
    SubgroupSize {
        /// The size.
        size: u32,
    },
    /// A wave of fragments does not have whole quads.
    #[error("subgroup size {size}: expected at least 4 lanes for the quads of a fragment shader")]
    QuadSize {
        /// The size.
        size: u32,
    },
    /// A program of another stage than the launch.
    #[error("entry point `{entry}` is a {found} shader, expected a {expected} shader")]
    Stage {
        /// The entry point's name.
        entry: String,
        /// Its stage.
        found: StageKind,
        /// The stage of the launch.
        expected: StageKind,
    },
    /// A count of samples that has no standard locations here.
    #[error("{samples} samples: expected 1, 2, 4 or 8")]
    Samples {
        /// The count.
        samples: u32,
    },
    /// An entry point whose execution modes are missing, or whose work is beyond a limit.
    #[error("entry point `{entry}`: {reason}")]
    Mode {
        /// The entry point's name.
        entry: String,
        /// What is missing, or beyond which limit.
        reason: String,
    },
    /// A stage gets primitives of another number of vertices.
    #[error("entry point `{entry}` takes primitives of {expected} vertices, found {found}")]
    Vertices {
        /// The entry point's name.
        entry: String,
        /// Vertices of the primitives that it takes.
        expected: u32,
        /// Vertices of those that it gets.
        found: u32,
    },
    /// Patches reach the rasterizer.
    #[error("patches cannot be rasterised: a tessellation control and evaluation shader are needed")]
    Patches,
    /// A wave's list has another length than the subgroup size.
    #[error("wave {wave} has {found} lanes, but the subgroup size is {expected}")]
    WaveLength {
        /// Index of the wave.
        wave: usize,
        /// Lanes in the list.
        found: usize,
        /// The subgroup size.
        expected: u32,
    },
    /// A workgroup has more invocations than are run.
    #[error(
        "workgroup size {}·{}·{} = {invocations} invocations: expected at most {limit}",
        size[0], size[1], size[2]
    )]
    WorkgroupSize {
        /// Invocations in each dimension.
        size: [u32; 3],
        /// Invocations in all.
        invocations: u128,
        /// The limit.
        limit: u64,
    },
    /// The lane map does not place each invocation of the workgroup once.
    #[error("the lane map places invocation {invocation} {count} times, expected once (workgroup of {size})")]
    Placement {
        /// The local invocation index.
        invocation: u32,
        /// How often the map has it.
        count: u32,
        /// Invocations in a workgroup.
        size: u32,
    },
    /// The run needs more memory than allowed.
    #[error("the run needs {needed} bytes of memory, more than the limit of {limit}")]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Two resources have the same descriptor.
    #[error("set {set}, binding {binding}, element {element} is described twice")]
    Twice {
        /// The descriptor set.
        set: u32,
        /// The binding.
        binding: u32,
        /// The array element.
        element: u32,
    },
    /// An image's description contradicts itself.
    #[error("image of set {set}, binding {binding}, element {element}: {reason}")]
    Image {
        /// The descriptor set.
        set: u32,
        /// The binding.
        binding: u32,
        /// The array element.
        element: u32,
        /// What is wrong.
        reason: String,
    },
}
