#version 450
layout(location = 1) out vec4 unread;
layout(location = 2) out vec2 uv;
void main() { unread = vec4(0.0); uv = vec2(1.0); gl_Position = vec4(1.0); }
