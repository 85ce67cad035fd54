#version 460
// A patch of three vertices, tessellated and bent. Try:
//   lanescope debug bent_patch.vert bent_patch.tesc bent_patch.tese bent_patch.frag --patch 1.2
layout(location = 0) in vec4 position;

layout(location = 0) out vec2 corner;

void main() {
    gl_Position = position;
    corner = position.xy;
}
