//! Arithmetic, conversions, composites, matrices that subgroups share.

use super::{Row, VALUE};
use crate::enums::Op::*;
use crate::opcode::{Derivative, Facts};

const COMPONENT_WISE: Facts = Facts { component_wise: true, ..VALUE };

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (COMPONENT_WISE, &[
        CopyObject, CopyLogical, Select, ExpectKHR, ArithmeticFenceEXT,
        // Conversions.
        ConvertFToU, ConvertFToS, ConvertSToF, ConvertUToF, UConvert, SConvert, FConvert, QuantizeToF16, Bitcast,
        ConvertFToBF16INTEL, ConvertBF16ToFINTEL, RoundFToTF32INTEL,
        // Arithmetic.
        SNegate, FNegate, IAdd, FAdd, ISub, FSub, IMul, FMul, UDiv, SDiv, FDiv, UMod, SRem, SMod, FRem, FMod, FmaKHR,
        VectorTimesScalar, MatrixTimesScalar, IAddCarry, ISubBorrow,
        AbsISubINTEL, AbsUSubINTEL, IAddSatINTEL, UAddSatINTEL, ISubSatINTEL, USubSatINTEL, IAverageINTEL,
        UAverageINTEL, IAverageRoundedINTEL, UAverageRoundedINTEL, IMul32x16INTEL, UMul32x16INTEL,
        // Bits.
        Not, ShiftRightLogical, ShiftRightArithmetic, ShiftLeftLogical, BitwiseOr, BitwiseXor, BitwiseAnd, BitReverse,
        BitCount, BitFieldInsert, BitFieldSExtract, BitFieldUExtract, UCountLeadingZerosINTEL,
        UCountTrailingZerosINTEL,
        // Comparisons.
        LogicalNot, LogicalEqual, LogicalNotEqual, LogicalOr, LogicalAnd, IsNan, IsInf, IEqual, INotEqual,
        UGreaterThan, SGreaterThan, UGreaterThanEqual, SGreaterThanEqual, ULessThan, SLessThan, ULessThanEqual,
        SLessThanEqual, FOrdEqual, FUnordEqual, FOrdNotEqual, FUnordNotEqual, FOrdLessThan, FUnordLessThan,
        FOrdGreaterThan, FUnordGreaterThan, FOrdLessThanEqual, FUnordLessThanEqual, FOrdGreaterThanEqual,
        FUnordGreaterThanEqual,
    ]),
    (Facts { derivative: Some(Derivative::Operand), ..COMPONENT_WISE }, &[
        DPdx, DPdy, Fwidth, DPdxFine, DPdyFine, FwidthFine, DPdxCoarse, DPdyCoarse, FwidthCoarse,
    ]),
    (VALUE, &[
        // Vectors and composites.
        VectorExtractDynamic, VectorInsertDynamic, VectorShuffle, CompositeConstruct, CompositeExtract,
        CompositeInsert, Transpose, CompositeConstructReplicateEXT, BitCastArrayQCOM, ExtractSubArrayQCOM,
        // Conversions, products, any and all.
        SatConvertSToU, SatConvertUToS, VectorTimesMatrix, MatrixTimesVector, MatrixTimesMatrix, OuterProduct, Dot,
        UMulExtended, SMulExtended, SDot, UDot, SUDot, SDotAccSat, UDotAccSat, SUDotAccSat, Any, All, IsFinite,
        IsNormal, SignBitSet, LessOrGreater, Ordered, Unordered, BitwiseFunctionINTEL,
        // Addresses and handles.
        ConvertPtrToU, ConvertUToPtr, PtrCastToGeneric, GenericCastToPtr, GenericCastToPtrExplicit,
        GenericPtrMemSemantics, PtrEqual, PtrNotEqual, PtrDiff, SizeOf,
        ConvertUToAccelerationStructureKHR, ConvertUToImageNV, ConvertUToSamplerNV, ConvertImageToUNV,
        ConvertSamplerToUNV, ConvertUToSampledImageNV, ConvertSampledImageToUNV,
        // Matrices and tensors.
        CooperativeMatrixMulAddKHR, CooperativeMatrixLengthKHR, CooperativeMatrixMulAddNV, CooperativeMatrixLengthNV,
        CooperativeMatrixConvertNV, CooperativeMatrixTransposeNV, CooperativeMatrixReduceNV,
        CompositeConstructCoopMatQCOM, CompositeExtractCoopMatQCOM, CreateTensorLayoutNV, TensorLayoutSetDimensionNV,
        TensorLayoutSetStrideNV, TensorLayoutSliceNV, TensorLayoutSetClampValueNV, TensorLayoutSetBlockSizeNV,
        CreateTensorViewNV, TensorViewSetDimensionNV, TensorViewSetStrideNV, TensorViewSetClipNV, TensorQuerySizeARM,
    ]),
];
