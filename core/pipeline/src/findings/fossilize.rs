//! Codes: Fossilize databases.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: FOSSILIZE = "foz.", "Fossilize databases";

    FOZ_BASE64 = "foz.base64", Error, "base64 text has invalid characters or a wrong length" {
        meaning: "Binary data inside JSON is base64. It must use the base64 alphabet and have the length that is \
            stated beside it.",
        example: Example::Changed {
            what: "the data of the specialization constants starts with `*`",
            sample: "tiled_blur.foz",
            bytes: &[(0x6ee, &[0x00, 0x00, 0x00, 0x00]), (0x824, &[0x2a])],
        },
        remedy: "Record the database again, or correct the text.",
    }

    FOZ_CRC = "foz.crc", Error, "payload does not match its CRC-32" {
        meaning: "The entry's header has a CRC-32 of the stored bytes. Zero means that none was computed.",
        example: Example::Changed {
            what: "a byte of the shader module's entry is changed",
            sample: "tiled_blur.foz",
            bytes: &[(0x370, &[0x00])],
        },
        remedy: "The file is damaged at this entry. Other entries can be used.",
    }

    FOZ_CYCLE = "foz.cycle", Error, "pipeline contains a library twice, or contains itself or derives from itself" {
        meaning: "Libraries of a pipeline form a tree. A library that is reached again is used once. A derivative must \
            not be its own base, directly or over others: Fossilize cannot replay it.",
        example: Example::Described("A pipeline whose `libraries` names its own hash."),
        remedy: "Remove the repeated reference.",
    }

    FOZ_DUPLICATE = "foz.duplicate", Note, "object is in the file more than once" {
        meaning: "Two entries have the same tag and hash. The first one is used.",
        example: Example::Described("Two entries with the tag of shader modules and the hash a75d357a5aeb7015."),
        remedy: "No action is needed. `lanescope foz FILE -o NEW` writes each object once.",
    }

    FOZ_EMPTY = "foz.empty", Error, "database is empty or cannot be read" {
        meaning: "A database has a header of 16 bytes at least.",
        example: Example::Described("A file of zero bytes named `empty.foz`."),
        remedy: "Record the database again.",
    }

    FOZ_INFLATE = "foz.inflate", Error, "payload does not inflate to its stated size" {
        meaning: "Deflated payloads are zlib streams, and must inflate to the size in the entry's header. Stored \
            ones must have that size.",
        example: Example::Changed {
            what: "the shader module's entry states one byte more than it has",
            sample: "tiled_blur.foz",
            bytes: &[(0x300, &[0xbb])],
        },
        remedy: "The file is damaged at this entry. Other entries can be used.",
    }

    FOZ_JSON = "foz.json", Error, "object is not valid JSON, or nests too deep" {
        meaning: "The payload of an entry starts with a JSON document, at most 64 levels deep.",
        example: Example::Changed {
            what: "the JSON of the shader module starts with `{{`",
            sample: "tiled_blur.foz",
            bytes: &[(0x2fc, &[0x00, 0x00, 0x00, 0x00]), (0x305, &[0x7b])],
        },
        remedy: "The file is damaged at this entry. Record it again.",
    }

    FOZ_JSON_TYPE = "foz.json-type", Error, "member of an object has a wrong type or is missing" {
        meaning: "A member that is needed is missing, or its JSON type is not the expected one. The message names \
            both.",
        example: Example::Changed {
            what: "the member `codeSize` of the shader module is spelled `CodeSize`",
            sample: "tiled_blur.foz",
            bytes: &[(0x2fc, &[0x00, 0x00, 0x00, 0x00]), (0x359, &[0x43])],
        },
        remedy: "Correct the writer. Fossilize itself refuses such an object.",
    }

    FOZ_JSON_VERSION = "foz.json-version", Error, "version of an object is not 5 or 6" {
        meaning: "Each object states the version of its own format.",
        example: Example::Changed {
            what: "the version inside the shader module's JSON is 9",
            sample: "tiled_blur.foz",
            bytes: &[(0x2fc, &[0x00, 0x00, 0x00, 0x00]), (0x30f, &[0x39])],
        },
        remedy: "Record with a Fossilize of format 5 or 6, or update Lanescope.",
    }

    FOZ_KEY_MISMATCH = "foz.key-mismatch", Warning, "name of an object differs from the hash of its entry" {
        meaning: "An entry's object is keyed by its hash. The JSON inside has another key. The entry's hash is used.",
        example: Example::Changed {
            what: "the hash inside the set layout's JSON differs from the entry's",
            sample: "tiled_blur.foz",
            bytes: &[(0x140, &[0x00, 0x00, 0x00, 0x00]), (0x164, &[0x63])],
        },
        remedy: "The database was edited by a tool. Write it again with Fossilize.",
    }

    FOZ_KIND = "foz.kind", Error, "payload is neither stored nor deflated" {
        meaning: "The entry's header has kind 1 (stored) or 2 (deflate).",
        example: Example::Changed {
            what: "the kind of the shader module's entry is 3",
            sample: "tiled_blur.foz",
            bytes: &[(0x2f8, &[0x03])],
        },
        remedy: "The file is damaged, or of a format that is newer than this build.",
    }

    FOZ_LOST_SYNC = "foz.lost-sync", Error, "entry does not start with 40 hexadecimal digits" {
        meaning: "Entries follow each other without a gap. The stored size of an entry before is wrong, so the rest \
            of the file cannot be found.",
        example: Example::Described("An entry whose stored size is smaller by 1 than its payload, such as \
            `tiled_blur.foz` with the byte 0x38 set to C7."),
        remedy: "The entries before it can be used. Record the rest again.",
    }

    FOZ_MAGIC = "foz.magic", Error, "database does not start with 0x81 `FOSSILIZEDB`" {
        meaning: "The header is 12 bytes of magic, three zeros and the version.",
        example: Example::Changed {
            what: "the byte after the magic is 1",
            sample: "tiled_blur.foz",
            bytes: &[(0xc, &[0x01])],
        },
        remedy: "Check that the file is a Fossilize database.",
    }

    FOZ_MISSING_REF = "foz.missing-ref", Error, "object that another object refers to is missing" {
        meaning: "Pipelines refer to layouts, modules, render passes, libraries and base pipelines by hash. The target \
            is in none of the files.",
        example: Example::Changed {
            what: "the shader module's entry has another hash",
            sample: "tiled_blur.foz",
            bytes: &[(0x2e4, &[0x62])],
        },
        remedy: "Open the database together with the one that has the object, or record without pruning.",
    }

    FOZ_NOT_JSON = "foz.not-json", Warning, "payload is not a JSON object" {
        meaning: "The entry's payload does not start with `{`. It may be of another tool.",
        example: Example::Changed {
            what: "the shader module's payload starts with the byte 01",
            sample: "tiled_blur.foz",
            bytes: &[(0x2fc, &[0x00, 0x00, 0x00, 0x00]), (0x304, &[0x01])],
        },
        remedy: "No action is needed if another tool wrote the entry.",
    }

    FOZ_SIZE_LIMIT = "foz.size-limit", Error, "size or count exceeds what is read" {
        meaning: "Lanescope limits file, payload, list and module sizes, so that a damaged file cannot exhaust \
            memory. The message has both numbers.",
        example: Example::Described("An entry that states a size of 4 GiB with 20 stored bytes."),
        remedy: "If the data is real, split the database.",
    }

    FOZ_SPEC_RANGE = "foz.spec-range", Error, "specialization constant is outside the data or does not fit its type" {
        meaning: "Offset and size of a map entry must lie inside the data, and match the type that the module \
            declares.",
        example: Example::Changed {
            what: "the offset of the specialization constant is 8, and the data has 4 bytes",
            sample: "tiled_blur.foz",
            bytes: &[(0x6ee, &[0x00, 0x00, 0x00, 0x00]), (0x862, &[0x38])],
        },
        remedy: "Correct the map entry, or the data.",
    }

    FOZ_STAGE_UNUSABLE = "foz.stage-unusable", Error, "module of a stage cannot be read or lacks its entry point" {
        meaning: "The stage is listed without its shader. The message has the reason.",
        example: Example::Described("A stage that names the entry point `mail`, whose module has the entry point \
            `main` only."),
        remedy: "See the message: a missing module, invalid SPIR-V or a wrong entry point name.",
    }

    FOZ_TRUNCATED_TAIL = "foz.truncated-tail", Warning, "last entry is cut off" {
        meaning: "The file ends inside an entry. Fossilize writes so when the application is killed. Earlier entries \
            are complete.",
        example: Example::Described("`tiled_blur.foz` without its last 10 bytes."),
        remedy: "No action is needed. `lanescope foz FILE -o NEW` writes the complete entries.",
    }

    FOZ_UNKNOWN_PNEXT = "foz.unknown-pnext", Note, "extension structure is not known" {
        meaning: "The structure is kept as JSON and is not interpreted. Fossilize refuses the object.",
        example: Example::Changed {
            what: "the type of the `pNext` structure is 1000225009",
            sample: "tiled_blur.foz",
            bytes: &[(0x6ee, &[0x00, 0x00, 0x00, 0x00]), (0x802, &[0x39])],
        },
        remedy: "No action is needed, but state that the structure sets is not shown.",
    }

    FOZ_UNKNOWN_TAG = "foz.unknown-tag", Note, "entry has an unknown tag" {
        meaning: "Tags name the kind of object, 0 to 10. Other entries are skipped.",
        example: Example::Changed {
            what: "the first entry has the tag ff",
            sample: "tiled_blur.foz",
            bytes: &[(0x26, &[0x66, 0x66])],
        },
        remedy: "No action is needed if another tool wrote the entry.",
    }

    FOZ_VARINT = "foz.varint", Error, "encoded SPIR-V of a module is invalid" {
        meaning: "Modules are stored as variable-length words after the JSON. The bytes must give the number of \
            words that `codeSize` states, and start with the SPIR-V magic.",
        example: Example::Changed {
            what: "the `codeSize` of the shader module is 2026, which is not a multiple of 4",
            sample: "tiled_blur.foz",
            bytes: &[(0x2fc, &[0x00, 0x00, 0x00, 0x00]), (0x366, &[0x36])],
        },
        remedy: "The file is damaged at this entry. Record it again.",
    }

    FOZ_VERSION = "foz.version", Error, "database version is not 5 or 6" {
        meaning: "The last byte of the header is the format's version.",
        example: Example::Changed {
            what: "the version is 7",
            sample: "tiled_blur.foz",
            bytes: &[(0xf, &[0x07])],
        },
        remedy: "Record with a Fossilize of format 5 or 6, or update Lanescope.",
    }
}
