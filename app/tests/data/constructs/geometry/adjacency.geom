#version 450
layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 2) out;
layout(location = 2) in vec2 uv[6];
layout(location = 0) out vec2 edge;
void main() {
    edge = uv[1]; gl_Position = gl_in[0].gl_Position; EmitVertex();
    edge = uv[5]; gl_Position = gl_in[2].gl_Position; EmitVertex();
}
