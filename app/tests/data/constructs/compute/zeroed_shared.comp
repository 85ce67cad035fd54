#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
shared uint words[128] = { };
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = words[gl_LocalInvocationIndex]; }
