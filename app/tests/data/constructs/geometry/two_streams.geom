#version 450
layout(points) in;
layout(points, max_vertices = 2) out;
layout(stream = 0, location = 0) flat out ivec2 a;
layout(stream = 0, location = 4) out vec2 unread;
layout(stream = 1, xfb_buffer = 1, xfb_offset = 0, location = 3) out vec4 side;
void main() {
    a = ivec2(1); unread = vec2(2.0);
    gl_Position = gl_in[0].gl_Position;
    EmitStreamVertex(0);
    EndStreamPrimitive(0);
    side = vec4(3.0);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
}
