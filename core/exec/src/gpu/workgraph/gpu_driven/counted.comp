// The dispatches of a generation as vkd3d-proton makes them (`lanescope_passes::graph::scheduler`), and counters of their
// groups: after `finish`, row by row in a workgroup each.
layout(local_size_x = 256) in;

shared uint sums[256];
// By thread: 64 bits each.
shared uvec2 parts[256];
shared uint kept_before;
shared uint stop;

void add(inout uvec2 sum, uint value) {
    uint carry;
    sum.x = uaddCarry(sum.x, value, carry);
    sum.y += carry;
}

// The sum over all threads.
uvec2 total(uvec2 value) {
    uint thread = gl_LocalInvocationID.x;
    barrier();
    parts[thread] = value;
    barrier();
    for (uint step = 128; step > 0; step >>= 1) {
        if (thread < step) {
            uvec2 sum = parts[thread];
            add(sum, parts[thread + step].x);
            sum.y += parts[thread + step].y;
            parts[thread] = sum;
        }
        barrier();
    }
    return parts[0];
}

// How many of the threads before this one are `true`; `sums[255]` is then the number of all.
uint before(bool value) {
    uint thread = gl_LocalInvocationID.x;
    barrier();
    sums[thread] = value ? 1 : 0;
    barrier();
    for (uint step = 1; step < 256; step <<= 1) {
        uint other = thread >= step ? sums[thread - step] : 0;
        barrier();
        sums[thread] += other;
        barrier();
    }
    return sums[thread] - (value ? 1 : 0);
}

uvec2 times(uint one, uint other) {
    uvec2 product;
    umulExtended(one, other, product.y, product.x);
    return product;
}

void count(uint r) {
    uint thread = gl_LocalInvocationID.x;
    barrier();
    if (thread == 0) {
        stop = state.reason;
        kept_before = 0;
    }
    barrier();
    uint first = state.rows[r].first0;
    uint records = state.rows[r].end - first;
    bool is_counted = (rows.at[r].flags & COUNTED) != 0;
    if (stop != 0 || records == 0 || !is_counted) return;
    bool is_dynamic = rows.at[r].launch == DYNAMIC;
    uint launch = rows.at[r].launch;
    uint per_group = rows.at[r].per_group;
    uint groups = records / per_group + (records % per_group != 0 ? 1 : 0);
    uint started = groups;
    uint non_empty = records;
    uint width = 1;
    uvec2 asked = uvec2(groups, 0);
    uvec2 passes = asked;
    uvec2 idle = uvec2(0);
    if (launch == FIXED || is_dynamic) {
        width = max(rows.at[r].most >> findMSB(max(records >> 2, 1)), 1);
    }
    if (launch == FIXED) {
        asked = times(records, rows.at[r].volume);
        passes = asked;
    }
    if (is_dynamic) {
        bool drops = (rows.at[r].flags & DROPS) != 0 && records < rows.at[r].drops_below;
        uvec2 own_asked = uvec2(0);
        uvec2 own_passes = uvec2(0);
        uvec2 own_filled = uvec2(0);
        for (uint at = 0; at < records; at += 256) {
            uint record = at + thread < records ? offsets.at[first + at + thread] : 0;
            Walk of = Walk(0, 0, true);
            if (at + thread < records) of = walk(r, record);
            bool keeps = of.volume != 0;
            add(own_asked, of.volume);
            add(own_passes, of.passes);
            add(own_filled, keeps ? 1 : 0);
            // Places are at most those that were read.
            uint place = before(keeps);
            uint all = sums[255];
            uint base = kept_before;
            barrier();
            if (drops && keeps) offsets.at[first + base + place] = record;
            if (thread == 0) kept_before = base + all;
            barrier();
        }
        asked = total(own_asked);
        barrier();
        passes = total(own_passes);
        barrier();
        non_empty = total(own_filled).x;
        barrier();
        if (drops) {
            started = non_empty;
            // 32 bits and a division of floats, as there.
            width = max(width, min(uint(float(asked.x) / float(max(non_empty, 1))), MAX_WIDTH));
        }
        memoryBarrierBuffer();
        barrier();
        uvec2 own_idle = uvec2(0);
        for (uint at = thread; at < started; at += 256) {
            uint its = walk(r, offsets.at[first + at]).passes;
            add(own_idle, its < width ? width - its : 0);
        }
        idle = total(own_idle);
    }
    if (thread != 0) return;
    uint lines = started >> 15;
    state.rows[r].x0 = lines == 0 ? 0 : 32768;
    state.rows[r].y0 = lines;
    state.rows[r].z0 = width;
    state.rows[r].x1 = started & 32767;
    state.rows[r].y1 = 1;
    state.rows[r].z1 = width;
    state.rows[r].first1 = first + lines * 32768 * per_group;
    if (is_dynamic) state.rows[r].end = first + started;
    uint at = keep_counts + COUNTS * (generation * row_count + r);
    // What is dispatched, as the dispatches say it.
    uvec2 whole = times(state.rows[r].x0 * state.rows[r].y0, state.rows[r].z0);
    uvec2 rest = times(state.rows[r].x1 * state.rows[r].y1, state.rows[r].z1);
    add(whole, rest.x);
    whole.y += rest.y;
    history.at[at] = 1;
    history.at[at + 1] = non_empty;
    history.at[at + 2] = asked.x;
    history.at[at + 3] = asked.y;
    history.at[at + 4] = whole.x;
    history.at[at + 5] = whole.y;
    history.at[at + 6] = passes.x;
    history.at[at + 7] = passes.y;
    history.at[at + 8] = idle.x;
    history.at[at + 9] = idle.y;
}

void main() {
    for (uint r = gl_WorkGroupID.x; r < row_count; r += gl_NumWorkGroups.x) count(r);
}
