#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in f16vec4 a;
layout(location = 1) in f16vec2 b;
layout(location = 2) in float c;
layout(location = 0) out vec4 color;
void main() { color = vec4(a) + vec4(b, b) + c; }
