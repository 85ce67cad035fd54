//! Codes: shader tests in sections.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: SHADER_TEST = "shader-test.", "Shader tests (.shader_test)";

    SHADER_TEST_EMPTY = "shader-test.empty", Error, "file has no sections" {
        meaning: "A shader test consists of sections such as `[require]` or `[vertex shader]`, each at the start of a \
            line.",
        example: Example::Files {
            files: &[("a.shader_test", "# only a comment\n")],
            command: "inspect a.shader_test",
        },
        remedy: "Check that the file is a test of shader_runner or VkRunner.",
    }

    SHADER_TEST_IGNORED = "shader-test.ignored", Note, "sections that say what is drawn and expected are not read" {
        meaning: "Lanescope reads the shaders of a test. `[test]`, `[vertex data]`, `[indices]` and others have no effect, \
            except for the first `entrypoint` command of a stage.",
        example: Example::Files {
            files: &[("a.shader_test", "\
                [vertex shader passthrough]\n\
                [fragment shader]\n\
                #version 450\n\
                layout(location = 0) out vec4 color;\n\
                void main() { color = vec4(1.0); }\n\
                [test]\n\
                draw rect -1 -1 2 2\n")],
            command: "inspect a.shader_test",
        },
        remedy: "No action is needed. Run the test with shader_runner or VkRunner.",
    }

    SHADER_TEST_LIMIT = "shader-test.limit", Warning, "line is too long, or there are too many sections" {
        meaning: "A line has at most 1 MiB, and a test at most 4096 sections. What is beyond is not read.",
        example: Example::Described("A line of 2 MiB."),
        remedy: "Split the line or the file.",
    }

    SHADER_TEST_NOT_TEXT = "shader-test.not-text", Error, "file is not text" {
        meaning: "A shader test is text, and this file has a zero byte.",
        example: Example::Described("A SPIR-V binary that is called `a.shader_test`, in the other byte order and damaged."),
        remedy: "Check the file.",
    }

    SHADER_TEST_PROGRAM = "shader-test.program", Warning, "assembly programs of OpenGL do not become SPIR-V" {
        meaning: "`[vertex program]` and `[fragment program]` are ARB assembly. They are kept as written and have no stage.",
        example: Example::Files {
            files: &[("a.shader_test", "\
                [vertex shader passthrough]\n\
                [fragment program]\n\
                !!ARBfp1.0\n\
                MOV result.color, fragment.color;\n\
                END\n")],
            command: "inspect a.shader_test",
        },
        remedy: "Rewrite the program as GLSL.",
    }

    SHADER_TEST_SECOND = "shader-test.second", Warning, "second shader for one stage is not used" {
        meaning: "Several GLSL sections of a stage are linked. SPIR-V cannot be linked with others.",
        example: Example::Files {
            files: &[("a.shader_test", "\
                [vertex shader passthrough]\n\
                [vertex shader]\n\
                #version 450\n\
                void main() { gl_Position = vec4(0.0); }\n")],
            command: "inspect a.shader_test",
        },
        remedy: "Remove one of the sections.",
    }

    SHADER_TEST_STAGE_UNUSABLE = "shader-test.stage-unusable", Error, "shader of a stage cannot be used" {
        meaning: "The section does not compile or is not valid SPIR-V. The message has the compiler's own, with lines of \
            the file. GLSL for OpenGL is compiled as GLSL for Vulkan by glslang's relaxed rules, which need version 1.40, \
            or 3.10 of ES, and no built-ins of fixed functions.",
        example: Example::Files {
            files: &[("a.shader_test", "\
                [require]\n\
                GLSL >= 1.50\n\
                [vertex shader passthrough]\n\
                [fragment shader]\n\
                out vec4 color;\n\
                void main() { color = nothing; }\n")],
            command: "inspect a.shader_test",
        },
        remedy: "Correct the shader, or write it as GLSL for Vulkan.",
    }

    SHADER_TEST_UNKNOWN_SECTION = "shader-test.unknown-section", Warning, "section is not one of a shader test" {
        meaning: "The lines of the section are kept as written and have no effect.",
        example: Example::Files {
            files: &[("a.shader_test", "\
                [vertex shader passthrough]\n\
                [future]\n\
                key\n")],
            command: "inspect a.shader_test",
        },
        remedy: "Correct the section's name.",
    }
}
