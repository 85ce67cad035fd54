#version 450
layout(local_size_x = 1024) in;
shared float partial[1024];
layout(set = 0, binding = 0) buffer Data { float v[]; } data;
void main() {
    uint i = gl_LocalInvocationIndex;
    partial[i] = data.v[gl_GlobalInvocationID.x];
    for (uint step = 512u; step > 0u; step >>= 1) {
        barrier();
        if (i < step)
            partial[i] += partial[i + step];
    }
    if (i == 0u)
        data.v[gl_WorkGroupID.x] = partial[0];
}
