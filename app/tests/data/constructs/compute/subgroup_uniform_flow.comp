#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_subgroup_uniform_control_flow : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() [[subgroup_uniform_control_flow]] {
    if (data.v[gl_LocalInvocationIndex] > 2u)
        data.v[gl_LocalInvocationIndex] = subgroupBallotBitCount(subgroupBallot(true));
}
