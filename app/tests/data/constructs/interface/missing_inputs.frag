#version 450
layout(location = 0) in vec4 a;
layout(location = 2) in vec4 b;
layout(location = 0) out vec4 color;
void main() { color = a + b; }
