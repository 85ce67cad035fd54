//! Codes: Amber scripts.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: AMBER = "amber.", "Amber scripts (.amber)";

    AMBER_STAGE_UNUSABLE = "amber.stage-unusable", Error, "shader of a stage cannot be used" {
        meaning: "The shader does not compile, is not valid SPIR-V, or is written in a language that does not become \
            SPIR-V here: HLSL and OpenCL C in a script, and shaders in other files. The message has the compiler's own, \
            with lines of the script.",
        example: Example::Files {
            files: &[("a.amber", "\
                #!amber\n\
                SHADER vertex corners PASSTHROUGH\n\
                SHADER fragment red GLSL\n\
                #version 450\n\
                layout(location = 0) out vec4 color;\n\
                void main() { color = nothing; }\n\
                END\n\
                PIPELINE graphics draw\n\
                \x20 ATTACH corners\n\
                \x20 ATTACH red\n\
                END\n")],
            command: "inspect a.amber",
        },
        remedy: "Correct the shader, or write it as GLSL or SPIR-V assembly.",
    }

    AMBER_SYNTAX = "amber.syntax", Error, "text is not an Amber script" {
        meaning: "The message has the line, what was expected there, and what was found. Nothing of a script is skipped: \
            one wrong line is an error of the whole file. A script has at most 32 MiB, and a buffer at most 256 MiB.",
        example: Example::Files {
            files: &[("a.amber", "\
                #!amber\n\
                PIPELINE compute all\n\
                \x20 ATTACH missing\n\
                END\n")],
            command: "inspect a.amber",
        },
        remedy: "Correct the line.",
    }
}
