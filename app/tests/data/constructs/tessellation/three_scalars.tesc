#version 450
layout(vertices = 4) out;
layout(location = 0) in float a[];
layout(location = 3) in vec2 b[];
layout(location = 5) in float c[];
layout(location = 0) out vec4 sum[];
void main() {
    sum[gl_InvocationID] = vec4(a[gl_InvocationID], b[gl_InvocationID], c[gl_InvocationID]);
    gl_TessLevelOuter[0] = sum[gl_InvocationID].x;
    gl_TessLevelOuter[1] = 2.0; gl_TessLevelOuter[2] = 2.0; gl_TessLevelOuter[3] = 2.0;
    gl_TessLevelInner[0] = 2.0; gl_TessLevelInner[1] = 2.0;
}
