#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void add(in vec4 x, inout vec4 y, out float z) { y += x; z = y.w; }
void main() { vec4 s = vec4(0.0); float t; add(a.xxyy, s, t); color = s * t; }
