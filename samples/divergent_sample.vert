#version 460
// Feeds divergent_sample.frag.
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;

void main() {
    gl_Position = position;
    uv = position.xy * 0.5;
}
