#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 6) out vec3 c;
void main() { a = vec4(1.0); b = vec4(2.0); c = vec3(3.0); gl_Position = a; }
