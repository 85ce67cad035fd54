//! Facts of opcodes: which instructions only give their result, and which of those work component by component.

use super::enums::Op;

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
pub fn is_pure(op: Op) -> bool {
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
        | InBoundsPtrAccessChain
        | UntypedAccessChainKHR
        | UntypedInBoundsAccessChainKHR
        | RawAccessChainNV
        | BufferPointerEXT
        | UntypedImageTexelPointerEXT
        | SizeOf => true,
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
        op => is_pure_extension(op),
    }
}

/// Core instructions whose result component `i` depends on component `i` of each operand.
pub fn is_component_wise(op: Op) -> bool {
    is_derivative(op) || is_component_wise_alone(op)
}

/// Instructions that compute a derivative of their operand.
pub fn is_derivative(op: Op) -> bool {
    use Op::*;
    matches!(op, DPdx | DPdy | Fwidth | DPdxFine | DPdyFine | FwidthFine | DPdxCoarse | DPdyCoarse | FwidthCoarse)
}

/// Instructions that choose a level of detail by the derivatives of their coordinates.
pub fn samples_implicitly(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ImageSampleImplicitLod
            | ImageSampleDrefImplicitLod
            | ImageSampleProjImplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSparseSampleImplicitLod
            | ImageSparseSampleDrefImplicitLod
            | ImageSparseSampleProjImplicitLod
            | ImageSparseSampleProjDrefImplicitLod
    )
}

/// Component-wise instructions that use one invocation's operands alone.
fn is_component_wise_alone(op: Op) -> bool {
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
            | ExpectKHR
            | ArithmeticFenceEXT
            | UCountLeadingZerosINTEL
            | UCountTrailingZerosINTEL
            | AbsISubINTEL
            | AbsUSubINTEL
            | IAddSatINTEL
            | UAddSatINTEL
            | ISubSatINTEL
            | USubSatINTEL
            | IAverageINTEL
            | UAverageINTEL
            | IAverageRoundedINTEL
            | UAverageRoundedINTEL
            | IMul32x16INTEL
            | UMul32x16INTEL
            | ConvertFToBF16INTEL
            | ConvertBF16ToFINTEL
            | RoundFToTF32INTEL
    )
}

