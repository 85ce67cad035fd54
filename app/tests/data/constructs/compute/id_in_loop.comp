#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() {
    uint at = 0u;
    for (int axis = 0; axis < 3; ++axis)
        at += gl_WorkGroupID[axis];
    data.v[at] = 1u;
}
