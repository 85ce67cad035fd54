#version 450
layout(quads, fractional_odd_spacing, cw) in;
layout(location = 0) in vec4 sum[];
void main() { gl_Position = mix(sum[0], sum[3], gl_TessCoord.x); }
