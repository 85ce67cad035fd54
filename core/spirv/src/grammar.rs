//! The grammar of an opcode, looked up in constant time, and a walk over an instruction's operands.

use std::sync::LazyLock;

use rspirv::dr;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table};
use rspirv::spirv::{self, Op};

use lanescope_base::ids::Id;

/// One opcode of the grammar.
#[derive(Debug)]
pub struct OpInfo {
    /// The opcode.
    pub op: Op,
    /// Its name without `Op`.
    pub name: &'static str,
    /// Whether operand 0 is a result type.
    pub has_type: bool,
    /// Whether it has a result id.
    pub has_result: bool,
    operands: &'static [LogicalOperand],
}

impl OpInfo {
    /// Number of words before the first operand that is neither result type nor result id.
    pub fn first_operand(&self) -> usize {
        1 + usize::from(self.has_type) + usize::from(self.has_result)
    }

    /// Whether it has such an operand, repeated or not.
    pub fn takes_operands(&self) -> bool {
        self.operands.len() >= self.first_operand()
    }
}

static TABLE: LazyLock<Vec<Option<OpInfo>>> = LazyLock::new(|| {
    let mut table: Vec<Option<OpInfo>> = Vec::new();
    for inst in INSTRUCTION_TABLE.iter() {
        let opcode = inst.opcode as usize;
        if table.len() <= opcode {
            table.resize_with(opcode + 1, || None);
        }
        let has = |kind| inst.operands.iter().any(|o| o.kind == kind);
        table[opcode] = Some(OpInfo {
            op: inst.opcode,
            name: inst.opname,
            has_type: has(OperandKind::IdResultType),
            has_result: has(OperandKind::IdResult),
            operands: inst.operands,
        });
    }
    table
});

/// The grammar's row of an opcode.
pub fn info(opcode: u16) -> Option<&'static OpInfo> {
    TABLE.get(usize::from(opcode)).and_then(Option::as_ref)
}

/// The name of an instruction of an extended instruction set: `Sqrt`. None where the grammar has neither.
pub fn extended_name(set: &str, instruction: u32) -> Option<&'static str> {
    // Some sets have their version after the name that the grammar has: `NonSemantic.ClspvReflection.5`.
    let unversioned =
        || set.rsplit_once('.').filter(|(_, version)| version.parse::<u32>().is_ok()).map(|(name, _)| name);
    let table = ext_inst_table(set).or_else(|| ext_inst_table(unversioned()?))?;
    table.lookup_opcode(instruction).map(|info| info.opname)
}

/// An operand that the grammar could not place: the instruction is to be treated as raw words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced;

/// Calls `found` with each id that the instruction uses (its result id apart, its result type included).
///
/// `words` is the whole instruction, `literal` how many of them each case's literal of an `OpSwitch` takes: its
/// selector's type says that, not the grammar (see [`Module::for_each_id_used`](super::Module::for_each_id_used)).
/// Fails on an opcode, an enumerant or an operand count that the grammar lacks.
pub(super) fn for_each_id_used(words: &[u32], literal: usize, mut found: impl FnMut(Id)) -> Result<(), Unplaced> {
    for_each_id_place(words, literal, |at| found(Id(words.get(at).copied().unwrap_or(0))))
}

/// Calls `found` with the index of each word that is an id which the instruction uses, its result type included.
///
/// `words` is the whole instruction, `literal` how many of them each case's literal of an `OpSwitch` takes
/// (see [`Module::for_each_id_place`](super::Module::for_each_id_place)).
///
/// # Errors
/// An opcode, an enumerant or an operand count that the grammar lacks.
pub fn for_each_id_place(words: &[u32], literal: usize, mut found: impl FnMut(usize)) -> Result<(), Unplaced> {
    let opcode = words.first().map_or(0, |w| (w & 0xffff) as u16);
    let info = info(opcode).ok_or(Unplaced)?;
    let mut walk = Walk { words, at: 1, literal, found: &mut found };
    for operand in info.operands {
        match operand.quantifier {
            OperandQuantifier::One => walk.operand(operand.kind, info.op)?,
            OperandQuantifier::ZeroOrOne if walk.at < words.len() => walk.operand(operand.kind, info.op)?,
            OperandQuantifier::ZeroOrOne => {}
            OperandQuantifier::ZeroOrMore => {
                while walk.at < words.len() {
                    walk.operand(operand.kind, info.op)?;
                }
            }
        }
    }
    if walk.at == words.len() { Ok(()) } else { Err(Unplaced) }
}

struct Walk<'a, F> {
    words: &'a [u32],
    at: usize,
    /// Words of each case's literal.
    literal: usize,
    found: &'a mut F,
}

