#version 450
layout(location = 0) in float a[4];
layout(location = 0) out vec2 color;
void main() { color = vec2(a[0], a[3]); }
