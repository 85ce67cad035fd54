#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in float16_t a;
layout(location = 2) in f16vec3 b;
layout(location = 5) flat in float16_t c;
layout(location = 6) flat in ivec2 d;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, b.x, b.z, c) + vec4(d, d); }
