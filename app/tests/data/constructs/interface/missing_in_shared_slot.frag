#version 450
layout(location = 6) in float z;
layout(location = 7) in float a;
layout(location = 8) in float b;
layout(location = 0) out vec4 color;
void main() { color = vec4(z, a, b, 1.0); }
