#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform Ink { layout(row_major) mat4x3 m; float tail; } ink;
layout(set = 0, binding = 0) buffer Data { vec3 v; } data;
void main() { data.v = ink.m * vec4(1.0) * ink.tail; }
