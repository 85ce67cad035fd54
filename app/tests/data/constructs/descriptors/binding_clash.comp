#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint v[]; } words;
layout(set = 0, binding = 0) uniform sampler2D image;
void main() { words.v[0] = uint(textureLod(image, vec2(0.0), 0.0).x); }
