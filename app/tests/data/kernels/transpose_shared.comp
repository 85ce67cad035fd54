#version 460
// A transpose through shared memory without padding: columns of the tile are in one bank or two.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

shared float tile[16 * 16];
void main() {
    uvec2 l = gl_LocalInvocationID.xy;
    uvec2 g = gl_WorkGroupID.xy * 16;
    tile[l.y * 16 + l.x] = a[(g.y + l.y) * N + g.x + l.x];
    barrier();
    b[(g.x + l.y) * N + g.y + l.x] = tile[l.x * 16 + l.y];
}