/// The same for instructions that one vendor has, or few shaders use.
fn is_pure_extension(op: Op) -> bool {
    use Op::*;
    match op {
        // Composites, bits, matrices and vectors that subgroups share.
        CompositeConstructReplicateEXT
        | BitCastArrayQCOM
        | CompositeConstructCoopMatQCOM
        | CompositeExtractCoopMatQCOM
        | ExtractSubArrayQCOM
        | BitwiseFunctionINTEL
        | CooperativeMatrixMulAddKHR
        | CooperativeMatrixLengthKHR
        | CooperativeMatrixMulAddNV
        | CooperativeMatrixLengthNV
        | CooperativeMatrixConvertNV
        | CooperativeMatrixTransposeNV
        | CooperativeMatrixReduceNV
        | CreateTensorLayoutNV
        | TensorLayoutSetDimensionNV
        | TensorLayoutSetStrideNV
        | TensorLayoutSliceNV
        | TensorLayoutSetClampValueNV
        | TensorLayoutSetBlockSizeNV
        | CreateTensorViewNV
        | TensorViewSetDimensionNV
        | TensorViewSetStrideNV
        | TensorViewSetClipNV
        | TensorQuerySizeARM => true,
        // Images, attachments, handles.
        ColorAttachmentReadEXT
        | DepthAttachmentReadEXT
        | StencilAttachmentReadEXT
        | ImageSampleWeightedQCOM
        | ImageBoxFilterQCOM
        | ImageBlockMatchSSDQCOM
        | ImageBlockMatchSADQCOM
        | ImageBlockMatchWindowSSDQCOM
        | ImageBlockMatchWindowSADQCOM
        | ImageBlockMatchGatherSSDQCOM
        | ImageBlockMatchGatherSADQCOM
        | ImageSampleFootprintNV
        | ConvertUToAccelerationStructureKHR
        | ConvertUToImageNV
        | ConvertUToSamplerNV
        | ConvertImageToUNV
        | ConvertSamplerToUNV
        | ConvertUToSampledImageNV
        | ConvertSampledImageToUNV => true,
        // Subgroups and workgroups.
        GroupAll
        | GroupAny
        | GroupBroadcast
        | GroupIAdd
        | GroupFAdd
        | GroupFMin
        | GroupUMin
        | GroupSMin
        | GroupFMax
        | GroupUMax
        | GroupSMax
        | GroupIMulKHR
        | GroupFMulKHR
        | GroupBitwiseAndKHR
        | GroupBitwiseOrKHR
        | GroupBitwiseXorKHR
        | GroupLogicalAndKHR
        | GroupLogicalOrKHR
        | GroupLogicalXorKHR
        | GroupIAddNonUniformAMD
        | GroupFAddNonUniformAMD
        | GroupFMinNonUniformAMD
        | GroupUMinNonUniformAMD
        | GroupSMinNonUniformAMD
        | GroupFMaxNonUniformAMD
        | GroupUMaxNonUniformAMD
        | GroupSMaxNonUniformAMD
        | GroupNonUniformPartitionEXT
        | SubgroupShuffleINTEL
        | SubgroupShuffleDownINTEL
        | SubgroupShuffleUpINTEL
        | SubgroupShuffleXorINTEL => true,
        // Payloads of nodes, state of ray queries and hit objects.
        NodePayloadArrayLengthAMDX
        | IsNodePayloadValidAMDX
        | FetchMicroTriangleVertexPositionNV
        | FetchMicroTriangleVertexBarycentricNV
        | RayQueryGetIntersectionTriangleVertexPositionsKHR
        | RayQueryGetIntersectionClusterIdNV
        | RayQueryGetIntersectionSpherePositionNV
        | RayQueryGetIntersectionSphereRadiusNV
        | RayQueryGetIntersectionLSSPositionsNV
        | RayQueryGetIntersectionLSSRadiiNV
        | RayQueryGetIntersectionLSSHitValueNV
        | RayQueryIsSphereHitNV
        | RayQueryIsLSSHitNV => true,
        HitObjectGetWorldToObjectNV
        | HitObjectGetObjectToWorldNV
        | HitObjectGetObjectRayDirectionNV
        | HitObjectGetObjectRayOriginNV
        | HitObjectGetShaderRecordBufferHandleNV
        | HitObjectGetShaderBindingTableRecordIndexNV
        | HitObjectGetCurrentTimeNV
        | HitObjectGetHitKindNV
        | HitObjectGetPrimitiveIndexNV
        | HitObjectGetGeometryIndexNV
        | HitObjectGetInstanceIdNV
        | HitObjectGetInstanceCustomIndexNV
        | HitObjectGetWorldRayDirectionNV
        | HitObjectGetWorldRayOriginNV
        | HitObjectGetRayTMaxNV
        | HitObjectGetRayTMinNV
        | HitObjectIsEmptyNV
        | HitObjectIsHitNV
        | HitObjectIsMissNV => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_not_pure() {
        let effects = [
            Op::Store,
            Op::ImageWrite,
            Op::AtomicIAdd,
            Op::AtomicLoad,
            Op::FunctionCall,
            Op::RayQueryProceedKHR,
            Op::HitObjectGetAttributesNV,
            Op::AllocateNodePayloadsAMDX,
            Op::FinishWritingNodePayloadAMDX,
            Op::EmitVertex,
        ];
        assert!(effects.into_iter().all(|op| !is_pure(op) && !is_component_wise(op)));
        let both = [Op::IAddSatINTEL, Op::ExpectKHR, Op::IAdd, Op::CompositeConstructReplicateEXT, Op::Phi];
        assert!(both.into_iter().all(|op| is_pure(op) != is_component_wise(op)), "each is in one table");
    }

    #[test]
    fn sampling_is_implicit_by_its_name() {
        for opcode in 0..=u16::MAX {
            let Some(info) = crate::grammar::info(opcode) else { continue };
            let expected = info.name.starts_with("Image") && info.name.ends_with("ImplicitLod");
            assert_eq!(samples_implicitly(info.op), expected, "{}", info.name);
        }
    }
}
