#version 450
layout(set = 0, binding = 0) uniform A { vec4 v; } a;
layout(set = 1, binding = 0) uniform B { vec4 v; } b;
layout(set = 2, binding = 0) uniform C { vec4 v; } c;
layout(set = 3, binding = 0) uniform D { vec4 v; } d;
layout(push_constant) uniform E { vec4 v; } e;
layout(location = 0) out vec4 color;
void main() { color = a.v + b.v + c.v + d.v + e.v; }
