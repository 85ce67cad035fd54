#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D before;
layout(set = 0, binding = 1) buffer After { vec4 v[]; } after;
void main() { after.v[gl_LocalInvocationIndex] = textureLod(before, vec2(0.5), 2.0) + textureGrad(before, vec2(0.5), vec2(0.1), vec2(0.2)); }
