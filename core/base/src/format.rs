//! Formats of files.

use crate::named_enum;

named_enum!(
    /// What a file holds.
    Format {
        /// GLSL source.
        Glsl = "glsl",
        /// A SPIR-V binary.
        Spirv = "spirv",
        /// SPIR-V assembly text.
        Spvasm = "spvasm",
        /// HLSL source.
        Hlsl = "hlsl",
        /// WGSL source.
        Wgsl = "wgsl",
        /// Slang source.
        Slang = "slang",
        /// A DXIL container.
        Dxil = "dxil",
        /// LLPC's text of one pipeline.
        Pipe = "pipe",
        /// A test of shaders in sections: shader_runner's, shader-db's or VkRunner's.
        ShaderTest = "shader_test",
        /// An Amber script.
        Amber = "amber",
        /// A Fossilize database.
        Fossilize = "foz",
        /// A state object database of D3D12.
        StateObjects = "sodb",
    }
);
