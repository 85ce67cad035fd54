#version 460
// Eight varyings in eight locations: four slots in today's order, three in the design note's.
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(location = 0) in vec3 v1;
layout(location = 1) in float v2;
layout(location = 2) flat in int64_t v3;
layout(location = 3) flat in i16vec2 v4;
layout(location = 4) in float16_t v5;
layout(location = 5) in float16_t v6;
layout(location = 6) in float16_t v7;
layout(location = 7) in float16_t v8;

layout(location = 0) out vec4 color;

void main() {
    float id = float(int(v3) & 255) / 255.0 + float(v4.x + v4.y) / 255.0;
    color = vec4(v1, v2) * float(v5 + v6 + v7 + v8) + id;
}
