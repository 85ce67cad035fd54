#version 410
#extension GL_ARB_separate_shader_objects : require
layout(triangles) in;
layout(location = 1) in vec4 a[];
layout(location = 0) out vec4 b;
void main() { b = a[0] + a[2]; gl_Position = gl_in[1].gl_Position; }
