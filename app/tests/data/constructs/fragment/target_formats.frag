#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec2 b;
layout(location = 2) out float c;
layout(location = 3) out uvec4 d;
void main() { a = vec4(1.0); b = vec2(2.0); c = 3.0; d = uvec4(4u); }
