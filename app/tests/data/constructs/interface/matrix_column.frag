#version 450
layout(location = 1) in mat4 m;
layout(location = 0) out vec4 color;
void main() { color = m[2]; }
