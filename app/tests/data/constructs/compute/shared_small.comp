#version 450
layout(local_size_x = 64) in;
shared uint counts[100];
shared int total;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() {
    atomicAdd(counts[gl_LocalInvocationIndex], 1u);
    atomicMax(total, 3);
    barrier();
    data.v[gl_LocalInvocationIndex] = counts[99u - gl_LocalInvocationIndex] + uint(total);
}
