#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform Ink { float a[5]; vec2 b[3]; } ink;
layout(set = 0, binding = 0) buffer Data { vec2 v; } data;
void main() { data.v = ink.b[2] + ink.a[4]; }
