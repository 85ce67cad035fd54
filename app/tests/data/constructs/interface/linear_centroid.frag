#version 450
layout(location = 4) noperspective centroid in vec2 a;
layout(location = 0) out vec4 color;
void main() { color = a.xyxy; }
