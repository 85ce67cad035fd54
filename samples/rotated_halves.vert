#version 460
// A geometry shader between a vertex and a fragment shader. Try:
//   lanescope debug rotated_halves.vert rotated_halves.geom rotated_halves.frag --primitive 2.1
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 color;

layout(location = 0) out vec3 shade;

void main() {
    gl_Position = position;
    shade = color * 0.0625;
}
