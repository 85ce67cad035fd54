//! Vulkan's enumerations of pipeline state: numbers and names.
//!
//! From the constants of Vulkan 1.3.281, as ash 0.38 names them.

use super::vulkan_enum;

vulkan_enum!(
    /// Primitive topology.
    Topology, "VK_PRIMITIVE_TOPOLOGY_";
    0 "POINT_LIST",
    1 "LINE_LIST",
    2 "LINE_STRIP",
    3 "TRIANGLE_LIST",
    4 "TRIANGLE_STRIP",
    5 "TRIANGLE_FAN",
    6 "LINE_LIST_WITH_ADJACENCY",
    7 "LINE_STRIP_WITH_ADJACENCY",
    8 "TRIANGLE_LIST_WITH_ADJACENCY",
    9 "TRIANGLE_STRIP_WITH_ADJACENCY",
    10 "PATCH_LIST",
);

vulkan_enum!(
    /// Whether a vertex binding advances by vertex or by instance.
    InputRate, "VK_VERTEX_INPUT_RATE_";
    0 "VERTEX",
    1 "INSTANCE",
);

vulkan_enum!(
    /// Provoking vertex of a primitive.
    ProvokingVertex, "VK_PROVOKING_VERTEX_MODE_";
    0 "FIRST_VERTEX",
    1 "LAST_VERTEX",
);

vulkan_enum!(
    /// Descriptor type.
    DescriptorType, "VK_DESCRIPTOR_TYPE_";
    0 "SAMPLER",
    1 "COMBINED_IMAGE_SAMPLER",
    2 "SAMPLED_IMAGE",
    3 "STORAGE_IMAGE",
    4 "UNIFORM_TEXEL_BUFFER",
    5 "STORAGE_TEXEL_BUFFER",
    6 "UNIFORM_BUFFER",
    7 "STORAGE_BUFFER",
    8 "UNIFORM_BUFFER_DYNAMIC",
    9 "STORAGE_BUFFER_DYNAMIC",
    10 "INPUT_ATTACHMENT",
    1000138000 "INLINE_UNIFORM_BLOCK",
    1000150000 "ACCELERATION_STRUCTURE_KHR",
    1000165000 "ACCELERATION_STRUCTURE_NV",
    1000351000 "MUTABLE_EXT",
    1000440000 "SAMPLE_WEIGHT_IMAGE_QCOM",
    1000440001 "BLOCK_MATCH_IMAGE_QCOM",
);

vulkan_enum!(
    /// Polygon mode.
    PolygonMode, "VK_POLYGON_MODE_";
    0 "FILL",
    1 "LINE",
    2 "POINT",
    1000153000 "FILL_RECTANGLE_NV",
);

vulkan_enum!(
    /// Winding of front faces.
    FrontFace, "VK_FRONT_FACE_";
    0 "COUNTER_CLOCKWISE",
    1 "CLOCKWISE",
);

vulkan_enum!(
    /// Compare operation.
    CompareOp, "VK_COMPARE_OP_";
    0 "NEVER",
    1 "LESS",
    2 "EQUAL",
    3 "LESS_OR_EQUAL",
    4 "GREATER",
    5 "NOT_EQUAL",
    6 "GREATER_OR_EQUAL",
    7 "ALWAYS",
);

vulkan_enum!(
    /// Stencil operation.
    StencilOp, "VK_STENCIL_OP_";
    0 "KEEP",
    1 "ZERO",
    2 "REPLACE",
    3 "INCREMENT_AND_CLAMP",
    4 "DECREMENT_AND_CLAMP",
    5 "INVERT",
    6 "INCREMENT_AND_WRAP",
    7 "DECREMENT_AND_WRAP",
);

vulkan_enum!(
    /// Blend factor.
    BlendFactor, "VK_BLEND_FACTOR_";
    0 "ZERO",
    1 "ONE",
    2 "SRC_COLOR",
    3 "ONE_MINUS_SRC_COLOR",
    4 "DST_COLOR",
    5 "ONE_MINUS_DST_COLOR",
    6 "SRC_ALPHA",
    7 "ONE_MINUS_SRC_ALPHA",
    8 "DST_ALPHA",
    9 "ONE_MINUS_DST_ALPHA",
    10 "CONSTANT_COLOR",
    11 "ONE_MINUS_CONSTANT_COLOR",
    12 "CONSTANT_ALPHA",
    13 "ONE_MINUS_CONSTANT_ALPHA",
    14 "SRC_ALPHA_SATURATE",
    15 "SRC1_COLOR",
    16 "ONE_MINUS_SRC1_COLOR",
    17 "SRC1_ALPHA",
    18 "ONE_MINUS_SRC1_ALPHA",
);

