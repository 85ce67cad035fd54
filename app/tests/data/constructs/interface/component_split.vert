#version 450
layout(location = 2) out vec4 whole;
void main() { whole = vec4(gl_VertexIndex); gl_Position = vec4(1.0); }
