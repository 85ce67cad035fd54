#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 7) uniform image2D a;
layout(set = 0, binding = 9) uniform image2DMS b;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(a, at, imageLoad(a, at + 1) + imageLoad(b, at, 3));
}
