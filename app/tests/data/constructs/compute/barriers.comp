#version 450
layout(local_size_x = 64) in;
shared uint words[64];
layout(set = 0, binding = 0, r32ui) uniform coherent uimage2D target;
layout(set = 0, binding = 1) coherent volatile restrict buffer Data { uint v[]; } data;
void main() {
    words[gl_LocalInvocationIndex] = 1u;
    memoryBarrierShared(); barrier(); groupMemoryBarrier(); memoryBarrierImage(); memoryBarrierBuffer();
    imageStore(target, ivec2(0), uvec4(words[3]));
    data.v[0] = words[4];
}
