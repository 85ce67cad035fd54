// Totals to dispatches: every row gets its part of the list of offsets and both its dispatches.
layout(local_size_x = 256) in;

shared uint next;
shared uint stop;
shared uint seen;

void end(uint reason, uint needed, uint available) {
    state.reason = reason;
    state.generation = generation;
    state.needed = needed;
    state.available = available;
}

void main() {
    uint thread = gl_LocalInvocationID.x;
    // Few slots need no shader of their own.
    if (counts != 0) {
        for (uint slot = thread; slot < slot_count; slot += 256) count_slot(slot);
        memoryBarrierBuffer();
        barrier();
    }
    if (thread == 0) {
        if (keep_slots != 0) history.at[keep_slots - GENERATIONS + generation] = counters.used;
        next = 0;
        seen = 0;
        if (state.reason == 0) {
            if (counters.used > state.payload_room) end(PAYLOAD_FULL, counters.used, state.payload_room);
            else if (counters.entries > state.list_room) end(LIST_FULL, counters.entries, state.list_room);
            else if (counters.at[slot_count] != 0) end(SUNK, counters.used, state.payload_room);
            else if (state.beyond != 0) end(RECURSION, 0, 0);
        }
        stop = state.reason;
    }
    barrier();
    for (uint r = thread; r < row_count; r += 256) {
        uint total = state.rows[r].total;
        state.rows[r].base = 0;
        if (rows.at[r].stride != 0 && total != 0) state.rows[r].base = atomicAdd(next, total);
        if (total != 0) seen = 1;
        state.rows[r].cursor = 0;
        state.rows[r].passes = 0;
    }
    memoryBarrierBuffer();
    barrier();
    if (thread == 0 && stop == 0) {
        if (next > state.offsets_room) end(OFFSETS_FULL, next, state.offsets_room);
        else if (seen != 0 && generation > state.last_generation) end(TOO_DEEP, 0, 0);
        stop = state.reason;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint r = thread; r < row_count; r += 256) {
        uint owner = rows.at[r].shares == NONE ? r : rows.at[r].shares;
        uint total = state.rows[owner].total;
        history.at[generation * row_count + r] = total;
        if (stop != 0) total = 0;
        uint base = state.rows[owner].base;
        uint per_group = rows.at[r].per_group;
        uint groups = total / per_group + (total % per_group != 0 ? 1 : 0);
        uint width = rows.at[r].launch == FIXED ? rows.at[r].passes : 1;
        uint lines = groups >> 15;
        state.rows[r].x0 = lines == 0 ? 0 : 32768;
        state.rows[r].y0 = lines;
        state.rows[r].z0 = width;
        state.rows[r].first0 = base;
        state.rows[r].x1 = groups & 32767;
        state.rows[r].y1 = 1;
        state.rows[r].z1 = width;
        state.rows[r].first1 = base + lines * 32768 * per_group;
        state.rows[r].end = base + total;
        if (r != owner) state.rows[r].base = base;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint r = thread; r < row_count; r += 256) state.rows[r].total = 0;
    if (thread == 0) {
        uint count = stop != 0 ? 0 : counters.entries;
        uint groups = (count + 3) / 4;
        state.entries = count;
        state.expand_x = min(groups, 32768);
        state.expand_y = (groups + 32767) / 32768;
        state.expand_z = 1;
    }
}
