#version 450
layout(location = 2) in vec2 a;
layout(location = 5) in vec2 b;
layout(location = 9) flat in int c;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, b) + float(c); }
