//! What the figures are based on. D documented, S read in source, H seen in the run, C computed here, M measured by others.

use crate::report::Source;

/// The sources of a sheet's figures.
pub(super) fn sources() -> Vec<Source> {
    let source = |figure: &str, mark: &str, rule: &str| Source {
        figure: figure.to_owned(),
        mark: mark.to_owned(),
        rule: rule.to_owned(),
    };
    vec![
        source(
            "declarations",
            "D",
            "metadata of the nodes; the hidden counter of tracked records takes 4 bytes (S: dxil-spirv)",
        ),
        source(
            "worst case",
            "C",
            "launches × MaxRecords, generation by generation; each record is an allocation; the nodes of an array share the \
             budget of an output",
        ),
        source(
            "payload, lists, offsets",
            "D, S",
            "an allocation takes its records rounded up to 16 bytes, and 8 bytes of list: node and count (24 and 8 bits), and \
             offset; a record takes 4 bytes of offsets",
        ),
        source(
            "rings, backing memory",
            "S",
            "2 payload rings and the offsets of 128 MiB each for a state object; scratch and 64 to 256 MiB of list from the \
             application; overflow is not checked, and nothing is split",
        ),
        source(
            "smallest ring, pieces",
            "C",
            "a ring of two halves, each generation's payload in one; pieces of equal size",
        ),
        source(
            "dispatches, barriers",
            "S",
            "each level after 0: distribution, expansion, and the end of compaction if empty grids are dropped, with a barrier \
             before and after each; then the nodes; rows of 32768 groups where a device takes fewer than 2^24 - 1 along X",
        ),
        source(
            "groups",
            "S, C",
            "thread: records / 32; coalescing: records / MaxRecords; broadcasting: records × max(1, min(G, 1024) >> floor(log2(max(1, \
             records >> 2)))), where G is the grid or its maximum; with dropped empty grids at least the mean of the others",
        ),
        source(
            "groups of the host's records",
            "S, C",
            "one record: its grid; several: records × max(1, min(1024, product of the largest axes) / records)",
        ),
        source(
            "passes",
            "S, C",
            "product of a grid's axes, all but the last rounded up to a power of two (dxil-spirv); a group loops over them",
        ),
        source("records, allocations", "H", "those of the run"),
        source(
            "counters",
            "H",
            "a GPU-driven run that dispatches as predicted: its device counts what its dispatches and its records' grids are",
        ),
        source(
            "payload by generation",
            "S, G",
            "the allocations of a generation begin at the start of a ring (S); their order is that of atomics, which no run keeps: \
             the map takes writer by writer, allocation by allocation (G)",
        ),
        source(
            "room of lists",
            "C",
            "what the run's launches may write by MaxRecords: offsets need it for each node that an output reaches",
        ),
    ]
}
