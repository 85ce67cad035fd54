#version 460
// Reads a tile of shared memory along rows.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

shared float tile[1024];
void main() {
    uvec2 l = gl_LocalInvocationID.xy;
    uvec2 p = gl_GlobalInvocationID.xy;
    for (uint i = gl_LocalInvocationIndex; i < 1024; i += 256) tile[i] = a[i];
    barrier();
    float sum = 0;
    for (uint i = 0; i < 64; ++i) sum += tile[(l.y * 16 + l.x + i * 16) % 1024];
    b[p.y * N + p.x] = sum;
}
