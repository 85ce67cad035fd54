#version 450
layout(location = 0) out float a;
layout(location = 3) out vec2 b;
layout(location = 5) out float c;
void main() { a = 1.0; b = vec2(2.0); c = 3.0; gl_Position = vec4(a); }
