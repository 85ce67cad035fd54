#version 460
// Sixteen 16-bit values, written as four vectors.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

layout(location = 0) in vec4 position;
layout(location = 0) out f16vec4 a;
layout(location = 1) out f16vec3 b;
layout(location = 2) flat out f16vec2 c;
layout(location = 3) out f16vec4 d;
layout(location = 4) out vec2 uv;

void main() {
    gl_Position = position;
    a = f16vec4(position);
    b = f16vec3(position.xyz);
    c = f16vec2(position.xy);
    d = f16vec4(position.wzyx);
    uv = position.xy;
}
