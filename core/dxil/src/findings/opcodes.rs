//! Codes: DXIL ops, stable and experimental.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: OPCODES = "X", "DXIL opcodes and experimental ops";

    OP_NOT_CONSTANT = "X01", Error, "opcode of a `dx.op` call is not a constant i32" {
        meaning: "The first argument of each `dx.op` function is the opcode. It must be a constant of type i32.",
        example: Example::Described("`call float @dx.op.unary.f32(i32 %n, float %x)`, where `%n` is computed."),
        remedy: "Write the opcode as a constant. Optimizations must not merge calls with different opcodes.",
    }

    OP_FEATURE = "X02", Error, "opcode has an unknown FeatureID" {
        meaning: "The upper 16 bits of an opcode are its FeatureID: 0x0000 for stable ops, 0x8000 for experimental \
            ones.",
        example: Example::Described("`i32 65536`, opcode 0x00010000."),
        remedy: "Use an opcode from a known table. `lanescope opcodes` prints them.",
    }

    OP_INVALID = "X03", Error, "opcode is 0xFFFFFFFF, the reserved invalid value" {
        meaning: "The value stands for \"no opcode\" and cannot be called.",
        example: Example::Described("`i32 -1`."),
        remedy: "The code generator did not set the opcode. Fix the generator.",
    }

    OP_UNDEFINED = "X04", Error, "stable opcode is not defined" {
        meaning: "The opcode is above the last one in the table of stable ops of this build.",
        example: Example::Changed {
            what: "the opcode of a call is 8160",
            sample: "dxil/wave_range.ranged.cs.dxil",
            bytes: &[(0xce0, &[0xff])],
        },
        remedy: "Check the number. If a newer DXIL version defines it, a newer Lanescope is needed.",
    }

    OP_UNDEFINED_EXPERIMENTAL = "X05", Error, "experimental opcode is not defined" {
        meaning: "The FeatureID is 0x8000, and the index is above the last one in the table of experimental ops of \
            this build.",
        example: Example::Described("`i32 -2147479552`, opcode 0x80001000."),
        remedy: "The compiler is newer than the table. `lanescope opcodes` says which commit the table is from.",
    }

    OP_RESERVED = "X06", Error, "opcode is reserved" {
        meaning: "The table has a hole at this number. Preview ops once used some of them (226 to 237, 305 to 308); \
            others were never assigned.",
        example: Example::Described("`i32 226`, a wave matrix op of the shader model 6.8 preview."),
        remedy: "Compile again with a released compiler. `lanescope opcodes` shows the holes.",
    }

    OP_NEEDS_DXIL = "X07", Warning, "opcode needs a newer DXIL version than the module declares" {
        meaning: "`dx.version` is older than the version that introduced the opcode.",
        example: Example::Described("Opcode 258, which DXIL 1.9 introduced, in a module with `dx.version` 1.8."),
        remedy: "Compile for a newer shader model, or avoid the op.",
    }

    OP_EXPERIMENTAL_RELEASED = "X08", Error, "experimental op is used in a released shader model" {
        meaning: "Experimental ops are allowed in unreleased (preview) shader models only. The validator rejects the \
            module.",
        example: Example::Described("An op with FeatureID 0x8000 in a `cs_6_8` shader."),
        remedy: "Compile for the preview model (`-T cs_6_10`), or avoid the op.",
    }

    OP_EXPERIMENTAL_SIGNED = "X09", Error, "experimental op is in a container signed as final" {
        meaning: "The digest is the retail or debug hash, which says that the contents are final. A runtime would \
            load it as final.",
        example: Example::Described("`dxil/preview_debugging.cs.dxil` with its digest replaced by the computed one."),
        remedy: "Compile again with the validator, which writes the preview digest (16 bytes 02).",
    }

    OP_NOT_PREVIEW = "X10", Warning, "experimental op is in a container that is not marked preview" {
        meaning: "The digest is neither the preview digest, nor zero, nor bypass. It does not match the contents \
            either.",
        example: Example::Described("`dxil/preview_debugging.cs.dxil` with one byte of its digest changed."),
        remedy: "Sign the container again. For a preview model the validator writes 16 bytes 02.",
    }

    OP_UNSIGNED = "X11", Warning, "experimental op is in a container without a preview digest" {
        meaning: "The digest is zero (unsigned) or bypass. Runtimes from AgilitySDK 1.615 treat zeros like the \
            preview digest, but only for as long as containers of earlier previews are supported. Bypass is for \
            released shader models.",
        example: Example::Changed {
            what: "the digest is zero",
            sample: "dxil/preview_debugging.cs.dxil",
            bytes: &[(0x4, &[0x00; 16])],
        },
        remedy: "Run the validator, or keep the container for experiments only.",
    }

    PREVIEW_UNUSED = "X12", Note, "container is marked preview but has no experimental op" {
        meaning: "This is normal for shader model 6.10: the digest follows from the model, not from the ops.",
        example: Example::Described("A `cs_6_10` shader that uses stable ops only."),
        remedy: "Compile for a released model if the shader does not need the preview.",
    }

    PREVIEW_AMBIGUOUS = "X13", Warning, "program header and metadata disagree on the preview state" {
        meaning: "One of them names a released shader model, and the other an unreleased one. Tools decide \
            differently.",
        example: Example::Changed {
            what: "the program header says model 6.8",
            sample: "dxil/preview_debugging.cs.dxil",
            bytes: &[(0x738, &[0x68])],
        },
        remedy: "Compile again, or make both the same. See C25.",
    }

    OP_NEEDS_MODEL = "X14", Error, "op needs a newer shader model than the module declares" {
        meaning: "`dx.shaderModel` is older than the op's minimum.",
        example: Example::Described("`WaveMatch` (opcode 165), which needs 6.5, in a shader of model 6.4."),
        remedy: "Compile for the newer model, or avoid the op.",
    }

    OP_STAGE = "X15", Error, "op is not available in this stage" {
        meaning: "The op table lists the stages of each op. The entry point that reaches the call is of another \
            stage.",
        example: Example::Described("`dx.op.threadId.i32` in a pixel shader."),
        remedy: "Move the call to a stage that has the op. In libraries all entry points that reach the function \
            count.",
    }

    OP_CALLEE = "X16", Error, "callee is not the function of the opcode's class" {
        meaning: "The name after `dx.op.` is the class of the op. A call with another class has operands of another \
            meaning. A name of no op is an error at a stable opcode; at an experimental one it is X18.",
        example: Example::Changed {
            what: "the callee `dx.op.cbufferLoadLegacy.f32` is renamed",
            sample: "dxil/lit_surface.vs.dxil",
            bytes: &[(0x11dd, &[0xec])],
        },
        remedy: "Call the function of the op's class. `lanescope opcodes` prints the classes.",
    }

    OP_OVERLOAD = "X17", Warning, "overload is not allowed for the op, or differs from the callee's name" {
        meaning: "An op allows certain types as overload, and the callee's suffix spells that type.",
        example: Example::Changed {
            what: "the suffix of the callee `dx.op.unary.f32` is changed",
            sample: "dxil/lit_surface.ps.dxil",
            bytes: &[(0x129a, &[0xff])],
        },
        remedy: "Use an allowed type, and the suffix of that type.",
    }

    OP_OPERANDS = "X18", Note, "operand list differs from the op table" {
        meaning: "The number or the types of the operands, or the callee of an experimental op, are not those that \
            this build knows, or are those of an earlier compiler, such as the 1.10.2605 preview. Experimental ops \
            change names and operands in place.",
        example: Example::Changed {
            what: "the return type of the op is renamed",
            sample: "dxil/lit_surface.vs.dxil",
            bytes: &[(0xc94, &[0x28])],
        },
        remedy: "Compare the compiler's version with the table's commit in the message. Decode the operands by hand \
            if they differ.",
    }

    RDAT_EXPERIMENTAL = "X19", Note, "experimental reflection data is in a released shader model" {
        meaning: "RDAT tables 13 and up (12 and up before dxc 1.8.2407) exist in preview models and in the offline \
            target `lib_6_x` only, or with validator version 0.0.",
        example: Example::Described("A `lib_6_9` container with RDAT table 14."),
        remedy: "Compile with a released compiler. The tables are shown, other readers may ignore them.",
    }

    OP_SUMMARY = "X20", Note, "module calls experimental ops" {
        meaning: "This summarizes calls, distinct ops and FeatureIDs.",
        example: Example::Command("inspect dxil/preview_debugging.cs.dxil"),
        remedy: "No action is needed. The shader needs a preview runtime and driver.",
    }

    OP_OF_WORK_GRAPHS = "X21", Error, "op of work graphs is used in a shader model without them" {
        meaning: "Work graphs end with shader model 6.9. Ops that only nodes may call, and barriers on records of nodes, \
            are not in later models.",
        example: Example::Described("`dx.op.allocateNodeOutputRecords` in a library of model 6.10."),
        remedy: "Compile for `lib_6_8` or `lib_6_9`.",
    }

    OP_PRIVATE = "X22", Note, "op is of a private partition" {
        meaning: "The FeatureID is that of no table of DXC, and `--feature-names` names it. The name is all that is known \
            of the op: its operands are not checked, and it is not converted to SPIR-V.",
        example: Example::Described("Opcode 0x80010003, with a file that names index 3 of FeatureID 0x8001."),
        remedy: "No action is needed. Only that vendor's compiler and driver know the op.",
    }

    OP_NOT_ADOPTED = "X23", Warning, "function is in the form of a proposal that was not adopted" {
        meaning: "hlsl-specs 0052 considered `dx.opx.CLASS`, `dx.create.extensionop` and `dx.op.extension` for experimental \
            ops, and chose numbers with a FeatureID instead. DXC writes none of these forms.",
        example: Example::Described("A call of `dx.opx.binary.f32`."),
        remedy: "Write experimental ops as `dx.op` calls with FeatureID 0x8000.",
    }
}
