//! Instructions and their operands.

use smallvec::SmallVec;

use super::{BlockId, MetadataId, TypeId, ValueId};
use lanescope_base::named_enum;

named_enum!(
    serde if feature = "serde";
    /// An arithmetic operation, as LLVM writes it.
    BinaryOp {
        /// Integer addition.
        Add = "add",
        /// Integer subtraction.
        Sub = "sub",
        /// Integer multiplication.
        Mul = "mul",
        /// Unsigned division.
        UDiv = "udiv",
        /// Signed division.
        SDiv = "sdiv",
        /// Unsigned remainder.
        URem = "urem",
        /// Signed remainder.
        SRem = "srem",
        /// Shift left.
        Shl = "shl",
        /// Shift right, filling with zeros.
        LShr = "lshr",
        /// Shift right, filling with the sign.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Float addition.
        FAdd = "fadd",
        /// Float subtraction.
        FSub = "fsub",
        /// Float multiplication.
        FMul = "fmul",
        /// Float division.
        FDiv = "fdiv",
        /// Float remainder.
        FRem = "frem",
    }
);

impl BinaryOp {
    /// The operation of a record's number, on integers or floats.
    #[inline]
    pub(super) fn new(number: u64, float: bool) -> Option<BinaryOp> {
        use BinaryOp::*;
        let integers = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor];
        let operation = *integers.get(usize::try_from(number).ok()?)?;
        if !float {
            return Some(operation);
        }
        match operation {
            Add => Some(FAdd),
            Sub => Some(FSub),
            Mul => Some(FMul),
            SDiv => Some(FDiv),
            SRem => Some(FRem),
            _ => None,
        }
    }
}

named_enum!(
    serde if feature = "serde";
    /// A conversion, as LLVM writes it.
    CastOp {
        /// To fewer bits.
        Trunc = "trunc",
        /// To more bits, filling with zeros.
        ZExt = "zext",
        /// To more bits, filling with the sign.
        SExt = "sext",
        /// Float to unsigned integer.
        FPToUI = "fptoui",
        /// Float to signed integer.
        FPToSI = "fptosi",
        /// Unsigned integer to float.
        UIToFP = "uitofp",
        /// Signed integer to float.
        SIToFP = "sitofp",
        /// To a narrower float.
        FPTrunc = "fptrunc",
        /// To a wider float.
        FPExt = "fpext",
        /// Pointer to integer.
        PtrToInt = "ptrtoint",
        /// Integer to pointer.
        IntToPtr = "inttoptr",
        /// The same bits as another type.
        BitCast = "bitcast",
        /// To another address space.
        AddrSpaceCast = "addrspacecast",
    }
);

impl CastOp {
    #[inline]
    pub(super) fn new(number: u64) -> Option<CastOp> {
        CastOp::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// The predicate of a comparison: 0 to 15 compare floats, 32 to 41 integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predicate(u8);

impl Predicate {
    const FLOAT: [&str; 16] = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
        "true",
    ];
    const INTEGER: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];

    #[inline]
    pub(super) fn new(number: u64) -> Option<Predicate> {
        matches!(number, 0..=15 | 32..=41).then_some(Predicate(number as u8))
    }

    /// Whether it compares floats.
    pub fn is_float(self) -> bool {
        self.0 < 16
    }

    /// LLVM's name: `oeq`, `slt`.
    pub fn name(self) -> &'static str {
        let (table, index): (&[&str], _) =
            if self.is_float() { (&Self::FLOAT, self.0) } else { (&Self::INTEGER, self.0 - 32) };
        table.get(usize::from(index)).copied().unwrap_or("?")
    }
}

/// Operands of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A value.
    Value(ValueId),
    /// A basic block, passed as an argument.
    Block(BlockId),
    /// Metadata, passed as an argument.
    Metadata(MetadataId),
}

/// Memory ordering of an atomic access, and what else its record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atomic {
    /// 0 not atomic, 1 unordered, 2 monotonic, 3 acquire, 4 release, 5 acquire and release, 6 sequentially consistent.
    pub ordering: u8,
    /// 0 one thread, 1 all.
    pub scope: u8,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The callee.
    pub callee: ValueId,
    /// Its type: a function type.
    pub function_type: TypeId,
    /// The arguments, as many as the type has parameters, or more where it takes more.
    pub arguments: SmallVec<[Operand; 6]>,
    /// Attribute list: index + 1, or 0.
    pub attributes: u32,
    /// The record's flags: bit 0 tail, bits 1 to 10 the calling convention, bit 14 must tail.
    pub flags: u32,
}

