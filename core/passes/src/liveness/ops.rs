//! Kinds of instructions: with effects, pure, component-wise.

use rspirv::spirv::GlslStd450Op as GLOp;

use lanescope_spirv::Inst;
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Effect;

/// Whether an instruction has an effect of its own: what it uses is used, even if its result is unused.
///
/// An instruction with a result that is not known to be without effects has some. Calls have those of their functions.
pub fn has_effect(inst: &Inst<'_>) -> bool {
    match inst.op() {
        // Followed by what is demanded of its calls.
        Some(Op::ReturnValue) => false,
        // Volatile: the access itself is the effect.
        Some(Op::Load) => inst.word_at(4) & 1 != 0,
        Some(Op::ExtInst) => stores_second_result(inst),
        _ => {
            let facts = inst.facts();
            !(facts.effect == Effect::Nothing || facts.is_pure())
        }
    }
}

/// Whether an extended instruction stores a second result through the pointer that is its last operand.
pub fn stores_second_result(inst: &Inst<'_>) -> bool {
    matches!(GLOp::from_u32(inst.word_at(4)), Some(GLOp::Modf | GLOp::Frexp))
}

/// Whether an extended instruction of GLSL interpolates the input that its first operand points to.
pub fn interpolates(inst: &Inst<'_>) -> bool {
    matches!(
        GLOp::from_u32(inst.word_at(4)),
        Some(GLOp::InterpolateAtCentroid | GLOp::InterpolateAtSample | GLOp::InterpolateAtOffset)
    )
}

/// The counterpart for GLSL.std.450.
pub fn is_component_wise_glsl(op: GLOp) -> bool {
    use GLOp::*;
    !matches!(
        op,
        Determinant
            | MatrixInverse
            | Modf
            | Frexp
            | PackSnorm4x8
            | PackUnorm4x8
            | PackSnorm2x16
            | PackUnorm2x16
            | PackHalf2x16
            | PackDouble2x32
            | UnpackSnorm2x16
            | UnpackUnorm2x16
            | UnpackHalf2x16
            | UnpackSnorm4x8
            | UnpackUnorm4x8
            | UnpackDouble2x32
            | Length
            | Distance
            | Normalize
            | FaceForward
            | Reflect
            | Refract
    )
}
