#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_quadsNV) in;
layout(local_size_x_id = 0, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Data { vec2 v[]; } data;
void main() { data.v[0] = dFdx(data.v[1]); }
