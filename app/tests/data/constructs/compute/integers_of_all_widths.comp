#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { int8_t a[16]; uint16_t b[16]; int64_t c[16]; float16_t d[16]; double e[16]; } data;
void main() {
    uint i = gl_LocalInvocationIndex;
    data.c[i] = int64_t(data.a[i]) + int64_t(data.b[i]) + int64_t(data.d[i]) + int64_t(data.e[i]);
}
