#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_quadsNV) in;
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D before;
layout(set = 0, binding = 1) writeonly buffer After { vec4 v[]; } after;
void main() { after.v[gl_LocalInvocationIndex] = texture(before, vec2(gl_LocalInvocationID.xy) / 8.0); }
