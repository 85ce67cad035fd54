#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec2 c;
void main() { a = vec4(1.0); b = vec4(2.0); c = vec2(3.0); }
