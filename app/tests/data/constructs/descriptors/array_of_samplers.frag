#version 450
layout(set = 0, binding = 1) uniform sampler2D images[4];
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(images[2], uv) + texture(images[3], uv); }
