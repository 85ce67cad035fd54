#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint v[]; } words;
layout(set = 0, binding = 0) buffer Vectors { vec4 v[]; } vectors;
void main() { words.v[0] = uint(vectors.v[1].x); }
