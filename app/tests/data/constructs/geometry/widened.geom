#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat out float16_t a;
layout(location = 1) flat out int b;
layout(location = 2) out float16_t c;
layout(location = 3) out float d;
void main() {
    a = float16_t(1.0); b = 2; c = float16_t(3.0); d = 4.0;
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
}
