//! State of pipelines and samplers: depth, stencil, blending.

use lanescope_base::named_enum;

use super::Line;

named_enum!(
    serde if feature = "serde";
    /// What a comparison asks.
    CompareOp {
        /// Never true.
        Never = "never",
        /// Less.
        Less = "less",
        /// Equal.
        Equal = "equal",
        /// Less or equal.
        LessOrEqual = "less_or_equal",
        /// Greater.
        Greater = "greater",
        /// Not equal.
        NotEqual = "not_equal",
        /// Greater or equal.
        GreaterOrEqual = "greater_or_equal",
        /// Always true.
        Always = "always",
    }
);

named_enum!(
    serde if feature = "serde";
    /// What happens to a stencil value.
    StencilOp {
        /// It stays.
        Keep = "keep",
        /// It becomes zero.
        Zero = "zero",
        /// It becomes the reference.
        Replace = "replace",
        /// One more, up to the greatest.
        IncrementAndClamp = "increment_and_clamp",
        /// One less, down to zero.
        DecrementAndClamp = "decrement_and_clamp",
        /// Its bits are inverted.
        Invert = "invert",
        /// One more, after the greatest zero.
        IncrementAndWrap = "increment_and_wrap",
        /// One less, after zero the greatest.
        DecrementAndWrap = "decrement_and_wrap",
    }
);

named_enum!(
    serde if feature = "serde";
    /// Which faces a stencil state is for.
    Face {
        /// Front faces.
        Front = "front",
        /// Back faces.
        Back = "back",
        /// Both.
        FrontAndBack = "front_and_back",
    }
);

named_enum!(
    serde if feature = "serde";
    /// How polygons are drawn.
    PolygonMode {
        /// Their area.
        Fill = "fill",
        /// Their edges.
        Line = "line",
        /// Their corners.
        Point = "point",
    }
);

named_enum!(
    serde if feature = "serde";
    /// What a color is multiplied with.
    BlendFactor {
        /// Zero.
        Zero = "zero",
        /// One.
        One = "one",
        /// The source's color.
        SrcColor = "src_color",
        /// One minus the source's color.
        OneMinusSrcColor = "one_minus_src_color",
        /// The destination's color.
        DstColor = "dst_color",
        /// One minus the destination's color.
        OneMinusDstColor = "one_minus_dst_color",
        /// The source's alpha.
        SrcAlpha = "src_alpha",
        /// One minus the source's alpha.
        OneMinusSrcAlpha = "one_minus_src_alpha",
        /// The destination's alpha.
        DstAlpha = "dst_alpha",
        /// One minus the destination's alpha.
        OneMinusDstAlpha = "one_minus_dst_alpha",
        /// The constant's color.
        ConstantColor = "constant_color",
        /// One minus the constant's color.
        OneMinusConstantColor = "one_minus_constant_color",
        /// The constant's alpha.
        ConstantAlpha = "constant_alpha",
        /// One minus the constant's alpha.
        OneMinusConstantAlpha = "one_minus_constant_alpha",
        /// The lesser of the source's alpha and one minus the destination's.
        SrcAlphaSaturate = "src_alpha_saturate",
        /// The second source's color.
        Src1Color = "src1_color",
        /// One minus the second source's color.
        OneMinusSrc1Color = "one_minus_src1_color",
        /// The second source's alpha.
        Src1Alpha = "src1_alpha",
        /// One minus the second source's alpha.
        OneMinusSrc1Alpha = "one_minus_src1_alpha",
    }
);

named_enum!(
    serde if feature = "serde";
    /// How source and destination become one color. Those after `Max` are of VK_EXT_blend_operation_advanced.
    BlendOp {
        /// Sum.
        Add = "add",
        /// Source minus destination.
        Subtract = "substract",
        /// Destination minus source.
        ReverseSubtract = "reverse_substract",
        /// The lesser.
        Min = "min",
        /// The greater.
        Max = "max",
        /// Zero.
        Zero = "zero",
        /// Source.
        Src = "src",
        /// Destination.
        Dst = "dst",
        /// Source over destination.
        SrcOver = "src_over",
        /// Destination over source.
        DstOver = "dst_over",
        /// Source in destination.
        SrcIn = "src_in",
        /// Destination in source.
        DstIn = "dst_in",
        /// Source out of destination.
        SrcOut = "src_out",
        /// Destination out of source.
        DstOut = "dst_out",
        /// Source atop destination.
        SrcAtop = "src_atop",
        /// Destination atop source.
        DstAtop = "dst_atop",
        /// Either.
        Xor = "xor",
        /// Multiply.
        Multiply = "multiply",
        /// Screen.
        Screen = "screen",
        /// Overlay.
        Overlay = "overlay",
        /// Darken.
        Darken = "darken",
        /// Lighten.
        Lighten = "lighten",
        /// Color dodge.
        ColorDodge = "color_dodge",
        /// Color burn.
        ColorBurn = "color_burn",
        /// Hard light.
        HardLight = "hard_light",
        /// Soft light.
        SoftLight = "soft_light",
        /// Difference.
        Difference = "difference",
        /// Exclusion.
        Exclusion = "exclusion",
        /// Invert.
        Invert = "invert",
        /// Invert the color.
        InvertRgb = "invert_rgb",
        /// Linear dodge.
        LinearDodge = "linear_dodge",
        /// Linear burn.
        LinearBurn = "linear_burn",
        /// Vivid light.
        VividLight = "vivid_light",
        /// Linear light.
        LinearLight = "linear_light",
        /// Pin light.
        PinLight = "pin_light",
        /// Hard mix.
        HardMix = "hard_mix",
        /// Hue.
        HslHue = "hsl_hue",
        /// Saturation.
        HslSaturation = "hsl_saturation",
        /// Hue and saturation.
        HslColor = "hsl_color",
        /// Luminosity.
        HslLuminosity = "hsl_luminosity",
        /// Sum.
        Plus = "plus",
        /// Sum, up to one.
        PlusClamped = "plus_clamped",
        /// Sum, up to alpha.
        PlusClampedAlpha = "plus_clamped_alpha",
        /// Darker sum.
        PlusDarker = "plus_darker",
        /// Difference with its sign.
        Minus = "minus",
        /// Difference, down to zero.
        MinusClamped = "minus_clamped",
        /// Contrast.
        Contrast = "contrast",
        /// Invert, after OpenVG.
        InvertOvg = "invert_ovg",
        /// Red of the source.
        Red = "red",
        /// Green of the source.
        Green = "green",
        /// Blue of the source.
        Blue = "blue",
    }
);

