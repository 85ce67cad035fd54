#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { b = vec4(1.0); }
