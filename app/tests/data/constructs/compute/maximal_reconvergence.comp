#version 450
#extension GL_EXT_maximal_reconvergence : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() [[maximally_reconverges]] {
    while (subgroupAny(data.v[gl_LocalInvocationIndex] > 0u))
        data.v[gl_LocalInvocationIndex] >>= 1;
}
