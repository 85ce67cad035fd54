#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in vec4 p;
layout(location = 0) out f16vec4 a;
layout(location = 1) out f16vec2 b;
layout(location = 2) out float c;
void main() {
    a = f16vec4(p);
    b = f16vec2(p.zw);
    c = p.x;
    gl_Position = p;
}
