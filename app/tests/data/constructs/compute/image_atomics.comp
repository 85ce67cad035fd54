#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 2, binding = 1, r32ui) uniform coherent uimage2DArray counters;
layout(set = 2, binding = 4, r32i) uniform iimageBuffer totals;
void main() {
    imageAtomicOr(counters, ivec3(gl_GlobalInvocationID), 1u);
    imageAtomicExchange(totals, 3, int(gl_LocalInvocationIndex));
}
