#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(location = 0) in ivec4 p;
layout(location = 0) flat out i16vec3 a;
layout(location = 1) flat out uint16_t b;
layout(location = 2) flat out int c;
void main() {
    a = i16vec3(p.xyz);
    b = uint16_t(p.w);
    c = p.x;
    gl_Position = vec4(p);
}
