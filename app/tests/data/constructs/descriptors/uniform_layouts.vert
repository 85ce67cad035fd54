#version 450
#extension GL_EXT_scalar_block_layout : require
layout(set = 0, binding = 0, std140) uniform A { mat3 m; float f[2]; } a;
layout(set = 0, binding = 1, scalar) uniform B { vec3 p; float q; vec3 r[2]; } b;
layout(set = 1, binding = 0, std430) readonly buffer C { vec3 s; vec2 t[]; } c;
void main() { gl_Position = vec4(a.m * b.p + b.r[1] + c.s, a.f[1] + c.t[gl_VertexIndex].x); }
