#version 450
layout(location = 0) out vec3 n;
layout(location = 1) out vec3 t;
void main() { n = vec3(1.0); t = vec3(2.0); gl_Position = vec4(1.0); }
