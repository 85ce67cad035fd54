#version 450
layout(location = 0, component = 0) in vec2 a;
layout(location = 0, component = 2) in vec2 b;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, b); }
