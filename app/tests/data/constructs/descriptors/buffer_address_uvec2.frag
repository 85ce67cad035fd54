#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) readonly buffer Colors { vec4 v[]; };
layout(location = 0) flat in uvec2 address;
layout(location = 1) flat in uint at;
layout(location = 0) out vec4 color;
void main() { color = Colors(address).v[at]; }