/// Operations of instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are LLVM's own, in its order")]
pub enum Kind {
    Binary { op: BinaryOp, left: ValueId, right: ValueId, flags: u8 },
    Cast { op: CastOp, value: ValueId },
    Gep { inbounds: bool, element: TypeId, operands: SmallVec<[ValueId; 3]> },
    Select { condition: ValueId, yes: ValueId, no: ValueId },
    ExtractElement { vector: ValueId, index: ValueId },
    InsertElement { vector: ValueId, value: ValueId, index: ValueId },
    ShuffleVector { left: ValueId, right: ValueId, mask: ValueId },
    Compare { predicate: Predicate, left: ValueId, right: ValueId, flags: u8 },
    Return(Option<ValueId>),
    Branch(BlockId),
    ConditionalBranch { condition: ValueId, yes: BlockId, no: BlockId },
    Switch { value: ValueId, default: BlockId, cases: Box<[(ValueId, BlockId)]> },
    Unreachable,
    Phi(Box<[(ValueId, BlockId)]>),
    Alloca { element: TypeId, count: ValueId, align: u32 },
    Load { pointer: ValueId, align: u32, volatile: bool, atomic: Option<Atomic> },
    Store { pointer: ValueId, value: ValueId, align: u32, volatile: bool, atomic: Option<Atomic> },
    ExtractValue { aggregate: ValueId, indices: SmallVec<[u32; 3]> },
    InsertValue { aggregate: ValueId, value: ValueId, indices: SmallVec<[u32; 3]> },
    Call(Box<Call>),
    Fence(Atomic),
    AtomicRmw { pointer: ValueId, value: ValueId, operation: u8, volatile: bool, atomic: Atomic },
    CompareExchange { pointer: ValueId, expected: ValueId, new: ValueId, volatile: bool, atomic: Atomic, failure: u8 },
}

impl Kind {
    /// Whether it ends a basic block.
    #[inline]
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Kind::Return(_)
                | Kind::Branch(_)
                | Kind::ConditionalBranch { .. }
                | Kind::Switch { .. }
                | Kind::Unreachable
        )
    }

    /// Calls `with` for every value that the instruction takes, in order; a call's callee comes last.
    pub fn values(&self, mut with: impl FnMut(ValueId)) {
        let mut all = |ids: &[ValueId]| ids.iter().for_each(|id| with(*id));
        match self {
            Kind::Branch(_) | Kind::Unreachable | Kind::Fence(_) | Kind::Return(None) => {}
            Kind::Binary { left, right, .. } | Kind::Compare { left, right, .. } => all(&[*left, *right]),
            Kind::Cast { value, .. } | Kind::Return(Some(value)) => all(&[*value]),
            Kind::Gep { operands, .. } => all(operands),
            Kind::Select { condition, yes, no } => all(&[*condition, *yes, *no]),
            Kind::ExtractElement { vector, index } => all(&[*vector, *index]),
            Kind::InsertElement { vector, value, index } => all(&[*vector, *value, *index]),
            Kind::ShuffleVector { left, right, mask } => all(&[*left, *right, *mask]),
            Kind::ConditionalBranch { condition, .. } => all(&[*condition]),
            Kind::Alloca { count, .. } => all(&[*count]),
            Kind::Load { pointer, .. } => all(&[*pointer]),
            Kind::Store { pointer, value, .. } | Kind::AtomicRmw { pointer, value, .. } => all(&[*pointer, *value]),
            Kind::ExtractValue { aggregate, .. } => all(&[*aggregate]),
            Kind::InsertValue { aggregate, value, .. } => all(&[*aggregate, *value]),
            Kind::CompareExchange { pointer, expected, new, .. } => all(&[*pointer, *expected, *new]),
            Kind::Switch { value, cases, .. } => {
                all(&[*value]);
                cases.iter().for_each(|(id, _)| all(&[*id]));
            }
            Kind::Phi(incoming) => incoming.iter().for_each(|(id, _)| all(&[*id])),
            Kind::Call(call) => {
                for argument in &call.arguments {
                    if let Operand::Value(id) = argument {
                        all(&[*id]);
                    }
                }
                all(&[call.callee]);
            }
        }
    }

    /// Calls `with` for every basic block that the instruction names.
    pub fn blocks(&self, mut with: impl FnMut(BlockId)) {
        match self {
            Kind::Branch(to) => with(*to),
            Kind::ConditionalBranch { yes, no, .. } => {
                with(*yes);
                with(*no);
            }
            Kind::Switch { default, cases, .. } => {
                with(*default);
                cases.iter().for_each(|(_, to)| with(*to));
            }
            Kind::Phi(incoming) => incoming.iter().for_each(|(_, from)| with(*from)),
            Kind::Call(call) => call.arguments.iter().for_each(|argument| {
                if let Operand::Block(to) = argument {
                    with(*to);
                }
            }),
            _ => {}
        }
    }
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instruction {
    /// Its operation.
    pub kind: Kind,
    /// The type of its result; void where it has none.
    pub ty: TypeId,
    /// Its number as a value, if it has a result.
    pub result: Option<ValueId>,
    /// Index into [`super::Body::locations`], where the source's line is known.
    pub location: Option<u32>,
    /// Start of its record: a bit of the file.
    pub place: u64,
}

const _: () = assert!(size_of::<Instruction>() <= 72, "bitcode has many instructions");
