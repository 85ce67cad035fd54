#version 450
layout(set = 0, binding = 0) buffer Data { uint v[4]; } data;
void main() { data.v[0] = gl_NumWorkGroups.x; }
