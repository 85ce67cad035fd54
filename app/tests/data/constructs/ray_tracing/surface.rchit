#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT vec3 radiance;
hitAttributeEXT vec2 barycentrics;
void main() { radiance = vec3(barycentrics, float(gl_InstanceCustomIndexEXT + gl_PrimitiveID)); }
