// From what a generation wrote to what the next one runs, in one step where the tables of rows and slots fit a workgroup:
// every workgroup then works them out for itself, the first one writes the dispatches, and each expands its part of the
// list. Larger tables take two steps: `PLACE` in one workgroup, then `EXPAND` in many.
layout(local_size_x = 256) in;

// Records of each row; then what this workgroup's entries add to it.
shared uint held[HELD_ROWS];
// The row's first place in the list of offsets.
shared uint bases[HELD_ROWS];
shared uint sums[256];
shared uint ends[256];
shared uint starts[256];
shared uint places[256];
shared uint rows_of[256];
shared uint beyond;
shared uint dropped;
shared uint seen;
shared uint most;
shared uint stop;

// The sum of the values of all threads before this one; `sums[255]` is then the sum of all.
uint before(uint value) {
    uint thread = gl_LocalInvocationID.x;
    barrier();
    sums[thread] = value;
    barrier();
    for (uint step = 1; step < 256; step <<= 1) {
        uint other = thread >= step ? sums[thread - step] : 0;
        barrier();
        sums[thread] += other;
        barrier();
    }
    return sums[thread] - value;
}

uint total_of(uint r) { return (steps & WHOLE) != 0 ? held[r] : state.rows[r].total; }

uint base_of(uint r) { return (steps & WHOLE) != 0 ? bases[r] : state.rows[r].base; }

// Records by slot to records by row, and rows to their parts of the list of offsets; then whether anything may run.
void place_rows() {
    uint thread = gl_LocalInvocationID.x;
    bool whole = (steps & WHOLE) != 0;
    bool first_group = gl_WorkGroupID.x == 0;
    // Read at once: one after the other they would take longer than all the rest.
    uint before_reason = state.reason;
    uint payload_room = state.payload_room;
    uint list_room = state.list_room;
    uint offsets_room = state.offsets_room;
    uint last = state.last_generation;
    uint beyond_before = state.beyond;
    uint used = counters.used;
    uint listed = counters.entries;
    uint sunk = counters.at[slot_count];
    if (thread == 0) {
        beyond = 0;
        dropped = 0;
        seen = 0;
    }
    if (whole) {
        for (uint r = thread; r < row_count; r += 256) held[r] = 0;
        barrier();
        for (uint slot = thread; slot < slot_count; slot += 256) {
            uint total = counters.at[slot];
            if (first_group && keep_slots != 0) history.at[keep_slots + generation * slot_count + slot] = total;
            uint row = slots.at[slot];
            if (total == 0) continue;
            if (row < row_count) atomicAdd(held[row], total);
            else if (row == BEYOND) atomicAdd(beyond, total);
            else atomicAdd(dropped, total);
        }
    }
    barrier();
    uint carry = 0;
    for (uint first = 0; first < row_count; first += HELD_ROWS) {
        uint own[HELD_ROWS / 256];
        uint sum = 0;
        for (uint k = 0; k < HELD_ROWS / 256; k++) {
            uint r = first + thread * (HELD_ROWS / 256) + k;
            uint total = r < row_count ? total_of(r) : 0;
            if (total != 0) seen = 1;
            own[k] = r < row_count && rows.at[r].stride != 0 ? total : 0;
            sum += own[k];
        }
        uint at = carry + before(sum);
        for (uint k = 0; k < HELD_ROWS / 256; k++) {
            uint r = first + thread * (HELD_ROWS / 256) + k;
            if (r < row_count) {
                if (whole) bases[r] = at;
                if (first_group) state.rows[r].base = at;
            }
            at += own[k];
        }
        carry += sums[255];
    }
    if (!whole) memoryBarrierBuffer();
    barrier();
    if (thread == 0) {
        uint reason = before_reason;
        uint needed = 0;
        uint available = 0;
        if (reason == 0) {
            if (used > payload_room) {
                reason = PAYLOAD_FULL;
                needed = used;
                available = payload_room;
            } else if (listed > list_room) {
                reason = LIST_FULL;
                needed = listed;
                available = list_room;
            } else if (sunk != 0) {
                reason = SUNK;
                needed = used;
                available = payload_room;
            } else if (beyond != 0 || beyond_before != 0) {
                reason = RECURSION;
            } else if (carry > offsets_room) {
                reason = OFFSETS_FULL;
                needed = carry;
                available = offsets_room;
            } else if (seen != 0 && generation > last) {
                reason = TOO_DEEP;
            }
            // Another workgroup that sees this gets the same result.
            if (reason != 0 && first_group) end(reason, needed, available);
        }
        if (first_group) {
            if (dropped != 0) atomicAdd(state.dropped, dropped);
            if (keep_slots != 0) history.at[keep_slots - GENERATIONS + generation] = used;
            state.entries = reason != 0 ? 0 : listed;
        }
        stop = reason;
    }
    barrier();
    if (!first_group) return;
    for (uint r = thread; r < row_count; r += 256) {
        Row row = rows.at[r];
        uint owner = row.shares == NONE ? r : row.shares;
        uint total = total_of(owner);
        history.at[generation * row_count + r] = total;
        if (stop != 0) total = 0;
        uint base = base_of(owner);
        uint groups = total / row.per_group + (total % row.per_group != 0 ? 1 : 0);
        uint width = row.launch == FIXED ? row.passes : 1;
        uint lines = groups >> 15;
        state.rows[r].x0 = lines == 0 ? 0 : 32768;
        state.rows[r].y0 = lines;
        state.rows[r].z0 = width;
        state.rows[r].first0 = base;
        state.rows[r].x1 = groups & 32767;
        state.rows[r].y1 = 1;
        state.rows[r].z1 = width;
        state.rows[r].first1 = base + lines * 32768 * row.per_group;
        state.rows[r].end = base + total;
        state.rows[r].cursor[(generation + 1) & 1] = 0;
        state.rows[r].passes[(generation + 1) & 1] = 0;
    }
}

