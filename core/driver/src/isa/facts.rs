//! The facts of an assembly text, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::named_enum;

use super::vendor_facts::{Axis, Derivative, Dialect, Input, Output, Topic};

/// What a text of assembly says. Lists that are of AMD's texts alone are empty for others. Indices are of `instructions` unless named otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IsaFacts {
    /// The form of the text; absent for AMD's.
    #[serde(skip_serializing_if = "Dialect::is_amd", default)]
    pub dialect: Dialect,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The basic blocks, in order; together they hold every instruction once.
    pub blocks: Vec<Block>,
    /// Every branch.
    pub branches: Vec<Branch>,
    /// Reads of attributes: one for each instruction that names one.
    pub interpolations: Vec<Interpolation>,
    /// Exports, in order.
    pub exports: Vec<Export>,
    /// Moves between the lanes of a quad.
    pub quad_permutes: Vec<QuadPermute>,
    /// Differences between the lanes of a quad that these moves are part of.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub quad_differences: Vec<QuadDifference>,
    /// Moves between lanes that are not named as those of a quad.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lane_moves: Vec<LaneMove>,
    /// Instructions that make an invocation's id out of what the hardware delivers, or out of the lane's number; for
    /// stages that have workgroups.
    pub ids: Vec<IdRebuild>,
    /// Instructions that read or write memory.
    pub memory: Vec<Memory>,
    /// Instructions that wait.
    pub waits: Vec<Wait>,
    /// Barriers of the workgroup, whole or in parts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub barriers: Vec<Barrier>,
    /// Registers that hold a value still needed, one row an instruction: see [`Pressure`]. None for a text that is too
    /// tangled to follow.
    pub pressure: Vec<Pressure>,
    /// The first instruction at which most VGPRs are live, and the first at which most SGPRs are.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak: Option<Peak>,
    /// Where each register holds a value still needed; none for a text with more than a million of them.
    pub ranges: Vec<LiveRange>,
    /// Inputs that are read, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<Input>,
    /// Outputs that are written, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<Output>,
    /// Derivatives, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub derivatives: Vec<Derivative>,
    /// What the text says nothing of, or not all.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_known: Vec<Topic>,
    /// Lines (from 0) that are neither empty, a comment, a label, an instruction nor an annotation of the disassembler.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unknown: Vec<u32>,
    /// The text was longer than is read.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cut: bool,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instruction {
    /// Its line in the text, from 0.
    pub line: u32,
    /// Its name, with the suffix of its encoding: `v_mul_f32_e32`.
    pub mnemonic: String,
    /// Its operands, in order.
    pub operands: Vec<Operand>,
    /// What stands after the operands: `quad_perm:[0,0,0,0]`, `dmask:0x7`, `done`, `offset:16`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub modifiers: Vec<Modifier>,
    /// Its encoding: 32-bit words in hexadecimal, as printed.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub words: String,
    /// How many more times it is repeated without a line of its own: `(then repeated 12 times)`.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub repeated: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Operand {
    /// Where it is in its line: start and end in bytes.
    pub columns: [u32; 2],
    /// What it is.
    pub kind: OperandKind,
    /// Whether the instruction reads it, writes it, or both.
    pub access: Access,
    /// The half of a register, where one is named: `v3.h`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub half: Option<Half>,
}

named_enum!(
    /// A half of a 32-bit register.
    Half {
        /// Bits 15:0.
        Low = "low",
        /// Bits 31:16.
        High = "high",
    }
);

/// What an operand is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OperandKind {
    /// One register or some in a row.
    Registers(Registers),
    /// A channel of an attribute: `attr2.x`.
    Attribute {
        /// The attribute's index.
        attribute: u32,
        /// 0 to 3.
        channel: u8,
    },
    /// A label of this text: `BB3`.
    Label(String),
    /// A number, as printed: `0x3f666666`, `1.0`, `-1`.
    Literal(String),
    /// Anything else, as printed: `p0`, `param2`, `off`, `null`, `vmcnt(0)`.
    Word(String),
}

/// Registers in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Registers {
    /// Their file.
    pub file: File,
    /// The first. 0 for the registers that are alone in their file; 1 for the high half of VCC or EXEC.
    pub first: u16,
    /// How many, at least 1.
    pub count: u16,
}