named_enum!(
    serde if feature = "serde";
    /// How texels become a sample.
    Filter {
        /// The nearest texel.
        Nearest = "nearest",
        /// Those around, weighted.
        Linear = "linear",
    }
);

named_enum!(
    serde if feature = "serde";
    /// What is sampled outside of an image.
    AddressMode {
        /// The image again.
        Repeat = "repeat",
        /// The image again, mirrored each second time.
        MirroredRepeat = "mirrored_repeat",
        /// Its edge.
        ClampToEdge = "clamp_to_edge",
        /// The border's color.
        ClampToBorder = "clamp_to_border",
        /// Mirrored once, then its edge.
        MirrorClampToEdge = "mirror_clamp_to_edge",
    }
);

named_enum!(
    serde if feature = "serde";
    /// The color of the border.
    BorderColor {
        /// Zero.
        FloatTransparentBlack = "float_transparent_black",
        /// Zero, as integers.
        IntTransparentBlack = "int_transparent_black",
        /// Black.
        FloatOpaqueBlack = "float_opaque_black",
        /// Black, as integers.
        IntOpaqueBlack = "int_opaque_black",
        /// White.
        FloatOpaqueWhite = "float_opaque_white",
        /// White, as integers.
        IntOpaqueWhite = "int_opaque_white",
    }
);

/// A sampler. What is absent is not given: filters are nearest, address modes repeat, levels of detail are 0 to 1.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampler {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub name: String,
    /// Filter where texels are larger than samples.
    pub mag_filter: Option<Filter>,
    /// Filter where they are smaller.
    pub min_filter: Option<Filter>,
    /// What is outside, in each direction.
    pub address: [Option<AddressMode>; 3],
    /// Color of the border.
    pub border: Option<BorderColor>,
    /// The least level of detail.
    pub min_lod: Option<f32>,
    /// The greatest.
    pub max_lod: Option<f32>,
    /// Coordinates are 0 to 1, or those of texels.
    pub normalized: Option<bool>,
    /// Whether it compares.
    pub compare: Option<bool>,
    /// The comparison.
    pub compare_op: Option<CompareOp>,
}

/// The depth test. What is absent is not given.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Depth {
    /// Its line.
    pub line: Line,
    /// Whether depth is tested.
    pub test: Option<bool>,
    /// Whether it is written.
    pub write: Option<bool>,
    /// The comparison.
    pub compare_op: Option<CompareOp>,
    /// Whether depth is clamped.
    pub clamp: Option<bool>,
    /// Least and greatest depth that passes.
    pub bounds: Option<[f32; 2]>,
    /// What is added: a constant, the limit, a factor of the slope.
    pub bias: Option<[f32; 3]>,
}

/// The stencil test of faces. What is absent is not given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stencil {
    /// Its line.
    pub line: Line,
    /// The faces.
    pub face: Face,
    /// Whether stencil is tested, for all faces.
    pub test: Option<bool>,
    /// Where stencil fails.
    pub fail_op: Option<StencilOp>,
    /// Where both pass.
    pub pass_op: Option<StencilOp>,
    /// Where depth fails.
    pub depth_fail_op: Option<StencilOp>,
    /// The comparison.
    pub compare_op: Option<CompareOp>,
    /// Bits that are compared.
    pub compare_mask: Option<u32>,
    /// Bits that are written.
    pub write_mask: Option<u32>,
    /// The reference.
    pub reference: Option<u32>,
}

/// Blending, of all color attachments. What is absent is not given: source times one, destination times zero, added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blend {
    /// Its line.
    pub line: Line,
    /// What the source's color is multiplied with.
    pub src_color: Option<BlendFactor>,
    /// What the destination's color is multiplied with.
    pub dst_color: Option<BlendFactor>,
    /// How colors are combined.
    pub color_op: Option<BlendOp>,
    /// What the source's alpha is multiplied with.
    pub src_alpha: Option<BlendFactor>,
    /// What the destination's alpha is multiplied with.
    pub dst_alpha: Option<BlendFactor>,
    /// How alphas are combined.
    pub alpha_op: Option<BlendOp>,
}

/// The viewport.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Viewport {
    /// Its line.
    pub line: Line,
    /// The upper left corner.
    pub at: [f32; 2],
    /// Width and height.
    pub size: [f32; 2],
    /// Depth at the near plane, where it is given: else 0.
    pub min_depth: Option<f32>,
    /// Depth at the far plane, where it is given: else 1.
    pub max_depth: Option<f32>,
}
