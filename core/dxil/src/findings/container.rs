//! Codes: DXIL containers and their parts.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: CONTAINER = "C", "DXIL container";

    SHORT_FILE = "C01", Error, "container is shorter than its 32-byte header" {
        meaning: "A container starts with a magic, a digest, a version, a size and a part count. The file ends \
            before that.",
        example: Example::Described("A file of 31 bytes that starts with `DXBC`."),
        remedy: "The file is cut or is not a container. Compile or copy it again.",
    }

    MAGIC = "C02", Error, "container does not start with `DXBC`" {
        meaning: "The first four bytes must be 44 58 42 43. The message names the format if it is recognized.",
        example: Example::Changed {
            what: "the first byte of the magic is 0",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x0, &[0x00])],
        },
        remedy: "Open the file that the compiler wrote (`dxc -Fo`), not an object, a PDB of another kind or bare \
            bitcode.",
    }

    CONTAINER_VERSION = "C03", Error, "major version of the container is not 1" {
        meaning: "All known containers have version 1.0.",
        example: Example::Changed {
            what: "the major version is 2",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x14, &[0x02])],
        },
        remedy: "The file is damaged, or of a format that is newer than this build.",
    }

    TRUNCATED = "C04", Error, "container is larger than its file" {
        meaning: "The size in the header is greater than the number of bytes in the file.",
        example: Example::Changed {
            what: "the size is larger by 1 MiB",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x1a, &[0x10])],
        },
        remedy: "The file was truncated. Copy or compile it again.",
    }

    CONTAINER_SIZE = "C05", Error, "container size is smaller than its header or above 2 GiB" {
        meaning: "The size field counts all bytes from the magic on, so it is at least 32.",
        example: Example::Changed {
            what: "the size is 8",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x18, &[0x08, 0x00, 0x00, 0x00])],
        },
        remedy: "The header is damaged. Compile the shader again.",
    }

    TRAILING_BYTES = "C06", Warning, "bytes follow the container" {
        meaning: "The file is longer than the size in the container's header. Readers ignore the rest.",
        example: Example::Described("A container with three bytes appended."),
        remedy: "Remove the extra bytes, or correct the size if a tool appended a part.",
    }

    PART_TABLE = "C07", Error, "part table extends past the container" {
        meaning: "The table has four bytes for each part. It does not fit between the header and the end of the \
            container.",
        example: Example::Described("A container of 40 bytes with a part count of 3."),
        remedy: "Correct the part count at byte 28, or the size at byte 24.",
    }

    PART_COUNT = "C08", Error, "container has more than 64 parts" {
        meaning: "Compilers write at most 12 parts. Lanescope reads up to 64.",
        example: Example::Changed {
            what: "the part count is 0xFFFFFFFF",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x1c, &[0xff, 0xff, 0xff, 0xff])],
        },
        remedy: "Correct the part count at byte 28.",
    }

    PART_OFFSET = "C09", Error, "part offset lies inside the part table or past the container" {
        meaning: "Part offsets count from the start of the container, and point at the part's name.",
        example: Example::Changed {
            what: "the first part starts at byte 20, in the header",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x20, &[0x14, 0x00, 0x00, 0x00])],
        },
        remedy: "Correct the offset in the part table, which starts at byte 32.",
    }

    PART_OVERLAP = "C10", Error, "part overlaps another part" {
        meaning: "Two parts share bytes. Parts must follow each other without overlap.",
        example: Example::Changed {
            what: "the second part has the offset of the first one",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x24, &[0x40, 0x00, 0x00, 0x00])],
        },
        remedy: "Correct the offsets in the part table, or the size field of the first of the two parts.",
    }

    PART_GAP = "C11", Warning, "part does not directly follow the part before it" {
        meaning: "There is a gap before the part, or the parts are not in the order of the table. The D3D12 runtime \
            rejects the container.",
        example: Example::Changed {
            what: "the first part is 4 bytes shorter than its space",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x44, &[0x04, 0x00, 0x00, 0x00])],
        },
        remedy: "Write the parts back to back, in the order of the part table.",
    }

    PART_SIZE = "C12", Error, "part extends past the container" {
        meaning: "The size in the part's header is larger than the rest of the container.",
        example: Example::Changed {
            what: "the part DXIL claims 1 MiB",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xccc, &[0x00, 0x00, 0x10, 0x00])],
        },
        remedy: "Correct the part's size, four bytes after its offset.",
    }

    PART_WRAP = "C13", Error, "end of a part is at or above 4 GiB" {
        meaning: "The part's offset plus its size does not fit in 32 bits. Readers that add in 32 bits read outside \
            the file.",
        example: Example::Changed {
            what: "the part DXIL claims 4 GiB",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xccc, &[0xff, 0xff, 0xff, 0xff])],
        },
        remedy: "Correct the part's size. Treat the file as hostile if you did not make it.",
    }

    LAST_PART = "C14", Warning, "last part ends before the container does" {
        meaning: "Bytes between the last part and the end of the container belong to no part. The D3D12 runtime \
            rejects the container.",
        example: Example::Changed {
            what: "the last part is 4 bytes shorter than its space",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xccc, &[0xa8, 0x09, 0x00, 0x00])],
        },
        remedy: "Remove the bytes, or correct the size of the last part.",
    }

    PART_TWICE = "C15", Warning, "part appears twice" {
        meaning: "A part name must be unique. For `DXIL` this is fatal, since it is not clear which program runs.",
        example: Example::Changed {
            what: "the part HASH is renamed to SFI0",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcac, &[0x53, 0x46, 0x49, 0x30])],
        },
        remedy: "Remove one of the parts.",
    }

    PART_NAME = "C16", Warning, "part name is not printable" {
        meaning: "A part's name is four ASCII characters. The part is kept, but it is not interpreted.",
        example: Example::Changed {
            what: "the first character of the name STAT is 7",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x384, &[0x07])],
        },
        remedy: "Correct the name. If the whole name is unreasonable, the offset in the part table is wrong.",
    }

    OLD_BYTECODE = "C17", Note, "program is bytecode of shader model 5 or earlier, not DXIL" {
        meaning: "The container has a part SHDR or SHEX. Its listing is shown; checks that need DXIL do not apply.",
        example: Example::Changed {
            what: "the part DXIL is renamed to SHEX",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcc8, &[0x53, 0x48, 0x45, 0x58]), (0x384, &[0x58, 0x58, 0x58, 0x58])],
        },
        remedy: "Compile with `dxc` for shader model 6 to get DXIL.",
    }

    NO_PROGRAM = "C18", Warning, "container has no program" {
        meaning: "None of the parts is `DXIL`, `ILDB`, `SHDR` or `SHEX`. Other parts, such as a root signature, are \
            shown.",
        example: Example::Changed {
            what: "the part DXIL is renamed to XXXX",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcc8, &[0x58, 0x58, 0x58, 0x58])],
        },
        remedy: "Open the shader's container. Serialized root signatures and PDBs without a program have nothing to \
            analyze.",
    }

    UNALIGNED_PART = "C19", Warning, "part size is not a multiple of 4" {
        meaning: "Since validator 1.7 all parts except PRIV have a size that is a multiple of 4.",
        example: Example::Changed {
            what: "the part SFI0 has 7 bytes",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x44, &[0x07, 0x00, 0x00, 0x00])],
        },
        remedy: "Pad the part with zeros and correct its size.",
    }

    PROGRAM_HEADER = "C20", Error, "program part is shorter than its 24-byte header" {
        meaning: "A `DXIL`, `ILDB` or `STAT` part starts with a program header of 24 bytes.",
        example: Example::Changed {
            what: "the part DXIL has 12 bytes",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xccc, &[0x0c, 0x00, 0x00, 0x00])],
        },
        remedy: "The part is cut. Compile the shader again.",
    }

    PROGRAM_MAGIC = "C21", Error, "magic of the program header is not `DXIL`" {
        meaning: "Eight bytes into the part must be 44 58 49 4C.",
        example: Example::Changed {
            what: "the first byte of the magic is 0",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcd8, &[0x00])],
        },
        remedy: "The part is damaged, or has another kind of contents under this name.",
    }

    BITCODE_OFFSET = "C22", Error, "bitcode offset is below 16 or not a multiple of 4" {
        meaning: "The offset counts from the magic of the program header, so 16 is the first byte after the header.",
        example: Example::Changed {
            what: "the bitcode offset is 2",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xce0, &[0x02, 0x00, 0x00, 0x00])],
        },
        remedy: "Correct the offset at byte 16 of the part. Compilers write 16.",
    }

    BITCODE_RANGE = "C23", Error, "bitcode extends past its part" {
        meaning: "The bitcode's offset and size, or the program's size in words, point outside the part.",
        example: Example::Changed {
            what: "the bitcode claims 4 GiB",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xce4, &[0xff, 0xff, 0xff, 0xff])],
        },
        remedy: "Correct the size at byte 20 of the part.",
    }

    SHADER_KIND = "C24", Error, "invalid shader kind in the program header" {
        meaning: "The header allows pixel, vertex, geometry, hull, domain, compute, library, mesh and amplification. \
            Other kinds belong to entry points of libraries.",
        example: Example::Changed {
            what: "the shader kind is 7, ray generation",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcd2, &[0x07])],
        },
        remedy: "Correct the kind at byte 2 of the part. Ray tracing shaders and nodes are libraries, kind 6.",
    }

    MODEL_DIFFERS = "C25", Warning, "program header and metadata name different shader models" {
        meaning: "The program header and `dx.shaderModel` must agree in kind, major and minor version. The validator \
            rejects the container.",
        example: Example::Changed {
            what: "the program header says model 6.2",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xcd0, &[0x62])],
        },
        remedy: "Compile again, or correct the one that a tool changed.",
    }

    WRAPPED_BITCODE = "C26", Error, "bitcode has a wrapper" {
        meaning: "LLVM can wrap bitcode in a header that starts with 0x0B17C0DE. DXIL does not allow it.",
        example: Example::Changed {
            what: "the bitcode starts with the wrapper's magic",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xce8, &[0xde, 0xc0, 0x17, 0x0b])],
        },
        remedy: "Strip the wrapper: keep the bytes at the offset and size that its header gives.",
    }

    BITCODE_MAGIC = "C27", Error, "bitcode does not start with `BC C0 DE` or is not in 32-bit words" {
        meaning: "LLVM bitcode starts with 42 43 C0 DE and its size is a multiple of 4.",
        example: Example::Changed {
            what: "the first word of the bitcode is 0",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xce8, &[0x00, 0x00, 0x00, 0x00])],
        },
        remedy: "The program is not LLVM bitcode, or the bitcode offset is wrong. Compile the shader again.",
    }

    BAD_RDAT = "C50", Error, "RDAT has an unknown version, or parts out of order or out of bounds" {
        meaning: "The runtime data starts with version 0x10, a part count and ascending offsets.",
        example: Example::Changed {
            what: "the version is 1",
            sample: "dxil/lantern_rays.lib.dxil",
            bytes: &[(0x80, &[0x01])],
        },
        remedy: "Compile with a released compiler. Version numbers below 0x10 are pre-release layouts.",
    }

    RDAT_TABLE = "C51", Error, "rows of an RDAT table do not fit into it" {
        meaning: "A table states its number of rows and their size. Rows must be as long as the first version of the \
            table, a multiple of 4, and end inside the table.",
        example: Example::Changed {
            what: "the table of functions claims 0x40000000 rows",
            sample: "dxil/lantern_rays.lib.dxil",
            bytes: &[(0x31c, &[0x00, 0x00, 0x00, 0x40])],
        },
        remedy: "The part is damaged. Compile the shader again.",
    }

    RDAT_REFERENCE = "C52", Warning, "RDAT reference points at nothing" {
        meaning: "A string offset, an index or a row number lies outside the buffer that it refers to. The value is \
            shown as `<bad ref N>`.",
        example: Example::Changed {
            what: "the name of the first function is at offset 0x00FFFFFF of the strings",
            sample: "dxil/lantern_rays.lib.dxil",
            bytes: &[(0x324, &[0xff, 0xff, 0xff, 0x00])],
        },
        remedy: "The part is damaged. Compile the shader again.",
    }

    BAD_PSV = "C53", Error, "sizes in PSV0 do not fit any version" {
        meaning: "Pipeline state validation data states the size of its runtime info, of bindings, strings and \
            signature elements. One of them is too small, or extends past the part.",
        example: Example::Changed {
            what: "the runtime info has 12 bytes",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0xfc, &[0x0c, 0x00, 0x00, 0x00])],
        },
        remedy: "Compile again. A tool that edits PSV0 must keep counts and sizes consistent.",
    }

    BAD_SIGNATURE = "C54", Error, "signature elements or names lie outside their part" {
        meaning: "A signature part has a count, the offset 8, 32 bytes for each element, and names that end with a \
            zero.",
        example: Example::Changed {
            what: "the signature claims 0x0FFFFFFF elements",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x58, &[0xff, 0xff, 0xff, 0x0f])],
        },
        remedy: "Correct the element count, or the offset of the name.",
    }

    SMALL_PART_SIZE = "C55", Error, "SFI0, HASH, ILDN or VERS has a wrong size" {
        meaning: "SFI0 has 8 bytes and HASH 20. ILDN and VERS have the sizes that their own headers state.",
        example: Example::Changed {
            what: "the part SFI0 has 4 bytes",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x44, &[0x04, 0x00, 0x00, 0x00])],
        },
        remedy: "The part is damaged. Compile the shader again.",
    }

    PACKED_SIZE = "C56", Error, "compressed data claims a size that it cannot unpack to" {
        meaning: "Sources and debug information may be compressed with zlib. The stated size must be reachable from \
            the compressed size, and match what is unpacked.",
        example: Example::Described("A PDBI part of 16 bytes that claims 4 GiB of unpacked data."),
        remedy: "The part is damaged or hostile. Compile again with `-Zi -Fd`.",
    }

    DIGEST = "C57", Warning, "container is not signed as final, or its digest does not match its contents" {
        meaning: "The validator signs a container with a hash of its bytes, which has a debug variant. 16 bytes 00 mean \
            unsigned, 01 bypass, 02 preview. D3D12 runtimes from AgilitySDK 1.615 run bypass containers of released \
            shader models, and preview containers in developer mode with experimental shader models. They treat 00 \
            like 02 for as long as containers of earlier previews are supported. Other containers must be signed.",
        example: Example::Command("inspect dxil/preview_debugging.cs.dxil"),
        remedy: "Sign with the validator: `dxv`, or dxc, which has it built in from 1.8.2505 and needs `dxil.dll` \
            beside it before.",
    }

    BAD_ROOT_SIGNATURE = "C58", Error, "tables of the root signature lie outside their part" {
        meaning: "Offsets and counts of parameters, ranges and static samplers must stay inside the part RTS0.",
        example: Example::Changed {
            what: "the root signature claims 0x10000000 parameters",
            sample: "dxil/signed_map.ps.dxil",
            bytes: &[(0x268, &[0x00, 0x00, 0x00, 0x10])],
        },
        remedy: "Compile again. A tool that edits root signatures must update counts and offsets.",
    }

    BAD_SOURCES = "C59", Error, "sources or arguments of a PDB lie outside their part" {
        meaning: "The parts SRCI and PDBI contain sections with their own sizes. One of them extends past the end.",
        example: Example::Described("A PDBI part of 16 bytes 01."),
        remedy: "Write the PDB again with `dxc -Zi -Fd`.",
    }

    BAD_PDB = "C60", Error, "PDB is damaged, or has no DXIL container" {
        meaning: "dxc writes a PDB as an MSF 7.00 file whose stream 5 is a container. Blocks and streams must lie inside \
            the file. PDBs of other compilers have no container.",
        example: Example::Described("A PDB of the MSVC compiler, or one that is cut off."),
        remedy: "Write the PDB again with `dxc -Zi -Fd`.",
    }

    SLIM_PDB = "C61", Note, "PDB has no program" {
        meaning: "A slim PDB (`dxc -Zs`) keeps sources, arguments and reflection. Its program is in the shader's own \
            container.",
        example: Example::Described("A PDB that `dxc -Zs -Fd` wrote."),
        remedy: "Open the shader's container for its program, or write a full PDB with `dxc -Zi -Fd`.",
    }

    OTHER_PDB = "C62", Warning, "PDB in the container is of another shader" {
        meaning: "The part HASH of a shader has the hash that its PDB has too. A PDB with another one is left out: its \
            names, its sources and its debug information are those of another shader.",
        example: Example::Described("A container whose part PRIV was copied from another one."),
        remedy: "Compile again with `dxc -Zi -Qpdb_in_private`.",
    }

    ROOT_SIGNATURE_LACKS = "C63", Error, "root signature does not cover a resource of the shader" {
        meaning: "D3D12 creates no pipeline of such a shader: one range that the stage sees must cover all registers of a \
            declaration. A root descriptor is of a raw or structured buffer without a counter.",
        example: Example::Described("A pixel shader that declares `t3`, with a root signature of `DescriptorTable(SRV(t0))`."),
        remedy: "Add the registers to a range, or remove the declaration.",
    }

    ROOT_SIGNATURE_SIZE = "C64", Error, "root arguments exceed 64 dwords" {
        meaning: "A descriptor table takes one dword, a root descriptor two, and each root constant one. Local root \
            signatures, whose arguments are in shader records, do not have this limit.",
        example: Example::Described("A root signature of `RootConstants(num32BitConstants=65, b0)`."),
        remedy: "Move constants into a constant buffer, or descriptors into tables.",
    }

    STATIC_SAMPLER = "C65", Note, "static sampler of the root signature is not applied in runs" {
        meaning: "A run binds a sampler of its own to the register: the filter and the address modes of the root signature \
            have no effect there.",
        example: Example::Command("inspect dxil/signed_map.ps.dxil"),
        remedy: "State the sampler for the run (see Running).",
    }
}
