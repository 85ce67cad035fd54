#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 a[][3];
layout(location = 5) in vec2 b[];
layout(location = 0) out vec4 picked[];
layout(push_constant) uniform Choice { int which; } choice;
void main() {
    picked[gl_InvocationID] = a[gl_InvocationID][choice.which] * b[gl_InvocationID].x;
    gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 1.0; gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
