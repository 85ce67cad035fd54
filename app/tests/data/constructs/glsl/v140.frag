#version 140
#extension GL_ARB_shading_language_420pack : require
in vec4 tint;
out vec4 color;
void main() { color = tint; }
