#version 460
// Reads down columns, in workgroups of 32×8.
layout(local_size_x = 32, local_size_y = 8) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    for (uint i = 0; i < 8; ++i) sum += a[p.x * N + (p.y + i) % N];
    b[p.y * N + p.x] = sum;
}
