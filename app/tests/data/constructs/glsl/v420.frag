#version 420 core
layout(location = 0) in vec2 a;
layout(binding = 3) uniform sampler2D b;
layout(location = 0) out vec4 color;
void main() { color = texture(b, a); }
