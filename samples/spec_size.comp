#version 460
// The size is made of specialization constants: --spec 0=24 --spec 1=4 --reconfig changes the layout.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 1) in;
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 2) const bool invert = false;

layout(set = 0, binding = 0, r32ui) uniform uimage2D image;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uint value = imageLoad(image, at).x;
    imageStore(image, at, uvec4(invert ? ~value : value + 1u));
}
