#version 460
// 8x8 with derivative quads: four consecutive lanes run a 2x2 block. Compare with --derivatives none.
#extension GL_NV_compute_shader_derivatives : require

layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D target;

void main() {
    vec2 uv = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 256.0;
    float slope = length(vec2(dFdx(uv.x), dFdy(uv.y)));
    imageStore(target, ivec2(gl_GlobalInvocationID.xy), texture(source, uv) * slope);
}
