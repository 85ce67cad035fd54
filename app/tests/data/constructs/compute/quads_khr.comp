#version 450
#extension GL_KHR_compute_shader_derivatives : require
layout(derivative_group_quadsKHR) in;
layout(local_size_x = 6, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Data { vec2 v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = fwidth(data.v[gl_LocalInvocationIndex]); }
