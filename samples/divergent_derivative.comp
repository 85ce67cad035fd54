#version 450
#extension GL_NV_compute_shader_derivatives : require
// A derivative in divergent control flow: half of each quad is inactive.
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;

layout(binding = 0) buffer Slopes { float slopes[64]; };

void main() {
    vec2 at = vec2(gl_LocalInvocationID.xy) * vec2(2.0, 3.0);
    float slope = 0.0;
    if ((gl_LocalInvocationID.x & 1u) == 0u) {
        slope = dFdy(at.y) + dFdx(at.x);
    }
    slopes[gl_LocalInvocationID.y * 8u + gl_LocalInvocationID.x] = slope;
}
