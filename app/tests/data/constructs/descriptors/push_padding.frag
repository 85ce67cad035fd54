#version 450
layout(push_constant) uniform Ink { vec3 a; vec4 b; } ink;
layout(location = 0) out vec4 color;
void main() { color = ink.b + vec4(ink.a, 1.0); }
