#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 3) in float16_t a;
layout(location = 0) out vec4 color;
void main() { color = vec4(a); }
