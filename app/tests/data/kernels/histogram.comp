#version 460
// Counts in shared memory, by the low bits of the column.
layout(local_size_x = 16, local_size_y = 16) in;
const uint N = 1024;
layout(binding = 1, std430) buffer Out { uint b[64]; };

shared uint counts[64];
void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    if (gl_LocalInvocationIndex < 64) counts[gl_LocalInvocationIndex] = 0;
    barrier();
    for (uint i = 0; i < 32; ++i) atomicAdd(counts[(p.x + i) % 64], 1);
    barrier();
    if (gl_LocalInvocationIndex < 64) atomicAdd(b[gl_LocalInvocationIndex], counts[gl_LocalInvocationIndex]);
}
