#version 450
layout(location = 7) in vec2 read;
layout(location = 0) out vec4 color;
void main() { color = read.xyxy; }
