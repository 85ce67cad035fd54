#version 450
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uvec2 v[]; } data;
void main() { data.v[gl_LocalInvocationIndex] = clock2x32ARB() + clockRealtime2x32EXT(); }
