#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Hits { vec4 v[]; } hits;
void main() {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xff, vec3(0.0), 0.0, vec3(0.0, 0.0, 1.0), 10.0);
    while (rayQueryProceedEXT(query)) {
        if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT)
            rayQueryConfirmIntersectionEXT(query);
        else
            rayQueryGenerateIntersectionEXT(query, 1.0);
    }
    hits.v[gl_LocalInvocationIndex] = vec4(rayQueryGetIntersectionBarycentricsEXT(query, true), rayQueryGetIntersectionTEXT(query, true), float(rayQueryGetIntersectionInstanceCustomIndexEXT(query, true)));
}
