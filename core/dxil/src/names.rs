//! Names of the format's enumerations. A number without a name is shown as it is.

use std::borrow::Cow;

/// The name of a number of an enumeration; the number itself where it has no name.
pub type Name = Cow<'static, str>;

/// The name of a number in a table; the number itself where it has none.
#[inline]
pub(crate) fn of(table: &[&'static str], number: u32) -> Name {
    match table.get(number as usize) {
        Some(name) if !name.is_empty() => Name::Borrowed(name),
        _ => number.to_string().into(),
    }
}

/// A shader model as written.
pub(crate) fn model(major: u32, minor: u32) -> String {
    if minor == 15 { format!("{major}.x") } else { format!("{major}.{minor}") }
}

/// The names of the set bits of a word, then the bits without a name.
pub(crate) fn of_bits(table: &[&'static str], bits: u64) -> (Vec<Name>, u64) {
    let (mut names, mut left, mut unknown) = (Vec::new(), bits, 0);
    while left != 0 {
        let bit = left.trailing_zeros();
        match table.get(bit as usize) {
            Some(name) if !name.is_empty() => names.push(Name::Borrowed(*name)),
            _ => unknown |= 1 << bit,
        }
        left &= left - 1;
    }
    (names, unknown)
}

/// The shader flags of a word by name; of bits without one the number: `0x20000000000`.
pub(crate) fn shader_flags(word: u64) -> Vec<Name> {
    let (mut names, unknown) = of_bits(FLAGS, word);
    names.extend((unknown != 0).then(|| Name::Owned(format!("{unknown:#x}"))));
    names
}

/// Columns of a register: `xyzw`, a dash for each one that is not in the mask.
pub(crate) fn mask(bits: u8) -> Name {
    const MASKS: [&str; 16] = [
        "----", "x---", "-y--", "xy--", "--z-", "x-z-", "-yz-", "xyz-", "---w", "x--w", "-y-w", "xy-w", "--zw", "x-zw",
        "-yzw", "xyzw",
    ];
    Name::Borrowed(MASKS[usize::from(bits & 15)])
}

/// The bits of columns as [`mask`] shows them.
pub(crate) fn bits_of_mask(mask: &str) -> u8 {
    (0..4).zip(mask.bytes()).filter(|(_, byte)| *byte != b'-').fold(0, |bits, (at, _)| bits | 1 << at)
}

/// The columns of a mask that another one does not have.
pub(crate) fn without(mask: &str, other: &str) -> Name {
    self::mask(bits_of_mask(mask) & !bits_of_mask(other))
}

/// Shader kinds.
pub(crate) const KIND: &[&str] = &[
    "pixel",
    "vertex",
    "geometry",
    "hull",
    "domain",
    "compute",
    "library",
    "ray_generation",
    "intersection",
    "any_hit",
    "closest_hit",
    "miss",
    "callable",
    "mesh",
    "amplification",
    "node",
    "invalid",
];

/// `dx.shaderModel`'s words for shader kinds.
pub(crate) const MODEL_KIND: &[(&str, u32)] =
    &[("ps", 0), ("vs", 1), ("gs", 2), ("hs", 3), ("ds", 4), ("cs", 5), ("lib", 6), ("ms", 13), ("as", 14)];

/// Bits of SFI0, and of functions in RDAT.
pub(crate) const FEATURES: &[&str] = &[
    "Doubles",
    "ComputeShadersPlusRawAndStructuredBuffers",
    "UAVsAtEveryStage",
    "64UAVs",
    "MinimumPrecision",
    "11_1_DoubleExtensions",
    "11_1_ShaderExtensions",
    "Level9ComparisonFiltering",
    "TiledResources",
    "StencilRef",
    "InnerCoverage",
    "TypedUAVLoadAdditionalFormats",
    "ROVs",
    "ViewportAndRTArrayIndexFromAnyShader",
    "WaveOps",
    "Int64Ops",
    "ViewID",
    "Barycentrics",
    "NativeLowPrecision",
    "ShadingRate",
    "RaytracingTier1_1",
    "SamplerFeedback",
    "AtomicInt64OnTypedResource",
    "AtomicInt64OnGroupShared",
    "DerivativesInMeshAndAmplification",
    "ResourceDescriptorHeapIndexing",
    "SamplerDescriptorHeapIndexing",
    "Reserved",
    "AtomicInt64OnHeapResource",
    "AdvancedTextureOps",
    "WriteableMSAATextures",
    "SampleCmpGradientOrBias",
    "ExtendedCommandInfo",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "UsesDerivatives",
    "RequiresGroup",
];

/// Bits of the shader flags in metadata.
pub(crate) const FLAGS: &[&str] = &[
    "DisableOptimizations",
    "DisableMathRefactoring",
    "Doubles",
    "ForceEarlyDepthStencil",
    "RawAndStructuredBuffers",
    "LowPrecision",
    "DoubleExtensions",
    "MSAD",
    "AllResourcesBound",
    "ViewportAndRTArrayIndex",
    "InnerCoverage",
    "StencilRef",
    "TiledResources",
    "TypedUAVLoadAdditionalFormats",
    "Level9ComparisonFiltering",
    "64UAVs",
    "UAVsAtEveryStage",
    "ComputeShaders4x",
    "ROVs",
    "WaveOps",
    "Int64Ops",
    "ViewID",
    "Barycentrics",
    "NativeLowPrecision",
    "ShadingRate",
    "RaytracingTier1_1",
    "SamplerFeedback",
    "AtomicInt64OnTypedResource",
    "AtomicInt64OnGroupShared",
    "DerivativesInMeshAndAmplification",
    "ResourceDescriptorHeapIndexing",
    "SamplerDescriptorHeapIndexing",
    "AtomicInt64OnHeapResource",
    "ResMayNotAlias",
    "AdvancedTextureOps",
    "WriteableMSAATextures",
    "Reserved",
    "SampleCmpGradientOrBias",
    "ExtendedCommandInfo",
    "UsesDerivatives",
    "RequiresGroup",
];

/// Component types of signature parts and of PSV0.
pub(crate) const SIGNATURE_TYPE: &[&str] =
    &["unknown", "uint32", "int32", "float32", "uint16", "int16", "float16", "uint64", "int64", "float64"];

/// Component types of metadata and RDAT.
pub(crate) const COMPONENT_TYPE: &[&str] = &[
    "invalid",
    "bool",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "snorm16",
    "unorm16",
    "snorm32",
    "unorm32",
    "snorm64",
    "unorm64",
    "packed_int8x4",
    "packed_uint8x4",
    "int8",
    "uint8",
    "float8_e4m3",
    "float8_e5m2",
    "bfloat16",
];

/// System values of signature parts.
pub(crate) fn system_value(number: u32) -> Name {
    const LOW: &[&str] = &[
        "",
        "Position",
        "ClipDistance",
        "CullDistance",
        "RenderTargetArrayIndex",
        "ViewportArrayIndex",
        "VertexID",
        "PrimitiveID",
        "InstanceID",
        "IsFrontFace",
        "SampleIndex",
        "QuadEdgeTessFactor",
        "QuadInsideTessFactor",
        "TriEdgeTessFactor",
        "TriInsideTessFactor",
        "LineDetailTessFactor",
        "LineDensityTessFactor",
        "",
        "",
        "",
        "",
        "",
        "",
        "Barycentrics",
        "ShadingRate",
        "CullPrimitive",
    ];
    const HIGH: &[&str] =
        &["Target", "Depth", "Coverage", "DepthGreaterEqual", "DepthLessEqual", "StencilRef", "InnerCoverage"];
    match number {
        0 => "none".into(),
        64.. => match HIGH.get((number - 64) as usize) {
            Some(name) => Name::Borrowed(name),
            None => number.to_string().into(),
        },
        _ => of(LOW, number),
    }
}

/// Semantic kinds of metadata, PSV0 and RDAT.
pub(crate) const SEMANTIC: &[&str] = &[
    "none",
    "VertexID",
    "InstanceID",
    "Position",
    "RenderTargetArrayIndex",
    "ViewportArrayIndex",
    "ClipDistance",
    "CullDistance",
    "OutputControlPointID",
    "DomainLocation",
    "PrimitiveID",
    "GSInstanceID",
    "SampleIndex",
    "IsFrontFace",
    "Coverage",
    "InnerCoverage",
    "Target",
    "Depth",
    "DepthLessEqual",
    "DepthGreaterEqual",
    "StencilRef",
    "DispatchThreadID",
    "GroupID",
    "GroupIndex",
    "GroupThreadID",
    "TessFactor",
    "InsideTessFactor",
    "ViewID",
    "Barycentrics",
    "ShadingRate",
    "CullPrimitive",
    "StartVertexLocation",
    "StartInstanceLocation",
    "invalid",
];

/// Interpolation modes.
pub(crate) const INTERPOLATION: &[&str] = &[
    "undefined",
    "constant",
    "linear",
    "linear_centroid",
    "linear_noperspective",
    "linear_noperspective_centroid",
    "linear_sample",
    "linear_noperspective_sample",
    "invalid",
];

/// Minimum precisions of signature parts.
pub(crate) fn precision(number: u32) -> Option<Name> {
    match number {
        0 => None,
        1 => Some("float16".into()),
        2 => Some("float2_8".into()),
        4 => Some("int16".into()),
        5 => Some("uint16".into()),
        0xf0 => Some("any16".into()),
        0xf1 => Some("any10".into()),
        other => Some(other.to_string().into()),
    }
}

/// Resource classes of metadata and RDAT.
pub(crate) const CLASS: &[&str] = &["srv", "uav", "cbv", "sampler"];

/// Resource kinds.
pub(crate) const RESOURCE: &[&str] = &[
    "invalid",
    "Texture1D",
    "Texture2D",
    "Texture2DMS",
    "Texture3D",
    "TextureCube",
    "Texture1DArray",
    "Texture2DArray",
    "Texture2DMSArray",
    "TextureCubeArray",
    "TypedBuffer",
    "RawBuffer",
    "StructuredBuffer",
    "CBuffer",
    "Sampler",
    "TBuffer",
    "RaytracingAccelerationStructure",
    "FeedbackTexture2D",
    "FeedbackTexture2DArray",
];

/// Resource types of PSV0's binding records.
pub(crate) const BINDING: &[&str] = &[
    "invalid",
    "sampler",
    "cbv",
    "srv_typed",
    "srv_raw",
    "srv_structured",
    "uav_typed",
    "uav_raw",
    "uav_structured",
    "uav_structured_counter",
];

/// Kinds of samplers.
pub(crate) const SAMPLER: &[&str] = &["default", "comparison", "mono"];

/// Tessellation domains.
pub(crate) const DOMAIN: &[&str] = &["undefined", "isoline", "tri", "quad"];
/// Tessellation partitionings.
pub(crate) const PARTITIONING: &[&str] = &["undefined", "integer", "pow2", "fractional_odd", "fractional_even"];
/// Output primitive of a hull shader.
pub(crate) const TESS_OUTPUT: &[&str] = &["undefined", "point", "line", "triangle_cw", "triangle_ccw"];
/// Output topology of a geometry shader.
pub(crate) const TOPOLOGY: &[&str] =
    &["undefined", "point_list", "line_list", "line_strip", "triangle_list", "triangle_strip"];
/// Output topology of a mesh shader.
pub(crate) const MESH_TOPOLOGY: &[&str] = &["undefined", "line", "triangle"];

/// Input primitive of a geometry shader.
pub(crate) fn input_primitive(number: u32) -> Name {
    match number {
        8..=39 => format!("patch_{}", number - 7).into(),
        _ => of(&["undefined", "point", "line", "triangle", "", "", "line_adj", "triangle_adj"], number),
    }
}

/// Launch type of nodes.
pub(crate) const LAUNCH: &[&str] = &["invalid", "broadcasting", "coalescing", "thread", "reserved"];

/// Kind of a node's input or output: the low seven bits of its flags.
pub(crate) fn node_io(flags: u32) -> Name {
    match flags & 0x7f {
        0x09 => "EmptyNodeInput",
        0x06 => "NodeOutput",
        0x16 => "NodeOutputArray",
        0x0a => "EmptyNodeOutput",
        0x1a => "EmptyNodeOutputArray",
        0x46 => "GroupNodeOutputRecords",
        0x61 => "DispatchNodeInputRecord",
        0x65 => "RWDispatchNodeInputRecord",
        0x41 => "GroupNodeInputRecords",
        0x45 => "RWGroupNodeInputRecords",
        0x21 => "ThreadNodeInputRecord",
        0x25 => "RWThreadNodeInputRecord",
        0x26 => "ThreadNodeOutputRecords",
        _ => return format!("0x{flags:x}").into(),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_name_stay_numbers() {
        assert_eq!((of(KIND, 13), of(KIND, 99)), ("mesh".into(), "99".into()));
        assert_eq!(
            (system_value(64), system_value(17), system_value(1000)),
            ("Target".into(), "17".into(), "1000".into())
        );
        assert_eq!((mask(5), mask(0)), ("x-z-".into(), "----".into()));
        assert_eq!(shader_flags(1 << 60 | 1 << 41), [Name::from("0x1000020000000000")]);
        assert_eq!(
            of_bits(FEATURES, 1 << 40 | 1 << 33 | 1),
            (vec!["Doubles".into(), "UsesDerivatives".into()], 1 << 33)
        );
        assert_eq!((input_primitive(10), node_io(0x165)), ("patch_3".into(), "RWDispatchNodeInputRecord".into()));
    }
}
