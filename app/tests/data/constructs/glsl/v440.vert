#version 440
layout(location = 1, component = 2) out vec2 a;
void main() { a = vec2(1.0); gl_Position = vec4(a, a); }
