#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) flat in float16_t a;
layout(location = 1) flat in int b;
layout(location = 2) in float16_t c;
layout(location = 3) in float d;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(a), float(b), float(c), d); }
