#version 460
// 32x32: all 1,024 invocations that common devices allow. Reads WorkGroupID and NumWorkGroups: see COMPUTE_PGM_RSRC2.
layout(local_size_x = 32, local_size_y = 32) in;

layout(set = 0, binding = 0) buffer Particles { vec4 particles[]; };

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * 1024u + gl_LocalInvocationIndex;
    particles[index] += vec4(0.0, -9.81, 0.0, 0.0) / 60.0;
}
