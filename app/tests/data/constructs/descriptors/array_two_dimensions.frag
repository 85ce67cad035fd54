#version 450
layout(set = 0, binding = 0) uniform texture2D images[2][3];
layout(set = 0, binding = 1) uniform sampler plain;
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(images[1][2], plain), vec2(0.5)); }
