//! The words of the op tables: scalars, operand types, kinds of shader.

use lanescope_base::named_enum;

named_enum!(
    /// An overload type, or the element of one.
    #[non_exhaustive]
    Scalar {
        /// `half`.
        F16 = "f16",
        /// `float`.
        F32 = "f32",
        /// `double`.
        F64 = "f64",
        /// A bit.
        I1 = "i1",
        /// An 8-bit integer.
        I8 = "i8",
        /// A 16-bit integer.
        I16 = "i16",
        /// A 32-bit integer.
        I32 = "i32",
        /// A 64-bit integer.
        I64 = "i64",
        /// A pointer to a user-defined struct.
        Udt = "udt",
        /// A named struct value.
        Object = "object",
    }
);

named_enum!(
    /// A type in an op's prototype. The database's `type_legend` says what each stands for.
    #[non_exhaustive]
    TypeSymbol {
        /// The legacy row of a constant buffer.
        CBufRet = "$cb",
        /// The element of the vector overload.
        Element = "$elt",
        /// The overload.
        Overload = "$o",
        /// `i1`, or as many as the overload is wide.
        OverloadI1 = "$o_i1",
        /// `i32`, or as many as the overload is wide.
        OverloadI32 = "$o_i32",
        /// A resource or another object.
        Object = "$obj",
        /// Four values and a status.
        ResRet = "$r",
        /// A pointer to a user-defined struct.
        Udt = "$udt",
        /// Four of the overload.
        Vec4 = "$vec4",
        /// Nine of the overload.
        Vec9 = "$vec9",
        /// Overload dimension 0.
        Dimension0 = "$x0",
        /// Overload dimension 1.
        Dimension1 = "$x1",
        /// Overload dimension 2.
        Dimension2 = "$x2",
        /// Overload dimension 3.
        Dimension3 = "$x3",
        /// A pointer into groupshared memory to overload dimension 1.
        Groupshared1 = "$x_gs1",
        /// `dx.types.SamplePos`.
        SamplePos = "SamplePos",
        /// `double`.
        Double = "d",
        /// `dx.types.Dimensions`.
        Dimensions = "dims",
        /// `float`.
        Float = "f",
        /// `dx.types.fouri32`.
        FourI32 = "fouri32",
        /// `half`.
        Half = "h",
        /// `dx.types.HitObject`.
        HitObject = "hit_object",
        /// `i1`.
        I1 = "i1",
        /// `i16`.
        I16 = "i16",
        /// `i32`.
        I32 = "i32",
        /// `dx.types.i32c`.
        I32Carry = "i32c",
        /// `i64`.
        I64 = "i64",
        /// `i8`.
        I8 = "i8",
        /// Two `i32`.
        Int2 = "int2",
        /// `dx.types.NodeHandle`.
        NodeHandle = "nodehandle",
        /// `dx.types.NodeInfo`.
        NodeInfo = "nodeproperty",
        /// `dx.types.NodeRecordHandle`.
        NodeRecordHandle = "noderecordhandle",
        /// `dx.types.NodeRecordInfo`.
        NodeRecordInfo = "noderecordproperty",
        /// A pointer to `float`.
        FloatPointer = "pf32",
        /// `dx.types.Handle`.
        Handle = "res",
        /// `dx.types.ResBind`.
        ResBind = "resbind",
        /// `dx.types.ResourceProperties`.
        ResourceProperties = "resproperty",
        /// `dx.types.splitdouble`.
        SplitDouble = "splitdouble",
        /// `dx.types.twoi32`.
        TwoI32 = "twoi32",
        /// `i32`, used unsigned.
        U32 = "u32",
        /// `i8`, used unsigned.
        U8 = "u8",
        /// Nothing.
        Void = "v",
        /// A type of another table that this build does not know.
        Unknown = "?",
    }
);

named_enum!(
    /// Kinds of DXIL shaders, in the order of DXIL's numbers.
    #[non_exhaustive]
    ShaderKind {
        /// A pixel shader.
        Pixel = "pixel",
        /// A vertex shader.
        Vertex = "vertex",
        /// A geometry shader.
        Geometry = "geometry",
        /// A hull shader.
        Hull = "hull",
        /// A domain shader.
        Domain = "domain",
        /// A compute shader.
        Compute = "compute",
        /// A library of entry points.
        Library = "library",
        /// A ray generation shader.
        RayGeneration = "raygeneration",
        /// An intersection shader.
        Intersection = "intersection",
        /// An any-hit shader.
        AnyHit = "anyhit",
        /// A closest-hit shader.
        ClosestHit = "closesthit",
        /// A miss shader.
        Miss = "miss",
        /// A callable shader.
        Callable = "callable",
        /// A mesh shader.
        Mesh = "mesh",
        /// An amplification shader.
        Amplification = "amplification",
        /// A work-graph node.
        Node = "node",
    }
);

impl ShaderKind {
    /// The kind of DXIL's own number.
    pub fn of_number(number: u32) -> Option<ShaderKind> {
        ShaderKind::ALL.get(usize::try_from(number).ok()?).copied()
    }
}
