//! Codes: work graphs. Source: D3D12 work graphs specification.

use lanescope_base::findings::Example;
use lanescope_base::rule_table;

rule_table! {
    area: GRAPH = "G", "Work graphs";

    GRAPH_SLOTS = "G01", Error, "graph uses more than 16777215 node IDs" {
        meaning: "The count is the highest index plus 1 of each node array, gaps included, plus all recursion levels.",
        example: Example::Command("inspect work_graphs/rules/g01_slots.dxil"),
        remedy: "Number arrays densely, or lower the recursion depths.",
    }

    GRAPH_DEPTH = "G02", Error, "chain of nodes is longer than 32" {
        meaning: "The longest path from an entry point counts each node once, and a recursive node as often as it \
            may run.",
        example: Example::Command("inspect work_graphs/rules/g02_recursion_chain.dxil"),
        remedy: "Shorten the chain that the message prints, or lower `NodeMaxRecursionDepth`.",
    }

    GRAPH_RECURSION = "G03", Error, "recursion depth exceeds 32" {
        meaning: "`NodeMaxRecursionDepth` is at most 32, and the whole chain is limited to 32 nodes as well (G02).",
        example: Example::Described("`[NodeMaxRecursionDepth(33)]` on a node that targets itself."),
        remedy: "Lower the attribute.",
    }

    GRAPH_SELF_TARGET = "G04", Error, "output targets its own node without a recursion depth" {
        meaning: "A node that sends records to itself must state how often it may run in a chain.",
        example: Example::Described("A node with `NodeOutput<Record> Again` and `[NodeID(\"Again\")]`, without \
            `[NodeMaxRecursionDepth]`."),
        remedy: "Add `[NodeMaxRecursionDepth(n)]`.",
    }

    GRAPH_RECURSION_UNUSED = "G05", Note, "recursion depth has no effect, since no output targets the node itself" {
        meaning: "The attribute is allowed, but it is used for self-recursion only.",
        example: Example::Command("inspect work_graphs/rules/g05_no_self_edge.dxil"),
        remedy: "Remove the attribute, or correct the node id of the output.",
    }

    GRAPH_CYCLE = "G06", Error, "nodes form a cycle" {
        meaning: "Records may return to their own node, which is recursion, but not through other nodes.",
        example: Example::Command("inspect work_graphs/rules/g06_ring_of_three.dxil"),
        remedy: "Break the cycle, or merge its nodes into one recursive node.",
    }

    GRAPH_SIBLING = "G07", Error, "output targets another node of its own array" {
        meaning: "A node of an array may target itself, but no other element of the array.",
        example: Example::Command("inspect work_graphs/rules/g07_sibling_target.dxil"),
        remedy: "Move one of the nodes to another array.",
    }

    GRAPH_ID_TWICE = "G08", Error, "node id is defined twice" {
        meaning: "A node id is a name and an array index, and belongs to one node.",
        example: Example::Command("inspect work_graphs/rules/g08_same_id.dxil"),
        remedy: "Change `[NodeID]` of one of the nodes.",
    }

    GRAPH_NO_TARGET = "G09", Error, "non-sparse output has a target that does not exist" {
        meaning: "Each element of the output must have a node. With `AllowSparseNodes` elements may be missing, and \
            `IsValid()` says which exist.",
        example: Example::Command("inspect work_graphs/rules/g09_no_target.dxil"),
        remedy: "Add the node, correct `[NodeID]` of the output, or add `[AllowSparseNodes]`.",
    }

    GRAPH_NEVER_VALID = "G10", Warning, "sparse output has no target at all" {
        meaning: "`IsValid()` is always false, so the output never carries a record.",
        example: Example::Command("inspect work_graphs/rules/g10_sparse_alone.dxil"),
        remedy: "Check the name in `[NodeID]`. No action is needed if the target is optional.",
    }

    GRAPH_ARRAY_DIFFERS = "G11", Error, "nodes of one array differ in launch type, record or access" {
        meaning: "All nodes of an array are called through one output, so their inputs must be alike.",
        example: Example::Described("Two nodes `Shade[0]` and `Shade[1]`, one broadcasting and one thread launch."),
        remedy: "Make launch type, record size and access the same, or use separate arrays.",
    }

    GRAPH_SIZE_DIFFERS = "G12", Error, "producer and consumer differ in record size" {
        meaning: "The record that an output writes has another size than the input that reads it. The hidden counter \
            of tracked records counts.",
        example: Example::Command("inspect work_graphs/rules/g12_sizes.dxil"),
        remedy: "Use the same structure on both sides.",
    }

    GRAPH_TRACKING_DIFFERS = "G13", Error, "only one side of an edge tracks cross-group sharing" {
        meaning: "With `[NodeTrackRWInputSharing]` a record has a hidden counter. Producer and consumer must both \
            have it or both not have it.",
        example: Example::Command("inspect work_graphs/rules/g13_tracking.dxil"),
        remedy: "Put the attribute on the structure that both sides use.",
    }

    GRAPH_EMPTY_DIFFERS = "G14", Error, "empty output targets a node with records, or the reverse" {
        meaning: "An `EmptyNodeOutput` counts only and has no data. Its consumer must take empty records.",
        example: Example::Command("inspect work_graphs/rules/g14_empty_in.dxil"),
        remedy: "Make both sides empty, or give both the same record.",
    }

    GRAPH_INPUTS = "G15", Error, "node has more than one input" {
        meaning: "A node has at most one input record parameter.",
        example: Example::Described("A node function with two `DispatchNodeInputRecord` parameters."),
        remedy: "Merge the records into one structure.",
    }

    GRAPH_OUTPUTS = "G16", Error, "node has more than 1024 outputs" {
        meaning: "An output array counts as one output.",
        example: Example::Command("inspect work_graphs/rules/g16_outputs_1025.dxil"),
        remedy: "Use output arrays (`NodeOutputArray`).",
    }

    GRAPH_GROUP_RECORDS = "G17", Error, "group writes more than 256 records" {
        meaning: "The limit covers the budgets (`MaxRecords`) of all outputs with data, times the nodes that share \
            the target's input. Shared budgets count once.",
        example: Example::Command("inspect work_graphs/rules/g17_two_budgets.dxil"),
        remedy: "Lower `MaxRecords`, or share budgets with `MaxRecordsSharedWith`.",
    }

    GRAPH_GROUP_BYTES = "G18", Error, "group writes more than 32768 bytes of records" {
        meaning: "Each tracked record lowers the limit by 4 bytes.",
        example: Example::Command("inspect work_graphs/rules/g18_bytes.dxil"),
        remedy: "Lower `MaxRecords`, or make the records smaller.",
    }

    GRAPH_GROUP_ALL = "G19", Error, "records and groupshared memory of a group exceed 49152 bytes" {
        meaning: "Output bytes, groupshared bytes and 8 bytes for each record share one limit.",
        example: Example::Command("inspect work_graphs/rules/g19_combined.dxil"),
        remedy: "Lower `MaxRecords`, the record size or the groupshared memory.",
    }

    GRAPH_GROUPSHARED = "G20", Error, "node has more than 32768 bytes of groupshared memory" {
        meaning: "The limit is that of compute shaders.",
        example: Example::Command("inspect work_graphs/rules/g20_groupshared.dxil"),
        remedy: "Use less groupshared memory.",
    }

    GRAPH_THREAD_RECORDS = "G21", Error, "thread node writes more than 8 records" {
        meaning: "Thread launch nodes have smaller budgets than other nodes.",
        example: Example::Command("inspect work_graphs/rules/g21_thread_nine.dxil"),
        remedy: "Lower `MaxRecords`, or use a broadcasting or coalescing node.",
    }

    GRAPH_THREAD_BYTES = "G22", Error, "thread node writes more than 128 bytes of records" {
        meaning: "Thread launch nodes have smaller budgets than other nodes.",
        example: Example::Command("inspect work_graphs/rules/g22_bytes_mixed.dxil"),
        remedy: "Make the records smaller, or use a broadcasting or coalescing node.",
    }

    GRAPH_RECORD_BYTES = "G23", Error, "record that a node writes exceeds 32768 bytes" {
        meaning: "Records from the host may be larger, but not records from nodes.",
        example: Example::Command("inspect work_graphs/rules/g23_large_record.dxil"),
        remedy: "Make the record smaller. Put large data into a buffer.",
    }

    GRAPH_GROUP_SIZE = "G24", Error, "group size is not allowed for the launch type" {
        meaning: "Groups have 1 to 1024 threads. Thread launch nodes have exactly one.",
        example: Example::Described("`[NumThreads(1024, 2, 1)]` on a broadcasting node."),
        remedy: "Correct `[NumThreads]`.",
    }

    GRAPH_GRID_SIZE = "G25", Error, "grid is empty, or exceeds 65535 groups on an axis or 16777215 in total" {
        meaning: "The limits apply to `NodeDispatchGrid` and to `NodeMaxDispatchGrid`.",
        example: Example::Files {
            files: &[("grid.json", "{\"nodes\":{\"ClassifyTiles\":{\"grid\":[65536,1,1]}}}\n")],
            command: "inspect work_graphs/01_tile_classify.dxil --overrides grid.json",
        },
        remedy: "Use a smaller grid, or several records.",
    }

    GRAPH_GRID_CHOICE = "G26", Error, "broadcasting node does not have exactly one kind of grid" {
        meaning: "A broadcasting node has either `NodeDispatchGrid`, or `NodeMaxDispatchGrid` with `SV_DispatchGrid` \
            in its record.",
        example: Example::Described("A broadcasting node with both attributes, or with none."),
        remedy: "Keep one of the attributes.",
    }

    GRAPH_GRID_MEMBER = "G27", Error, "node has a maximum grid, but its record has no `SV_DispatchGrid`" {
        meaning: "With `NodeMaxDispatchGrid` each record states its grid in the member with the semantic.",
        example: Example::Described("`[NodeMaxDispatchGrid(8, 8, 1)]` on a node whose record has no member with \
            `SV_DispatchGrid`."),
        remedy: "Add the member, or use `NodeDispatchGrid`.",
    }

    GRAPH_GRID_PLAIN = "G28", Note, "`SV_DispatchGrid` has no effect, since the grid is fixed" {
        meaning: "With `NodeDispatchGrid` the member is ordinary data.",
        example: Example::Command("inspect work_graphs/rules/g28_plain_member.dxil"),
        remedy: "Remove the semantic, or use `NodeMaxDispatchGrid`.",
    }

    GRAPH_GRID_ELSEWHERE = "G29", Error, "grid attribute is on a node that is not broadcasting" {
        meaning: "Coalescing and thread launch nodes have no grid.",
        example: Example::Described("`[NodeDispatchGrid(4, 1, 1)]` on a thread launch node."),
        remedy: "Remove the attribute, or change `[NodeLaunch]`.",
    }

    GRAPH_BUDGET = "G30", Error, "`MaxRecordsSharedWith` does not name an earlier output with its own budget" {
        meaning: "The other output must come before this one, exist, and state `MaxRecords` itself.",
        example: Example::Command("inspect work_graphs/rules/g30_later_budget.dxil"),
        remedy: "Put `MaxRecords` on the first output, and `MaxRecordsSharedWith` on the others.",
    }

    GRAPH_SHARER = "G31", Error, "node that shares an input is recursive, an entry point or a target" {
        meaning: "A node with `NodeShareInputOf` receives the records of the other node only.",
        example: Example::Command("inspect work_graphs/rules/g31_sharer_entry.dxil"),
        remedy: "Remove the attribute, or the other way to reach the node.",
    }

    GRAPH_SHARED = "G32", Error, "input cannot be shared" {
        meaning: "The owner must exist, be read-only, have one source of records, and be neither recursive nor a \
            sharer itself.",
        example: Example::Command("inspect work_graphs/rules/g32_chain.dxil"),
        remedy: "See the reason in the message. Share the input of the original owner.",
    }

    GRAPH_SHARERS = "G33", Error, "more than 256 nodes share one input" {
        meaning: "The owner and its sharers all run for each record.",
        example: Example::Command("inspect work_graphs/rules/g33_sharers_257.dxil"),
        remedy: "Merge nodes, or split the graph.",
    }

    GRAPH_FINISHED = "G34", Error, "`FinishedCrossGroupSharing` is called for a record without tracking" {
        meaning: "The call needs a record with `[NodeTrackRWInputSharing]`, read-write access, and records from \
            nodes instead of the host.",
        example: Example::Command("inspect work_graphs/rules/g34_on_entry.dxil"),
        remedy: "Add the attribute to the record, or remove the call.",
    }

    GRAPH_UNREACHED = "G35", Warning, "node is not an entry point and no node targets it" {
        meaning: "In a library all nodes are included, and the node becomes an entry point. With explicit entry \
            points it never runs.",
        example: Example::Command("inspect work_graphs/rules/g35_unreached.dxil"),
        remedy: "Correct the output that should target it, mark it as `[NodeIsProgramEntry]`, or remove it.",
    }

    GRAPH_UNBOUNDED = "G36", Error, "unbounded output array is not sparse" {
        meaning: "An array without a size can have gaps, so it must allow missing nodes.",
        example: Example::Described("Metadata with an output array size of 0xFFFFFFFF and no sparse flag. HLSL's \
            `UnboundedSparseNodes` sets both."),
        remedy: "Use `[UnboundedSparseNodes]`.",
    }

    GRAPH_ROOT_TABLE = "G37", Error, "nodes with one local root table index have different local root signatures" {
        meaning: "The index selects local root arguments. All nodes that use it read them with one layout.",
        example: Example::Command("inspect work_graphs/rules/g37_local_roots.dxil"),
        remedy: "Use another `[NodeLocalRootArgumentsTableIndex]`, or the same root signature.",
    }

    GRAPH_STRIDE = "G38", Error, "stride or address of host records does not fit the entry point" {
        meaning: "A stride is 0, or at least the record size, a multiple of 4 and of the record's alignment. \
            Descriptors in GPU memory start at multiples of 8.",
        example: Example::Described("`lanescope run` with records of 12 bytes and `--stride 14`."),
        remedy: "Correct the stride in the input, see `lanescope help graphs`.",
    }

    GRAPH_ENTRY_INDEX = "G39", Error, "entry point index is out of range" {
        meaning: "The index counts the graph's entry points.",
        example: Example::Described("GPU input with entry index 5 for a graph with one entry point."),
        remedy: "Correct the index. `lanescope graph FILE` lists the entry points.",
    }

    GRAPH_GRID_ASKED = "G40", Error, "record requests a larger grid than its node declares" {
        meaning: "`SV_DispatchGrid` must not exceed `NodeMaxDispatchGrid` on any axis. The run stops there.",
        example: Example::Described("A record with grid 9,1,1 for `[NodeMaxDispatchGrid(8, 1, 1)]`."),
        remedy: "Raise the attribute, or limit the grid in the producer.",
    }

    GRAPH_BUDGET_BROKEN = "G41", Error, "launch writes more records than the output declares" {
        meaning: "The output counter of a group exceeds `MaxRecords`. Memory beyond the budget belongs to other \
            launches.",
        example: Example::Described("A thread that calls `GetThreadNodeOutputRecords(2)` on an output with \
            `[MaxRecords(1)]`."),
        remedy: "Raise `MaxRecords`, or request fewer records.",
    }

    GRAPH_DROPPED = "G42", Error, "records were sent to a node that does not exist" {
        meaning: "Writing to an element of a sparse output without a node is undefined behavior. Lanescope counts \
            the records and drops them.",
        example: Example::Described("A node that writes to an element of a sparse output without asking \
            `IsValid()`, where the element has no node."),
        remedy: "Check `IsValid()` before the output is written.",
    }

    GRAPH_TOO_DEEP = "G43", Error, "node sent records to itself at its last recursion level" {
        meaning: "`GetRemainingRecursionLevels()` is 0 on the last level, and the output to itself is not valid \
            there.",
        example: Example::OnDevice("run work_graphs/scenarios/31_recursion_beyond.dxil"),
        remedy: "Check the remaining levels before the output is written.",
    }

    GRAPH_GENERATION = "G44", Error, "records remain after generation 32" {
        meaning: "A graph ends after at most 32 generations. The run stops.",
        example: Example::Described("A chain that overrides make longer than the limit of G02."),
        remedy: "Shorten the chain.",
    }

    GRAPH_OVERRIDE = "G45", Error, "override names a node or an output that does not exist" {
        meaning: "Overrides name nodes by `Name[index]`, `Name` or function, and outputs by number or parameter name.",
        example: Example::Files {
            files: &[("change.json", "{\"nodes\":{\"Nowhere\":{\"entry\":true}}}\n")],
            command: "inspect work_graphs/07_wide_dag.dxil --overrides change.json",
        },
        remedy: "Correct the name. `lanescope graph FILE` lists nodes and outputs.",
    }

    GRAPH_DEPTH_REACHED = "G46", Note, "longest chain is exactly 32 nodes and contains recursion" {
        meaning: "The specification leaves open whether the first run of a recursive node counts. On some drivers \
            the graph may be too deep.",
        example: Example::Command("inspect work_graphs/rules/ok02_recursion_chain.dxil"),
        remedy: "Lower the recursion depth by 1 to be safe.",
    }

    GRAPH_TRACKED_ALIGN = "G47", Warning, "tracked record has 64-bit members" {
        meaning: "The hidden counter of 4 bytes makes the stride of several records a multiple of 4 only, so 64-bit \
            members are misaligned.",
        example: Example::Described("A record with `[NodeTrackRWInputSharing]` and a `double` member, in an output \
            with `[MaxRecords(2)]`."),
        remedy: "Use 32-bit members in tracked records.",
    }

    GRAPH_EDGES = "G48", Note, "graph has more edges than are shown and checked" {
        meaning: "Lanescope keeps a limited number of edges. Later ones are neither drawn nor checked.",
        example: Example::Described("Output arrays of many thousand elements in many nodes."),
        remedy: "No action is needed for the graph. Split it to check all edges.",
    }

    GRAPH_UNFINISHED = "G49", Warning, "some groups of a tracked record did not call `FinishedCrossGroupSharing`" {
        meaning: "Either all groups of the record call it or none does. Otherwise no group is the last one.",
        example: Example::Described("A call inside `if (SV_GroupID.x < 5)` in a grid of 8 groups."),
        remedy: "Call it in uniform control flow in each group.",
    }

    GRAPH_NODE_REFUSED = "G50", Warning, "node cannot be converted to SPIR-V" {
        meaning: "The node is in the graph, but a run skips it: its records are counted and not processed.",
        example: Example::Described("A graph with two nodes, one of which uses native vectors of 8 components."),
        remedy: "Read the reason. `--verbose` and the window's details show the converter's full output.",
    }

    GRAPH_ALWAYS_VALID = "G51", Warning, "`IsValid()` is true for nodes that do not exist" {
        meaning: "The converter replaces `IsValid()` of these outputs by true. Records for missing nodes are counted \
            and dropped.",
        example: Example::Described("An output with gaps, in a node that passes its `IsValid()` through a form of \
            code that the converter cannot replace."),
        remedy: "No change of the shader is needed. Results differ from D3D12 where the shader depends on \
            `IsValid()`.",
    }

    GRAPH_ARRAY_GRIDS = "G52", Warning, "broadcasting nodes of one array mix NodeDispatchGrid and NodeMaxDispatchGrid" {
        meaning: "All elements of an array should have `NodeDispatchGrid`, or all `NodeMaxDispatchGrid`.",
        example: Example::Command("inspect work_graphs/rules/g11_array_grids.dxil"),
        remedy: "Use the same kind of grid in all nodes of the array.",
    }

    GRAPH_WIDTH = "G53", Note, "`--width` is ignored: it would lose workgroups" {
        meaning: "The node allocates output records for targets that differ from thread to thread. Some devices lose \
            groups of such nodes when one workgroup runs several groups, so each group gets a workgroup of its own.",
        example: Example::OnDevice("run work_graphs/01_tile_classify.dxil --width 1"),
        remedy: "No action is needed. Remove `--width` to avoid the note.",
    }

    GRAPH_GRID_UNUSED = "G54", Note, "largest grid of a run is far below the declared maximum" {
        meaning: "A node with `NodeMaxDispatchGrid` declares more than 4 times the groups of the largest grid that a \
            record of the run asks for. Schedulers that launch groups by the maximum launch groups without work.",
        example: Example::OnDevice("cost work_graphs/04_broadcast_grids.dxil --run"),
        remedy: "Lower `NodeMaxDispatchGrid` if no other input asks for larger grids. The cost sheet shows what the \
            maximum costs.",
    }

    GRAPH_ADDED_DEPTH = "G55", Error, "added nodes make the longest chain to an existing node longer" {
        meaning: "Nodes that `AddToStateObject` adds may write to existing nodes, but none of these may come later in the \
            longest chain from an entry point than before. Recursion counts at its limit.",
        example: Example::Command("cost work_graphs/additions/late_bins.dxil --add-to work_graphs/05_sparse_array.dxil"),
        remedy: "Write to existing nodes from nodes that come early enough, or create the state object anew.",
    }

    GRAPH_ADDED_SHARER = "G56", Error, "added node shares the input of an existing node" {
        meaning: "Nodes that `AddToStateObject` adds may share inputs with each other only.",
        example: Example::Command("cost work_graphs/additions/late_bins.dxil --add-to work_graphs/05_sparse_array.dxil"),
        remedy: "Give the node records of its own, or create the state object anew.",
    }

    GRAPH_ADDED_TARGET = "G57", Error, "added node is the target of an existing output that is not sparse" {
        meaning: "Nodes that `AddToStateObject` adds may fill gaps of outputs with `AllowSparseNodes` or \
            `UnboundedSparseNodes`. Without the attribute the state object could not be created before.",
        example: Example::Described("A state object whose output `Next` has no target and is not sparse, and an added node \
            `Next`."),
        remedy: "Add `[AllowSparseNodes]` to the output, and create the state object with it.",
    }
}
