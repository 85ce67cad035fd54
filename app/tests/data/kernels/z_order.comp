#version 460
// Elements in Z-order.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

uint spread(uint v) {
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}
void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    uint at = spread(p.x) | spread(p.y) << 1;
    for (uint i = 0; i < 8; ++i) sum += a[(at + i * 4096) % (N * N)];
    b[at] = sum;
}
