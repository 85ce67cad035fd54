#version 450
layout(location = 0) flat in ivec2 a;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, a); }
