#version 460
// Sixteen elements, each far from the one before.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    for (uint i = 0; i < 16; ++i) sum += a[(p.y * N + p.x + i * 66049u) % (N * N)];
    b[p.y * N + p.x] = sum;
}
