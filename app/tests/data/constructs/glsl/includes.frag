#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared/lighting.glsl"
#include "shared/lighting.glsl"
layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 color;
void main() { color = vec4(shade(normal), 1.0); }
