#version 450 compatibility
layout(location = 0) noperspective in float a;
layout(location = 0) out vec4 color;
void main() { color = vec4(a); }
