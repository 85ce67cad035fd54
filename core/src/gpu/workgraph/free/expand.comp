// Entries to offsets of records: sixteen lanes for an entry.
layout(local_size_x = 64) in;

shared uint place[4];

uint read_word(uint at) { return payload.at[at >> 2] >> ((at & 2) * 8); }

// The component of a grid, and how many bits hold the numbers below it.
uint component(Row row, uint record, uint axis) {
    if (row.grid_bits == 16) return read_word(record + row.grid_offset + 2 * axis) & 0xffff;
    return payload.at[(record + row.grid_offset + 4 * axis) >> 2];
}

void main() {
    uint sub = gl_LocalInvocationID.x >> 4;
    uint lane = gl_LocalInvocationID.x & 15;
    uint index = (gl_WorkGroupID.y * 32768 + gl_WorkGroupID.x) * 4 + sub;
    bool valid = index < state.entries;
    uint word = 0, start = 0, r = NONE;
    if (valid) {
        word = counters.at[list_word + 2 * index];
        start = counters.at[list_word + 2 * index + 1];
        r = word >> 8 < slot_count ? slots.at[word >> 8] : NONE;
    }
    uint count = (word & 255) + 1;
    valid = valid && r < row_count;
    if (valid && lane == 0) place[sub] = state.rows[r].base + atomicAdd(state.rows[r].cursor, count);
    barrier();
    if (!valid) return;
    Row row = rows.at[r];
    for (uint i = lane; i < count; i += 16) {
        uint record = start + i * row.stride;
        offsets.at[place[sub] + i] = record;
        uint volume = row.volume;
        if ((row.flags & NEEDS_PASSES) != 0) {
            uint sizes[3] = uint[3](1, 1, 1);
            uint bits = 0;
            uint passes = 0;
            volume = 1;
            for (uint axis = 0; axis < row.grid_components; axis++) {
                uint size = component(row, record, axis);
                sizes[axis] = size;
                volume *= size;
                if (axis + 1 == row.grid_components) passes = size << bits;
                else bits += size > 1 ? findMSB(size - 1) + 1 : 0;
            }
            if (volume == 0) passes = 0;
            atomicMax(state.rows[r].passes, passes);
            if (row.launch == DYNAMIC && (sizes[0] > row.max_x || sizes[1] > row.max_y || sizes[2] > row.max_z)) {
                if (atomicCompSwap(state.reason, 0, GRID_BEYOND) == 0) {
                    state.generation = generation;
                    state.row = r;
                }
            }
        }
        if (row.tracked != 0) payload.at[(record + row.stride - 4) >> 2] = volume;
    }
}
