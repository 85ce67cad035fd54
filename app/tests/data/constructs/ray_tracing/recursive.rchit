#version 460
#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadInEXT vec3 radiance;
layout(location = 1) rayPayloadEXT bool hidden;
layout(push_constant) uniform Push { vec3 sun; uint depth; } push;
void main() {
    hidden = true;
    vec3 from = gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT;
    traceRayEXT(scene, gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT, 0xff, 0, 0, 1, from, 0.01, push.sun, 1e3, 1);
    radiance = hidden ? vec3(0.1) : vec3(1.0);
}
