#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer Words { uint v[]; };
layout(push_constant) uniform Root { uvec2 address; } root;
void main() { Words(root.address).v[0] = 1u; }
