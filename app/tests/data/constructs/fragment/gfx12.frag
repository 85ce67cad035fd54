#version 450
layout(location = 0) in vec4 a;
layout(location = 1) flat in int b;
layout(location = 0) out vec4 color;
void main() { color = a * float(b); }
