#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(location = 0) flat in int64_t a;
layout(location = 1) flat in u64vec2 b;
layout(location = 0) out uvec2 color;
void main() { color = uvec2(uint(a), uint(b.y)); }
