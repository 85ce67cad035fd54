#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 3) in vec2 uv;
layout(location = 5) in vec4 tint;
layout(location = 1) flat perprimitiveEXT in int id;
layout(location = 0) out vec4 color;
void main() { color = tint * uv.xyxy * float(id); }
