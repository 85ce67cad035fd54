#version 460
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) in vec3 world;
layout(location = 0) out vec4 color;
void main() {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsTerminateOnFirstHitEXT, 0xff, world, 0.01, vec3(0.0, 1.0, 0.0), 100.0);
    while (rayQueryProceedEXT(query)) { }
    bool lit = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT;
    color = vec4(lit ? 1.0 : 0.2);
}
