//! Codes: register values.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: REGISTERS = "R", "Register values";

    NOT_EXPORTED = "R001", Warning, "interpolant reads an attribute slot that is never exported" {
        meaning: "The pixel shader reads the attribute, and no stage exports it. `SPI_PS_INPUT_CNTL_n` selects an \
            attribute slot with undefined contents.",
        example: Example::Command("inspect missing_input.vert missing_input.frag"),
        remedy: "Write the output in the previous stage (see P002), or remove the input.",
    }

    NEEDS_BACK_END = "R002", Note, "register value depends on register allocation or the pipeline layout" {
        meaning: "Register allocation, user data or scratch decide the value, which follow only from compiling the \
            shader or from a pipeline layout.",
        example: Example::Command("inspect lit_surface.vert lit_surface.frag"),
        remedy: "Add `--chip` to compile with a driver: its register values are listed where the driver prints them.",
    }

    UNKNOWN_FORMAT = "R003", Error, "format of a color attachment is not known" {
        meaning: "The format is not a color format that can be rendered to, so export formats and blend registers \
            cannot be computed for it.",
        example: Example::Command("inspect lit_surface.vert lit_surface.frag --color 0=VK_FORMAT_D32_SFLOAT"),
        remedy: "Name a color format, such as `VK_FORMAT_R8G8B8A8_UNORM`.",
    }

    NO_REGISTERS = "R004", Note, "target has no register tables" {
        meaning: "Register addresses and fields are known for some generations only. Driver output is available for \
            the target, computed registers are not.",
        example: Example::Described("A program in the window with the target gfx900. The command line refuses such \
            a target for registers."),
        remedy: "Choose a target that `lanescope help targets` lists without `driver only`.",
    }
}
