#version 450
layout(local_size_x = 64) in;
shared vec4 scratch[64];
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = 1u; }
