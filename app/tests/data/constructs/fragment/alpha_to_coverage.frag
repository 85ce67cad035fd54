#version 450
layout(location = 0) out vec4 a;
void main() { a = vec4(1.0); }
