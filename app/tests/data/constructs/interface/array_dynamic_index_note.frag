#version 450
layout(location = 2) in vec2 a[3];
layout(location = 6) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = a[which].xyxy; }
