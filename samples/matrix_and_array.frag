#version 460
// A matrix is an array of columns; of the array one element and one component are never read.
layout(location = 0) in mat3 tangent_frame;
layout(location = 3) in vec2 uv[3];
layout(location = 6) in float fade;

layout(location = 0) out vec4 color;

void main() {
    vec3 normal = tangent_frame * vec3(0.0, 0.0, 1.0) + tangent_frame[0];
    color = vec4(normal + tangent_frame[1], fade) + vec4(uv[0], uv[2].y, 0.0);
}