vulkan_enum!(
    /// Blend operation.
    BlendOp, "VK_BLEND_OP_";
    0 "ADD",
    1 "SUBTRACT",
    2 "REVERSE_SUBTRACT",
    3 "MIN",
    4 "MAX",
    1000148000 "ZERO_EXT",
    1000148001 "SRC_EXT",
    1000148002 "DST_EXT",
    1000148003 "SRC_OVER_EXT",
    1000148004 "DST_OVER_EXT",
    1000148005 "SRC_IN_EXT",
    1000148006 "DST_IN_EXT",
    1000148007 "SRC_OUT_EXT",
    1000148008 "DST_OUT_EXT",
    1000148009 "SRC_ATOP_EXT",
    1000148010 "DST_ATOP_EXT",
    1000148011 "XOR_EXT",
    1000148012 "MULTIPLY_EXT",
    1000148013 "SCREEN_EXT",
    1000148014 "OVERLAY_EXT",
    1000148015 "DARKEN_EXT",
    1000148016 "LIGHTEN_EXT",
    1000148017 "COLORDODGE_EXT",
    1000148018 "COLORBURN_EXT",
    1000148019 "HARDLIGHT_EXT",
    1000148020 "SOFTLIGHT_EXT",
    1000148021 "DIFFERENCE_EXT",
    1000148022 "EXCLUSION_EXT",
    1000148023 "INVERT_EXT",
    1000148024 "INVERT_RGB_EXT",
    1000148025 "LINEARDODGE_EXT",
    1000148026 "LINEARBURN_EXT",
    1000148027 "VIVIDLIGHT_EXT",
    1000148028 "LINEARLIGHT_EXT",
    1000148029 "PINLIGHT_EXT",
    1000148030 "HARDMIX_EXT",
    1000148031 "HSL_HUE_EXT",
    1000148032 "HSL_SATURATION_EXT",
    1000148033 "HSL_COLOR_EXT",
    1000148034 "HSL_LUMINOSITY_EXT",
    1000148035 "PLUS_EXT",
    1000148036 "PLUS_CLAMPED_EXT",
    1000148037 "PLUS_CLAMPED_ALPHA_EXT",
    1000148038 "PLUS_DARKER_EXT",
    1000148039 "MINUS_EXT",
    1000148040 "MINUS_CLAMPED_EXT",
    1000148041 "CONTRAST_EXT",
    1000148042 "INVERT_OVG_EXT",
    1000148043 "RED_EXT",
    1000148044 "GREEN_EXT",
    1000148045 "BLUE_EXT",
);

vulkan_enum!(
    /// Logic operation.
    LogicOp, "VK_LOGIC_OP_";
    0 "CLEAR",
    1 "AND",
    2 "AND_REVERSE",
    3 "COPY",
    4 "AND_INVERTED",
    5 "NO_OP",
    6 "XOR",
    7 "OR",
    8 "NOR",
    9 "EQUIVALENT",
    10 "INVERT",
    11 "OR_REVERSE",
    12 "COPY_INVERTED",
    13 "OR_INVERTED",
    14 "NAND",
    15 "SET",
);

vulkan_enum!(
    /// Type of a ray tracing shader group.
    GroupType, "VK_RAY_TRACING_SHADER_GROUP_TYPE_";
    0 "GENERAL",
    1 "TRIANGLES_HIT_GROUP",
    2 "PROCEDURAL_HIT_GROUP",
);

vulkan_enum!(
    /// Filter within a mip level.
    Filter, "VK_FILTER_";
    0 "NEAREST",
    1 "LINEAR",
    1000015000 "CUBIC_EXT",
);

vulkan_enum!(
    /// Filter between mip levels.
    MipmapMode, "VK_SAMPLER_MIPMAP_MODE_";
    0 "NEAREST",
    1 "LINEAR",
);

vulkan_enum!(
    /// Sampler address mode.
    AddressMode, "VK_SAMPLER_ADDRESS_MODE_";
    0 "REPEAT",
    1 "MIRRORED_REPEAT",
    2 "CLAMP_TO_EDGE",
    3 "CLAMP_TO_BORDER",
    4 "MIRROR_CLAMP_TO_EDGE",
);

vulkan_enum!(
    /// Border colour of a sampler.
    BorderColor, "VK_BORDER_COLOR_";
    0 "FLOAT_TRANSPARENT_BLACK",
    1 "INT_TRANSPARENT_BLACK",
    2 "FLOAT_OPAQUE_BLACK",
    3 "INT_OPAQUE_BLACK",
    4 "FLOAT_OPAQUE_WHITE",
    5 "INT_OPAQUE_WHITE",
    1000287003 "FLOAT_CUSTOM_EXT",
    1000287004 "INT_CUSTOM_EXT",
);
