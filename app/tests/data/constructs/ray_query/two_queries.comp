#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_ray_tracing_position_fetch : require
layout(local_size_x = 32) in;
layout(set = 1, binding = 3) uniform accelerationStructureEXT scenes[2];
layout(set = 0, binding = 0) buffer Hits { vec3 v[]; } hits;
void main() {
    rayQueryEXT queries[2];
    for (int i = 0; i < 2; ++i) {
        rayQueryInitializeEXT(queries[i], scenes[i], gl_RayFlagsOpaqueEXT, 1, vec3(0.0), 0.0, vec3(1.0), 5.0);
        rayQueryProceedEXT(queries[i]);
    }
    vec3 places[3];
    rayQueryGetIntersectionTriangleVertexPositionsEXT(queries[1], true, places);
    hits.v[gl_LocalInvocationIndex] = places[2];
}
