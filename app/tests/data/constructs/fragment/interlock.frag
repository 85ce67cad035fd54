#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 0, rgba16f) uniform coherent image2D blend;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    beginInvocationInterlockARB();
    imageStore(blend, at, imageLoad(blend, at) * 0.5);
    endInvocationInterlockARB();
}
