//! Codes: workgroup size and layout.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: WORKGROUP = "W", "Workgroup size and layout";

    SIZE_ZERO = "W001", Error, "dimension of the workgroup size is 0" {
        meaning: "A workgroup has at least one invocation on each axis. The layout is drawn as if the dimension were \
            1.",
        example: Example::Command("inspect spec_size.comp --spec 0=0"),
        remedy: "Set the local size, or the specialization constant that it comes from, to at least 1.",
    }

    SIZE_TOO_LARGE = "W002", Error, "workgroup has more invocations than can be laid out" {
        meaning: "The product of the dimensions is above the number that Lanescope lays out. No device offers a \
            workgroup of this size.",
        example: Example::Command("inspect odd_size.comp --group-size 4096,4096,4"),
        remedy: "Use a smaller local size. Devices commonly offer 1024 invocations.",
    }

    QUADS_ODD = "W003", Error, "quad derivatives need an even number of invocations in x and y" {
        meaning: "With `DerivativeGroupQuadsKHR` each 2x2 block of invocations forms a quad. The local size must be \
            a multiple of 2 in x and in y.",
        example: Example::Command("inspect odd_size.comp --derivatives quads"),
        remedy: "Round the local size up to even numbers in x and y, or use linear derivatives.",
    }

    LINEAR_NOT_FOUR = "W004", Error, "linear derivatives need a multiple of 4 invocations" {
        meaning: "With `DerivativeGroupLinearKHR` each four consecutive invocations form a quad. The number of \
            invocations must be a multiple of 4.",
        example: Example::Command("inspect odd_size.comp --derivatives linear"),
        remedy: "Change the local size so that its product is a multiple of 4.",
    }

    SIZE_LIMIT = "W005", Warning, "workgroup is larger than the limit of common devices" {
        meaning: "`maxComputeWorkGroupInvocations` is 1024 on common devices. Pipeline creation fails where the \
            limit is lower than the local size.",
        example: Example::Command("inspect odd_size.comp --group-size 64,64,1"),
        remedy: "Use a smaller local size, or check the limit at run time.",
    }

    GROUP_TILE = "W006", Warning, "workgroup-id swizzle does not apply to this dispatch" {
        meaning: "The swizzle works on full tiles of N by N groups. It needs the size of the dispatch, and more than \
            one full tile in x and in y.",
        example: Example::Command("inspect tiled_blur.pipe"),
        remedy: "Give the dispatch size with `--groups`, choose 4, 8, 16, 32 or 64 for the tile, or turn the swizzle \
            off for small dispatches.",
    }

    SIZE_UNKNOWN = "W007", Error, "workgroup size is a constant that cannot be evaluated" {
        meaning: "The local size depends on a specialization constant expression that Lanescope cannot compute.",
        example: Example::Described("A `WorkgroupSize` whose x is a specialization constant operation that divides \
            by zero."),
        remedy: "Give a value with `--spec`, or the whole size with `--group-size`.",
    }

    GROUPS_NOT_LISTED = "W008", Note, "dispatch has more groups than are listed" {
        meaning: "The list of group ids stops at a fixed number for each z slice. The swizzle itself applies to all \
            groups.",
        example: Example::Command("inspect tile_16x16.comp --group-tile 8 --groups 4096,4096,1"),
        remedy: "No action is needed. A smaller `--groups` lists all of them.",
    }

    MESH_IDS_APART = "W009", Warning, "swizzled mesh shader reads an id that is not remapped with LocalInvocationId" {
        meaning: "SPIR-V defines LocalInvocationIndex and GlobalInvocationId by LocalInvocationId. LLPC remaps \
            LocalInvocationId of a swizzled mesh shader only; the other two stay as the hardware numbers invocations. \
            Lanescope models that. A shader that reads both can compute something else than the original.",
        example: Example::Files {
            files: &[("strip.mesh", "\
                #version 460\n\
                #extension GL_EXT_mesh_shader : require\n\
                layout(local_size_x = 16, local_size_y = 4) in;\n\
                layout(triangles, max_vertices = 64, max_primitives = 1) out;\n\
                layout(location = 0) out vec2 place[];\n\
                void main() {\n\
                \x20   SetMeshOutputsEXT(64, 1);\n\
                \x20   place[gl_LocalInvocationIndex] = vec2(gl_LocalInvocationID.xy);\n\
                }\n")],
            command: "inspect strip.mesh --reconfig",
        },
        remedy: "Compute the index from LocalInvocationId, or do not swizzle mesh shaders.",
    }
}
