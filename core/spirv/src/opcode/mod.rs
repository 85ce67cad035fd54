//! The table of opcodes: what an instruction does, as far as its opcode alone says it.
//!
//! Each opcode has one row in `rows`, or none: then nothing is known of it, and it counts as one that may do anything.
//! Which operands are ids is in the grammar ([`Module::for_each_id_used`](crate::Module::for_each_id_used)).

mod rows;

use crate::Inst;
use crate::enums::Op;

/// The section of a module in which an opcode stands, in the order of the SPIR-V specification, 2.4 "Logical Layout of a
/// Module".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Capabilities.
    Capability,
    /// Extensions.
    Extension,
    /// Sets of extended instructions.
    Import,
    /// The memory model, and the addressing mode of bindless samplers.
    MemoryModel,
    /// Entry points.
    EntryPoint,
    /// Execution modes.
    ExecutionMode,
    /// Sources and strings.
    Source,
    /// Names of ids and members.
    Name,
    /// `OpModuleProcessed`.
    Processed,
    /// Decorations.
    Annotation,
    /// Types and constants.
    Global,
    /// Functions, and what may stand in more than one section.
    Function,
}

/// What an instruction does besides giving a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it declares, names or orders.
    Nothing,
    /// It gives a result, which depends on its operands alone.
    Value,
    /// It gives a result, which depends on more than its operands: images, other invocations, a clock.
    State,
    /// It gives a result, which depends on what a pointer leads to. Volatile memory makes that an effect.
    Reads,
    /// It has an effect.
    Acts,
    /// Nothing is known: it may have one.
    Unknown,
}

/// Where an invocation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// At the next instruction.
    Next,
    /// In a block that the instruction names. Ends the block.
    Branch,
    /// In the caller. Ends the block.
    Return,
    /// Nowhere: the invocation ends. Ends the block.
    End,
    /// Cannot be reached. Ends the block.
    Unreachable,
    /// Nowhere, or as a helper invocation; the block goes on.
    Leave,
}

/// The memory that an instruction accesses through a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// None.
    No,
    /// Reads, with a result.
    Load,
    /// Writes, without a result.
    Store,
    /// Reads through its second operand, writes through its first one.
    Copy,
    /// Reads atomically, with a result.
    AtomicLoad,
    /// Writes atomically, without a result.
    AtomicStore,
    /// Changes atomically, and returns what was there before: from exchange to xor.
    AtomicChange,
    /// Nothing is known, or it accesses memory by other ways than one pointer.
    Unknown,
}

/// Instructions that invocations of a group run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// `OpGroup…`: the scope, which is its first operand, is the workgroup or the subgroup.
    Scoped,
    /// `OpGroupNonUniform…`, those of quads apart.
    NonUniform,
    /// `OpGroupNonUniformQuad…`.
    Quad,
    /// `OpSubgroup…`: the subgroup, without an operand that says so.
    Subgroup,
}

/// What an instruction takes the derivative of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivative {
    /// Its operand, which is the result.
    Operand,
    /// Its coordinates, for the level of detail that it samples.
    Coordinates,
    /// Its coordinates, for the level of detail that it returns.
    Query,
}

/// How an instruction uses an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageUse {
    /// Samples.
    Sample,
    /// Gathers four texels.
    Gather,
    /// Reads a texel of a sampled image, or what a multisampled one has of it.
    Fetch,
    /// Reads a texel of a storage image or of an input attachment.
    Read,
    /// Writes a texel.
    Write,
    /// Points to a texel.
    Pointer,
    /// Asks for sizes, levels or formats.
    Query,
}

/// The operands of an access chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    /// Base, indices.
    Typed,
    /// Base, element, indices. The element does not step into the pointee.
    TypedElement,
    /// Type of the base, base, indices.
    Untyped,
    /// Type of the base, base, element, indices.
    UntypedElement,
}

impl Chain {
    /// The word of the base.
    pub fn base(self) -> usize {
        match self {
            Chain::Typed | Chain::TypedElement => 3,
            Chain::Untyped | Chain::UntypedElement => 4,
        }
    }

    /// The word of the first index into the pointee.
    pub fn indices(self) -> usize {
        match self {
            Chain::Typed => 4,
            Chain::TypedElement | Chain::Untyped => 5,
            Chain::UntypedElement => 6,
        }
    }
}

/// Kinds of constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantKind {
    /// Cannot be specialised.
    Fixed,
    /// May be decorated with `SpecId`.
    Specialised,
    /// Made of constants that may be specialised.
    Derived,
}