named_enum!(
    /// A kind of register.
    File {
        /// One value a lane.
        Vector = "v",
        /// One value a wave.
        Scalar = "s",
        /// The carry and condition mask, two halves.
        Vcc = "vcc",
        /// The mask of the lanes that run, two halves.
        Exec = "exec",
        /// The scalar condition.
        Scc = "scc",
        /// The scalar base of attributes, messages and data shares.
        M0 = "m0",
        /// NVIDIA: one value a lane. Intel, from Mesa 26.2 on: a general register of 32 or 64 bytes.
        General = "r",
        /// NVIDIA: one value a wave.
        UniformGeneral = "ur",
        /// NVIDIA: one bit a lane.
        Predicate = "p",
        /// NVIDIA: one bit a wave.
        UniformPredicate = "up",
        /// NVIDIA: the lanes that meet again.
        Convergence = "b",
        /// NVIDIA: the carry of an addition.
        Carry = "c",
        /// Qualcomm: components of full registers, 32 bits each.
        Full = "full",
        /// Qualcomm: components of half registers; two share one of a full register.
        Half = "half",
        /// Qualcomm: components of predicates.
        PredicateComponent = "predicate",
        /// Qualcomm: components of addresses.
        Address = "address",
        /// Intel, up to Mesa 26.1: a general register of 32 or 64 bytes.
        Grf = "g",
        /// Intel: one bit a lane.
        Flag = "f",
        /// Intel: accumulators.
        Accumulator = "acc",
        /// Intel: addresses of registers, and descriptors of messages.
        AddressRegister = "a",
    }
);

named_enum!(
    /// What an instruction does with an operand.
    Access {
        /// Neither: it is not a register.
        None = "none",
        /// Reads it.
        Read = "read",
        /// Writes it whole.
        Write = "write",
        /// Reads it and writes it, or writes a part of it.
        Both = "both",
    }
);

/// What stands after operands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Modifier {
    /// `quad_perm`, `done`.
    pub name: String,
    /// What stands after its colon; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub value: String,
}

/// A basic block: entered at its first instruction, left at its last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// Its label; absent where a branch in the middle of a labelled run ends a block.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// Its line: that of the label, else of its first instruction.
    pub line: u32,
    /// Its first instruction.
    pub first: u32,
    /// Instructions in it; 0 for a label that has none.
    pub count: u32,
    /// The blocks that may run next (indices of `blocks`): the next one in the text first.
    pub successors: Vec<u32>,
}

/// One branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// The instruction.
    pub instruction: u32,
    /// The label that it names.
    pub target: String,
    /// The block of that label (index of `blocks`); absent where the text has no such label.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub block: Option<u32>,
    /// Execution may continue after it.
    pub conditional: bool,
}

/// One read of an attribute's channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interpolation {
    /// The instruction.
    pub instruction: u32,
    /// The attribute.
    pub attribute: u32,
    /// 0 to 3.
    pub channel: u8,
    /// How it is read.
    pub read: AttributeRead,
    /// It is used as 16-bit value, from the high half of the channel.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub high: bool,
    /// It is used as 16-bit value, from the low half of the channel. A load of all vertices can serve both halves; a
    /// 32-bit read has neither flag.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub low: bool,
}

named_enum!(
    /// How an attribute is read.
    AttributeRead {
        /// First step of an interpolation: from the provoking vertex and the first difference.
        First = "first",
        /// Second step: the second difference is added.
        Second = "second",
        /// The value of one vertex, not interpolated: flat and per-vertex inputs.
        Vertex = "vertex",
        /// All three vertices at once into the lanes of a quad (from GFX11 on); interpolated or moved from there.
        Quad = "quad",
    }
);

/// One export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Export {
    /// The instruction.
    pub instruction: u32,
    /// Where it goes.
    pub target: ExportTarget,
    /// The number after the target's name: `2` of `param2`, 0 if there is none.
    pub index: u32,
    /// Channels that are written, as bits 0 to 3; the registers where it is unknown how many channels each contains:
    /// see [`Export::is_unclear`].
    pub mask: u8,
    /// Two 16-bit values to a register.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub compressed: bool,
    /// What each register holds, for colours and depth, where that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub form: Option<Form>,
    /// The last export of its kind.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub done: bool,
}

