#version 450
#extension GL_EXT_multiview : require
layout(location = 0) in vec3 tint;
layout(location = 0) out vec4 color;
void main() { color = vec4(tint, float(gl_ViewIndex)); }
