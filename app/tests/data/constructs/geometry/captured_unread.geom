#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 1) out vec4 a;
layout(location = 2) flat out uvec4 b;
layout(location = 3) out vec2 dropped;
layout(location = 4) out vec2 c;
layout(xfb_buffer = 0, xfb_offset = 0, location = 5) out vec2 captured;
void main() {
    a = vec4(1.0); b = uvec4(2u); dropped = vec2(3.0); c = vec2(4.0); captured = vec2(5.0);
    gl_Position = vec4(1.0);
    EmitVertex();
}
