#version 460
#extension GL_EXT_ray_tracing : require
layout(set = 1, binding = 1) readonly buffer Colors { vec4 colors[]; };
layout(location = 0) rayPayloadInEXT vec3 color;
hitAttributeEXT vec2 weights;
void main() { color = colors[gl_InstanceCustomIndexEXT].rgb * weights.x; }
