#version 330
#extension GL_ARB_separate_shader_objects : require
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 color;
void main() { color = tint; }
