#version 460
layout(location = 0) in vec3 weights;
layout(location = 1) in float bend;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(weights, bend);
}
