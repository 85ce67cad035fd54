#version 450
layout(location = 1) out vec4 a;
void main() { a = vec4(1.0); gl_Position = a; }
