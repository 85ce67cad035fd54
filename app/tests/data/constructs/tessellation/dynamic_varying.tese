#version 450
layout(triangles) in;
layout(location = 0) in vec4 picked[];
void main() { gl_Position = picked[0] + picked[1] + picked[2]; }
