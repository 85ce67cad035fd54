#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Root { uint64_t scene; } root;
layout(set = 0, binding = 0) buffer Hits { float v[]; } hits;
void main() {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, accelerationStructureEXT(root.scene), 0, 0xff, vec3(0.0), 0.0, vec3(1.0), 5.0);
    rayQueryProceedEXT(query);
    hits.v[0] = rayQueryGetIntersectionTEXT(query, true);
}
