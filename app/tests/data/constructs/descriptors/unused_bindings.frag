#version 450
layout(set = 0, binding = 0) uniform sampler2D used;
layout(set = 0, binding = 5) uniform sampler2D unused;
layout(set = 2, binding = 0) uniform Block { vec4 v; } never;
layout(location = 0) out vec4 color;
void dead() { color = texture(unused, vec2(0.0)) + never.v; }
void main() { color = texture(used, vec2(0.5)); }
