#version 460
// One invocation for each corner: the level of the opposite edge grows with its length.
layout(vertices = 3) out;

layout(location = 0) in vec2 corner[];

layout(location = 0) out vec2 place[];
layout(location = 1) patch out vec2 middle;

void main() {
    int own = gl_InvocationID;
    int next = (own + 1) % 3;
    int last = (own + 2) % 3;
    gl_out[gl_InvocationID].gl_Position = gl_in[own].gl_Position;
    place[gl_InvocationID] = corner[own];
    gl_TessLevelOuter[own] = clamp(distance(corner[next], corner[last]) * 4.0, 1.0, 8.0);
    // The levels of the other invocations are read after the barrier.
    barrier();
    if (own == 0) {
        gl_TessLevelInner[0] = max(max(gl_TessLevelOuter[0], gl_TessLevelOuter[1]), gl_TessLevelOuter[2]);
        middle = (place[0] + place[1] + place[2]) / 3.0;
    }
}
