// Grids that records ask for are known now: how many workgroups share a record.
layout(local_size_x = 256) in;

shared uint stop;

void main() {
    if (gl_LocalInvocationID.x == 0) {
        if (state.reason == 0 && state.grid_row != 0) {
            state.row = state.grid_row - 1;
            end(GRID_BEYOND, 0, 0);
        }
        stop = state.reason;
    }
    barrier();
    for (uint r = gl_LocalInvocationID.x; r < row_count; r += 256) {
        if (stop != 0) {
            state.rows[r].x0 = 0;
            state.rows[r].x1 = 0;
        } else if (rows.at[r].launch == DYNAMIC) {
            uint owner = rows.at[r].shares == NONE ? r : rows.at[r].shares;
            uint passes = state.rows[owner].passes[generation & 1];
            uint width = min(passes, 65535);
            uint records = state.rows[r].end - state.rows[r].first0;
            // Many records of unlike grids: workgroups that find nothing to do are not free.
            if ((rows.at[r].flags & FULL_WIDTH) == 0 && records != 0 && width > 4194304 / records) {
                width = max(max(4194304 / records, (passes + 65534) / 65535), 1);
            }
            state.rows[r].z0 = width;
            state.rows[r].z1 = width;
        }
    }
}
