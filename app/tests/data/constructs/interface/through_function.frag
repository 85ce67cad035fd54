#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
float pick(vec4 from) { return from.z; }
void main() { color = vec4(pick(a), b.x, 0.0, 1.0); }
