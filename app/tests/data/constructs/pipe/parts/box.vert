#version 450
layout(location = 2) out vec3 n;
void main() { n = vec3(1.0); gl_Position = vec4(n, 1.0); }
