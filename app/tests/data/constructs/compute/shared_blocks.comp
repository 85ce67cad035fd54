#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
shared First { uint words[256]; } first;
shared Second { vec2 pairs[64]; } second;
layout(set = 0, binding = 0) buffer Data { vec2 v[]; } data;
void main() {
    first.words[gl_LocalInvocationIndex] = 3u;
    barrier();
    data.v[gl_LocalInvocationIndex] = second.pairs[gl_LocalInvocationIndex];
}
