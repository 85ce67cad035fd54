#version 450
layout(location = 0) flat out float a;
void main() { a = 1.0; gl_Position = vec4(a); }
