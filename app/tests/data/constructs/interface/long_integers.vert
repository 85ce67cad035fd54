#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(location = 0) flat out int64_t a;
layout(location = 1) flat out u64vec2 b;
void main() {
    a = int64_t(gl_VertexIndex);
    b = u64vec2(gl_InstanceIndex);
    gl_Position = vec4(0.0);
}
