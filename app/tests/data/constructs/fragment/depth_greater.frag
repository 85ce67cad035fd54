#version 450
layout(depth_greater) out float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z + 0.1; }