/// What an opcode says of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Where it stands.
    pub section: Section,
    /// What it does besides giving a result.
    pub effect: Effect,
    /// Where the invocation goes on.
    pub control: Control,
    /// The memory that it accesses.
    pub memory: Memory,
    /// Whether it is run by a group of invocations.
    pub group: Option<Group>,
    /// Whether it takes a derivative. Operands may say that it does not.
    pub derivative: Option<Derivative>,
    /// Whether it uses an image.
    pub image: Option<ImageUse>,
    /// Whether it compares with a reference where it samples or gathers.
    pub compares: bool,
    /// Whether its coordinates end with a divisor.
    pub projects: bool,
    /// Whether component `i` of its result depends on component `i` of each operand alone.
    pub component_wise: bool,
    /// Whether it is an access chain.
    pub chain: Option<Chain>,
    /// Whether it is a constant.
    pub constant: Option<ConstantKind>,
}

impl Facts {
    /// Of an opcode without a row.
    pub const UNKNOWN: Facts = Facts {
        section: Section::Function,
        effect: Effect::Unknown,
        control: Control::Next,
        memory: Memory::Unknown,
        group: None,
        derivative: None,
        image: None,
        compares: false,
        projects: false,
        component_wise: false,
        chain: None,
        constant: None,
    };

    /// Whether the instruction only gives its result: without a use of that, it can be left out.
    #[inline]
    pub fn is_pure(&self) -> bool {
        matches!(self.effect, Effect::Value | Effect::State)
    }

    /// Whether the instruction ends its block.
    #[inline]
    pub fn is_terminator(&self) -> bool {
        matches!(self.control, Control::Branch | Control::Return | Control::End | Control::Unreachable)
    }

    /// Whether the invocation ends with the instruction, or goes on as a helper invocation.
    #[inline]
    pub fn leaves_invocation(&self) -> bool {
        matches!(self.control, Control::End | Control::Leave)
    }

    /// Whether the instruction accesses memory atomically.
    pub fn is_atomic(&self) -> bool {
        matches!(self.memory, Memory::AtomicLoad | Memory::AtomicStore | Memory::AtomicChange)
    }

    /// The word of the pointer through which the instruction writes.
    pub fn written_pointer(&self) -> Option<usize> {
        match self.memory {
            Memory::Store | Memory::Copy | Memory::AtomicStore => Some(1),
            Memory::AtomicChange => Some(3),
            Memory::No | Memory::Load | Memory::AtomicLoad | Memory::Unknown => None,
        }
    }

    /// The word of an atomic instruction's pointer. That of the scope follows, then that of the semantics.
    pub fn atomic_pointer(&self) -> Option<usize> {
        match self.memory {
            Memory::AtomicLoad | Memory::AtomicChange => Some(3),
            Memory::AtomicStore => Some(1),
            _ => None,
        }
    }

    /// Whether the instruction chooses a level of detail by the derivatives of its coordinates.
    #[inline]
    pub fn samples_implicitly(&self) -> bool {
        self.derivative == Some(Derivative::Coordinates)
    }

    /// Whether the first operand is the image that the instruction samples, fetches or reads, or a pointer to it.
    pub fn takes_image_first(&self) -> bool {
        !matches!(self.image, None | Some(ImageUse::Write | ImageUse::Query))
    }

    /// Whether the instruction is a constant that may be decorated with `SpecId`.
    pub fn takes_spec_id(&self) -> bool {
        self.constant == Some(ConstantKind::Specialised)
    }
}

/// The facts of an opcode.
#[inline]
pub fn facts(op: Op) -> &'static Facts {
    rows::TABLE.get(op as usize).unwrap_or(&Facts::UNKNOWN)
}

impl Inst<'_> {
    /// What the opcode says of the instruction; nothing where it is not in the grammar.
    #[inline]
    pub fn facts(&self) -> &'static Facts {
        self.op().map_or(&Facts::UNKNOWN, facts)
    }

    /// Whether it ends its block.
    #[inline]
    pub fn is_terminator(&self) -> bool {
        self.facts().is_terminator()
    }

    /// Whether it is an access chain of which each index steps into the pointee of a typed pointer: the base is its word
    /// 3, the indices begin at word 4.
    #[inline]
    pub fn is_access_chain(&self) -> bool {
        self.facts().chain == Some(Chain::Typed)
    }
}

#[cfg(test)]
mod tests;
