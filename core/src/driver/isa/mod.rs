//! A driver's assembly, read: instructions, blocks, and what they say of interfaces, lanes and registers.
//!
//! [`read`] takes the text that Mesa's AMD compiler (ACO) hands back, as its disassembler prints it: one instruction a
//! line, a tab before it, `; words` behind it, labels `BBn:` between. Any text may be read: a line that is no
//! instruction is kept as such, and a text without any gives facts without any.
//!
//! What the numbers mean:
//! * Liveness follows the branches that stand in the text, as the hardware takes them. A write while lanes are masked
//!   off counts as a whole write; so between the two sides of a divergent branch the pressure is a lower bound.
//! * Registers beyond what is printed are not seen: on GFX9 the disassembler prints one register for an image address
//!   that takes two or three.
//! * VCC, EXEC, SCC and M0 are tracked, and not counted as SGPRs.
//! * On GFX11 an export does not say whether its registers hold one channel each or two: what wrote them tells, and where
//!   nothing does, the export's registers are counted instead ([`Export::is_unclear`]).

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

mod access;
mod flow;
mod form;
mod interface;
mod lanes;
mod live;
#[cfg(test)]
mod tests;
mod text;
mod told;

pub use told::Digest;

use crate::options::named_enum;
use crate::program::StageKind;

/// The longest text that is read, in lines. The rest is left out and [`IsaFacts::cut`] says so.
pub const MAX_LINES: usize = 1 << 17;

/// What a text of assembly says. Indices are of `instructions` unless named otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IsaFacts {
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
    /// Instructions that make an invocation's id out of what the hardware delivers, or out of the lane's number; for
    /// stages that have workgroups.
    pub ids: Vec<IdRebuild>,
    /// Instructions that read or write memory.
    pub memory: Vec<Memory>,
    /// Instructions that wait.
    pub waits: Vec<Wait>,
    /// Registers that hold a value still needed, one row an instruction: see [`Pressure`]. None for a text that is too
    /// tangled to follow.
    pub pressure: Vec<Pressure>,
    /// The first instruction at which most VGPRs are live, and the first at which most SGPRs are.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak: Option<Peak>,
    /// Where each register holds a value still needed; none for a text with more than a million of them.
    pub ranges: Vec<LiveRange>,
    /// Lines (from 0) that are neither empty, a comment, a label nor an instruction.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unknown: Vec<u32>,
    /// The text was longer than is read.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cut: bool,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// Its line in the text, from 0.
    pub line: u32,
    /// Its name, with the suffix of its encoding: `v_mul_f32_e32`.
    pub mnemonic: String,
    /// Its operands, in order.
    pub operands: Vec<Operand>,
    /// What stands behind the operands: `quad_perm:[0,0,0,0]`, `dmask:0x7`, `done`, `offset:16`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub modifiers: Vec<Modifier>,
    /// Its encoding: 32-bit words in hexadecimal, as printed.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub words: String,
}

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// Where it stands in its line: bytes from and up to.
    pub columns: [u32; 2],
    /// What it is.
    pub kind: OperandKind,
    /// Whether the instruction reads it, writes it, or both.
    pub access: Access,
}

/// What an operand is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    }
);

named_enum!(
    /// What an instruction does with an operand.
    Access {
        /// Neither: it is no register.
        None = "none",
        /// Reads it.
        Read = "read",
        /// Writes it whole.
        Write = "write",
        /// Reads it and writes it, or writes a part of it.
        Both = "both",
    }
);

/// What stands behind operands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    /// `quad_perm`, `done`.
    pub name: String,
    /// What stands behind its colon; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub value: String,
}

/// A basic block: entered at its first instruction, left at its last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The instruction.
    pub instruction: u32,
    /// The label that it names.
    pub target: String,
    /// The block of that label (index of `blocks`); absent where the text has no such label.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub block: Option<u32>,
    /// It may go on behind itself.
    pub conditional: bool,
}

/// One read of an attribute's channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpolation {
    /// The instruction.
    pub instruction: u32,
    /// The attribute.
    pub attribute: u32,
    /// 0 to 3.
    pub channel: u8,
    /// How it is read.
    pub read: AttributeRead,
    /// It reads the high half of the channel (16-bit interpolation, GFX9 and GFX10).
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub high: bool,
}

