#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_rotate : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { vec4 v[]; } data;
void main() {
    float x = data.v[gl_LocalInvocationIndex].x;
    data.v[gl_LocalInvocationIndex] = vec4(subgroupShuffle(x, 3), subgroupShuffleXor(x, 1), subgroupShuffleUp(x, 2), subgroupRotate(x, 5));
}
