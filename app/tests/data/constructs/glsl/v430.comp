#version 430
layout(local_size_x = 16, local_size_y = 2, local_size_z = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() { v[gl_LocalInvocationIndex] = uint(v.length()); }
