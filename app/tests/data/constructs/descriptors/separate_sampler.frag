#version 450
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler plain;
layout(set = 0, binding = 2) uniform samplerShadow compare;
layout(set = 0, binding = 3) uniform texture2D depth;
layout(location = 0) in vec3 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(image, plain), uv.xy) * texture(sampler2DShadow(depth, compare), uv); }
