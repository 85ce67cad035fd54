#version 460
layout(triangles, fractional_odd_spacing, ccw) in;

layout(location = 0) in vec2 place[];
layout(location = 1) patch in vec2 middle;

layout(location = 0) out vec3 weights;
layout(location = 1) out float bend;

void main() {
    vec3 at = gl_TessCoord;
    bend = 27.0 * at.x * at.y * at.z;
    vec4 flat_at = at.x * gl_in[0].gl_Position + at.y * gl_in[1].gl_Position + at.z * gl_in[2].gl_Position;
    vec2 from_middle = at.x * place[0] + at.y * place[1] + at.z * place[2] - middle;
    gl_Position = flat_at + vec4(from_middle * bend * 0.25, 0.0, 0.0);
    weights = at;
}
