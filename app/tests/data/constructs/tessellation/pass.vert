#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec3 tangent;
layout(location = 2) out vec2 unread;
void main() { normal = p.xyz; tangent = p.yzw; unread = p.xy; gl_Position = p; }
