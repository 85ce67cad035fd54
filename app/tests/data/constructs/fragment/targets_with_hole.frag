#version 450
layout(location = 0) out vec4 a;
layout(location = 2) out vec4 c;
void main() { a = vec4(1.0); c = vec4(3.0); }
