#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in Vertex { vec3 normal; vec2 uv; };
layout(location = 2) perprimitiveEXT in Primitive { flat uint material; };
layout(location = 0) out vec4 color;
void main() { color = vec4(normal, float(material)); }
