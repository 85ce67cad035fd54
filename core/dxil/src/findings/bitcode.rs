//! Codes: LLVM bitcode and DXIL metadata. Source: LLVM 3.7 bitcode format and the DXIL specification.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: BITCODE = "C", "LLVM bitcode and DXIL metadata";

    BITCODE_END = "C28", Error, "bitcode ends inside a field" {
        meaning: "The bit stream ends in the middle of a number, a record or a block.",
        example: Example::Changed {
            what: "a length inside the bitcode is larger than what follows",
            sample: "work_graphs/03_coalescing_reduce.dxil",
            bytes: &[(0xf5f, &[0xff])],
        },
        remedy: "The bitcode is truncated or damaged. Compile the shader again.",
    }

    BLOCK_LENGTH = "C29", Error, "bitcode block does not end where its length says" {
        meaning: "Each block states its length in words. Its END_BLOCK is earlier or later, or blocks are not nested \
            as a module requires.",
        example: Example::Changed {
            what: "the length of the metadata block is changed",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x116a, &[0x01])],
        },
        remedy: "The bitcode is damaged, or written with wrong block lengths. A writer must patch the length after \
            it has written the block.",
    }

    UNDEFINED_ABBREVIATION = "C30", Error, "abbreviation is used but not defined" {
        meaning: "A record starts with an abbreviation id that neither BLOCKINFO nor the block itself defines.",
        example: Example::Changed {
            what: "an abbreviation id inside the module block is changed",
            sample: "work_graphs/03_coalescing_reduce.dxil",
            bytes: &[(0xeb5, &[0x0b])],
        },
        remedy: "Define the abbreviation before its first use, or write the record unabbreviated (id 3).",
    }

    BAD_ABBREVIATION = "C31", Error, "abbreviation has operands that cannot be read" {
        meaning: "Arrays must come last but one and blobs last, widths are at most 64 bits, and encodings are 1 to 5.",
        example: Example::Changed {
            what: "an abbreviation of BLOCKINFO has encoding 0",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xd3b, &[0x01])],
        },
        remedy: "Correct the DEFINE_ABBREV record. Section 3.1 of the LLVM bitcode format lists the encodings.",
    }

    ABBREVIATION_WIDTH = "C32", Error, "width of abbreviation ids is not 1 to 32 bits" {
        meaning: "A block states how many bits its abbreviation ids have. 0 cannot encode an END_BLOCK.",
        example: Example::Changed {
            what: "the header of a block inside the bitcode is changed",
            sample: "dxil/preview_debugging.cs.dxil",
            bytes: &[(0xc25, &[0xff])],
        },
        remedy: "Write a width of at least 2. LLVM uses 3 to 5.",
    }

    LONG_INTEGER = "C33", Error, "variable-width integer has more than 64 bits" {
        meaning: "The continuation bit of a VBR field is set in too many chunks.",
        example: Example::Changed {
            what: "a field of the STAT part is changed, so a number never ends",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x1286, &[0x01])],
        },
        remedy: "The bitcode is damaged, or read from a wrong position. Compile the shader again.",
    }

    RECORD_LENGTH = "C34", Error, "record claims more operands than bits remain" {
        meaning: "The operand count of a record, or the length of an array, is larger than the rest of the bitcode \
            could hold.",
        example: Example::Changed {
            what: "the length of a record inside the bitcode is changed",
            sample: "work_graphs/03_coalescing_reduce.dxil",
            bytes: &[(0x11ce, &[0xff])],
        },
        remedy: "The bitcode is damaged. Compile the shader again.",
    }

    RECORD_BUDGET = "C35", Error, "bitcode describes more than its size allows" {
        meaning: "Lanescope limits memory in proportion to the size of the bitcode. Records with operands that cost \
            no bits, or names that are repeated very often, exceed the limit.",
        example: Example::Described("A structure type with a name of 200,000 characters, which 1,500 annotations \
            refer to."),
        remedy: "Treat the file as hostile if you did not make it. Real compilers stay far below the limit.",
    }

    BLOCK_NESTING = "C36", Error, "blocks nest deeper than 16, or inside BLOCKINFO" {
        meaning: "Modules nest three or four deep. BLOCKINFO contains abbreviations only, each after the id of its \
            block.",
        example: Example::Changed {
            what: "a block starts inside BLOCKINFO",
            sample: "dxil/lit_surface.ps.dxil",
            bytes: &[(0xb88, &[0x01])],
        },
        remedy: "The bitcode is damaged. Compile the shader again.",
    }

    NEWER_LLVM = "C37", Warning, "bitcode was written by an LLVM newer than 3.7" {
        meaning: "The module contains block ids that LLVM 3.7 does not define, such as the identification or the \
            string table block. They are skipped.",
        example: Example::Described("A module with block 13, the identification block of LLVM 3.8 and later."),
        remedy: "DXIL is LLVM 3.7 bitcode. Write it with dxc, or with a DXIL writer instead of a current `llvm-as`.",
    }

    MODULE_VERSION = "C38", Error, "module version is not 0 or 1" {
        meaning: "Version 0 has absolute value ids, version 1 relative ones. DXIL uses 1.",
        example: Example::Changed {
            what: "the version record of the module says 16",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x104c, &[0x01])],
        },
        remedy: "Write DXIL with dxc or another DXIL writer. Version 2 needs a string table, which DXIL does not \
            have.",
    }

    BAD_TYPE = "C39", Error, "type refers to a type that does not exist, or has a size that is not allowed" {
        meaning: "Integers have 1 to 64 bits, vectors 1 to 2^20 elements, a structure cannot contain itself, and \
            members must exist.",
        example: Example::Changed {
            what: "a type has code 15, which no type of LLVM 3.7 has",
            sample: "dxil/prefix_sum.cs.dxil",
            bytes: &[(0x91b, &[0x00])],
        },
        remedy: "The type table is damaged. Compile the shader again.",
    }

    TYPE_COUNT = "C40", Error, "type table does not have the number of types that it declares" {
        meaning: "NUMENTRY states the number of type ids. The block defines more or fewer.",
        example: Example::Changed {
            what: "NUMENTRY of the type table is 37 instead of 31",
            sample: "dxil/lit_surface.vs.dxil",
            bytes: &[(0xcf6, &[0x3a])],
        },
        remedy: "Correct NUMENTRY, or add the missing types.",
    }

    BAD_CONSTANT = "C41", Error, "constant does not fit its type" {
        meaning: "The kind of constant, the number or the types of its elements, or its value is not possible for the \
            type that SETTYPE selected.",
        example: Example::Changed {
            what: "an aggregate constant refers to value 1019, which does not exist",
            sample: "dxil/wave_range.ranged.cs.dxil",
            bytes: &[(0xcf7, &[0xff])],
        },
        remedy: "The constants block is damaged. Compile the shader again.",
    }

    UNDEFINED_VALUE = "C42", Error, "value is used but not defined" {
        meaning: "An operand refers to a value id that no global, constant, argument or instruction defines, or an \
            instruction lacks operands.",
        example: Example::Changed {
            what: "an operand of an instruction refers to a value that does not exist",
            sample: "dxil/lit_surface.ps.dxil",
            bytes: &[(0x1462, &[0x01])],
        },
        remedy: "Check relative ids: an operand is the next value id minus the encoded number. Instructions without \
            a result take no id.",
    }

    BAD_CALL = "C43", Error, "call has a callee that is not a function, or a wrong number of arguments" {
        meaning: "The callee must be a function, or a pointer to one, and the arguments must match the parameters of \
            its type.",
        example: Example::Changed {
            what: "the type of a call differs from the type of its callee",
            sample: "dxil/lit_surface.ps.dxil",
            bytes: &[(0xe40, &[0x00])],
        },
        remedy: "Correct the CALL record. With the explicit-type flag (bit 15) the function type comes before the \
            callee.",
    }

    BAD_BLOCK = "C44", Error, "basic block does not exist or has no terminator" {
        meaning: "DECLAREBLOCKS states the number of blocks. Each ends with a terminator, and branches name blocks \
            below the number.",
        example: Example::Changed {
            what: "DECLAREBLOCKS of a function is 0",
            sample: "dxil/prefix_sum.cs.dxil",
            bytes: &[(0xe14, &[0x01])],
        },
        remedy: "The function body is damaged. Compile the shader again.",
    }

    BODY_COUNT = "C45", Error, "number of function bodies differs from the number of definitions" {
        meaning: "Function blocks follow in the order of the function records that are not declarations, one for \
            each.",
        example: Example::Changed {
            what: "a function that has no body is no longer marked as a declaration",
            sample: "dxil/prefix_sum.cs.dxil",
            bytes: &[(0xa6d, &[0x01])],
        },
        remedy: "Mark functions without a body as declarations, or add the missing bodies.",
    }

    BAD_METADATA = "C46", Error, "metadata refers to metadata or a value that does not exist" {
        meaning: "A node, an attachment or a named node refers to an id beyond the end of its list, or a NAME record \
            is not followed by its node.",
        example: Example::Changed {
            what: "a metadata record has code 1018",
            sample: "dxil/lit_surface.ps.dxil",
            bytes: &[(0xf52, &[0xff])],
        },
        remedy: "The metadata block is damaged. Node operands are ids plus 1, and named nodes list ids without it.",
    }

    BAD_PROPERTY = "C47", Error, "operands of DXIL metadata do not fit their kind" {
        meaning: "An entry point, a resource, a signature element or a property of DXIL metadata has too few \
            operands, or operands of another type.",
        example: Example::Changed {
            what: "a string of a DXIL metadata node is replaced",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x1237, &[0x01])],
        },
        remedy: "Compare the node with the DXIL specification (`docs/DXIL.rst` of DirectXShaderCompiler). Compile \
            again if you did not write it.",
    }

    MISSING_METADATA = "C48", Error, "required DXIL metadata is missing or repeated" {
        meaning: "`dx.version`, `dx.shaderModel` and `dx.entryPoints` must exist, each with one node. Only libraries \
            have several entry points.",
        example: Example::Changed {
            what: "the name `dx.entryPoints` is changed",
            sample: "dxil/wave_range.ranged.cs.dxil",
            bytes: &[(0xad6, &[0x00])],
        },
        remedy: "Add the missing node. A module that `llvm-as` made from IR without them is not DXIL.",
    }

    ODD_NAME = "C49", Note, "name is not UTF-8 or has control characters" {
        meaning: "Names are shown with escapes (`\\1B`). The compiler's own `\\01` prefix is allowed.",
        example: Example::Changed {
            what: "a character of a global variable's name is 02",
            sample: "work_graphs/03_coalescing_reduce.dxil",
            bytes: &[(0x13ca, &[0x00])],
        },
        remedy: "No action is needed. Tools that print the name unchanged may misbehave.",
    }
}
