#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(local_size_x = 4, local_size_y = 2, local_size_z = 1) in;
layout(constant_id = 3) const uint scale = 5u;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = gl_WorkGroupSize.x * scale; }
