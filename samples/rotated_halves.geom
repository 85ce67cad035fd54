#version 460
// Two invocations for each triangle: one draws it at half its size, the other the same turned by 180 degrees.
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;

layout(location = 0) in vec3 shade[];

layout(location = 0) out vec3 tint;
layout(location = 1) flat out int half_number;

void main() {
    float sign = gl_InvocationID == 0 ? 1.0 : -1.0;
    for (int corner = 0; corner < 3; corner++) {
        vec4 at = gl_in[corner].gl_Position;
        gl_Position = vec4(at.xy * 0.5 * sign, at.zw);
        gl_PrimitiveID = gl_PrimitiveIDIn;
        tint = shade[corner];
        half_number = gl_InvocationID;
        EmitVertex();
    }
    EndPrimitive();
}