named_enum!(
    /// How an attribute is read.
    AttributeRead {
        /// First step of an interpolation: from the provoking vertex and the first difference.
        First = "first",
        /// Second step: the second difference is added.
        Second = "second",
        /// A vertex's value, as it is: flat and per-vertex inputs.
        Vertex = "vertex",
        /// All three vertices at once into the lanes of a quad (GFX11); interpolated or moved from there.
        Quad = "quad",
    }
);

/// One export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The instruction.
    pub instruction: u32,
    /// Where it goes.
    pub target: ExportTarget,
    /// The number behind the target's name: `2` of `param2`, 0 where there is none.
    pub index: u32,
    /// Channels that are written, as bits 0 to 3; the registers where nothing tells how many channels each holds: see
    /// [`Export::is_unclear`].
    pub mask: u8,
    /// Two 16-bit values to a register.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub compressed: bool,
    /// What each register holds, for colours and depth, where that is told.
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
        /// One of two colours that are blended with each other (GFX11; before, they are exported as two attachments).
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
        /// Two values of 16 bits, of a kind that is not told.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuadPermute {
    /// The instruction.
    pub instruction: u32,
    /// For each lane of the quad, the lane that it reads.
    pub lanes: [u8; 4],
    /// What it is for.
    pub purpose: QuadPurpose,
}

named_enum!(
    /// What a move in the quad is for.
    QuadPurpose {
        /// Part of a difference along x: one of two permutes whose lanes are one column apart.
        DerivativeX = "derivative-x",
        /// Part of a difference along y: lanes one row apart.
        DerivativeY = "derivative-y",
        /// One vertex's value to the whole quad, behind a parameter load (GFX11).
        FlatInput = "flat-input",
        /// None of these.
        Other = "other",
    }
);

/// One instruction that makes a part of an invocation's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdRebuild {
    /// The instruction.
    pub instruction: u32,
    /// What it makes.
    pub what: IdPart,
}

named_enum!(
    /// A part of an invocation's id.
    IdPart {
        /// x out of the packed id (GFX11: bits 9:0 of v0).
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
        /// Typed and untyped buffers.
        Buffer = "buffer",
        /// Images.
        Image = "image",
        /// Plain addresses.
        Global = "global",
        /// A lane's own memory, where registers are spilled.
        Scratch = "scratch",
        /// The workgroup's own memory, and the global data share.
        Local = "local",
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
    }
);

/// One wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The instruction.
    pub instruction: u32,
    /// What it waits for, as printed: `vmcnt(0)`, `s_barrier`.
    pub until: String,
}

/// How many registers hold a value that this instruction or a later one reads: the more of before and behind it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressure {
    /// Vector registers.
    pub vgprs: u16,
    /// Scalar registers.
    pub sgprs: u16,
}

/// Where the most registers are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peak {
    /// The most of both.
    pub most: Pressure,
    /// The first instruction with so many VGPRs.
    pub vgprs_at: u32,
    /// The first instruction with so many SGPRs.
    pub sgprs_at: u32,
}

/// A run of instructions over which one register holds a value still needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRange {
    /// The register; `count` is 1.
    pub register: Registers,
    /// The instruction that writes it, or the first of a block that is entered with it.
    pub from: u32,
    /// The last instruction that needs it, or the last of a block behind which it is needed.
    pub to: u32,
}

/// Reads the assembly of one stage; of several that a driver merged, the last.
pub fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = text::parse(text);
    access::mark(&mut facts.instructions);
    flow::follow(&mut facts);
    interface::find(&mut facts);
    form::tell(&mut facts);
    lanes::find(&mut facts, stage);
    facts
}

impl Registers {
    /// Whether two runs share a register.
    pub fn overlaps(&self, other: &Registers) -> bool {
        let end = |r: &Registers| u32::from(r.first) + u32::from(r.count);
        self.file == other.file && u32::from(self.first) < end(other) && u32::from(other.first) < end(self)
    }
}

impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = u32::from(self.first) + u32::from(self.count).saturating_sub(1);
        let text = match (self.file, self.count) {
            (File::Vector | File::Scalar, 1) => format!("{}{}", self.file, self.first),
            (File::Vector | File::Scalar, _) => format!("{}[{}:{last}]", self.file, self.first),
            (File::Vcc | File::Exec, 1) => format!("{}_{}", self.file, if self.first == 0 { "lo" } else { "hi" }),
            _ => self.file.name().to_owned(),
        };
        f.pad(&text)
    }
}

impl Export {
    /// Whether nothing tells if a register holds one channel of a colour or two.
    pub fn is_unclear(&self) -> bool {
        let colour = matches!(self.target, ExportTarget::Color | ExportTarget::DualSource);
        colour && self.mask != 0 && self.form.is_none()
    }
}

impl Instruction {
    /// The instructions that this is, with their names and operands: itself, or the two of a pair (GFX11:
    /// `v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4`) with the names that they have alone.
    pub fn each(&self) -> impl Iterator<Item = (Cow<'_, str>, &[Operand])> {
        let alone = |name: &str| Some(Cow::<str>::Owned(format!("v_{}", name.strip_prefix("v_dual_")?)));
        let first = alone(&self.mnemonic);
        let between = |operand: &Operand| matches!(&operand.kind, OperandKind::Word(word) if word == "::");
        let at = first.as_ref().and_then(|_| self.operands.iter().position(between));
        let (one, other) = match at {
            Some(at) => (self.operands.get(..at), self.operands.get(at + 1..)),
            None => (Some(self.operands.as_slice()), None),
        };
        // Without a comma before it the second name stands among the modifiers.
        let second = other.and_then(|_| self.modifiers.iter().find_map(|modifier| alone(&modifier.name)));
        let name = first.unwrap_or(Cow::Borrowed(self.mnemonic.as_str()));
        one.map(|operands| (name, operands)).into_iter().chain(second.zip(other))
    }

    /// The value of a modifier; empty for one without a value.
    pub fn modifier(&self, name: &str) -> Option<&str> {
        self.modifiers.iter().find(|modifier| modifier.name == name).map(|modifier| modifier.value.as_str())
    }

    /// The operands that are registers.
    pub fn registers(&self) -> impl Iterator<Item = (Registers, Access)> {
        self.operands.iter().filter_map(|operand| match operand.kind {
            OperandKind::Registers(registers) => Some((registers, operand.access)),
            _ => None,
        })
    }
}

impl Access {
    /// Whether the old value is needed.
    pub fn reads(self) -> bool {
        matches!(self, Access::Read | Access::Both)
    }

    /// Whether a new value is left.
    pub fn writes(self) -> bool {
        matches!(self, Access::Write | Access::Both)
    }

    /// What two accesses of one instruction are together.
    pub fn and(self, other: Access) -> Access {
        match (self.reads() || other.reads(), self.writes() || other.writes()) {
            (true, true) => Access::Both,
            (true, false) => Access::Read,
            (false, true) => Access::Write,
            (false, false) => Access::None,
        }
    }
}

impl IsaFacts {
    /// The block (index of `blocks`) that holds an instruction.
    pub fn block_of(&self, instruction: u32) -> Option<u32> {
        let after = self.blocks.partition_point(|block| block.first.saturating_add(block.count) <= instruction);
        let block = self.blocks.get(after)?;
        (block.first <= instruction).then_some(u32::try_from(after).ok()?)
    }

    /// The instruction on a line of the text.
    pub fn at_line(&self, line: u32) -> Option<u32> {
        let found = self.instructions.binary_search_by_key(&line, |instruction| instruction.line).ok()?;
        u32::try_from(found).ok()
    }

    /// The instructions that name one of these registers, and what they do with it.
    pub fn uses(&self, registers: Registers) -> impl Iterator<Item = (u32, Access)> {
        let of = move |instruction: &Instruction| {
            let mut all = instruction.registers().filter(|(r, _)| r.overlaps(&registers)).map(|(_, access)| access);
            let first = all.next()?;
            Some(all.fold(first, Access::and))
        };
        (0u32..).zip(&self.instructions).filter_map(move |(index, i)| Some((index, of(i)?)))
    }
}
