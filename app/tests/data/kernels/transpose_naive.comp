#version 460
// A transpose without shared memory: each side in the other's order.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    b[p.x * N + p.y] = a[p.y * N + p.x];
}
