#version 460
#extension GL_EXT_buffer_reference : require

// What the host is told, and what the device tells itself from one generation to the next.
struct RowState {
    uint x0, y0, z0, first0;
    uint x1, y1, z1, first1;
    uint end, base, total, unused;
    // By the generation's last bit: one is used while the other is cleared.
    uint cursor[2];
    uint passes[2];
};

layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer State {
    // Why nothing more runs: 0 while all is well.
    uint reason, generation, needed, available;
    uint row, payload_room, list_room, offsets_room;
    uint entries, unused0, unused1, unused2;
    // `grid_row`: 1 + a row whose record asks for more than it may.
    uint dropped, beyond, last_generation, grid_row;
    RowState rows[];
};

// A node, or one level of a recursive one.
struct Row {
    uint launch, per_group, stride, tracked;
    uint shares, passes, grid_offset, grid_bits;
    uint grid_components, max_x, max_y, max_z;
    uint volume, flags, unused0, unused1;
};

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Rows { Row at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Counters { uint used, entries, at[]; };

layout(push_constant) uniform Push {
    State state;
    Rows rows;
    Words slots;
    Counters counters;
    Words payload;
    Words offsets;
    Words history;
    // Those that the next generation writes.
    Counters cleared;
    uint row_count, slot_count, list_word, generation;
    uint keep_slots, steps;
};

const uint NONE = 0xffffffffu;
const uint BEYOND = 0xfffffffeu;

const uint PAYLOAD_FULL = 1, LIST_FULL = 2, SUNK = 3, OFFSETS_FULL = 4, TOO_DEEP = 5, GRID_BEYOND = 6, RECURSION = 7;

// Generations that are kept: the records of each row; the groups that they ask for, in two words; what each one used; then
// the records of each slot.
const uint GENERATIONS = 34;

const uint FIXED = 2, DYNAMIC = 3;
const uint NEEDS_PASSES = 1, FULL_WIDTH = 2;

// What a dispatch of the leading shader does; `WHOLE` says that the tables fit a workgroup.
const uint PLACE = 1, EXPAND = 2, WHOLE = 4;
const uint HELD_ROWS = 1024;

void end(uint reason, uint needed, uint available) {
    state.reason = reason;
    state.generation = generation;
    state.needed = needed;
    state.available = available;
}