impl<F: FnMut(usize)> Walk<'_, F> {
    fn take(&mut self) -> Result<u32, Unplaced> {
        let word = *self.words.get(self.at).ok_or(Unplaced)?;
        self.at += 1;
        Ok(word)
    }

    /// Takes an id that is used.
    fn id(&mut self) -> Result<(), Unplaced> {
        self.take()?;
        (self.found)(self.at - 1);
        Ok(())
    }

    fn string(&mut self) -> Result<(), Unplaced> {
        loop {
            if self.take()?.to_le_bytes().contains(&0) {
                return Ok(());
            }
        }
    }

    /// Takes the operands that an enumerant brings with it.
    fn parameters(&mut self, operand: &dr::Operand, op: Op) -> Result<(), Unplaced> {
        for extra in operand.additional_operands() {
            self.operand(extra.kind, op)?;
        }
        Ok(())
    }

    fn operand(&mut self, kind: OperandKind, op: Op) -> Result<(), Unplaced> {
        use OperandKind as K;
        match kind {
            K::IdResult => {
                self.take()?;
            }
            K::IdResultType | K::IdRef | K::IdScope | K::IdMemorySemantics => self.id()?,
            K::LiteralString => self.string()?,
            K::PairIdRefIdRef => {
                self.id()?;
                self.id()?;
            }
            K::PairIdRefLiteralInteger => {
                self.id()?;
                self.take()?;
            }
            K::PairLiteralIntegerIdRef => {
                for _ in 0..self.literal {
                    self.take()?;
                }
                self.id()?;
            }
            K::LiteralContextDependentNumber => self.at = self.words.len(),
            K::LiteralSpecConstantOpInteger => {
                let opcode = self.take()?;
                let info = u16::try_from(opcode).ok().and_then(info).ok_or(Unplaced)?;
                for operand in info.operands {
                    if !matches!(operand.kind, K::IdResultType | K::IdResult) {
                        let many = operand.quantifier == OperandQuantifier::ZeroOrMore;
                        let optional = operand.quantifier != OperandQuantifier::One;
                        while self.at < self.words.len() || !optional {
                            self.operand(operand.kind, op)?;
                            if !many {
                                break;
                            }
                        }
                    }
                }
            }
            K::ImageOperands => {
                let mask = spirv::ImageOperands::from_bits(self.take()?).ok_or(Unplaced)?;
                self.parameters(&dr::Operand::ImageOperands(mask), op)?;
            }
            K::MemoryAccess => {
                let mask = spirv::MemoryAccess::from_bits(self.take()?).ok_or(Unplaced)?;
                self.parameters(&dr::Operand::MemoryAccess(mask), op)?;
            }
            K::LoopControl => {
                let mask = spirv::LoopControl::from_bits(self.take()?).ok_or(Unplaced)?;
                self.parameters(&dr::Operand::LoopControl(mask), op)?;
            }
            K::RawAccessChainOperands | K::FPFastMathMode | K::SelectionControl | K::FunctionControl => {
                self.take()?;
            }
            K::Decoration => {
                let value = spirv::Decoration::from_u32(self.take()?).ok_or(Unplaced)?;
                self.parameters(&dr::Operand::Decoration(value), op)?;
            }
            K::ExecutionMode => {
                let value = spirv::ExecutionMode::from_u32(self.take()?).ok_or(Unplaced)?;
                self.parameters(&dr::Operand::ExecutionMode(value), op)?;
            }
            K::CooperativeMatrixOperands | K::CooperativeMatrixLayout => {
                self.take()?;
            }
            K::TensorAddressingOperands => return Err(Unplaced),
            // Every other kind is one word: a number or an enumerant without parameters.
            _ => {
                self.take()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(words: &[u32]) -> Result<Vec<u32>, Unplaced> {
        let mut out = Vec::new();
        for_each_id_used(words, 1, |id| out.push(id.0)).map(|()| out)
    }

    fn inst(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![((operands.len() as u32 + 1) << 16) | op as u32];
        words.extend(operands);
        words
    }

    #[test]
    fn finds_ids_of_plain_masked_and_repeated_operands() {
        assert_eq!(ids(&inst(Op::FAdd, &[1, 2, 3, 4])), Ok(vec![1, 3, 4]));
        let lod = spirv::ImageOperands::LOD.bits();
        assert_eq!(ids(&inst(Op::ImageSampleExplicitLod, &[1, 2, 3, 4, lod, 5])), Ok(vec![1, 3, 4, 5]));
        let aligned = spirv::MemoryAccess::ALIGNED.bits();
        assert_eq!(ids(&inst(Op::Load, &[1, 2, 3, aligned, 16])), Ok(vec![1, 3]));
        assert_eq!(ids(&inst(Op::Phi, &[1, 2, 3, 4, 5, 6])), Ok(vec![1, 3, 4, 5, 6]));
    }

    #[test]
    fn switch_literals_are_not_ids() {
        assert_eq!(ids(&inst(Op::Switch, &[1, 2, 8, 3, 9, 4])), Ok(vec![1, 2, 3, 4]));
        assert_eq!(ids(&inst(Op::Switch, &[1, 2])), Ok(vec![1, 2]));
        assert_eq!(ids(&inst(Op::Switch, &[1, 2, 8])), Err(Unplaced), "a literal without a label");
        let mut wide = Vec::new();
        let found = for_each_id_used(&inst(Op::Switch, &[1, 2, 8, 7, 3, 9, 7, 4]), 2, |id| wide.push(id.0));
        assert_eq!((found, wide), (Ok(()), vec![1, 2, 3, 4]));
    }

    #[test]
    fn names_extended_instructions_of_all_sets() {
        for (set, number, expected) in [
            ("GLSL.std.450", 31, Some("Sqrt")),
            ("OpenCL.std", 37, Some("log")),
            ("NonSemantic.DebugPrintf", 1, Some("DebugPrintf")),
            ("NonSemantic.ClspvReflection.5", 1, Some("Kernel")),
            ("GLSL.std.450", 9999, None),
            ("NonSemantic.Unknown.7", 1, None),
        ] {
            assert_eq!(extended_name(set, number), expected, "{set} {number}");
        }
    }

    #[test]
    fn reports_operands_without_grammar() {
        assert_eq!(ids(&inst(Op::FAdd, &[1, 2, 3])), Err(Unplaced), "an operand short");
        assert_eq!(ids(&inst(Op::FAdd, &[1, 2, 3, 4, 5])), Err(Unplaced), "an operand long");
        assert_eq!(ids(&[0x0001_fff0]), Err(Unplaced), "no such opcode");
    }
}
