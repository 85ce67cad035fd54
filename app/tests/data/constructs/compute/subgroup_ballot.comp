#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uvec4 v[]; } data;
void main() {
    uvec4 b = subgroupBallot(data.v[gl_LocalInvocationIndex].x > 3u);
    bool first = subgroupElect() || subgroupAllEqual(b.x) || subgroupInverseBallot(b);
    data.v[gl_LocalInvocationIndex] = first ? b : uvec4(subgroupBallotFindMSB(b), subgroupBroadcastFirst(b.y), gl_SubgroupLtMask.xy);
}
