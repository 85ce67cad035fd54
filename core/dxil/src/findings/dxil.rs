//! Codes: DXIL programs: parts against metadata, and conversion.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: DXIL = "D", "DXIL parts, metadata and conversion";

    SIGNATURE_DIFFERS = "D001", Error, "signature part differs from the metadata" {
        meaning: "The input or output signature that the runtime reads and the one in the program's metadata must \
            describe the same elements.",
        example: Example::Changed {
            what: "an element of ISG1 is in register 9",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x74, &[0x09])],
        },
        remedy: "Compile again. A tool that edits one of them must edit both.",
    }

    PSV_DIFFERS = "D002", Error, "PSV0 differs from the metadata" {
        meaning: "Pipeline state validation data repeats facts of the metadata: stage, sizes, resources and \
            signatures. Runtimes check against PSV0.",
        example: Example::Changed {
            what: "the stage in PSV0 is 5, compute",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x118, &[0x05])],
        },
        remedy: "Compile again. A tool that edits one of them must edit both.",
    }

    RDAT_DIFFERS = "D003", Error, "RDAT differs from the metadata" {
        meaning: "The runtime data of a library repeats functions, resources and nodes of the metadata. Runtimes \
            link by RDAT.",
        example: Example::Changed {
            what: "the group size in RDAT is removed",
            sample: "work_graphs/03_coalescing_reduce.dxil",
            bytes: &[(0x254, &[0x58])],
        },
        remedy: "Compile again. A tool that edits one of them must edit both.",
    }

    GRAPH_AFTER_6_9 = "D004", Error, "library has nodes, but its shader model has no work graphs (expected lib_6_8 or lib_6_9)" {
        meaning: "Work graphs end with shader model 6.9: later models have no nodes.",
        example: Example::Described("`work_graphs/01_tile_classify.dxil` with model 6.10 in its program header."),
        remedy: "Compile for `lib_6_8` or `lib_6_9`.",
    }

    NOT_CONVERTED = "D005", Warning, "entry point cannot be converted to SPIR-V" {
        meaning: "The converter (dxil-spirv) does not know an op or a type of the entry point. Its stages, packing \
            and workgroup layout are missing from the report.",
        example: Example::Command("inspect dxil/preview_debugging.cs.dxil"),
        remedy: "Read the reason. `--verbose` and the window's details show the converter's full output. Experimental ops and long \
            vectors cannot be converted.",
    }

    UNKNOWN_FEATURES = "D006", Warning, "feature bit is not known" {
        meaning: "SFI0 has a bit that no known feature uses.",
        example: Example::Changed {
            what: "bits 41 to 47 of the features are set",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x4d, &[0xfe])],
        },
        remedy: "The compiler is newer than this build, or the part is damaged.",
    }

    PREVIEW_DIFFERS = "D007", Warning, "preview digest and shader model disagree" {
        meaning: "Validated containers of an unreleased shader model have the preview digest, and others do not.",
        example: Example::Changed {
            what: "the digest of a released model is the preview digest",
            sample: "dxil/prefix_sum.cs.dxil",
            bytes: &[(0x4, &[0x02; 16])],
        },
        remedy: "Run the validator again, which writes the digest that fits the model.",
    }

    UNKNOWN_METADATA = "D008", Warning, "named metadata is not allowed in a final program" {
        meaning: "The validator accepts a fixed list of `dx.` names, `llvm.ident` and `llvm.module.flags`. All \
            others are errors for it.",
        example: Example::Described("A module with the named metadata `dx.odd`."),
        remedy: "Strip debug and compiler-internal metadata (`dxc -Qstrip_debug`), or compile again.",
    }

    REGISTERS_DIFFER = "D009", Warning, "input and output with the same semantic use different registers" {
        meaning: "The two stages place the semantic in different registers. D3D12 links by register, so the pair \
            does not work there. Lanescope links by semantic.",
        example: Example::Described("A vertex and a pixel shader that declare the same semantics in a different \
            order."),
        remedy: "Declare the interface in the same order in both shaders, for example as one shared struct.",
    }

    SEVERAL_OF_A_STAGE = "D010", Note, "library has several entry points of one graphics stage" {
        meaning: "A pipeline has one shader of each stage. It is not known which of the library's entry points are used \
            together, so the graphics stages are not analysed. The container and its conversions are shown.",
        example: Example::Described("A `lib_6_6` container with the vertex shaders `One` and `Two`."),
        remedy: "Name one with `--entry`.",
    }

    LINKAGE_MISSING = "D011", Error, "pixel shader input is not written, so no linkage description exists" {
        meaning: "The output linkage of a partial graphics program is an exact match of the pixel shader's inputs, except \
            system values. The shader before the rasterizer does not write one of them.",
        example: Example::Described("`link-desc` of a pixel shader that declares `FOG`, and a vertex shader without it."),
        remedy: "Write the semantic, or remove it from the pixel shader's inputs.",
    }

    LINKAGE_DIFFERS = "D012", Error, "pixel shader input and output are not the same element, so they do not link" {
        meaning: "The two shaders place a semantic in different registers, or the input has components that are not \
            written.",
        example: Example::Described("`link-desc` of two shaders that declare their interface in a different order."),
        remedy: "Declare the interface in the same order in both shaders, for example as one shared struct.",
    }

    GROUPSHARED_EXCEEDED = "D013", Error, "groupshared memory exceeds what the entry point may have" {
        meaning: "An entry point may use as many bytes as its `GroupSharedLimit` says (from shader model 6.10), or without \
            one 32768, in a mesh shader 28672.",
        example: Example::Described("A compute shader with `groupshared float data[9000]` and no `GroupSharedLimit`."),
        remedy: "Use less, or raise the limit: `[GroupSharedLimit(36864)]`. The device must have that much.",
    }

    GROUPSHARED_LIMIT = "D014", Error, "limit of groupshared memory is not allowed here" {
        meaning: "Metadata tag 24 (`GroupSharedLimit`) exists from shader model 6.10, for compute, mesh and amplification \
            shaders. Its number is a multiple of 4.",
        example: Example::Described("Tag 24 in a `cs_6_8` shader."),
        remedy: "Compile again. A tool that writes metadata must not add the tag to older models.",
    }

    GROUPSHARED_LARGE = "D015", Note, "entry point needs more groupshared memory than each device has" {
        meaning: "Devices have 32768 bytes, for mesh shaders 28672. More depends on the device \
            (`MaxGroupSharedMemoryPerGroup`).",
        example: Example::Described("A `cs_6_10` shader with `[GroupSharedLimit(65536)]` that uses 49152 bytes."),
        remedy: "Ask the device, and keep a variant that uses less.",
    }
}
