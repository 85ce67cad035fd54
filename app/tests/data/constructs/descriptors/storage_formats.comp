#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgb10_a2) uniform readonly image2D a;
layout(set = 0, binding = 1, r11f_g11f_b10f) uniform writeonly image2D b;
layout(set = 0, binding = 2, rg16ui) uniform uimage3D c;
layout(set = 0, binding = 3, r8_snorm) uniform image1DArray d;
layout(set = 0, binding = 4, rgba16i) uniform iimageCube e;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(b, at, imageLoad(a, at) + imageLoad(d, at));
    imageStore(c, ivec3(at, 0), uvec4(imageLoad(e, ivec3(at, 1))));
}
