#version 450
struct Surface { vec3 normal; float shine; vec2 uv[2]; };
layout(location = 0) in Surface s;
layout(location = 0) out vec4 color;
void main() { color = vec4(s.normal, s.shine) + vec4(s.uv[0], s.uv[1]); }
