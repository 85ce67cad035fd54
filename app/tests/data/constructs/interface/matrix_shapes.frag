#version 450
layout(location = 0) in mat2x3 a;
layout(location = 2) in mat3x2 b;
layout(location = 0) out vec4 color;
void main() { color = vec4(a[0] + a[1], 0.0) + vec4(b[0] + b[1], b[2]); }
