#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uvec4 v[]; } data;
void main() {
    uint x = data.v[gl_LocalInvocationIndex].x;
    data.v[gl_LocalInvocationIndex] = uvec4(subgroupAdd(x), subgroupInclusiveMax(x), subgroupExclusiveXor(x), subgroupClusteredMin(x, 8));
}
