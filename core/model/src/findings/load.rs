//! Codes: loading and validation.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: LOADING = "L", "Loading and validation";

    VALIDATION_STOPPED = "L001", Note, "the validator stopped at the first error; the rest of the module is unchecked" {
        meaning: "SPIRV-Tools stops at its first error. The error was tolerated, so Lanescope continues, but what \
            follows it in the module was not validated.",
        example: Example::Command("inspect dxil/brick_wall.ms.dxil"),
        remedy: "Read the other finding at the same file: it says which rule was broken. Fix that and validate again.",
    }

    RECURSION = "L002", Error, "functions call each other in a cycle" {
        meaning: "SPIR-V for Vulkan and GLSL do not allow recursion: the static call graph must have no cycle.",
        example: Example::Files {
            files: &[("recursion.spvasm", "\
                OpCapability Shader\n\
                OpMemoryModel Logical GLSL450\n\
                OpEntryPoint GLCompute %main \"main\"\n\
                OpExecutionMode %main LocalSize 1 1 1\n\
                %void = OpTypeVoid\n\
                %fn = OpTypeFunction %void\n\
                %main = OpFunction %void None %fn\n\
                %a = OpLabel\n\
                %call = OpFunctionCall %void %again\n\
                OpReturn\n\
                OpFunctionEnd\n\
                %again = OpFunction %void None %fn\n\
                %b = OpLabel\n\
                %more = OpFunctionCall %void %again\n\
                OpReturn\n\
                OpFunctionEnd\n")],
            command: "inspect recursion.spvasm",
        },
        remedy: "Replace the recursion by a loop with an explicit stack.",
    }

    RAW_INSTRUCTION = "L003", Note, "instruction is not in the SPIR-V grammar and is kept as raw words" {
        meaning: "SPIRV-Tools accepts the instruction, but the grammar that Lanescope reads with does not contain \
            it. Its operands are not interpreted.",
        example: Example::Described("An instruction of an extension that is newer than this build, such as opcode \
            32767 with two operand words."),
        remedy: "No action is needed for the shader. Results that depend on the instruction's operands are \
            conservative; see P005.",
    }

    UNKNOWN_SPEC_ID = "L004", Warning, "value is given for a specialization constant that no module declares" {
        meaning: "The SpecId does not exist in any loaded module, so the value has no effect.",
        example: Example::Command("inspect spec_size.comp --spec 99=1"),
        remedy: "Check the number: `layout(constant_id = N)` in GLSL, `OpDecorate … SpecId N` in SPIR-V.",
    }

    PRIMITIVE_ID_TYPE = "L005", Note, "PrimitiveId of a mesh shader is unsigned, which the validator rejects" {
        meaning: "Vulkan allows any 32-bit integer type for PrimitiveId. SPIRV-Tools accepts signed integers only. \
            The module is loaded all the same.",
        example: Example::Command("inspect dxil/brick_wall.ms.dxil"),
        remedy: "No action is needed.",
    }

    NOT_VALID = "L006", Warning, "the validator rejects the module or takes too long; loaded anyway because validation is off" {
        meaning: "`--no-validate`, or the same option of the window, opens modules that SPIRV-Tools rejects, and those that \
            it would take too long for. Every result assumes a valid module.",
        example: Example::Files {
            files: &[("invalid.spvasm", "\
                OpCapability Shader\n\
                OpMemoryModel Logical GLSL450\n\
                OpEntryPoint GLCompute %main \"main\"\n\
                %void = OpTypeVoid\n\
                %fn = OpTypeFunction %void\n\
                %main = OpFunction %void None %fn\n\
                %a = OpLabel\n\
                OpReturn\n\
                OpFunctionEnd\n\
                OpFunctionEnd\n")],
            command: "inspect invalid.spvasm --no-validate",
        },
        remedy: "Read the validator's message and fix the module, or the compiler that wrote it.",
    }

    VERSION_ASSUMED = "L007", Note, "SPIR-V assembly states no version; the lowest one that validates is used" {
        meaning: "A `; Version: 1.N` comment before the first instruction selects the version. Without it Lanescope \
            tries the versions from the lowest one up.",
        example: Example::Command("inspect work_graphs/enqueue.spvasm"),
        remedy: "Add the line `; Version: 1.6`, or the version that you want.",
    }

    TOLERATED_RULE = "L008", Note, "the validator rejects code that drivers accept; its error is ignored" {
        meaning: "Some validation rules are newer than compilers in use, or stricter than Vulkan. Drivers accept the \
            code, so Lanescope does as well. The message gives the rule and the reason.",
        example: Example::Described("A module of a Slang compiler whose `OpSource` refers to a string that is \
            defined after it."),
        remedy: "Update the compiler that wrote the module if the warning of other tools matters to you.",
    }

    COMPILER_WARNING = "L009", Warning, "the compiler of a source warns" {
        meaning: "The DirectX shader compiler or the Slang compiler compiled the source and printed a warning. The message \
            is the compiler's, with the option that controls it, or its number, in brackets.",
        example: Example::Described("`float f = v;` where `v` is a `float3`, in a file that DXC compiles."),
        remedy: "Change the line that the warning names, or turn it off with `--dxc-arg -Wno-NAME` or \
            `--slang-arg -warnings-disable --slang-arg NUMBER`.",
    }

    UNREAD_MACRO = "L010", Note, "no source file uses a macro that is defined for it" {
        meaning: "`-D`, or the same option of the window, defines the macro before each source. The name is neither in \
            the sources of the program nor in a file that they include, outside of comments, so the definition has no \
            effect. A file whose `#include` the preprocessor skips does not count. Nothing is reported where a text \
            makes names with `##`, and for HLSL that DXC compiles.",
        example: Example::Command("inspect lit_surface.frag -D QUALTIY=2"),
        remedy: "Check the spelling of the name, or remove the definition.",
    }
}
