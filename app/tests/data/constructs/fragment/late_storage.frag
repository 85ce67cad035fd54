#version 450
layout(set = 0, binding = 3, r32ui) uniform writeonly uimage2D target;
void main() { imageStore(target, ivec2(gl_FragCoord.xy), uvec4(1u)); }
