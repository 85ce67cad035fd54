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
    // `most`: groups of the grid or its maximum, as far as they count for a width. From `drops_below` records on none are dropped.
    uint volume, flags, most, drops_below;
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
    uint keep_slots, steps, keep_counts;
};

const uint NONE = 0xffffffffu;
const uint BEYOND = 0xfffffffeu;

const uint PAYLOAD_FULL = 1, LIST_FULL = 2, SUNK = 3, OFFSETS_FULL = 4, TOO_DEEP = 5, GRID_BEYOND = 6, RECURSION = 7;

// Generations that are kept: the records of each row; the groups that they ask for, in two words; what each one used; then
// the records of each slot.
const uint GENERATIONS = 34;

const uint FIXED = 2, DYNAMIC = 3;
const uint NEEDS_PASSES = 1, FULL_WIDTH = 2, COUNTED = 4, DROPS = 8;
// Words of what is counted of a row in a generation, where that is requested.
const uint COUNTS = 10;
const uint MAX_WIDTH = 1024;

// What a dispatch of the leading shader does; `WHOLE` says that the tables fit a workgroup.
const uint PLACE = 1, EXPAND = 2, WHOLE = 4;
const uint HELD_ROWS = 1024;

void end(uint reason, uint needed, uint available) {
    state.reason = reason;
    state.generation = generation;
    state.needed = needed;
    state.available = available;
}

// The grid of a record: its groups, and the passes of a loop over it.
struct Walk {
    uint volume;
    uint passes;
    bool fits;
};

uint read_half(uint at) { return (payload.at[at >> 2] >> ((at & 2) * 8)) & 0xffff; }

uint component(uint r, uint record, uint axis) {
    if (rows.at[r].grid_bits == 16) return read_half(record + rows.at[r].grid_offset + 2 * axis);
    return payload.at[(record + rows.at[r].grid_offset + 4 * axis) >> 2];
}

Walk walk(uint r, uint record) {
    uint sizes[3] = uint[3](1, 1, 1);
    uint bits = 0;
    Walk of = Walk(1, 0, true);
    uint components = rows.at[r].grid_components;
    for (uint axis = 0; axis < components; axis++) {
        uint size = component(r, record, axis);
        sizes[axis] = size;
        of.volume *= size;
        if (axis + 1 == components) of.passes = size << bits;
        else bits += size > 1 ? findMSB(size - 1) + 1 : 0;
    }
    if (of.volume == 0) of.passes = 0;
    of.fits = sizes[0] <= rows.at[r].max_x && sizes[1] <= rows.at[r].max_y && sizes[2] <= rows.at[r].max_z;
    return of;
}