named_enum!(
    /// Where an export goes.
    ExportTarget {
        /// A parameter slot: a varying.
        Parameter = "param",
        /// A position: the vertex's own, then point size, layer, viewport and clip distances.
        Position = "pos",
        /// A colour attachment.
        Color = "mrt",
        /// One of two colours that are blended with each other (from GFX11 on; before, they are two attachments).
        DualSource = "dual_src_blend",
        /// Depth, stencil reference and coverage.
        Depth = "mrtz",
        /// The primitive's vertex numbers (NGG).
        Primitive = "prim",
        /// Nowhere: the hardware wants one export.
        Null = "null",
        /// Something else that is printed.
        Other = "other",
    }
);

named_enum!(
    /// What a register of a colour or depth export holds.
    Form {
        /// One value of 32 bits.
        Whole = "32-bit",
        /// Two values of 16 bits, of unknown type.
        Pair = "16-bit",
        /// Two floats of 16 bits.
        Half = "fp16",
        /// Two unsigned fractions of 16 bits.
        Unorm = "unorm16",
        /// Two signed fractions of 16 bits.
        Snorm = "snorm16",
        /// Two unsigned integers of 16 bits.
        Uint = "uint16",
        /// Two signed integers of 16 bits.
        Sint = "sint16",
    }
);

/// One move between the lanes of a quad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuadPermute {
    /// The instruction.
    pub instruction: u32,
    /// For each lane of the quad, the lane that it reads.
    pub lanes: [u8; 4],
    /// What it is for.
    pub purpose: QuadPurpose,
}

/// A difference of one value in two lanes of a quad, one column or one row apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuadDifference {
    /// The instruction that subtracts.
    pub instruction: u32,
    /// The moves in the quad that are part of it, in order.
    pub permutes: Vec<u32>,
    /// Along which axis.
    pub axis: Axis,
    /// For each lane of the quad, the two lanes that are subtracted: the right or lower one first.
    pub lanes: [[u8; 2]; 4],
}

named_enum!(
    /// What a move in the quad is for.
    QuadPurpose {
        /// Part of a difference along x: the lanes that are subtracted are one column apart.
        DerivativeX = "derivative-x",
        /// Part of a difference along y: lanes one row apart.
        DerivativeY = "derivative-y",
        /// Part of one difference along x and of one along y, which share a subtraction.
        DerivativeXY = "derivative-xy",
        /// One vertex's value to the whole quad, after a parameter load (from GFX11 on).
        FlatInput = "flat-input",
        /// The second step of an interpolation, as multiply-add with the second difference (from GFX11 on).
        Interpolation = "interpolation",
        /// None of these.
        Other = "other",
    }
);

/// One move between lanes that is not named as one of a quad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaneMove {
    /// The instruction.
    pub instruction: u32,
    /// Which lanes it moves between.
    pub how: LaneMoveKind,
}

named_enum!(
    /// Which lanes a move is between. A row has 16 lanes.
    LaneMoveKind {
        /// A number of lanes up or down the row.
        RowShift = "row-shift",
        /// Rotated within the row.
        RowRotate = "row-rotate",
        /// Mirrored in the row.
        RowMirror = "row-mirror",
        /// Mirrored in each half of the row.
        RowHalfMirror = "row-half-mirror",
        /// From a row's last lane to the next row, or from one lane to the row.
        RowBroadcast = "row-broadcast",
        /// From one lane of the row to all of it.
        RowShare = "row-share",
        /// To the lane whose number differs by a mask.
        RowXor = "row-xmask",
        /// One lane up or down the wave.
        WaveShift = "wave-shift",
        /// Rotated within the wave.
        WaveRotate = "wave-rotate",
        /// Any lane of a group of eight.
        Eight = "dpp8",
        /// Any lane of the own row or of the other row of a pair.
        Permlane = "permlane",
        /// A pattern of the data share.
        Swizzle = "swizzle",
        /// Any lane, by a number that each lane has.
        Permute = "permute",
        /// The lane whose number differs by a mask, in the whole wave.
        LaneXor = "lane-xor",
        /// A number of lanes up.
        LaneUp = "lane-up",
        /// A number of lanes down.
        LaneDown = "lane-down",
    }
);

