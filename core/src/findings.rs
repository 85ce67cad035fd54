//! What can be found in a readable shader. A code is never reused; `lanescope help findings` prints the table.

use serde::{Deserialize, Serialize};

use crate::options::named_enum;
use crate::program::StageKind;

named_enum!(
    /// How bad a finding is. Errors decide the exit status.
    Severity {
        /// A rule is broken.
        Error = "error",
        /// Legal, but likely not what was meant.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
);

/// One rule that did not hold, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule's stable code.
    pub code: String,
    /// Its severity, from the table.
    pub severity: Severity,
    /// The stage that breaks it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<StageKind>,
    /// What was found, with its numbers.
    pub message: String,
    /// Variable, instruction or entry point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
    /// Where it shows in a container's disassembly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<ListingLine>,
}

/// A line of the numbered disassembly of one container's program, as [`crate::dxil::Dxil::disassembly`] gives it. What
/// shows that text can mark the line, or go there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingLine {
    /// Index of the container's file in the report's `inputs`.
    pub input: usize,
    /// The line, from 1.
    pub line: u32,
}

/// One row of the table of findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code: a letter for the room, then a number; of descriptions the format, then a word.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// In one line, what was found ([`SAYS_WHAT_IS`]) or the rule that is broken.
    pub about: &'static str,
}

/// The first letters of codes whose line says what was found; the line of every other code says the rule that is broken.
pub const SAYS_WHAT_IS: [&str; 6] = ["L", "P", "W", "R", "A", "I"];

