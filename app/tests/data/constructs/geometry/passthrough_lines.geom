#version 450
layout(lines) in;
layout(line_strip, max_vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; } gl_in[];
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };
void main() {
    for (int i = 0; i < 2; ++i) {
        gl_Position = gl_in[i].gl_Position;
        gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[0];
        EmitVertex();
    }
    EndPrimitive();
}
