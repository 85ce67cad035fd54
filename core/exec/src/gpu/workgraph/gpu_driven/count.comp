// Records by row, from records by slot, where there are more slots than one workgroup counts.
layout(local_size_x = 256) in;

void main() {
    uint slot = gl_GlobalInvocationID.x;
    if (slot >= slot_count) return;
    uint total = counters.at[slot];
    if (keep_slots != 0) history.at[keep_slots + generation * slot_count + slot] = total;
    if (total == 0) return;
    uint row = slots.at[slot];
    if (row < row_count) atomicAdd(state.rows[row].total, total);
    else if (row == BEYOND) atomicAdd(state.beyond, total);
    else atomicAdd(state.dropped, total);
}
