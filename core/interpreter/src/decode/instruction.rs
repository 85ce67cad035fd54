//! One instruction that is not a terminator: which part of the decoder it belongs to.

use super::{Decoder, Operation, Result};
use lanescope_spirv::enums::Op;

impl Decoder<'_> {
    /// Decodes an instruction.
    pub(super) fn instruction(&mut self, op: &Operation<'_>) -> Result<()> {
        match op.op {
            Op::Label
            | Op::Line
            | Op::NoLine
            | Op::Nop
            | Op::SelectionMerge
            | Op::LoopMerge
            | Op::Undef
            | Op::Function
            | Op::FunctionParameter
            | Op::FunctionEnd
            | Op::AssumeTrueKHR => Ok(()),
            Op::ExtInst if self.nonsemantic.contains(&op.id(0)) => Ok(()),
            Op::ExtInst if self.glsl.contains(&op.id(0)) => self.glsl(op),
            Op::ExtInst => Err(op.unsupported(format!("extended instruction {} of set %{}", op.word(1), op.id(0)))),
            _ => {
                let done = self.arithmetic(op)?
                    || self.composite(op)?
                    || self.chain(op)?
                    || self.memory(op)?
                    || self.subgroup(op)?
                    || self.image(op)?;
                if done { Ok(()) } else { Err(op.unsupported("this instruction")) }
            }
        }
    }
}
