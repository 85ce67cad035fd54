#version 460
// 5x6x7: X is odd, so no layout applies whatever is asked for. The decision list says which rule failed, and why.
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 5, local_size_y = 6, local_size_z = 7) in;

layout(set = 0, binding = 0) buffer Cells { uint cells[]; };

void main() {
    cells[gl_LocalInvocationIndex] = gl_SubgroupInvocationID;
}
