#version 460
// The vertex shader before design_note.frag: writes all eight varyings.
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(location = 0) in vec3 position;

layout(location = 0) out vec3 v1;
layout(location = 1) out float v2;
layout(location = 2) flat out int64_t v3;
layout(location = 3) flat out i16vec2 v4;
layout(location = 4) out float16_t v5;
layout(location = 5) out float16_t v6;
layout(location = 6) out float16_t v7;
layout(location = 7) out float16_t v8;

void main() {
    gl_Position = vec4(position, 1.0);
    v1 = position * 0.5 + 0.5;
    v2 = position.z;
    v3 = int64_t(gl_VertexIndex);
    v4 = i16vec2(gl_VertexIndex, gl_InstanceIndex);
    v5 = float16_t(position.x);
    v6 = float16_t(position.y);
    v7 = float16_t(position.z);
    v8 = float16_t(1.0);
}
