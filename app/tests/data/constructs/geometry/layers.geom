#version 450
layout(triangles, invocations = 6) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 world;
void main() {
    for (int i = 0; i < gl_in.length(); ++i) {
        gl_Layer = gl_InvocationID;
        gl_ViewportIndex = gl_InvocationID & 1;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        world = gl_in[i].gl_Position;
        gl_Position = world;
        EmitVertex();
    }
    EndPrimitive();
}
