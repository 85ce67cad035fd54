#version 450
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec3 c;
layout(location = 3) in vec3 d;
layout(location = 0) out vec4 color;
void main() { color = vec4(a + b + c + d, 1.0); }
