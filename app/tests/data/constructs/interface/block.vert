#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out Surface {
    vec3 a;
    flat uint b;
    noperspective vec2 c;
} result;
void main() {
    result.a = p.xyz;
    result.b = uint(gl_VertexIndex);
    result.c = p.zw;
    gl_Position = p;
}
