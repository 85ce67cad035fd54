#version 450
layout(location = 0, component = 0) in float a;
layout(location = 0, component = 1) in vec2 b;
layout(location = 1, component = 3) in float c;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, b, c); }
