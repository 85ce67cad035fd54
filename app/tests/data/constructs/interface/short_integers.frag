#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(location = 0) flat in i16vec3 a;
layout(location = 1) flat in uint16_t b;
layout(location = 2) flat in int c;
layout(location = 0) out ivec4 color;
void main() { color = ivec4(a, int(b)) + c; }
