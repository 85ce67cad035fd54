#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 16) in;
layout(push_constant) uniform Small { uint8_t a; uint16_t b; float16_t c; uint64_t d; } small;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = uint(small.a) + uint(small.b) + uint(small.c) + uint(small.d); }
