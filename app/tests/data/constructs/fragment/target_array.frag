#version 450
layout(location = 1) out vec4 a[2];
void main() { a[0] = vec4(1.0); a[1] = vec4(2.0); }