/// One instruction that makes a part of an invocation's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdRebuild {
    /// The instruction.
    pub instruction: u32,
    /// What it makes.
    pub what: IdPart,
}

named_enum!(
    /// A part of an invocation's id.
    IdPart {
        /// x out of the packed id (from GFX11 on: bits 9:0 of v0), or its low bits.
        UnpackX = "unpack-x",
        /// y out of the packed id (bits 19:10).
        UnpackY = "unpack-y",
        /// z out of the packed id (bits 29:20).
        UnpackZ = "unpack-z",
        /// The lane's number in its wave: a count of the lanes below.
        Lane = "lane",
        /// The thread's number in the workgroup, out of delivered coordinates or of wave and lane.
        Linear = "linear",
        /// A field of bits of a thread's number: a coordinate of a remapped id.
        Remap = "remap",
    }
);

/// One access to memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The instruction.
    pub instruction: u32,
    /// Which memory.
    pub space: Space,
    /// What it does.
    pub does: Does,
}

named_enum!(
    /// A way to memory.
    Space {
        /// Scalar loads, through the scalar cache.
        Scalar = "scalar",
        /// Constants: uniform buffers and push constants, through the constant cache.
        Constant = "constant",
        /// Typed and untyped buffers.
        Buffer = "buffer",
        /// Images.
        Image = "image",
        /// Images or buffers: the text does not say which.
        ImageOrBuffer = "image or buffer",
        /// Buffers or scratch: the text does not say which.
        BufferOrScratch = "buffer or scratch",
        /// Plain addresses.
        Global = "global",
        /// A lane's own memory, where registers are spilled.
        Scratch = "scratch",
        /// The workgroup's own memory, and the global data share.
        Local = "local",
        /// Intel: the memory through which stages pass values, the unified return buffer.
        Urb = "URB",
        /// The text does not say.
        Unknown = "unknown",
    }
);

named_enum!(
    /// What an access does.
    Does {
        /// Loads.
        Load = "load",
        /// Stores.
        Store = "store",
        /// Samples or gathers.
        Sample = "sample",
        /// Reads, computes and writes in one step.
        Atomic = "atomic",
        /// Something else: a query, an invalidation.
        Other = "other",
        /// The text does not say.
        Unknown = "unknown",
    }
);

/// One wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// The instruction.
    pub instruction: u32,
    /// What it waits for: `vmcnt(0)`, `loadcnt(0) dscnt(1)`, `s_barrier`.
    pub until: String,
}

/// One barrier of the workgroup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Barrier {
    /// The instruction.
    pub instruction: u32,
    /// Which part of it.
    pub part: BarrierPart,
}

named_enum!(
    /// A part of a barrier.
    BarrierPart {
        /// Signals and waits (up to GFX11).
        Whole = "whole",
        /// Says that this wave arrived (from GFX12 on).
        Signal = "signal",
        /// Waits for the others (from GFX12 on).
        Wait = "wait",
        /// Sets up, joins, leaves or queries a barrier.
        Other = "other",
    }
);

/// How many registers hold a value that this instruction or a later one reads: the more of before and after it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pressure {
    /// Vector registers; of other vendors those that hold a value a lane.
    pub vgprs: u16,
    /// Scalar registers; of other vendors those that hold a value a wave, if any.
    pub sgprs: u16,
}

/// Where the most registers are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Peak {
    /// The most of both.
    pub most: Pressure,
    /// The first instruction with so many VGPRs.
    pub vgprs_at: u32,
    /// The first instruction with so many SGPRs.
    pub sgprs_at: u32,
    /// There may be more: the text does not say which registers are needed at the end.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub at_least: bool,
}

/// A run of instructions over which one register holds a value still needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LiveRange {
    /// The register; `count` is 1.
    pub register: Registers,
    /// The instruction that writes it, or the first of a block that is entered with it.
    pub from: u32,
    /// The last instruction that needs it, or the last of a block after which it is needed.
    pub to: u32,
}