macro_rules! rules {
    ($($name:ident = $code:literal, $severity:ident, $about:literal;)+) => {
        $(#[doc = $about] pub const $name: &Rule = &Rule { code: $code, severity: Severity::$severity, about: $about };)+

        /// Every rule, in the order of the codes.
        pub const RULES: &[&Rule] = &[$($name),+];
    };
}

rules! {
    VALIDATION_STOPPED = "L001", Note, "the validator stopped at a broken rule; the rest of the module is unchecked";
    RECURSION = "L002", Error, "functions call each other in a circle, which shaders may not do";
    RAW_INSTRUCTION = "L003", Note, "an instruction that SPIRV-Tools knows and the grammar here does not is kept as raw words";
    UNKNOWN_SPEC_ID = "L004", Warning, "a value was given for a specialization constant that no module declares";
    PRIMITIVE_ID_TYPE = "L005", Note, "the validator takes no unsigned PrimitiveId of a mesh shader; Vulkan takes any 32-bit integer";
    NOT_VALID = "L006", Warning, "the validator refuses the module, which is open because validation is off";
    VERSION_ASSUMED = "L007", Note, "SPIR-V text states no version; the lowest one that assembles and validates is used";
    TOLERATED_RULE = "L008", Note, "the validator refuses what shipped compilers write and drivers accept; it is tolerated";
    LOCATION_LIMIT = "P001", Error, "a location is above the limit that any driver offers";
    INPUT_NOT_WRITTEN = "P002", Warning, "the fragment shader reads an input that the previous stage does not write";
    ALIASED_INPUT = "P003", Note, "one component is read under two classes; each takes a place and the second is wasted";
    DYNAMIC_INDEX = "P004", Note, "an input is indexed with a value known only at run time";
    OPAQUE_USE = "P005", Note, "an instruction kept as raw words may use inputs, so all of them count as used";
    INTERFACE_MISMATCH = "P006", Warning, "an input and the output that feeds it differ in width or component type";
    SIZE_ZERO = "W001", Error, "a dimension of the workgroup is 0";
    SIZE_TOO_LARGE = "W002", Error, "the workgroup has more invocations than can be laid out";
    QUADS_ODD = "W003", Error, "derivative quads, and an odd number of invocations in x or y";
    LINEAR_NOT_FOUR = "W004", Error, "linear derivatives, and a number of invocations that is no multiple of four";
    SIZE_LIMIT = "W005", Warning, "the workgroup is larger than the limit that common devices offer";
    GROUP_TILE = "W006", Warning, "the workgroup-id swizzle does not apply to this dispatch";
    SIZE_UNKNOWN = "W007", Error, "the workgroup's size is a constant that cannot be evaluated";
    GROUPS_NOT_LISTED = "W008", Note, "the dispatch has more groups than are listed";
    NOT_EXPORTED = "R001", Warning, "an interpolant reads a parameter slot that is never exported; its value is undefined";
    NEEDS_BACK_END = "R002", Note, "a register needs facts that only a compiler's back end has";
    UNKNOWN_FORMAT = "R003", Error, "a colour attachment's format is not known";
    NO_REGISTERS = "R004", Note, "this target has no register tables here";
    BINDING_CLASH = "A001", Error, "one set and binding holds a buffer and something else";
    BINDING_SHARED = "A002", Note, "several variables share one set and binding";
    DESCRIPTORS_TOO_MANY = "A003", Error, "an array of descriptors has more elements than any layout";
    RUNTIME_ARRAY = "A004", Note, "an array of descriptors has a length that only the layout says";
    DESCRIPTOR_STAGE = "A005", Error, "a descriptor is of a type that the stage cannot use";
    AUTO_LAYOUT_NONE = "A006", Note, "descriptors of one binding do not fit its slot, so no layout is guessed";
    PUSH_PADDING = "A007", Note, "push constants have padding, or members that are not used";
    AUTO_LAYOUT_BREAKS = "A008", Note, "the guessed layout is not the application's";
    SLOTS_OVERLAP = "A009", Warning, "the descriptors of one binding end before the slot of the next";
    LAYOUT_KIND = "A010", Warning, "the layout's descriptor is of another kind than the shader declares";
    ROOT_SPILLS = "A011", Note, "the root has more dwords than registers, so the rest spills";
    COMPILER_DIED = "I001", Error, "a driver's compiler ended its process while it compiled a shader";
    COMPILER_HUNG = "I002", Error, "a driver's compiler did not finish a shader in time";
    COMPILER_MEMORY = "I003", Error, "a driver's compiler took more memory for a shader than it may have";
    NOT_COMPILED = "I004", Warning, "a driver does not compile this version of the program";
    NOT_UNDERSTOOD = "I005", Warning, "assembly of this driver version is not fully understood";
    SHORT_FILE = "C01", Error, "a container has at least 32 header bytes";
    MAGIC = "C02", Error, "a container starts with DXBC";
    CONTAINER_VERSION = "C03", Error, "the container's major version is 1";
    TRUNCATED = "C04", Error, "the container is no longer than its file";
    CONTAINER_SIZE = "C05", Error, "the container's size holds its header and is at most 2 GiB";
    TRAILING_BYTES = "C06", Warning, "nothing follows the container";
    PART_TABLE = "C07", Error, "the table of parts lies inside the container";
    PART_COUNT = "C08", Error, "a container has at most 64 parts";
    PART_OFFSET = "C09", Error, "a part lies behind the table of parts and inside the container";
    PART_OVERLAP = "C10", Error, "parts do not overlap";
    PART_GAP = "C11", Warning, "each part follows the one before it without a gap";
    PART_SIZE = "C12", Error, "a part ends inside the container";
    PART_WRAP = "C13", Error, "a part's end is below 4 GiB";
    LAST_PART = "C14", Warning, "the last part ends where the container ends";
    PART_TWICE = "C15", Warning, "a part appears once";
    PART_NAME = "C16", Warning, "a part's name is printable";
    OLD_BYTECODE = "C17", Note, "the program is DXIL; bytecode of shader model 5 and before is shown as it lies in the file";
    NO_PROGRAM = "C18", Warning, "the container holds a program";
    UNALIGNED_PART = "C19", Warning, "a part's size is a multiple of 4";
    PROGRAM_HEADER = "C20", Error, "a program part has a header of 24 bytes";
    PROGRAM_MAGIC = "C21", Error, "a program header's magic is DXIL";
    BITCODE_OFFSET = "C22", Error, "bitcode starts behind its header, at a multiple of 4";
    BITCODE_RANGE = "C23", Error, "bitcode ends inside its part";
    SHADER_KIND = "C24", Error, "a program header's shader kind is one of a program";
    MODEL_DIFFERS = "C25", Warning, "the program header and the metadata name one shader model";
    WRAPPED_BITCODE = "C26", Error, "bitcode in DXIL has no wrapper";
    BITCODE_MAGIC = "C27", Error, "bitcode starts with BC C0 DE and comes in words";
    BITCODE_END = "C28", Error, "bitcode does not end inside a field";
    BLOCK_LENGTH = "C29", Error, "a bitcode block ends where its length says";
    UNDEFINED_ABBREVIATION = "C30", Error, "an abbreviation is defined before it is used";
    BAD_ABBREVIATION = "C31", Error, "an abbreviation has operands in an order that can be read";
    ABBREVIATION_WIDTH = "C32", Error, "abbreviation ids have 1 to 32 bits";
    LONG_INTEGER = "C33", Error, "an integer of variable width has at most 64 bits";
    RECORD_LENGTH = "C34", Error, "a record's operands fit into the bits that are left";
    RECORD_BUDGET = "C35", Error, "what bitcode describes stays in proportion to its size";
    BLOCK_NESTING = "C36", Error, "blocks nest at most 16 deep, none inside BLOCKINFO";
    NEWER_LLVM = "C37", Warning, "bitcode is that of LLVM 3.7";
    MODULE_VERSION = "C38", Error, "the module's version is 0 or 1";
    BAD_TYPE = "C39", Error, "a type is made of types that exist and has a size that is allowed";
    TYPE_COUNT = "C40", Error, "the table of types has as many types as it claims";
    BAD_CONSTANT = "C41", Error, "a constant fits its type";
    UNDEFINED_VALUE = "C42", Error, "a value that is used is defined";
    BAD_CALL = "C43", Error, "a call names a function and has its number of arguments";
    BAD_BLOCK = "C44", Error, "a function's basic blocks are those it declares, each with a terminator";
    BODY_COUNT = "C45", Error, "each defined function has one body";
    BAD_METADATA = "C46", Error, "metadata refers to metadata that exists";
    BAD_PROPERTY = "C47", Error, "metadata of DXIL has the operands that its kind has";
    MISSING_METADATA = "C48", Error, "dx.version, dx.shaderModel and dx.entryPoints are there, once";
    ODD_NAME = "C49", Note, "names are UTF-8 without control characters";
    BAD_RDAT = "C50", Error, "RDAT has version 0x10 and parts in ascending order inside it";
    RDAT_TABLE = "C51", Error, "the rows of an RDAT table fit into it";
    RDAT_REFERENCE = "C52", Warning, "a reference inside RDAT points at something";
    BAD_PSV = "C53", Error, "PSV0 has the sizes of one of its versions";
    BAD_SIGNATURE = "C54", Error, "a signature's elements and names lie inside its part";
    SMALL_PART_SIZE = "C55", Error, "SFI0, HASH, ILDN and VERS have the sizes that they declare";
    PACKED_SIZE = "C56", Error, "compressed data unpacks to what it claims, which is no more than its own size allows";
    DIGEST = "C57", Warning, "the container is signed: its digest is that of its contents";
    BAD_ROOT_SIGNATURE = "C58", Error, "a root signature's tables lie inside its part";
    BAD_SOURCES = "C59", Error, "sources and arguments that a PDB keeps lie inside their part";
    OP_NOT_CONSTANT = "X01", Error, "the first operand of a dx.op call is a constant i32";
    OP_FEATURE = "X02", Error, "an opcode's FeatureID is 0x0000 or 0x8000";
    OP_INVALID = "X03", Error, "an opcode is not 0xFFFFFFFF, which stands for none";
    OP_UNDEFINED = "X04", Error, "a stable opcode is in its table";
    OP_UNDEFINED_EXPERIMENTAL = "X05", Error, "an experimental opcode is in its table";
    OP_RESERVED = "X06", Error, "an opcode is not reserved";
    OP_NEEDS_DXIL = "X07", Warning, "a stable opcode is in the table of the module's DXIL version";
    OP_EXPERIMENTAL_RELEASED = "X08", Error, "experimental ops are in modules of a shader model that is not released";
    OP_EXPERIMENTAL_SIGNED = "X09", Error, "experimental ops are in no container that is signed as final";
    OP_NOT_PREVIEW = "X10", Warning, "experimental ops are in containers marked preview";
    OP_UNSIGNED = "X11", Warning, "experimental ops are in signed containers";
    PREVIEW_UNUSED = "X12", Note, "a container marked preview need not use experimental ops";
    PREVIEW_AMBIGUOUS = "X13", Warning, "program header and metadata agree whether the shader model is a preview";
    OP_NEEDS_MODEL = "X14", Error, "an op is no newer than the module's shader model";
    OP_STAGE = "X15", Error, "an op is called where its stages allow";
    OP_CALLEE = "X16", Error, "an op is called through its own class's function";
    OP_OVERLOAD = "X17", Warning, "an op's overload is one that it has, and that the callee's name says";
    OP_OPERANDS = "X18", Note, "an op's operands are those of the op table";
    RDAT_EXPERIMENTAL = "X19", Note, "experimental reflection data is in modules of a shader model that is not released";
    OP_SUMMARY = "X20", Note, "how many experimental ops are called";
    SIGNATURE_DIFFERS = "D001", Error, "a signature part says what the metadata says";
    PSV_DIFFERS = "D002", Error, "PSV0 says what the metadata says";
    RDAT_DIFFERS = "D003", Error, "RDAT says what the metadata says";
    GRAPH_AFTER_6_9 = "D004", Error, "work graphs end with shader model 6.9";
    NOT_CONVERTED = "D005", Warning, "an entry point can be converted to SPIR-V";
    UNKNOWN_FEATURES = "D006", Warning, "feature bits have a meaning";
    PREVIEW_DIFFERS = "D007", Warning, "the digest says preview where the shader model is one, and nowhere else";
    UNKNOWN_METADATA = "D008", Warning, "named metadata is what the validator lets through";
    REGISTERS_DIFFER = "D009", Warning, "an input has the register of the output that its semantic names";
    GRAPH_SLOTS = "G01", Error, "a graph has at most 16777215 node slots, gaps in arrays and levels of recursion counted";
    GRAPH_DEPTH = "G02", Error, "a chain of nodes has at most 32, recursion counted at its limit";
    GRAPH_RECURSION = "G03", Error, "a node follows itself at most 32 times";
    GRAPH_SELF_TARGET = "G04", Error, "a node that feeds itself says how deep it may recurse";
    GRAPH_RECURSION_UNUSED = "G05", Note, "a recursion depth is for a node that feeds itself";
    GRAPH_CYCLE = "G06", Error, "nodes feed each other in no circle; only a node may feed itself";
    GRAPH_SIBLING = "G07", Error, "a node feeds no other node of its own array";
    GRAPH_ID_TWICE = "G08", Error, "a node id is defined once";
    GRAPH_NO_TARGET = "G09", Error, "an output that is not sparse leads to nodes that exist";
    GRAPH_NEVER_VALID = "G10", Warning, "a sparse output leads to some node";
    GRAPH_ARRAY_DIFFERS = "G11", Error, "nodes of one array agree in launch, record and access";
    GRAPH_SIZE_DIFFERS = "G12", Error, "a producer writes records of the size that its consumer reads";
    GRAPH_TRACKING_DIFFERS = "G13", Error, "producer and consumer both track cross-group sharing, or neither does";
    GRAPH_EMPTY_DIFFERS = "G14", Error, "empty outputs lead to empty inputs, and others to others";
    GRAPH_INPUTS = "G15", Error, "a node has at most one input";
    GRAPH_OUTPUTS = "G16", Error, "a node has at most 1024 outputs";
    GRAPH_GROUP_RECORDS = "G17", Error, "a group writes at most 256 records";
    GRAPH_GROUP_BYTES = "G18", Error, "a group writes at most 32768 bytes of records, 4 fewer for each tracked one";
    GRAPH_GROUP_ALL = "G19", Error, "a group's records, groupshared memory and 8 bytes a record take at most 49152 bytes";
    GRAPH_GROUPSHARED = "G20", Error, "a node has at most 32768 bytes of groupshared memory";
    GRAPH_THREAD_RECORDS = "G21", Error, "a thread of a thread node writes at most 8 records";
    GRAPH_THREAD_BYTES = "G22", Error, "a thread of a thread node writes at most 128 bytes of records";
    GRAPH_RECORD_BYTES = "G23", Error, "a record that a node writes has at most 32768 bytes";
    GRAPH_GROUP_SIZE = "G24", Error, "a group has 1 to 1024 threads; of a thread node, one";
    GRAPH_GRID_SIZE = "G25", Error, "a grid has 1 to 65535 groups on each axis and at most 16777215 in all";
    GRAPH_GRID_CHOICE = "G26", Error, "a broadcasting node has a fixed grid or a largest one";
    GRAPH_GRID_MEMBER = "G27", Error, "a node with a largest grid has a record that says which it wants";
    GRAPH_GRID_PLAIN = "G28", Note, "a record's SV_DispatchGrid is for nodes without a fixed grid";
    GRAPH_GRID_ELSEWHERE = "G29", Error, "only broadcasting nodes have a grid";
    GRAPH_BUDGET = "G30", Error, "MaxRecordsSharedWith names an earlier output that has a budget of its own";
    GRAPH_SHARER = "G31", Error, "a node that shares an input is not recursive, no entry point, and no output leads to it";
    GRAPH_SHARED = "G32", Error, "an input that is shared is read-only, of one source, and of no recursive or sharing node";
    GRAPH_SHARERS = "G33", Error, "at most 256 nodes share one input";
    GRAPH_FINISHED = "G34", Error, "FinishedCrossGroupSharing is for tracked records that nodes write";
    GRAPH_UNREACHED = "G35", Warning, "a node is an entry point or some node feeds it";
    GRAPH_UNBOUNDED = "G36", Error, "an array without end is sparse";
    GRAPH_ROOT_TABLE = "G37", Error, "nodes that share local root arguments have one local root signature";
    GRAPH_STRIDE = "G38", Error, "the host's records lie at a stride that fits them, and descriptors at multiples of 8";
    GRAPH_ENTRY_INDEX = "G39", Error, "an entry point's index is one of the graph";
    GRAPH_GRID_ASKED = "G40", Error, "a record asks for no larger grid than its node declares";
    GRAPH_BUDGET_BROKEN = "G41", Error, "a launch writes no more records than it declares";
    GRAPH_DROPPED = "G42", Error, "records go to nodes that exist";
    GRAPH_TOO_DEEP = "G43", Error, "a node sends itself nothing at its last level of recursion";
    GRAPH_GENERATION = "G44", Error, "no generation after 32 has records";
    GRAPH_OVERRIDE = "G45", Error, "overrides name nodes and outputs that are there";
    GRAPH_DEPTH_REACHED = "G46", Note, "a chain that is exactly as long as allowed has no recursion in it";
    GRAPH_TRACKED_ALIGN = "G47", Warning, "a tracked record has no 64-bit members";
    GRAPH_EDGES = "G48", Note, "a graph has no more edges than are shown";
    GRAPH_UNFINISHED = "G49", Warning, "all groups of a tracked record call FinishedCrossGroupSharing, or none does";
    GRAPH_NODE_REFUSED = "G50", Warning, "every node can be converted to SPIR-V";
    GRAPH_ALWAYS_VALID = "G51", Warning, "IsValid() says whether the node that an output leads to is there";
    GRAPH_ARRAY_GRIDS = "G52", Warning, "broadcasting nodes of one array have all a fixed grid, or all one that records ask for";
    GRAPH_WIDTH = "G53", Note, "workgroups that share a grid are as few as were asked for";
    FOZ_BASE64 = "foz.base64", Error, "base64 has characters of its alphabet and the length that is stated";
    FOZ_CRC = "foz.crc", Error, "a payload has the CRC-32 that is stored";
    FOZ_CYCLE = "foz.cycle", Error, "a pipeline is no part of itself, and a library is one once";
    FOZ_DUPLICATE = "foz.duplicate", Note, "a file has each object once";
    FOZ_EMPTY = "foz.empty", Error, "a database has a header";
    FOZ_INFLATE = "foz.inflate", Error, "a payload inflates to the size that is stated";
    FOZ_JSON = "foz.json", Error, "an object is JSON of a bounded depth";
    FOZ_JSON_TYPE = "foz.json-type", Error, "a member of an object has its type";
    FOZ_JSON_VERSION = "foz.json-version", Error, "an object's version is 5 or 6";
    FOZ_KEY_MISMATCH = "foz.key-mismatch", Warning, "an object is called inside as its entry is";
    FOZ_KIND = "foz.kind", Error, "a payload is stored or deflated";
    FOZ_LOST_SYNC = "foz.lost-sync", Error, "an entry begins with 40 hexadecimal digits";
    FOZ_MAGIC = "foz.magic", Error, "a database begins with 0x81 FOSSILIZEDB";
    FOZ_MISSING_REF = "foz.missing-ref", Error, "an object that another one names is in the database";
    FOZ_NOT_JSON = "foz.not-json", Warning, "a payload is a JSON object";
    FOZ_SIZE_LIMIT = "foz.size-limit", Error, "sizes and counts are within what is read";
    FOZ_SPEC_RANGE = "foz.spec-range", Error, "a specialization constant's bytes lie inside the data and fit its type";
    FOZ_STAGE_UNUSABLE = "foz.stage-unusable", Error, "a stage's module can be read and has its entry point";
    FOZ_TRUNCATED_TAIL = "foz.truncated-tail", Warning, "the last entry is whole";
    FOZ_UNKNOWN_PNEXT = "foz.unknown-pnext", Note, "a structure that extends another is known";
    FOZ_UNKNOWN_TAG = "foz.unknown-tag", Note, "an entry's tag has a meaning";
    FOZ_VARINT = "foz.varint", Error, "a module's bytes are the words that it states";
    FOZ_VERSION = "foz.version", Error, "a database's version is 5 or 6";
    PIPE_BAD_NUMBER = "pipe.bad-number", Warning, "a number is written plainly and fits its type";
    PIPE_BOM = "pipe.bom", Note, "a file starts without a byte order mark";
    PIPE_BRACKET_IN_SOURCE = "pipe.bracket-in-source", Warning, "no line of HLSL starts with a bracket, which ends its section for LLPC";
    PIPE_COMMENT_JOIN = "pipe.comment-join", Warning, "no comment stands behind a value, where LLPC loses the next line";
    PIPE_DEPTH_LIMIT = "pipe.depth-limit", Error, "tables nest at most 8 deep";
    PIPE_DUPLICATE_SECTION = "pipe.duplicate-section", Warning, "a section that counts once stands once";
    PIPE_EMPTY = "pipe.empty", Error, "a description has sections";
    PIPE_GROUP_RANGE = "pipe.group-range", Error, "a group of ray tracing shaders names shaders of the file";
    PIPE_HEADER = "pipe.header", Warning, "a section's name ends with a bracket";
    PIPE_INDEX_LIMIT = "pipe.index-limit", Error, "an index is below the length of its list";
    PIPE_INFO_UNPAIRED = "pipe.info-unpaired", Warning, "a shader is followed by its Info section";
    PIPE_LINE_LIMIT = "pipe.line-limit", Error, "lines, keys and sections are as many and as long as can be read";
    PIPE_LLPC_ENUM_CLASH = "pipe.llpc-enum-clash", Warning, "a name of two enumerations is taken from the right one by LLPC";
    PIPE_MISSING_FILE = "pipe.missing-file", Error, "a file that is named is there and can be read";
    PIPE_NO_EQUALS = "pipe.no-equals", Warning, "a line of a section with keys has an equals sign";
    PIPE_NO_VALUE = "pipe.no-value", Warning, "a key has a value";
    PIPE_NODE_OVERLAP = "pipe.node-overlap", Error, "nodes of one level do not lie on each other";
    PIPE_NODE_SHAPE = "pipe.node-shape", Warning, "a node has the members of its type and no others";
    PIPE_NODE_SIZE = "pipe.node-size", Error, "a node has the size that its type and its elements need";
    PIPE_NOT_TEXT = "pipe.not-text", Error, "a description is text";
    PIPE_PATH_OUTSIDE = "pipe.path-outside", Error, "a file that is named lies in the description's folder";
    PIPE_REMOVED_KEY = "pipe.removed-key", Note, "a key is still read by LLPC";
    PIPE_SPEC_RANGE = "pipe.spec-range", Error, "a specialization constant's bytes lie inside the data";
    PIPE_STAGE_CONFLICT = "pipe.stage-conflict", Error, "stages and state are of one kind of pipeline";
    PIPE_STAGE_TABLES_DIFFER = "pipe.stage-tables-differ", Warning, "nodes of several stages at one place are the same";
    PIPE_STAGE_UNUSABLE = "pipe.stage-unusable", Error, "a stage's shader can be made into SPIR-V with its entry point";
    PIPE_TEXT_BEFORE_SECTION = "pipe.text-before-section", Warning, "nothing stands before the first section";
    PIPE_UNKNOWN_ENUM = "pipe.unknown-enum", Warning, "an enumeration's value is one of its names";
    PIPE_UNKNOWN_KEY = "pipe.unknown-key", Warning, "a key is one that LLPC reads";
    PIPE_UNKNOWN_SECTION = "pipe.unknown-section", Warning, "a section is one that LLPC reads";
    PIPE_VERSION_NEW = "pipe.version-new", Warning, "a version is one whose keys are known";
    PIPE_VERTEX_BINDING = "pipe.vertex-binding", Error, "an attribute reads a vertex binding that is listed";
    PIPE_VISIBILITY_EMPTY = "pipe.visibility-empty", Note, "a visibility mask names a stage of the pipeline";
    PIPE_VISIBILITY_OLD = "pipe.visibility-old", Warning, "visibility masks use today's numbering of stages";
}

impl Rule {
    /// A finding under this rule.
    pub fn at(&self, stage: Option<StageKind>, place: Option<String>, message: impl Into<String>) -> Finding {
        let code = self.code.to_owned();
        Finding { code, severity: self.severity, stage, message: message.into(), place, line: None }
    }
}

/// The row of a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        for pair in RULES.windows(2) {
            let room = |rule: &Rule| "LPWRAICXDGfp".find(&rule.code[..1]);
            assert!((room(pair[0]), pair[0].code) < (room(pair[1]), pair[1].code), "{} {}", pair[0].code, pair[1].code);
        }
    }

    #[test]
    fn the_table_of_codes_is_a_contract() {
        let table: Vec<_> = RULES.iter().map(|r| format!("{} {:7} {}", r.code, r.severity, r.about)).collect();
        insta::assert_snapshot!(table.join("\n"));
    }
}
