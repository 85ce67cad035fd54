#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 3, binding = 0) buffer Bytes { uint v[]; } buffers[];
layout(push_constant) uniform Which { uint from; uint to; } which;
void main() { buffers[nonuniformEXT(which.to + gl_LocalInvocationIndex)].v[0] = buffers[which.from].v[1]; }
