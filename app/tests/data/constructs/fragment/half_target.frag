#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) out f16vec4 a;
void main() { a = f16vec4(1.0); }
