#version 460
// Blocks of 8×8 elements, one after the other.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    uint block = (p.y / 8) * (N / 8) + p.x / 8;
    uint at = block * 64 + (p.y % 8) * 8 + p.x % 8;
    for (uint i = 0; i < 8; ++i) sum += a[(at + i * 4096) % (N * N)];
    b[at] = sum;
}
