#version 460
// 16-bit inputs: eight to a slot, low and high halves. Flat ones never share with interpolated ones.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

layout(location = 0) in f16vec4 a;
layout(location = 1) in f16vec3 b;
layout(location = 2) flat in f16vec2 c;
layout(location = 3) in f16vec4 d;
layout(location = 4) in vec2 uv;

layout(location = 0) out vec4 color;

void main() {
    f16vec4 sum = a + f16vec4(b, float16_t(1.0)) * d.x + d.w;
    color = vec4(sum) + vec4(c, uv);
}
