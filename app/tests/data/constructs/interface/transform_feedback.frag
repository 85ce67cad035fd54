#version 450
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = uv.xyxy; }
