#version 450
layout(location = 7) out float a;
layout(location = 8) out float b;
void main() { a = 1.0; b = 2.0; gl_Position = vec4(a); }
