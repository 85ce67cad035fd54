#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec2 a;
layout(location = 1) __explicitInterpAMD in ivec2 b;
layout(location = 2) in vec2 c;
layout(location = 0) out vec4 color;
void main() {
    vec2 first = interpolateAtVertexAMD(a, 0) + interpolateAtVertexAMD(a, 2);
    color = vec4(first, c) + vec4(interpolateAtVertexAMD(b, 1), 0, 0);
}