// A record's place, and the grid that it requests.
void take(uint r, uint record, uint place) {
    offsets.at[place] = record;
    uint volume = rows.at[r].volume;
    if ((rows.at[r].flags & NEEDS_PASSES) != 0) {
        Walk of = walk(r, record);
        volume = of.volume;
        atomicMax(state.rows[r].passes[generation & 1], of.passes);
        uint sum = GENERATIONS * row_count + 2 * (generation * row_count + r);
        if (atomicAdd(history.at[sum], volume) > 0xffffffffu - volume) atomicAdd(history.at[sum + 1], 1);
        if (rows.at[r].launch == DYNAMIC && !of.fits) atomicMax(state.grid_row, r + 1);
    }
    if (rows.at[r].tracked != 0) payload.at[(record + rows.at[r].stride - 4) >> 2] = volume;
}

// Some entries of the list, 256 at most, to offsets of records.
void expand(uint first, uint last) {
    uint thread = gl_LocalInvocationID.x;
    bool whole = (steps & WHOLE) != 0;
    uint index = first + thread;
    uint start = 0;
    uint count = 0;
    uint r = NONE;
    if (index < last) {
        uint word = counters.at[list_word + 2 * index];
        start = counters.at[list_word + 2 * index + 1];
        r = (word >> 8) < slot_count ? slots.at[word >> 8] : NONE;
        count = r < row_count ? (word & 255) + 1 : 0;
    }
    uint place = 0;
    barrier();
    if (thread == 0) most = 0;
    if (whole) {
        // One addition a row and workgroup; the first thread of a row makes it.
        if (count != 0) held[r] = 0;
        barrier();
        uint among = count != 0 ? atomicAdd(held[r], count) : 0;
        if (count > 4) atomicMax(most, count);
        barrier();
        if (count != 0 && among == 0) held[r] = atomicAdd(state.rows[r].cursor[generation & 1], held[r]);
        barrier();
        if (count != 0) place = bases[r] + held[r] + among;
    } else {
        barrier();
        if (count > 4) atomicMax(most, count);
        if (count != 0) place = state.rows[r].base + atomicAdd(state.rows[r].cursor[generation & 1], count);
        barrier();
    }
    if (most == 0) {
        for (uint i = 0; i < count; i++) take(r, start + i * rows.at[r].stride, place + i);
        return;
    }
    // Long entries are shared out among all threads.
    uint own = before(count);
    uint all = sums[255];
    ends[thread] = own + count;
    starts[thread] = start;
    places[thread] = place;
    rows_of[thread] = r;
    barrier();
    for (uint i = thread; i < all; i += 256) {
        uint low = 0;
        uint high = 255;
        while (low < high) {
            uint middle = (low + high) / 2;
            if (ends[middle] > i) high = middle;
            else low = middle + 1;
        }
        uint at = i - (low == 0 ? 0 : ends[low - 1]);
        take(rows_of[low], starts[low] + at * rows.at[rows_of[low]].stride, places[low] + at);
    }
}

void main() {
    bool whole = (steps & WHOLE) != 0;
    uint groups = gl_NumWorkGroups.x;
    uint entries = whole ? counters.entries : state.entries;
    // An entry is up to 256 records: few entries are spread over many workgroups, as long as each has some to do.
    uint each = clamp(entries / groups, 32, 256);
    uint first = gl_WorkGroupID.x * each;
    // A workgroup without a part of the list need not know where rows are.
    bool places = (steps & PLACE) != 0 && (gl_WorkGroupID.x == 0 || first < entries);
    if (places) {
        place_rows();
        barrier();
        if (stop != 0) entries = 0;
    }
    if ((steps & EXPAND) == 0) return;
    for (; first < entries; first += groups * each) expand(first, min(first + each, entries));
    // The counters that the next generation writes begin at 0; so do totals that were added up in memory.
    uint mine = gl_GlobalInvocationID.x;
    if (mine == 0) {
        cleared.used = 0;
        cleared.entries = 0;
    }
    uint all = groups * 256;
    for (uint slot = mine; slot <= slot_count; slot += all) cleared.at[slot] = 0;
    if (!whole) {
        for (uint r = mine; r < row_count; r += all) state.rows[r].total = 0;
    }
}
