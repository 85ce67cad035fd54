#version 460
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint64_t v[]; } data;
void main() { atomicMin(data.v[0], uint64_t(gl_LocalInvocationIndex)); atomicCompSwap(data.v[1], 0ul, 1ul); }
