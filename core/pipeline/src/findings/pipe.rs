//! Codes: LLPC pipeline files.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: PIPE = "pipe.", "LLPC pipeline files (.pipe)";

    PIPE_BAD_NUMBER = "pipe.bad-number", Warning, "value is not a valid number or boolean" {
        meaning: "LLPC parses numbers leniently: it stops at the first wrong character, and other text counts as 0. \
            The message says which value LLPC reads.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                options.waveSize = 32abc\n")],
            command: "inspect a.pipe",
        },
        remedy: "Write a plain decimal or 0x number, and `true` or `false` for booleans.",
    }

    PIPE_BOM = "pipe.bom", Note, "file starts with a byte order mark" {
        meaning: "LLPC does not skip the three bytes, so it does not find the first section.",
        example: Example::Files {
            files: &[("a.pipe", "\
                \u{feff}[CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Save the file as UTF-8 without a byte order mark.",
    }

    PIPE_BRACKET_IN_SOURCE = "pipe.bracket-in-source", Warning, "line of HLSL starts with a bracket, as sections do" {
        meaning: "LLPC takes any line that starts with `[` for a section header, also inside HLSL. Lanescope keeps \
            the line as source.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() { gl_Position = vec4(0); }\n\
                [VsInfo]\n\
                [FsHlsl]\n\
                [earlydepthstencil]\n\
                float4 main() : SV_Target { return 1; }\n\
                [FsInfo]\n\
                entryPoint = main\n")],
            command: "inspect a.pipe",
        },
        remedy: "Indent the attribute by a blank, or put it after other text on its line.",
    }

    PIPE_COMMENT_JOIN = "pipe.comment-join", Warning, "comment at the end of a line makes LLPC lose the next line" {
        meaning: "LLPC joins a line that has a `;` comment after a value with the next one.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                entryPoint = main ; note\n\
                options.waveSize = 32\n")],
            command: "inspect a.pipe",
        },
        remedy: "Put the comment on a line of its own.",
    }

    PIPE_DEPTH_LIMIT = "pipe.depth-limit", Error, "resource tables nest more than 8 levels deep" {
        meaning: "`next[i]` opens a table below a node. Lanescope reads 8 levels. Lists of libraries that name \
            further lists are limited too.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [ResourceMapping]\n\
                userDataNode[0].next[0].next[0].next[0].next[0].next[0].\
                next[0].next[0].next[0].next[0].next[0].type = PushConst\n")],
            command: "inspect a.pipe",
        },
        remedy: "Flatten the tables. Real layouts nest two deep.",
    }

    PIPE_DUPLICATE_SECTION = "pipe.duplicate-section", Warning, "section appears more than once" {
        meaning: "The section counts once. For the version and the sources the first one is used, for Info sections \
            the last one.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [Version]\n\
                version = 75\n\
                [Version]\n\
                version = 3\n\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Remove one of the sections.",
    }

    PIPE_EMPTY = "pipe.empty", Error, "file has no sections" {
        meaning: "A pipeline file consists of sections such as `[VsGlsl]` or `[CsInfo]`, each at the start of a line.",
        example: Example::Files {
            files: &[("a.pipe", "; only a comment\n")],
            command: "inspect a.pipe",
        },
        remedy: "Check that the file is a pipeline file of LLPC.",
    }

    PIPE_GROUP_RANGE = "pipe.group-range", Error, "ray tracing group refers to a shader that is not in the file" {
        meaning: "A group names its shaders by index, in the order of the shader sections.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [rgenGlsl]\n\
                #version 460\n\
                #extension GL_EXT_ray_tracing : enable\n\
                void main() {}\n\
                [rgenInfo]\n\
                [RayTracingPipelineState]\n\
                groups[0].generalShader = 4\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct the index. -1 stands for no shader.",
    }

    PIPE_HEADER = "pipe.header", Warning, "section header has no closing bracket" {
        meaning: "The line starts with `[` and has no `]`. It is skipped, and the section before it continues.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [Version\n")],
            command: "inspect a.pipe",
        },
        remedy: "Add the bracket.",
    }

    PIPE_INDEX_LIMIT = "pipe.index-limit", Error, "index is at or above the length of its list" {
        meaning: "Lists have a fixed length, such as 8 color targets. LLPC writes outside its array or stops.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [FsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [FsInfo]\n\
                [GraphicsPipelineState]\n\
                colorBuffer[8].format = VK_FORMAT_R8_UNORM\n")],
            command: "inspect a.pipe",
        },
        remedy: "Use a lower index.",
    }

    PIPE_INFO_UNPAIRED = "pipe.info-unpaired", Warning, "shader has no Info section" {
        meaning: "LLPC pairs a shader section with the Info section after it. Without one the entry point `main` and \
            default options are assumed.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                void main() {}\n")],
            command: "inspect a.pipe",
        },
        remedy: "Add `[CsInfo]` (or the Info section of the stage) with `entryPoint = main`.",
    }

    PIPE_LINE_LIMIT = "pipe.line-limit", Error, "line, key or section count exceeds what is read" {
        meaning: "Lanescope limits the length of lines and the number of keys and sections. What is above the limit \
            is skipped.",
        example: Example::Described("A line of 2 MiB in an Info section."),
        remedy: "If the data is real, put shader binaries into files (`CsSpvFile`).",
    }

    PIPE_LLPC_ENUM_CLASH = "pipe.llpc-enum-clash", Warning, "LLPC reads this enumerator with another value" {
        meaning: "The name exists in two enumerations of LLPC, which takes it from the wrong one. The message has \
            the value that LLPC reads.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [FsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [FsInfo]\n\
                options.waveBreakSize = _8x8\n")],
            command: "inspect a.pipe",
        },
        remedy: "Write the name that gives the value you want; see the message.",
    }

    PIPE_MISSING_FILE = "pipe.missing-file", Error, "file that is referred to cannot be read" {
        meaning: "`fileName` is missing, or the file that it names does not exist or is not readable.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() { gl_Position = vec4(0); }\n\
                [VsInfo]\n\
                [FsSpvFile]\n\
                fileName = missing.spv\n\
                [FsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Put the file beside the pipeline file, and correct `fileName`.",
    }

    PIPE_NO_EQUALS = "pipe.no-equals", Warning, "line has no equals sign" {
        meaning: "Sections other than sources consist of `key = value` lines. The line is skipped.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                entryPoint main\n")],
            command: "inspect a.pipe",
        },
        remedy: "Write `key = value`, or start the line with `;` to make it a comment.",
    }

    PIPE_NO_VALUE = "pipe.no-value", Warning, "key has no value" {
        meaning: "The key counts as not given.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                entryPoint =\n")],
            command: "inspect a.pipe",
        },
        remedy: "Add the value, or remove the line.",
    }

    PIPE_NODE_OVERLAP = "pipe.node-overlap", Error, "resource nodes of one table overlap" {
        meaning: "Two nodes at the same level use the same dwords. The second one reads parts of the first.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [ResourceMapping]\n\
                userDataNode[0].visibility = 128\n\
                userDataNode[0].type = PushConst\n\
                userDataNode[0].offsetInDwords = 0\n\
                userDataNode[0].sizeInDwords = 4\n\
                userDataNode[1].visibility = 128\n\
                userDataNode[1].type = PushConst\n\
                userDataNode[1].offsetInDwords = 3\n\
                userDataNode[1].sizeInDwords = 4\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct `offsetInDwords` or `sizeInDwords`.",
    }

    PIPE_NODE_SHAPE = "pipe.node-shape", Warning, "resource node lacks members of its type, or has others" {
        meaning: "Each node needs a type; descriptors need a set and a binding, and only table pointers have `next`. \
            Lists must not skip an index.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [ResourceMapping]\n\
                userDataNode[1].visibility = 128\n\
                userDataNode[1].type = PushConst\n\
                userDataNode[1].sizeInDwords = 4\n")],
            command: "inspect a.pipe",
        },
        remedy: "Add the missing members, and number nodes from 0 without gaps.",
    }

    PIPE_NODE_SIZE = "pipe.node-size", Error, "size of a resource node does not fit its type" {
        meaning: "The size must be a multiple of the descriptor's size, 1 for table pointers, and not 0. Immutable \
            samplers need dwords for each element.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [ResourceMapping]\n\
                userDataNode[0].visibility = 128\n\
                userDataNode[0].type = DescriptorTableVaPtr\n\
                userDataNode[0].sizeInDwords = 2\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct `sizeInDwords`. The message has the expected size.",
    }

    PIPE_NOT_TEXT = "pipe.not-text", Error, "file has a zero byte and is not text" {
        meaning: "Pipeline files are text. A zero byte in the first 64 KiB means that the file is binary or UTF-16.",
        example: Example::Described("A file `a.pipe` of UTF-16 text."),
        remedy: "Save the file as UTF-8.",
    }

    PIPE_PATH_OUTSIDE = "pipe.path-outside", Error, "file that is referred to is outside the pipeline file's folder" {
        meaning: "For safety Lanescope reads files beside the pipeline file and below it only: no absolute paths and \
            no `..`.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() { gl_Position = vec4(0); }\n\
                [VsInfo]\n\
                [FsSpvFile]\n\
                fileName = ../../shader.spv\n\
                [FsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Move or copy the file into the folder.",
    }

    PIPE_REMOVED_KEY = "pipe.removed-key", Note, "LLPC no longer reads this key" {
        meaning: "The key was removed from LLPC or renamed. It is kept and has no effect.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                vgprLimit = 3\n")],
            command: "inspect a.pipe",
        },
        remedy: "Remove the key, or write its new name; see the message.",
    }

    PIPE_SPEC_RANGE = "pipe.spec-range", Error, "specialization constant is outside the data or does not fit its type" {
        meaning: "Each `mapEntry` names bytes of the data that follows. They must exist, and match the type that the \
            shader declares.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                specConst.mapEntry[0].constantID = 1\n\
                specConst.mapEntry[0].size = 4\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct offset or size, or add data (`specConst.uintData = …`).",
    }

    PIPE_STAGE_CONFLICT = "pipe.stage-conflict", Error, "stages or state belong to different kinds of pipeline" {
        meaning: "A file describes one graphics, compute or ray tracing pipeline. LLPC refuses mixed files.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [VsInfo]\n\
                [CsGlsl]\n\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                void main() {}\n\
                [CsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Split the file, or add the state section of the kind that is meant.",
    }

    PIPE_STAGE_TABLES_DIFFER = "pipe.stage-tables-differ", Warning, "resource nodes at one offset differ among stages" {
        meaning: "In old files each stage has its own nodes. Where two stages use the same offset, LLPC takes the \
            children of the first stage only.",
        example: Example::Described("`userDataNode[0]` in `[VsInfo]` and in `[FsInfo]`, both at dword 0, with \
            different `next` nodes."),
        remedy: "Use one `[ResourceMapping]` for the whole pipeline.",
    }

    PIPE_STAGE_UNUSABLE = "pipe.stage-unusable", Error, "shader of a stage cannot be compiled or loaded" {
        meaning: "The stage is listed without its shader. The message has the compiler's or the loader's reason.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() { gl_Position = vec4(0); }\n\
                [VsInfo]\n\
                [FsGlsl]\n\
                not a shader\n\
                [FsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Fix the source; see the message.",
    }

    PIPE_TEXT_BEFORE_SECTION = "pipe.text-before-section", Warning, "text before the first section is not read" {
        meaning: "Only comments (`;`) and blank lines may come before the first section.",
        example: Example::Files {
            files: &[("a.pipe", "\
                hello\n\
                [CsGlsl]\n\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                void main() {}\n\
                [CsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "Remove the text, or start its lines with `;`.",
    }

    PIPE_UNKNOWN_ENUM = "pipe.unknown-enum", Warning, "value is not an enumerator of this key" {
        meaning: "The key takes one of a list of names. Numbers are used, which LLPC refuses; other text is kept and \
            has no effect.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                options.fp32DenormalMode = Keep\n")],
            command: "inspect a.pipe",
        },
        remedy: "Write one of the names; the message has the enumeration.",
    }

    PIPE_UNKNOWN_KEY = "pipe.unknown-key", Warning, "key is not one that LLPC reads" {
        meaning: "The key is kept as written and has no effect. Keys are case-sensitive.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                entrypoint = main\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct the spelling.",
    }

    PIPE_UNKNOWN_SECTION = "pipe.unknown-section", Warning, "section is not one that LLPC reads" {
        meaning: "The lines of the section are kept as written and have no effect.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [CsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [CsInfo]\n\
                [Future]\n\
                key = 1\n")],
            command: "inspect a.pipe",
        },
        remedy: "Correct the section's name.",
    }

    PIPE_VERSION_NEW = "pipe.version-new", Warning, "version is newer than the known keys" {
        meaning: "The file's version is above the newest one that this build knows, so some keys may be unknown.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [Version]\n\
                version = 999\n\
                [CsGlsl]\n\
                #version 450\n\
                layout(local_size_x = 1) in;\n\
                void main() {}\n\
                [CsInfo]\n")],
            command: "inspect a.pipe",
        },
        remedy: "No action is needed if no key is reported. Otherwise update Lanescope.",
    }

    PIPE_VERTEX_BINDING = "pipe.vertex-binding", Error, "attribute or divisor uses a vertex binding that is missing" {
        meaning: "Each attribute and each divisor refers to a `binding[i]` by its number.",
        example: Example::Files {
            files: &[("a.pipe", "\
                [VsGlsl]\n\
                #version 450\n\
                void main() {}\n\
                [VsInfo]\n\
                [VertexInputState]\n\
                attribute[0].binding = 2\n")],
            command: "inspect a.pipe",
        },
        remedy: "Add the binding, or correct the number.",
    }

    PIPE_VISIBILITY_EMPTY = "pipe.visibility-empty", Note, "visibility mask contains no stage of the pipeline" {
        meaning: "No stage of the file sees the resource node, so it has no effect.",
        example: Example::Described("`visibility = 1` (task) in a file with a vertex and a fragment shader, beside \
            nodes with a valid mask."),
        remedy: "Set the bits of the stages: vertex 2, fragment 64, compute 128.",
    }

    PIPE_VISIBILITY_OLD = "pipe.visibility-old", Warning, "visibility masks use the numbering of old LLPC versions" {
        meaning: "None of the masks fits the stages of the file. In the numbering of older LLPC versions they do.",
        example: Example::Described("Masks 1 and 16 in a vertex and fragment pipeline of version 52."),
        remedy: "Renumber the masks: vertex 2, fragment 64, compute 128. Or set the file's version to its real one.",
    }
}
