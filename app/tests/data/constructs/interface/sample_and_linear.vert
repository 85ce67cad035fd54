#version 450
layout(location = 0) out vec2 a;
layout(location = 1) noperspective out vec2 b;
void main() {
    a = vec2(gl_VertexIndex);
    b = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(b, 0.0, 1.0);
}
