#version 460
// 16x16: try --reconfig, and --wave 32 against --wave 64: a wave covers 8x4 or 8x8 in place of two or four rows.
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0, rgba8) uniform readonly image2D source;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D target;

shared vec4 tile[16][16];

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec2 local = gl_LocalInvocationID.xy;
    tile[local.y][local.x] = imageLoad(source, at);
    barrier();
    vec4 sum = tile[local.y][local.x] + tile[local.y][local.x ^ 1u] + tile[local.y ^ 1u][local.x];
    imageStore(target, at, sum / 3.0);
}
