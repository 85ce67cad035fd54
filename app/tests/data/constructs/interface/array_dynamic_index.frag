#version 450
layout(location = 0) in float a[4];
layout(location = 4) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = vec4(a[which]); }
