#version 450
layout(set = 0, binding = 4) uniform texture2D image;
layout(set = 0, binding = 4) uniform sampler plain;
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(image, plain), vec2(0.5)); }
