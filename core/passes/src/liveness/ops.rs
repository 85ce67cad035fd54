//! Kinds of instructions: with effects, pure, component-wise.

use rspirv::spirv::GlslStd450Op as GLOp;

use lanescope_spirv::Inst;
use lanescope_spirv::enums::Op;

/// Whether an instruction has an effect of its own: what it uses is used, even if its result is unused.
///
/// An instruction with a result that is not known to be without effects has some. Calls have those of their functions.
pub fn has_effect(inst: &Inst<'_>) -> bool {
    let Some(op) = inst.op() else { return true };
    match op {
        Op::Label | Op::Function | Op::FunctionEnd | Op::FunctionParameter | Op::Variable => false,
        Op::Line | Op::NoLine | Op::Nop | Op::LoopMerge | Op::SelectionMerge => false,
        // Followed by what is demanded of its calls.
        Op::ReturnValue => false,
        // Volatile: the access itself is the effect.
        Op::Load => inst.word_at(4) & 1 != 0,
        Op::ExtInst => stores_second_result(inst),
        _ => inst.result().is_none() || !(is_component_wise(op) || is_pure(op)),
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

/// Instructions whose first operand is the image that they sample, fetch or read, or a pointer to it.
pub fn takes_image_first(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ImageTexelPointer
            | ImageSampleImplicitLod
            | ImageSampleExplicitLod
            | ImageSampleDrefImplicitLod
            | ImageSampleDrefExplicitLod
            | ImageSampleProjImplicitLod
            | ImageSampleProjExplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSampleProjDrefExplicitLod
            | ImageFetch
            | ImageGather
            | ImageDrefGather
            | ImageRead
            | ImageSparseSampleImplicitLod
            | ImageSparseSampleExplicitLod
            | ImageSparseSampleDrefImplicitLod
            | ImageSparseSampleDrefExplicitLod
            | ImageSparseSampleProjImplicitLod
            | ImageSparseSampleProjExplicitLod
            | ImageSparseSampleProjDrefImplicitLod
            | ImageSparseSampleProjDrefExplicitLod
            | ImageSparseFetch
            | ImageSparseGather
            | ImageSparseDrefGather
            | ImageSparseRead
    )
}

/// Whether an instruction only gives its result (component-wise ones apart).
fn is_pure(op: Op) -> bool {
    use Op::*;
    match op {
        // Sampling, fetching and reading, texel pointers.
        op if takes_image_first(op) => true,
        // Undefined values, address arithmetic.
        Undef
        | AccessChain
        | InBoundsAccessChain
        | PtrAccessChain
        | ArrayLength
        | GenericPtrMemSemantics
        | InBoundsPtrAccessChain => true,
        // Vectors, composites, images, image queries.
        VectorExtractDynamic | VectorInsertDynamic | VectorShuffle | CompositeConstruct | CompositeExtract
        | CompositeInsert | Transpose | SampledImage | Image | ImageQueryFormat | ImageQueryOrder
        | ImageQuerySizeLod | ImageQuerySize | ImageQueryLod | ImageQueryLevels | ImageQuerySamples => true,
        // Conversions of pointers, products, any and all, phi.
        ConvertPtrToU
        | SatConvertSToU
        | SatConvertUToS
        | ConvertUToPtr
        | PtrCastToGeneric
        | GenericCastToPtr
        | GenericCastToPtrExplicit
        | VectorTimesMatrix
        | MatrixTimesVector
        | MatrixTimesMatrix
        | OuterProduct
        | Dot
        | UMulExtended
        | SMulExtended
        | Any
        | All
        | IsFinite
        | IsNormal
        | SignBitSet
        | LessOrGreater
        | Ordered
        | Unordered
        | Phi => true,
        // Residency, comparisons of pointers.
        ImageSparseTexelsResident | PtrEqual | PtrNotEqual | PtrDiff => true,
        // Subgroup operations, quad votes, integer dot products.
        GroupNonUniformElect
        | GroupNonUniformAll
        | GroupNonUniformAny
        | GroupNonUniformAllEqual
        | GroupNonUniformBroadcast
        | GroupNonUniformBroadcastFirst
        | GroupNonUniformBallot
        | GroupNonUniformInverseBallot
        | GroupNonUniformBallotBitExtract
        | GroupNonUniformBallotBitCount
        | GroupNonUniformBallotFindLSB
        | GroupNonUniformBallotFindMSB
        | GroupNonUniformShuffle
        | GroupNonUniformShuffleXor
        | GroupNonUniformShuffleUp
        | GroupNonUniformShuffleDown
        | GroupNonUniformIAdd
        | GroupNonUniformFAdd
        | GroupNonUniformIMul
        | GroupNonUniformFMul
        | GroupNonUniformSMin
        | GroupNonUniformUMin
        | GroupNonUniformFMin
        | GroupNonUniformSMax
        | GroupNonUniformUMax
        | GroupNonUniformFMax
        | GroupNonUniformBitwiseAnd
        | GroupNonUniformBitwiseOr
        | GroupNonUniformBitwiseXor
        | GroupNonUniformLogicalAnd
        | GroupNonUniformLogicalOr
        | GroupNonUniformLogicalXor
        | GroupNonUniformQuadBroadcast
        | GroupNonUniformQuadSwap
        | SubgroupBallotKHR
        | SubgroupFirstInvocationKHR
        | UntypedPtrAccessChainKHR
        | UntypedInBoundsPtrAccessChainKHR
        | UntypedArrayLengthKHR
        | SubgroupAllKHR
        | SubgroupAnyKHR
        | SubgroupAllEqualKHR
        | GroupNonUniformRotateKHR
        | SubgroupReadInvocationKHR
        | SDot
        | UDot
        | SUDot
        | SDotAccSat
        | UDotAccSat
        | SUDotAccSat
        | GroupNonUniformQuadAllKHR
        | GroupNonUniformQuadAnyKHR => true,
        // State of ray queries, fragment masks, the clock, helper invocations.
        RayQueryGetIntersectionTypeKHR
        | RayQueryGetRayTMinKHR
        | RayQueryGetRayFlagsKHR
        | RayQueryGetIntersectionTKHR
        | RayQueryGetIntersectionInstanceCustomIndexKHR
        | RayQueryGetIntersectionInstanceIdKHR
        | RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR
        | RayQueryGetIntersectionGeometryIndexKHR
        | RayQueryGetIntersectionPrimitiveIndexKHR
        | RayQueryGetIntersectionBarycentricsKHR
        | RayQueryGetIntersectionFrontFaceKHR
        | RayQueryGetIntersectionCandidateAABBOpaqueKHR
        | RayQueryGetIntersectionObjectRayDirectionKHR
        | RayQueryGetIntersectionObjectRayOriginKHR
        | RayQueryGetWorldRayDirectionKHR
        | RayQueryGetWorldRayOriginKHR
        | RayQueryGetIntersectionObjectToWorldKHR
        | RayQueryGetIntersectionWorldToObjectKHR
        | FragmentMaskFetchAMD
        | FragmentFetchAMD
        | ReadClockKHR
        | IsHelperInvocationEXT => true,
        _ => false,
    }
}

/// Core instructions whose result component `i` depends on component `i` of each operand.
pub fn is_component_wise(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        CopyObject
            | CopyLogical
            | Select
            | ConvertFToU
            | ConvertFToS
            | ConvertSToF
            | ConvertUToF
            | UConvert
            | SConvert
            | FConvert
            | QuantizeToF16
            | SNegate
            | FNegate
            | Not
            | LogicalNot
            | IAdd
            | FAdd
            | ISub
            | FSub
            | IMul
            | FMul
            | UDiv
            | SDiv
            | FDiv
            | UMod
            | SRem
            | SMod
            | FRem
            | FMod
            | FmaKHR
            | VectorTimesScalar
            | MatrixTimesScalar
            | IAddCarry
            | ISubBorrow
            | ShiftRightLogical
            | ShiftRightArithmetic
            | ShiftLeftLogical
            | BitwiseOr
            | BitwiseXor
            | BitwiseAnd
            | BitReverse
            | BitCount
            | BitFieldInsert
            | BitFieldSExtract
            | BitFieldUExtract
            | LogicalEqual
            | LogicalNotEqual
            | LogicalOr
            | LogicalAnd
            | IsNan
            | IsInf
            | IEqual
            | INotEqual
            | UGreaterThan
            | SGreaterThan
            | UGreaterThanEqual
            | SGreaterThanEqual
            | ULessThan
            | SLessThan
            | ULessThanEqual
            | SLessThanEqual
            | FOrdEqual
            | FUnordEqual
            | FOrdNotEqual
            | FUnordNotEqual
            | FOrdLessThan
            | FUnordLessThan
            | FOrdGreaterThan
            | FUnordGreaterThan
            | FOrdLessThanEqual
            | FUnordLessThanEqual
            | FOrdGreaterThanEqual
            | FUnordGreaterThanEqual
            | Bitcast
            | DPdx
            | DPdy
            | Fwidth
            | DPdxFine
            | DPdyFine
            | FwidthFine
            | DPdxCoarse
            | DPdyCoarse
            | FwidthCoarse
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
