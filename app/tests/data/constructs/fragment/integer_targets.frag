#version 450
layout(location = 0) out ivec4 a;
layout(location = 1) out uvec2 b;
void main() { a = ivec4(1); b = uvec2(2u); }
