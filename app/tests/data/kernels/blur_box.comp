#version 460
// 3×3 taps.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { float a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { float b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float sum = 0;
    for (uint y = 0; y < 3; ++y)
        for (uint x = 0; x < 3; ++x) sum += a[min(p.y + y, N - 1) * N + min(p.x + x, N - 1)];
    b[p.y * N + p.x] = sum;
}
