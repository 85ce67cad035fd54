//! Codes: stage interfaces and packing.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: PACKING = "P", "Stage interfaces and packing";

    LOCATION_LIMIT = "P001", Error, "location is above the limit of all devices" {
        meaning: "Devices offer 128 components, 32 locations, in an interface between stages. The location lies \
            beyond that.",
        example: Example::Files {
            files: &[("far.frag", "\
                #version 450\n\
                layout(location = 40) in vec4 color;\n\
                layout(location = 0) out vec4 result;\n\
                void main() { result = color; }\n")],
            command: "inspect far.frag",
        },
        remedy: "Use a lower location. Locations need not be contiguous, but they must be below the device's limit.",
    }

    INPUT_NOT_WRITTEN = "P002", Warning, "fragment shader reads an input that the previous stage does not write" {
        meaning: "The value of the input is undefined: `Interface matching` in the Vulkan specification requires an \
            output for each input that is read. An output that a mesh shader writes per primitive feeds only an input \
            that is declared `perprimitiveEXT` too. `gl_PrimitiveID` after a mesh or geometry shader is the value that \
            this shader writes.",
        example: Example::Command("inspect missing_input.vert missing_input.frag"),
        remedy: "Write the output in the previous stage, or remove the input.",
    }

    ALIASED_INPUT = "P003", Note, "one component is read with two interpolation classes" {
        meaning: "Two variables share a location and component, but differ in interpolation. The hardware needs an \
            attribute slot for each class, so one place in the interface takes two.",
        example: Example::Described("Two inputs at location 0, one smooth and one flat. SPIR-V validation rejects \
            this, so it is found only with `--no-validate`."),
        remedy: "Give both variables the same interpolation qualifiers, or different locations.",
    }

    DYNAMIC_INDEX = "P004", Note, "input or output is indexed with a value known only at run time" {
        meaning: "All elements of an input that the index can reach count as used. Packing must keep them together, or \
            does not pack at all in the `design-note` order. An output of a tessellation control or mesh shader keeps \
            the locations of all its elements, because its stores are compiled where they stand: the next stage's \
            inputs are numbered with them.",
        example: Example::Command("inspect dynamic_index.vert dynamic_index.frag"),
        remedy: "Index with a constant or unroll the loop if the attribute slots matter.",
    }

    OPAQUE_USE = "P005", Note, "instruction kept as raw words may use inputs, so all inputs count as used" {
        meaning: "The instruction is not in the grammar (L003), so its operands are unknown. To be safe no input is \
            dropped.",
        example: Example::Described("An instruction of an extension that is newer than this build, in a function \
            that the entry point calls."),
        remedy: "No action is needed. Packing may be better than shown once the instruction is known.",
    }

    INTERFACE_MISMATCH = "P006", Warning, "input and the output that feeds it differ in width or type" {
        meaning: "The two sides of the interface read and write the same location with different component types. \
            The value is reinterpreted or undefined.",
        example: Example::Files {
            files: &[("a.vert", "\
                #version 450\n\
                layout(location = 0) out flat int number;\n\
                void main() { number = 1; gl_Position = vec4(0); }\n"), ("a.frag", "\
                #version 450\n\
                layout(location = 0) in float number;\n\
                layout(location = 0) out vec4 result;\n\
                void main() { result = vec4(number); }\n")],
            command: "inspect a.vert a.frag",
        },
        remedy: "Declare both variables with the same type.",
    }

    MIXED_INTERPOLATION = "P007", Warning, "location is read both flat and interpolated" {
        meaning: "Inputs of one location differ in whether they are interpolated. GLSL forbids it, and the hardware \
            cannot do it: it interpolates all components of a slot or none. A device that does not pack reads some of \
            them wrong. LLPC's packing moves them to different slots, so a packed and an unpacked program differ.",
        example: Example::Described("Two inputs at location 0, `shade` in component 0 and `flat layer` in component 1. \
            GLSL front ends reject it, other compilers emit it."),
        remedy: "Give flat and interpolated inputs different locations.",
    }
}
