#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Data { uvec4 v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = uvec4(gl_SubgroupSize, gl_SubgroupID, gl_NumSubgroups, gl_SubgroupInvocationID); }
