#version 460
// Flat against smooth: smooth, noperspective and centroid share slots, flat values get their own.
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint layer;
layout(location = 2) noperspective in vec2 screen;
layout(location = 3) flat in ivec2 cell;
layout(location = 4) centroid in vec3 normal;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(uv, screen) + vec4(normal, 0.0) + float(layer) + vec4(cell, cell);
}
