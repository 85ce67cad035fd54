#version 450
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    vec2 other = subgroupQuadSwapHorizontal(uv);
    uint live = subgroupBallotBitCount(subgroupBallot(true));
    color = vec4(other, uv) * float(live);
}
