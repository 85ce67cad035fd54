//! Codes: descriptors and guessed layouts.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: LAYOUT = "A", "Descriptors and guessed layouts";

    BINDING_CLASH = "A001", Error, "binding has a buffer and a descriptor of another type" {
        meaning: "Two variables share a set and binding, and one of them is a buffer. No descriptor set layout fits \
            both.",
        example: Example::Files {
            files: &[("clash.comp", "\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                layout(set = 0, binding = 0) buffer Data { uint values[]; };\n\
                layout(set = 0, binding = 0) uniform sampler2D image;\n\
                void main() { values[0] = uint(texture(image, vec2(0)).x); }\n")],
            command: "inspect clash.comp --group-size 1,1,1",
        },
        remedy: "Move one of the variables to another binding.",
    }

    BINDING_SHARED = "A002", Note, "several variables share one set and binding" {
        meaning: "This is legal where the types are compatible, for example aliases of one buffer. The guessed \
            layout has one descriptor for all of them.",
        example: Example::Files {
            files: &[("alias.comp", "\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                layout(set = 0, binding = 0) buffer A { uint numbers[]; };\n\
                layout(set = 0, binding = 0) buffer B { float values[]; };\n\
                void main() { numbers[0] = uint(values[1]); }\n")],
            command: "inspect alias.comp",
        },
        remedy: "No action is needed if the aliasing is intended.",
    }

    DESCRIPTORS_TOO_MANY = "A003", Error, "array of descriptors is larger than any layout allows" {
        meaning: "The array has more elements than devices have descriptors.",
        example: Example::Files {
            files: &[("huge.comp", "\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                layout(set = 0, binding = 0) buffer Data { uint values[]; } data[33554432];\n\
                void main() { data[5].values[0] = 1; }\n")],
            command: "inspect huge.comp",
        },
        remedy: "Declare a runtime array (`data[]`) and give the real count in the layout.",
    }

    RUNTIME_ARRAY = "A004", Note, "length of a descriptor array comes from the layout only" {
        meaning: "The shader declares a runtime array. The guessed layout assumes a length, which the application's \
            layout decides.",
        example: Example::Command("inspect dxil/signed_map.ps.dxil"),
        remedy: "Give the application's layout with `lanescope guess-layout --layout FILE` for exact offsets.",
    }

    DESCRIPTOR_STAGE = "A005", Error, "descriptor type cannot be used in this stage" {
        meaning: "Input attachments exist in fragment shaders only.",
        example: Example::Described("SPIR-V with a `SubpassData` image in a vertex shader. Vulkan validation \
            rejects it, so it is found with `--no-validate`."),
        remedy: "Read the attachment in the fragment shader, or use a sampled image.",
    }

    AUTO_LAYOUT_NONE = "A006", Note, "descriptors of one binding are larger than the fixed stride, so no layout is guessed" {
        meaning: "Guessed layouts place bindings at a fixed stride of 48 bytes. A descriptor array that is larger, or \
            without a length, cannot be placed.",
        example: Example::Command("inspect dxil/signed_map.ps.dxil"),
        remedy: "Use `--guessed-layout sequential`, or compile with the application's layout.",
    }

    PUSH_PADDING = "A007", Note, "push constants have padding or members that are not used" {
        meaning: "The size that the shader uses and the sum of its members' sizes differ. LLPC's tool counts the \
            sum, so both numbers are given.",
        example: Example::Files {
            files: &[("padded.comp", "\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                layout(push_constant) uniform Push { float first; vec4 second; } push;\n\
                layout(set = 0, binding = 0) buffer Data { vec4 value; };\n\
                void main() { value = push.second + push.first; }\n")],
            command: "inspect padded.comp",
        },
        remedy: "No action is needed. Reorder the members to remove the padding.",
    }

    AUTO_LAYOUT_BREAKS = "A008", Note, "guessed layout differs from the application's layout" {
        meaning: "Code that was compiled with the guessed layout cannot be used with the application's. The message \
            names the first field that differs.",
        example: Example::Command("inspect textured_quad.pipe"),
        remedy: "See `lanescope help guessed-layouts`: the guessed layout can be changed with `--guessed-layout`, \
            `--dynamic-uniform` and `--dynamic-storage`.",
    }

    SLOTS_OVERLAP = "A009", Warning, "descriptors of one binding overlap those of another binding" {
        meaning: "In the application's layout a descriptor starts before the previous one ends.",
        example: Example::Described("A `.pipe` file in which a table has two nodes with overlapping dwords. The \
            file itself is reported too, as pipe.node-overlap."),
        remedy: "Correct the offsets or sizes in the description.",
    }

    LAYOUT_KIND = "A010", Warning, "descriptor type of the layout differs from the shader's" {
        meaning: "The layout lists another descriptor type at this set and binding than the shader declares. Access \
            through it is invalid.",
        example: Example::Changed {
            what: "the set layout has a sampled image where the shader declares a storage image",
            sample: "tiled_blur.foz",
            bytes: &[(0x140, &[0x00, 0x00, 0x00, 0x00]), (0x1fa, &[0x32])],
        },
        remedy: "Change the layout or the declaration so that both have the same type.",
    }

    ROOT_SPILLS = "A011", Note, "shader loads more user data than registers pass, so the rest spills to memory" {
        meaning: "User data is passed in scalar registers: 32 of a fragment shader, 16 of a compute shader. The first \
            has the driver's internal table; gl_NumWorkGroups takes two, and in a fragment shader with multiview \
            gl_ViewIndex takes one. The rest is for the dwords that the shader loads; other dwords take none. The \
            driver writes what does not fit to memory and passes a pointer, which takes one register more.",
        example: Example::Described("A `.pipe` file whose compute shader loads a descriptor table and 15 dwords of push \
            constants: 16 dwords, of which 14 fit beside the internal table and the pointer."),
        remedy: "Reduce push constants and root descriptors if the extra load matters.",
    }
}
