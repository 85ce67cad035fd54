//! What stands outside of functions, and what makes functions of blocks.

use super::{ACTS, CALLS, NOTHING, Row, VALUE, of_control, of_section};
use crate::enums::Op::*;
use crate::opcode::{ConstantKind, Control, Facts, Section};

const fn constant(kind: ConstantKind) -> Facts {
    Facts { constant: Some(kind), ..of_section(Section::Global) }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (of_section(Section::Capability), &[Capability, ConditionalCapabilityINTEL]),
    (of_section(Section::Extension), &[Extension, ConditionalExtensionINTEL]),
    (of_section(Section::Import), &[ExtInstImport]),
    (of_section(Section::MemoryModel), &[MemoryModel, SamplerImageAddressingModeNV]),
    (of_section(Section::EntryPoint), &[EntryPoint, ConditionalEntryPointINTEL]),
    (of_section(Section::ExecutionMode), &[ExecutionMode, ExecutionModeId]),
    (of_section(Section::Source), &[String, Source, SourceContinued, SourceExtension]),
    (of_section(Section::Name), &[Name, MemberName]),
    (of_section(Section::Processed), &[ModuleProcessed]),
    (of_section(Section::Annotation), &[
        Decorate, MemberDecorate, DecorationGroup, GroupDecorate, GroupMemberDecorate, DecorateId, DecorateString,
        MemberDecorateString, MemberDecorateIdEXT,
    ]),
    (of_section(Section::Global), &[
        TypeVoid, TypeBool, TypeInt, TypeFloat, TypeVector, TypeMatrix, TypeImage, TypeSampler, TypeSampledImage,
        TypeArray, TypeRuntimeArray, TypeStruct, TypeOpaque, TypePointer, TypeFunction, TypeEvent, TypeDeviceEvent,
        TypeReserveId, TypeQueue, TypePipe, TypeForwardPointer, TypePipeStorage, TypeNamedBarrier, TypeTensorARM,
        TypeGraphARM, TypeUntypedPointerKHR, TypeCooperativeMatrixKHR, TypeRayQueryKHR, TypeNodePayloadArrayAMDX,
        TypeBufferEXT, TypeHitObjectNV, TypeHitObjectEXT, TypeVectorIdEXT, TypeAccelerationStructureKHR,
        TypeCooperativeMatrixNV, TypeTensorLayoutNV, TypeTensorViewNV, TypeBufferSurfaceINTEL, TypeTaskSequenceALTERA,
        TypeStructContinuedINTEL, ConstantCompositeContinuedINTEL, SpecConstantCompositeContinuedINTEL,
        // Of media kernels.
        TypeVmeImageINTEL, TypeAvcImePayloadINTEL, TypeAvcRefPayloadINTEL, TypeAvcSicPayloadINTEL,
        TypeAvcMcePayloadINTEL, TypeAvcMceResultINTEL, TypeAvcImeResultINTEL,
        TypeAvcImeResultSingleReferenceStreamoutINTEL, TypeAvcImeResultDualReferenceStreamoutINTEL,
        TypeAvcImeSingleReferenceStreaminINTEL, TypeAvcImeDualReferenceStreaminINTEL, TypeAvcRefResultINTEL,
        TypeAvcSicResultINTEL,
    ]),
    (constant(ConstantKind::Fixed), &[
        ConstantTrue, ConstantFalse, Constant, ConstantComposite, ConstantSampler, ConstantNull, ConstantPipeStorage,
        ConstantCompositeReplicateEXT, ConstantStringAMDX, ConstantSizeOfEXT, ConstantFunctionPointerINTEL,
    ]),
    (constant(ConstantKind::Specialised), &[SpecConstantTrue, SpecConstantFalse, SpecConstant]),
    (constant(ConstantKind::Derived), &[
        SpecConstantComposite, SpecConstantOp, SpecConstantCompositeReplicateEXT, SpecConstantStringAMDX,
        SpecConstantTargetINTEL, SpecConstantArchitectureINTEL, SpecConstantCapabilitiesINTEL,
    ]),
    (NOTHING, &[
        Nop, Line, NoLine, Variable, UntypedVariableKHR, Function, FunctionParameter, FunctionEnd, Label, LoopMerge,
        SelectionMerge,
    ]),
    (VALUE, &[Undef, Phi]),
    (of_control(Control::Branch), &[Branch, BranchConditional, Switch]),
    (of_control(Control::Return), &[Return, ReturnValue]),
    (of_control(Control::Unreachable), &[Unreachable]),
    (of_control(Control::End), &[
        Kill, TerminateInvocation, IgnoreIntersectionKHR, TerminateRayKHR, EmitMeshTasksEXT,
    ]),
    (of_control(Control::Leave), &[DemoteToHelperInvocation, IgnoreIntersectionNV, TerminateRayNV]),
    // Of an extended instruction the set says what it does.
    (CALLS, &[FunctionCall, ExtInst, ExtInstWithForwardRefsKHR, CooperativeMatrixPerElementOpNV]),
    (ACTS, &[AssumeTrueKHR]),
];
