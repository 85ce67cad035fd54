#version 460
// Reads location 3, which nobody writes: a missing input keeps its place and holds an undefined value.
layout(location = 0) in vec3 normal;
layout(location = 3) in vec2 uv;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(normal, uv.x + uv.y);
}
