#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared/nowhere.glsl"
void main() { }
