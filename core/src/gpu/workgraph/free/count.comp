// Records by row, from records by slot.
layout(local_size_x = 256) in;

void main() {
    count_slot(gl_GlobalInvocationID.x);
}
