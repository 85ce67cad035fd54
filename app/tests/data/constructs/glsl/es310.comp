#version 310 es
layout(local_size_x = 4, local_size_y = 4) in;
layout(std430, binding = 2) buffer Data { highp uint v[]; } data;
shared highp uint words[16];
void main() { words[gl_LocalInvocationIndex] = 1u; barrier(); data.v[gl_LocalInvocationIndex] = words[0]; }
