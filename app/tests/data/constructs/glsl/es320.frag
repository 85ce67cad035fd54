#version 320 es
precision highp float;
layout(location = 2) in vec3 a;
layout(location = 4) flat in highp int b;
layout(location = 1) out vec4 color;
void main() { color = vec4(a, float(b)); }
