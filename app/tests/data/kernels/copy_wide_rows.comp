#version 460
// A copy of 16 bytes an invocation, row by row.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 0, std430) readonly buffer In { vec4 a[1024 * 1024]; };
layout(binding = 1, std430) writeonly buffer Out { vec4 b[1024 * 1024]; };

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    b[p.y * N + p.x] = a[p.y * N + p.x];
}
