#version 450
layout(location = 0) in vec4 world;
layout(location = 0) out vec4 color;
void main() { color = world * float(gl_Layer + gl_PrimitiveID + gl_ViewportIndex); }
