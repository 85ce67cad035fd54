#version 450
layout(depth_unchanged) out float gl_FragDepth;
layout(location = 0) out vec4 color;
void main() { gl_FragDepth = gl_FragCoord.z; color = vec4(1.0); }
