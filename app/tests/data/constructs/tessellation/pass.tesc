#version 450
layout(vertices = 3) out;
layout(location = 0) in vec3 normal[];
layout(location = 1) in vec3 tangent[];
layout(location = 0) out vec3 n[];
layout(location = 2) out vec3 t[];
layout(location = 4) patch out float level;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    n[gl_InvocationID] = normal[gl_InvocationID];
    t[gl_InvocationID] = tangent[gl_InvocationID];
    if (gl_InvocationID == 0) {
        level = 4.0;
        gl_TessLevelOuter[0] = 4.0; gl_TessLevelOuter[1] = 4.0; gl_TessLevelOuter[2] = 4.0;
        gl_TessLevelInner[0] = 2.0;
    }
}
