#version 450
layout(location = 0) flat in int which;
layout(location = 17) in vec4 steps[4];
layout(location = 0) out vec4 color;
void main() { color = interpolateAtOffset(steps[which], vec2(0.0)); }
