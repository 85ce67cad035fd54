#version 450
layout(set = 0, binding = 0) uniform sampler2D height;
layout(location = 0) in vec2 uv;
void main() { gl_Position = vec4(uv, textureLod(height, uv, 0.0).r, 1.0); }
