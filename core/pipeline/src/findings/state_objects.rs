//! Codes: state object databases. lanescope-sodb raises them.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: STATE_OBJECTS = "sodb.", "State object databases";

    SODB_APPLICATION = "sodb.application", Error, "SQLite file is not a state object database" {
        meaning: "The header of a state object database has the application_id 0x0d3d50db in its bytes 68 to 71.",
        example: Example::Described("A SQLite database of another program, named `other.sodb`."),
        remedy: "Open the database that D3D12 wrote.",
    }

    SODB_CYCLE = "sodb.cycle", Error, "state object contains itself" {
        meaning: "A state object must not be its own parent (AddToStateObjectParent) or its own collection, directly or \
            over others. A state object that is reached again is used once.",
        example: Example::Described("A row of state_objects whose AddToStateObjectParent is its own key."),
        remedy: "Correct the writer.",
    }

    SODB_DAMAGED = "sodb.damaged", Error, "SQLite cannot read the database" {
        meaning: "A page of the file is damaged, or its schema has something else than tables. The message is SQLite's.",
        example: Example::Described("`pipelines.sodb`, cut after its first 4096 bytes."),
        remedy: "Write the database again. `sqlite3 FILE 'PRAGMA integrity_check'` lists what is damaged.",
    }

    SODB_DIGEST = "sodb.digest", Warning, "container has no digest of a validator" {
        meaning: "The digest in the container's header is 0 (no validator ran), 1 (bypass) or 2 (preview) in all bytes. \
            The runtime refuses such a container outside of the developer mode or of an experimental feature.",
        example: Example::Described("A row of shader_bytecode whose container was compiled without dxil.dll."),
        remedy: "Compile with a validator, or store the signed container.",
    }

    SODB_EQUAL_GROUPS = "sodb.equal-groups", Note, "two groups have equal objects" {
        meaning: "The objects of both groups have the same contents, whichever keys their rows have. A driver compiles \
            them twice if it does not notice.",
        example: Example::Described("Two rows of groups with the same PSOKey."),
        remedy: "Store the object under one key.",
    }

    SODB_GROUP = "sodb.group", Error, "group does not name exactly one object" {
        meaning: "A group has a pipeline state (PSOKey) or a state object (SOKey).",
        example: Example::Described("A row of groups whose PSOKey and SOKey are both NULL."),
        remedy: "Correct the writer.",
    }

    SODB_LIMIT = "sodb.limit", Error, "database exceeds a limit" {
        meaning: "Rows, texts, keys, containers and the work of reading them are limited. The message has the limit.",
        example: Example::Described("A database with five million rows."),
        remedy: "Split the database. `lanescope sodb FILE KEY -o NEW` writes some of its groups to a new one.",
    }

    SODB_MISSING_ROW = "sodb.missing-row", Error, "row that a key names is missing" {
        meaning: "A column names a row of another table by its key, and that table has no such row.",
        example: Example::Described("A row of pipeline_states whose ByteCode_VS is not a key of shader_bytecode."),
        remedy: "Write the database again. `sqlite3 FILE 'PRAGMA foreign_key_check'` lists all such rows.",
    }

    SODB_NOT_APPLIED = "sodb.not-applied", Warning, "part of a state object is not applied" {
        meaning: "The part is read and shown, but the program is analyzed without it: a renamed export, a node that is a \
            program or a second node of one shader, a second work graph, a limit of input records.",
        example: Example::Described("A state object whose export `Main` is renamed to `Lit`."),
        remedy: "Take it into account when reading the results.",
    }

    SODB_NOT_DXIL = "sodb.not-dxil", Error, "bytecode is not a DXIL container" {
        meaning: "A row of shader_bytecode has a container: it starts with `DXBC`, and its header states its size.",
        example: Example::Described("A row of shader_bytecode with the text of a shader."),
        remedy: "Store the compiler's output as it is.",
    }

    SODB_SCHEMA = "sodb.schema", Error, "table or column of the schema is missing" {
        meaning: "A database of user_version 2 has 44 tables, with the columns that `StateObjectDatabase.md` of \
            DirectX-Specs lists. Values of missing columns are not known.",
        example: Example::Described("A database without the table view_instancing_descs."),
        remedy: "Write the database again.",
    }

    SODB_STAGE = "sodb.stage", Error, "container is of another stage than its column" {
        meaning: "Each stage of a pipeline state has a column (ByteCode_VS), and its container has a shader of that stage.",
        example: Example::Described("A row of pipeline_states whose ByteCode_VS names a pixel shader."),
        remedy: "Correct the writer.",
    }

    SODB_USER_VERSION = "sodb.user-version", Warning, "database has another user_version than 2" {
        meaning: "The tables of user_version 2 are published. Of another version, those tables and columns are read that \
            have the same names.",
        example: Example::Described("A database whose bytes 60 to 63 are 0, 0, 0 and 3."),
        remedy: "Compare what is listed with what was stored. Update Lanescope if there is a newer version.",
    }

    SODB_VALUE = "sodb.value", Error, "value does not have the type of its column" {
        meaning: "SQLite keeps values of any type in any column. The value is not used.",
        example: Example::Described("A row of groups whose Version is the text `one`."),
        remedy: "Correct the writer.",
    }

    SODB_VERSION = "sodb.version", Warning, "version of a group is below 1" {
        meaning: "The version of a group pairs it with the compiled group of the same key and version. Versions start at 1.",
        example: Example::Described("A row of groups whose Version is 0."),
        remedy: "Store the group with a version from 1 on, and raise it when the object changes.",
    }
}
