#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec3 n[];
layout(location = 2) in vec3 t[];
layout(location = 4) patch in float level;
layout(location = 0) out vec2 a;
layout(location = 1) out vec3 b;
layout(location = 2) out float c;
void main() {
    b = n[0] * gl_TessCoord.x + n[1] * gl_TessCoord.y + n[2] * gl_TessCoord.z;
    a = t[0].xy;
    c = level + t[1].z;
    gl_Position = gl_in[0].gl_Position;
}
