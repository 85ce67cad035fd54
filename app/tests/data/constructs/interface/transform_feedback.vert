#version 450
layout(location = 0) in vec4 p;
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) out vec4 captured;
layout(location = 1) out vec2 uv;
void main() { captured = p; uv = p.xy; gl_Position = p; }
