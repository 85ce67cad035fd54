#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// A result that depends on the wave size: each subgroup writes its own sum.
layout(local_size_x = 64) in;

layout(binding = 0) buffer Sums { uint sums[64]; };

void main() {
    uint sum = subgroupAdd(gl_LocalInvocationIndex);
    if (subgroupElect()) {
        sums[gl_SubgroupID] = sum;
    }
}
