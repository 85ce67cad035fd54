#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = 1u; }
