#version 450
layout(location = 1) in vec4 a;
layout(location = 2) flat in uvec4 b;
layout(location = 4) in vec2 c;
layout(location = 0) out vec4 color;
void main() { color = a + vec4(b) + c.xyxy; }
