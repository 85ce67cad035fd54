//! Codes: AMD code objects. lanescope-codeobject raises them.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: CODE_OBJECT = "object.", "AMD code objects";

    OBJECT_DAMAGED = "object.damaged", Error, "part of the ELF file cannot be read" {
        meaning: "A section, a symbol, a name or a note is outside of the file, overlaps another one or has a size that \
            does not fit. The rest of the file is shown.",
        example: Example::Described("`fill.cs.elf`, cut after its first 1000 bytes."),
        remedy: "Write the object again. `llvm-readelf -S -s --notes FILE` shows what LLVM reads of it.",
    }

    OBJECT_LIMIT = "object.limit", Warning, "object exceeds a limit" {
        meaning: "Sections, symbols, names and metadata are limited. The message has the limit; what is beyond it is not \
            shown.",
        example: Example::Described("An object with 20,000 symbols."),
        remedy: "Use `llvm-readelf` for the rest.",
    }

    OBJECT_METADATA = "object.metadata", Error, "metadata is not one MessagePack map" {
        meaning: "A note of type 32 (NT_AMDGPU_METADATA) has one map in MessagePack, and nothing after it. A key occurs \
            once in a map.",
        example: Example::Described("A note whose size is one byte less than its map."),
        remedy: "Correct the writer.",
    }

    OBJECT_USER_DATA = "object.user-data", Warning, "user data mapping breaks a rule of PAL" {
        meaning: "PAL expects GlobalTable in user SGPR 0, BaseInstance in the SGPR after BaseVertex, no mapped SGPR from \
            `.user_sgprs` on, entries below 160 and below `.user_data_limit`, and values that it knows.",
        example: Example::Described("An object whose `.user_data_reg_map` begins with 0."),
        remedy: "Correct the mapping in the compiler or in the tool that rewrote the object.",
    }

    OBJECT_USER_DATA_ORDER = "object.user-data-order", Note, "user data entries do not rise with the SGPRs" {
        meaning: "Legal, but PAL's indirect commands on GFX9 to GFX11 assert that the mapped entries of a stage rise with \
            the index of the SGPR.",
        example: Example::Described("An object for gfx1030 whose `.user_data_reg_map` is [0x10000000, 5, 1]."),
        remedy: "Nothing, unless the pipeline is used with indirect commands.",
    }

    OBJECT_VALUE = "object.value", Warning, "value of the metadata does not have the expected type" {
        meaning: "The value is in the tree, but is not decoded: a register that is not a 32-bit number, a mapping that is \
            not an array of them, a stage that is not a map.",
        example: Example::Described("A pipeline whose `.user_data_limit` is a text."),
        remedy: "Correct the writer.",
    }
}
