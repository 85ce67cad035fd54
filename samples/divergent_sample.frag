#version 460
// A texture is sampled in divergent control flow: its level of detail needs the coordinates of the whole quad.
layout(location = 0) in vec2 uv;

layout(set = 0, binding = 0) uniform sampler2D albedo;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(0.0);
    if ((int(gl_FragCoord.x) & 1) == 0) {
        vec2 wrapped = uv * 4.0;
        color = texture(albedo, wrapped);
    }
}
