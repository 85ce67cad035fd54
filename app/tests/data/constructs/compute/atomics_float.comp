#version 460
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float v[]; } data;
layout(set = 0, binding = 1, r32f) uniform image2D target;
shared float sum;
void main() {
    atomicAdd(sum, data.v[gl_LocalInvocationIndex]);
    atomicMax(data.v[0], sum);
    imageAtomicAdd(target, ivec2(0), 1.0);
}
