#version 460
// A product of matrices, tile by tile through shared memory.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

shared float left[16 * 16];
shared float right[16 * 16];
void main() {
    uvec2 l = gl_LocalInvocationID.xy;
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    for (uint t = 0; t < 8; ++t) {
        left[l.y * 16 + l.x] = a[p.y * N + t * 16 + l.x];
        right[l.y * 16 + l.x] = a[(t * 16 + l.y) * N + p.x];
        barrier();
        for (uint i = 0; i < 16; ++i) sum += left[l.y * 16 + i] * right[i * 16 + l.x];
        barrier();
    }
    b[p.y * N + p.x] = sum;
}
