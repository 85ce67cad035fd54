#version 450
layout(location = 0) in vec2 a;
layout(location = 1) in vec3 b;
layout(location = 2) in float c;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, c, 1.0) * vec4(b, 1.0); }
