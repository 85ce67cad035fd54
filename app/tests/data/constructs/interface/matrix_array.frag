#version 450
layout(location = 0) in mat2 m[3];
layout(location = 0) out vec4 color;
void main() { color = vec4(m[1][0], m[2][1]); }
