#version 450
layout(local_size_x = 64) in;
layout(set = 1, binding = 0) uniform Small { vec4 v; } small[3];
layout(set = 1, binding = 1) buffer Data { vec4 v[]; } data[2];
void main() { data[1].v[gl_LocalInvocationIndex] = small[0].v + small[2].v; }
