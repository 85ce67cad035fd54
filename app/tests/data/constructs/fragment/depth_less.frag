#version 450
layout(depth_less) out float gl_FragDepth;
layout(location = 0) in float bias;
layout(location = 0) out vec4 color;
void main() { gl_FragDepth = gl_FragCoord.z - bias; color = vec4(1.0); }
