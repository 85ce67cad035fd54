#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer reals;
layout(set = 0, binding = 1) uniform itextureBuffer integers;
layout(set = 0, binding = 2, rgba32f) uniform writeonly imageBuffer target;
void main() {
    int i = int(gl_GlobalInvocationID.x);
    imageStore(target, i, texelFetch(reals, i) + vec4(texelFetch(integers, i)));
}
