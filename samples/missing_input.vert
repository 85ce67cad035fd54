#version 460
// Writes one of the two values that missing_input.frag reads.
layout(location = 0) in vec4 position;
layout(location = 0) out vec3 normal;

void main() {
    gl_Position = position;
    normal = position.xyz;
}
