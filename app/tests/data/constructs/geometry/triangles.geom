#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 n[];
layout(location = 1) in vec3 t[];
layout(location = 0) out vec3 normal;
layout(location = 1) out vec3 tangent;
layout(location = 2) out vec2 uv;
void main() {
    for (int i = 0; i < 3; ++i) {
        gl_Position = gl_in[i].gl_Position;
        normal = n[i];
        tangent = t[i];
        uv = vec2(float(i));
        EmitVertex();
    }
    EndPrimitive();
}
