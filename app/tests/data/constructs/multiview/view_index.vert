#version 450
#extension GL_EXT_multiview : require
layout(set = 0, binding = 0) uniform Views { mat4 clip[2]; } views;
layout(location = 0) in vec4 p;
layout(location = 0) out vec3 tint;
void main() { gl_Position = views.clip[gl_ViewIndex] * p; tint = p.xyz; }
